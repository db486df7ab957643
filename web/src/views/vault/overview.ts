import type { Category } from '../../../../src/kernel/model/category.ts'
import type { Answered } from '../../api/client.ts'

export type Overview = Answered<'vault'>

/** The number of entries of an agent in a category; of all agents without one. */
export function countOf(
  overview: Overview | undefined,
  agent: string,
  category: Category,
): number | undefined {
  return overview?.agents
    .filter(one => agent === '' || one.agent === agent)
    .reduce((sum, { counts }) => sum + counts[category], 0)
}
