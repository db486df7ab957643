import type { Messages } from '../../language/language.tsx'

const en = {
  title: 'What becomes memory, and how much is told',
  auto: 'Closed sessions become memory',
  autoStates: { on: 'by themselves', off: 'only what is marked #remember' },
  autoDone: {
    on: 'Closed sessions leave suggestions and handoffs.',
    off: 'Only what is marked #remember is kept of a session.',
  },
  preset: 'What must speak for a finding',
  presets: {
    conservative: 'much (conservative)',
    balanced: 'enough (balanced)',
    aggressive: 'little (aggressive)',
  },
  presetDone: (preset: string) => `What must speak for a finding: ${preset}.`,
  budget: 'Most tokens of a brief',
  budgetDone: (tokens: string) => `A brief takes at most ${tokens} tokens.`,
  save: 'Save',
  same: 'It was so already.',
}

export const settingWords: Messages<typeof en> = {
  en,
  pt: {
    title: 'O que vira memória e quanto é contado',
    auto: 'Sessões encerradas viram memória',
    autoStates: { on: 'sozinhas', off: 'só o que é marcado com #remember' },
    autoDone: {
      on: 'Sessões encerradas viram memória sozinhas.',
      off: 'De uma sessão só fica o que é marcado com #remember.',
    },
    preset: 'Quanto deve apoiar um achado',
    presets: {
      conservative: 'muito (conservador)',
      balanced: 'o bastante (equilibrado)',
      aggressive: 'pouco (agressivo)',
    },
    presetDone: preset => `Quanto deve apoiar um achado: ${preset}.`,
    budget: 'Máximo de tokens de um resumo',
    budgetDone: tokens => `Um resumo usa no máximo ${tokens} tokens.`,
    save: 'Salvar',
    same: 'Já estava assim.',
  },
}
