import type { Answered } from '../../api/client.ts'

type ListAnswer = Answered<'list'>
export type Entry = ListAnswer['entries'][number]

/** A pin by an agent is not a pin by a person. Pinning it again confirms it. */
export function isPinnedByPerson({ status, extra }: Entry): boolean {
  return status === 'pinned' && extra?.pinnedBy !== 'agent'
}

export type FileState = NonNullable<ListAnswer['freshness']>[string]
export type Marks = NonNullable<ListAnswer['marks']>[string]
type Hit = Answered<'search'>['hits'][number]

/** An entry with its marks. */
export interface Listed {
  readonly entry: Entry
  readonly freshness?: FileState
  readonly marks?: Marks
  /** The matching part, shown instead of the text. */
  readonly found?: Pick<Hit, 'snippet' | 'matches'>
  /** A workspace document, which is read-only here. */
  readonly document?: NonNullable<Hit['document']>
}

/** Sparse, with the length of the whole list. Rows that are not loaded have no value. */
export type Pages = readonly (Listed | undefined)[]

export function listedFrom(answer: ListAnswer): Listed[] {
  return answer.entries.map(entry => {
    const freshness = answer.freshness?.[entry.id]
    const marks = answer.marks?.[entry.id]
    return { entry, ...(freshness && { freshness }), ...(marks && { marks }) }
  })
}

export function listedFromHit({ entry, snippet, matches, document, freshness, marks }: Hit): Listed {
  return {
    entry,
    found: { snippet, matches },
    ...(document && { document }),
    ...(freshness && { freshness }),
    ...(marks && { marks }),
  }
}

/** Adds a loaded page. Unchanged entries keep their object, so that their rows do not render again. */
export function withPage(items: Pages, offset: number, page: readonly Listed[], total: number): Pages {
  const known = byId(items)
  const next = Array.from({ length: total }, (_, at) => items[at])
  page.forEach((listed, at) => {
    next[offset + at] = sameOr(known.get(listed.entry.id), listed)
  })
  return next
}

/**
 * Replaces the visible rows with their current entries. The other rows are shifted by the same distance, until they become visible:
 *
 *   before   A B C D E F        visible: C D
 *   now      X A B C D E F      requested: B C D E at 2; A and F move by one, X loads on scrolling up
 */
export function withRefreshed(items: Pages, offset: number, page: readonly Listed[], total: number): Pages {
  const known = byId(items)
  const shift = shiftOf(items, offset, page)
  const next: (Listed | undefined)[] = Array.from({ length: total }, (_, at) => items[at - shift])
  page.forEach((listed, at) => {
    next[offset + at] = sameOr(known.get(listed.entry.id), listed)
  })
  const seen = new Set(page.map(({ entry }) => entry.id))
  return next.map((item, at) => {
    const isAsked = at >= offset && at < offset + page.length
    return !isAsked && item !== undefined && seen.has(item.entry.id) ? undefined : item
  })
}

export function withoutIds(items: Pages, ids: ReadonlySet<string>): Pages {
  return items.filter(item => item === undefined || !ids.has(item.entry.id))
}

function shiftOf(items: Pages, offset: number, page: readonly Listed[]): number {
  const placeById = new Map(items.flatMap((item, at) => (item === undefined ? [] : [[item.entry.id, at]])))
  for (let at = page.length - 1; at >= 0; at--) {
    const before = placeById.get(page[at]?.entry.id ?? '')
    if (before !== undefined) return offset + at - before
  }
  return 0
}

function byId(items: Pages): Map<string, Listed> {
  return new Map(items.flatMap(item => (item === undefined ? [] : [[item.entry.id, item]])))
}

function sameOr(before: Listed | undefined, now: Listed): Listed {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now
}
