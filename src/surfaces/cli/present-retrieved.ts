import { renderLearnings, renderOverviews, renderPlans } from '../../workspaces/answers-as-yaml.ts'
import type { Terminal } from './terminal.ts'

type Presenter = (output: never, terminal: Terminal) => void

/** The YAML of the seed, to a person and to an agent alike. */
export const RETRIEVED_PRESENTERS: Readonly<Record<string, Presenter>> = {
  'retrieve plans': (output: Parameters<typeof renderPlans>[0], terminal: Terminal) =>
    terminal.out(renderPlans(output)),
  'retrieve overview': (output: Parameters<typeof renderOverviews>[0], terminal: Terminal) =>
    terminal.out(renderOverviews(output)),
  'retrieve learnings': (output: Parameters<typeof renderLearnings>[0], terminal: Terminal) =>
    terminal.out(renderLearnings(output)),
}

export function presentRetrieved(verb: string, output: unknown, terminal: Terminal): void {
  const show = RETRIEVED_PRESENTERS[verb]
  if (show === undefined) throw new Error(`no presenter for ${verb}`)
  show(output as never, terminal)
}
