import type { Degradation } from '../kernel/model/search.ts'
import type { Terminal } from '../kernel/system/terminal.ts'
import { visible } from '../kernel/text/visible.ts'
import type { AnswerOf, VerbName } from './all.ts'

/** How the answers of verbs look to a person. Programs ask for --json. */
export type Presenters = {
  readonly [Name in VerbName]: (answer: AnswerOf<Name>, terminal: Terminal) => void
}

/** What could not be done on the way to an answer follows it, whatever the verb is. */
export function presentBy(presenters: Partial<Presenters>) {
  return (verb: string, answer: unknown, terminal: Terminal): void => {
    presenters[verb as VerbName]?.(answer as never, terminal)
    presentDegraded((answer as Partial<AnswerOf<'search'>>).degraded ?? [], terminal)
  }
}

export function presentDegraded(degraded: readonly Degradation[], terminal: Terminal): void {
  for (const { message } of degraded) terminal.err(`${terminal.dim('note:')} ${visible(message)}\n`)
}
