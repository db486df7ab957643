import type { AgentEvent } from '../kernel/model/agent-run.ts'
import type { Degradation } from '../kernel/model/search.ts'
import type { Terminal } from '../kernel/system/terminal.ts'
import { visible } from '../kernel/text/visible.ts'
import type { AnswerOf, VerbName } from './all.ts'

type Presenter<Answer> = (answer: Answer, terminal: Terminal) => void

/** How the command line shows a verb. */
export interface Screen<Answer = unknown> {
  present(answer: Answer, terminal: Terminal): void
  /** The answer for --json. Absent: `JSON.stringify`. */
  toJson?(answer: Answer): string
  /** Annotations for GitHub Actions at the lines of files; `checkout` is the folder that its paths are relative to. */
  annotate?(answer: Answer, checkout: string): string
  /** The answer lists every problem: no notes follow it. */
  readonly listsProblems?: true
  /** Shows an agent at work. */
  presentEvent?(event: AgentEvent, terminal: Terminal): void
}

/** Most verbs need no more than a function. */
export type Presenters = {
  readonly [Name in VerbName]: Presenter<AnswerOf<Name>> | Screen<AnswerOf<Name>>
}

/** The screen of a verb; the notices in `degraded` follow the answer. */
export function screenOf(presenters: Partial<Presenters>, verb: string): Screen {
  const found = presenters[verb as VerbName] as Presenter<unknown> | Screen | undefined
  const screen = typeof found === 'function' ? { present: found } : found
  return {
    ...screen,
    present(answer, terminal) {
      screen?.present(answer, terminal)
      presentDegraded((answer as { readonly degraded?: readonly Degradation[] }).degraded ?? [], terminal)
    },
  }
}

function presentDegraded(degraded: readonly Degradation[], terminal: Terminal): void {
  for (const { message } of degraded) terminal.err(`${terminal.dim('note:')} ${visible(message)}\n`)
}
