import { useMemo } from 'react'
import type { Category } from '../../../../src/model/category.ts'
import { type Answer, useAnswer } from '../../api/use-answer.ts'

export interface Overview {
  readonly total: number
  readonly agents: readonly {
    readonly agent: string
    readonly total: number
    readonly counts: Readonly<Partial<Record<Category, number>>>
  }[]
  readonly kinds: readonly { readonly kind: string; readonly count: number }[]
  readonly tags: readonly { readonly tag: string; readonly count: number }[]
}

/** How much there is of whom and of what. */
export function useOverview(): Answer<Overview> {
  const answer = useAnswer('status', {}, ['entries'])
  const data = 'data' in answer ? answer.data : undefined
  const overview = useMemo<Overview | undefined>(
    () =>
      data && {
        total: data.entries,
        agents: data.agents.map(({ agent, counts }) => ({
          agent,
          counts,
          total: Object.values(counts).reduce((sum, count) => sum + count, 0),
        })),
        kinds: Object.entries(data.kinds).map(([kind, count]) => ({ kind, count })),
        tags: [],
      },
    [data],
  )
  if (answer.state === 'failed') return { state: 'failed', error: answer.error, ...(overview && { data: overview }) }
  if (overview === undefined) return { state: 'waiting' }
  return { state: 'there', data: overview, isOld: false }
}

/** How many entries of a category an agent has; of everyone without one. */
export function countOf(overview: Overview | undefined, agent: string, category: Category): number | undefined {
  return overview?.agents
    .filter(one => agent === '' || one.agent === agent)
    .reduce((sum, { counts }) => sum + (counts[category] ?? 0), 0)
}
