import { useCallback, useMemo } from 'react'
import type { Category } from '../../../../src/kernel/model/category.ts'
import type { Status } from '../../../../src/kernel/model/entry.ts'
import type { Asked } from '../../api/client.ts'
import { linkTo, usePlace } from '../../place.ts'

/** In the order of the guide of the page. */
export const TABS: readonly Category[] = ['decisions', 'lessons', 'handoffs', 'tasks', 'projects']
export const STATUSES: readonly Status[] = ['candidate', 'confirmed', 'pinned']

/** What of the memory is shown. It stands in the fragment of the address, so that a link and the back button lead to it. */
export interface Choice {
  readonly tab: Category
  readonly agent: string
  readonly kind: string
  readonly tags: readonly string[]
  readonly status: string
  readonly since: string
  readonly until: string
  readonly query: string
  /** Look for it in the chosen agent and tab alone, or in all of them. */
  readonly where: 'here' | 'everywhere'
  readonly by: 'meaning' | 'words'
  /** The entry that is open beside the list. */
  readonly entry: string
}

export const NOTHING_CHOSEN: Choice = {
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

export function readChoice(params: Params): Choice {
  const tab = TABS.find(known => known === params.tab) ?? NOTHING_CHOSEN.tab
  return {
    tab,
    agent: params.agent ?? '',
    kind: params.kind ?? '',
    // `tag` is how a link of another view says it.
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

/** Only what differs from the first sight: the address stays short. */
export function writeChoice(choice: Choice): Record<string, string> {
  const { tab, tags, query, where, by, ...plain } = choice
  const params: Record<string, string> = {
    ...(tab !== NOTHING_CHOSEN.tab && { tab }),
    ...(tags.length > 0 && { tags: tags.join(',') }),
    ...(query !== '' && { q: query }),
    ...(where !== NOTHING_CHOSEN.where && { where }),
    ...(by !== NOTHING_CHOSEN.by && { by }),
  }
  for (const [name, value] of Object.entries(plain)) if (value !== '') params[name] = value
  return params
}

/** What `list` and `search` are narrowed by. */
export function filterOf(choice: Choice): Omit<Asked<'list'>, 'limit' | 'offset' | 'asOf' | 'category'> & {
  readonly category: Category
} {
  const { agent, kind, tags, status, since, until } = choice
  return {
    category: choice.tab,
    ...(agent !== '' && { agent }),
    ...(kind !== '' && { kind }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(status !== '' && { status: status as Status }),
    ...(since !== '' && { since }),
    ...(until !== '' && { until }),
  }
}

export function hasFilter({ kind, tags, status, since, until }: Choice): boolean {
  return kind !== '' || tags.length > 0 || status !== '' || since !== '' || until !== ''
}

export type Choose = (change: Partial<Choice>, options?: { readonly isPassing?: boolean }) => void

/** What is chosen, and how to choose otherwise. A passing choice (a letter typed, a row gone over) leaves no step for the back button. */
export function useChoice(): readonly [Choice, Choose] {
  const { params } = usePlace()
  const key = JSON.stringify(params)
  const choice = useMemo(() => readChoice(JSON.parse(key) as Params), [key])
  const choose = useCallback<Choose>((change, { isPassing = false } = {}) => {
    const now = readChoice(paramsOf(location.hash))
    const next = linkTo('vault', writeChoice({ ...now, ...change }))
    if (next === location.hash) return
    if (!isPassing) {
      location.hash = next
      return
    }
    history.replaceState(null, '', next)
    dispatchEvent(new HashChangeEvent('hashchange'))
  }, [])
  return [choice, choose]
}

function paramsOf(hash: string): Params {
  return Object.fromEntries(new URLSearchParams(hash.split('?')[1] ?? ''))
}
