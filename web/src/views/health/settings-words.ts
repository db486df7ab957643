import type { Messages } from '../../language/language.tsx'

const en = {
  title: 'Settings',
  auto: 'Save from closed sessions',
  autoStates: { on: 'suggestions and handoffs', off: 'only text marked #remember' },
  autoDone: {
    on: 'Suggestions and handoffs are saved from closed sessions.',
    off: 'Only text marked #remember is saved from closed sessions.',
  },
  preset: 'Evidence required for a suggestion',
  presets: {
    conservative: 'high (conservative)',
    balanced: 'medium (balanced)',
    aggressive: 'low (aggressive)',
  },
  presetDone: (preset: string) => `Evidence required for a suggestion: ${preset}.`,
  budget: 'Maximum tokens per brief',
  budgetDone: (tokens: string) => `A brief now has at most ${tokens} tokens.`,
  save: 'Save',
  same: 'No change: the setting already has this value.',
}

export const settingWords: Messages<typeof en> = {
  en,
  pt: {
    title: 'Configurações',
    auto: 'Salvar de sessões encerradas',
    autoStates: { on: 'sugestões e handoffs', off: 'só textos marcados com #remember' },
    autoDone: {
      on: 'Sugestões e handoffs são salvos das sessões encerradas.',
      off: 'Só textos marcados com #remember são salvos das sessões encerradas.',
    },
    preset: 'Evidência exigida para uma sugestão',
    presets: {
      conservative: 'alta (conservative)',
      balanced: 'média (balanced)',
      aggressive: 'baixa (aggressive)',
    },
    presetDone: preset => `Evidência exigida para uma sugestão: ${preset}.`,
    budget: 'Máximo de tokens por resumo',
    budgetDone: tokens => `Um resumo agora tem no máximo ${tokens} tokens.`,
    save: 'Salvar',
    same: 'Nada mudou: a configuração já tem este valor.',
  },
}
