import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'

export const DOCTOR_PRESENTERS = { doctor: presentDoctor } satisfies Partial<Presenters>

function presentDoctor({ healthy, checks }: AnswerOf<'doctor'>, terminal: Terminal): void {
  for (const { name, result, message, hint } of checks) {
    const mark = result === 'ok' || result === 'fixed' ? terminal.good(result) : terminal.bad(result)
    terminal.out(`${mark}  ${name}: ${visible(message)}\n`)
    if (hint !== undefined) terminal.out(`    ${terminal.dim('→')} ${visible(hint)}\n`)
  }
  terminal.out(healthy ? 'No problems found.\n' : 'Problems found.\n')
}
