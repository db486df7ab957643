import { useMemo } from 'react'
import type { Asked } from '../../api/client.ts'
import { type Answer, useAnswer } from '../../api/use-answer.ts'
import { filterOf, type ListParams } from './list-params.ts'
import { listedFromHit, type Pages } from './pages.ts'

const MAX_HITS = 15

/** The search results as rows. */
export function useHits(params: ListParams): {
  readonly answer: Answer<unknown>
  readonly rows: Pages
} {
  const { query, where, by } = params
  const { category, agent, ...filters } = filterOf(params)
  const asked: Asked<'search'> | undefined =
    query === ''
      ? undefined
      : {
          query,
          limit: MAX_HITS,
          ...(by === 'words' && { words: true }),
          ...filters,
          ...(where === 'here' && { category, ...(agent !== undefined && { agent }), entriesOnly: true }),
        }
  const answer = useAnswer('search', asked, ['entries'])
  const hits = 'data' in answer ? answer.data?.hits : undefined
  const rows = useMemo(() => (hits ?? []).map(listedFromHit), [hits])
  return { answer, rows }
}
