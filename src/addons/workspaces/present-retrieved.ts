import type { Presenters } from '../../verbs/presenter.ts'
import { renderLearnings, renderOverviews, renderPlans } from './answers-as-yaml.ts'

/** The YAML of the seed, for people and agents alike. */
export const RETRIEVED_PRESENTERS = {
  'retrieve plans': (answer, terminal) => terminal.out(renderPlans(answer)),
  'retrieve overview': (answer, terminal) => terminal.out(renderOverviews(answer)),
  'retrieve learnings': (answer, terminal) => terminal.out(renderLearnings(answer)),
} satisfies Partial<Presenters>
