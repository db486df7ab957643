import type { Category } from '../../../../src/model/category.ts'
import type { Answered } from '../../api/client.ts'
import { type Answer, useAnswer } from '../../api/use-answer.ts'

export type Overview = Answered<'vault'>

/** How much there is of whom and of what. */
export function useOverview(): Answer<Overview> {
  return useAnswer('vault', {}, ['entries'])
}

/** How many entries of a category an agent has; of everyone without one. */
export function countOf(
  overview: Overview | undefined,
  agent: string,
  category: Category,
): number | undefined {
  return overview?.agents
    .filter(one => agent === '' || one.agent === agent)
    .reduce((sum, { counts }) => sum + counts[category], 0)
}
