import { renderLearnings, renderOverviews, renderPlans } from '../../workspaces/answers-as-yaml.ts'
import type { Presenters } from './presenter.ts'

/** The YAML of the seed, to a person and to an agent alike. */
export const RETRIEVED_PRESENTERS = {
  'retrieve plans': (answer, terminal) => terminal.out(renderPlans(answer)),
  'retrieve overview': (answer, terminal) => terminal.out(renderOverviews(answer)),
  'retrieve learnings': (answer, terminal) => terminal.out(renderLearnings(answer)),
} satisfies Partial<Presenters>
