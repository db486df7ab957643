import { useCallback, useMemo } from 'react'
import type { Category } from '../../../../src/kernel/model/category.ts'
import type { Status } from '../../../../src/kernel/model/entry.ts'
import type { Asked } from '../../api/client.ts'
import { linkTo, useViewLocation } from '../../router.ts'

/** In the order of the tabs. */
export const TABS: readonly Category[] = ['decisions', 'lessons', 'handoffs', 'tasks', 'projects']
export const STATUSES: readonly Status[] = ['candidate', 'confirmed', 'pinned']

/** The parameters of the entry list. They are stored in the fragment of the address, so that links and the Back button work. */
export interface ListParams {
  readonly tab: Category
  readonly agent: string
  readonly kind: string
  readonly tags: readonly string[]
  readonly status: string
  readonly since: string
  readonly until: string
  readonly query: string
  /** Search only the selected agent and tab, or everything. */
  readonly where: 'here' | 'everywhere'
  readonly by: 'meaning' | 'words'
  /** The entry that is open next to the list. */
  readonly entry: string
}

export const DEFAULT_PARAMS: ListParams = {
  tab: 'decisions',
  agent: '',
  kind: '',
  tags: [],
  status: '',
  since: '',
  until: '',
  query: '',
  where: 'everywhere',
  by: 'meaning',
  entry: '',
}

type Params = Readonly<Record<string, string>>

function parseListParams(params: Params): ListParams {
  const tab = TABS.find(known => known === params.tab) ?? DEFAULT_PARAMS.tab
  return {
    tab,
    agent: params.agent ?? '',
    kind: params.kind ?? '',
    // Links from other views use `tag`.
    tags: (params.tags ?? params.tag ?? '').split(',').filter(tag => tag !== ''),
    status: STATUSES.find(known => known === params.status) ?? '',
    since: params.since ?? '',
    until: params.until ?? '',
    query: params.q ?? '',
    where: params.where === 'here' ? 'here' : 'everywhere',
    by: params.by === 'words' ? 'words' : 'meaning',
    entry: params.entry ?? '',
  }
}

/** Only values that differ from the defaults, so that the address stays short. */
function formatListParams(params: ListParams): Record<string, string> {
  const { tab, tags, query, where, by, ...plain } = params
  const written: Record<string, string> = {
    ...(tab !== DEFAULT_PARAMS.tab && { tab }),
    ...(tags.length > 0 && { tags: tags.join(',') }),
    ...(query !== '' && { q: query }),
    ...(where !== DEFAULT_PARAMS.where && { where }),
    ...(by !== DEFAULT_PARAMS.by && { by }),
  }
  for (const [name, value] of Object.entries(plain)) if (value !== '') written[name] = value
  return written
}

/** The filter for `list` and `search`. */
export function filterOf(params: ListParams): Omit<
  Asked<'list'>,
  'limit' | 'offset' | 'asOf' | 'category'
> & {
  readonly category: Category
} {
  const { agent, kind, tags, status, since, until } = params
  return {
    category: params.tab,
    ...(agent !== '' && { agent }),
    ...(kind !== '' && { kind }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(status !== '' && { status: status as Status }),
    ...(since !== '' && { since }),
    ...(until !== '' && { until }),
  }
}

export function hasFilter({ kind, tags, status, since, until }: ListParams): boolean {
  return kind !== '' || tags.length > 0 || status !== '' || since !== '' || until !== ''
}

export type SetListParams = (change: Partial<ListParams>, options?: { readonly isPassing?: boolean }) => void

/** The parameters and their setter. A passing change (a typed letter, a focused row) adds no step to the history. */
export function useListParams(): readonly [ListParams, SetListParams] {
  const key = JSON.stringify(useViewLocation().params)
  const params = useMemo(() => parseListParams(JSON.parse(key) as Params), [key])
  const setParams = useCallback<SetListParams>((change, { isPassing = false } = {}) => {
    const now = parseListParams(paramsOf(location.hash))
    const next = linkTo('vault', formatListParams({ ...now, ...change }))
    if (next === location.hash) return
    if (!isPassing) {
      location.hash = next
      return
    }
    history.replaceState(null, '', next)
    dispatchEvent(new HashChangeEvent('hashchange'))
  }, [])
  return [params, setParams]
}

function paramsOf(hash: string): Params {
  return Object.fromEntries(new URLSearchParams(hash.split('?')[1] ?? ''))
}
