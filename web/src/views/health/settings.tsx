import { useState } from 'react'
import { call } from '../../api/client.ts'
import { useMay } from '../../api/hub.ts'
import { notifyChange } from '../../api/live.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { type Messages, useWords } from '../../language/language.tsx'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { ScopeNotice } from '../../ui/scope-notice.tsx'
import { showFailure } from '../../ui/toasts.tsx'
import { undoToast } from '../../ui/undo-toast.ts'

const PRESETS = ['conservative', 'balanced', 'aggressive'] as const
type Preset = (typeof PRESETS)[number]
type Changed = { readonly record: string | null }

/** The settings that the page can change: what sessions save, and the size of a brief. */
export function Settings() {
  const words = useWords(settingWords)
  const canSet = useMay('admin')
  const answer = useAnswer('configList', {}, ['config'])
  const change = async (asked: Promise<Changed>, done: string) => {
    try {
      const { record } = await asked
      notifyChange()
      undoToast(record === null ? words.same : done, record)
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <AnswerView answer={answer}>
      {({ settings }) => {
        const settingOf = (key: string) => settings.find(setting => setting.key === key)?.value
        const isAuto = settingOf('memory.auto') === true
        const preset = PRESETS.find(each => each === settingOf('promotion.preset')) ?? 'balanced'
        const max = String(settingOf('brief.maxTokens') ?? '')
        return (
          <section className="panel stack" aria-labelledby="settings">
            <h2 id="settings">{words.title}</h2>
            <ScopeNotice needs="admin" />
            <fieldset className="plain-group row foot" disabled={!canSet}>
              <legend className="unseen">{words.title}</legend>
              <Select<'on' | 'off'>
                label={words.auto}
                value={isAuto ? 'on' : 'off'}
                choices={(['on', 'off'] as const).map(value => ({ value, label: words.autoStates[value] }))}
                onChoose={state => void change(call('auto', { state }), words.autoDone[state])}
              />
              <Select<Preset>
                label={words.preset}
                value={preset}
                choices={PRESETS.map(value => ({ value, label: words.presets[value] }))}
                onChoose={value =>
                  void change(call('preset', { preset: value }), words.presetDone(words.presets[value]))
                }
              />
              <Budget
                key={max}
                max={max}
                onSave={tokens => void change(call('budget', { tokens }), words.budgetDone(tokens))}
              />
            </fieldset>
          </section>
        )
      }}
    </AnswerView>
  )
}

/** The number is sent on submit, not on every digit. */
function Budget({ max, onSave }: { readonly max: string; onSave(tokens: string): void }) {
  const words = useWords(settingWords)
  const [typed, setTyped] = useState(max)
  return (
    <form
      className="row foot"
      onSubmit={event => {
        event.preventDefault()
        onSave(typed.trim())
      }}
    >
      <Field label={words.budget}>
        {ids => (
          <input
            {...ids}
            inputMode="numeric"
            size={8}
            value={typed}
            onChange={event => setTyped(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" disabled={typed.trim() === '' || typed.trim() === max}>
        {words.save}
      </Button>
    </form>
  )
}

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

const settingWords: Messages<typeof en> = {
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
