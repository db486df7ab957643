import type { Terminal } from '../../kernel/system/terminal.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'

function presentBudget(
  { maxTokens, default: isDefault, briefs }: AnswerOf<'budget'>,
  terminal: Terminal,
): void {
  const note = isDefault ? terminal.dim(' (default)') : ''
  terminal.out(`A brief takes at most ${terminal.bold(maxTokens.toLocaleString('en'))} tokens${note}.\n`)
  if (briefs.count === 0) {
    terminal.out(terminal.dim('No host has received a brief yet.\n'))
    return
  }
  terminal.out(
    `The last ${briefs.count} briefs: ${briefs.mean.toLocaleString('en')} on average, ${briefs.most.toLocaleString('en')} at most.\n`,
  )
  for (const { at, kind, tokens } of briefs.last)
    terminal.out(
      terminal.dim(
        `  ${at.slice(0, 16)}  ${kind.padEnd(6)}  ${tokens === 0 ? 'silent' : `${tokens} tokens`}\n`,
      ),
    )
}

export const SETTING_PRESENTERS = {
  budget: presentBudget,
  auto: ({ auto }, terminal) =>
    terminal.out(
      auto
        ? `Automatic memory is ${terminal.good('on')}: closed sessions leave suggestions and handoffs.\n`
        : `Automatic memory is ${terminal.bold('off')}: a session stores only texts marked #remember.\n`,
    ),
  preset: ({ preset, points }, terminal) =>
    terminal.out(
      `The preset is ${terminal.bold(preset)}: suggestions with ${points} points or more come first in \`cairn review\`.\n`,
    ),
  'config list': ({ settings }, terminal) => {
    for (const setting of settings)
      terminal.out(`${settingLine(setting, terminal)}  ${terminal.dim(setting.description)}\n`)
  },
  'config get': presentSetting,
  'config set': presentSetting,
  'config unset': presentSetting,
} satisfies Partial<Presenters>

interface SettingView {
  readonly key: string
  readonly value: unknown
  readonly default: boolean
  readonly description: string
}

function presentSetting(
  { setting }: AnswerOf<'config get' | 'config set' | 'config unset'>,
  terminal: Terminal,
): void {
  terminal.out(`${settingLine(setting, terminal)}\n`)
}

function settingLine({ key, value, default: isDefault }: SettingView, terminal: Terminal): string {
  return `${key} = ${JSON.stringify(value)}${isDefault ? terminal.dim(' (default)') : ''}`
}
