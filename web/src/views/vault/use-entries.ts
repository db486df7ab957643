import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Answered, ApiError, type Asked, call } from '../../api/client.ts'
import { onMemoryChange } from '../../api/live.ts'
import { type Listed, listedFrom, type Pages, withoutIds, withPage, withRefreshed } from './pages.ts'

export const PAGE = 60
const MAX_CONCURRENT = 3
/** Batches consecutive changes (an import, a bulk action). */
const SETTLE_MS = 120

type Filter = Omit<Asked<'list'>, 'limit' | 'offset' | 'asOf'>

export interface Entries {
  readonly state: 'loading' | 'loaded' | 'failed'
  readonly items: Pages
  readonly error: ApiError | undefined
  readonly degraded: Answered<'list'>['degraded']
  /** The visible rows. Missing ones are requested. */
  inSight(first: number, last: number): void
  refetch(): void
  /** A change shown before the server confirms it. */
  replace(entry: Listed['entry']): void
  drop(ids: readonly string[]): void
}

interface Loaded {
  readonly key: string
  readonly state: Entries['state']
  readonly items: Pages
  readonly error: ApiError | undefined
  readonly degraded: Answered<'list'>['degraded']
}

const NOTHING: Loaded = { key: '', state: 'loading', items: [], error: undefined, degraded: [] }

/** The entries of a filter, loaded page by page while scrolling. `undefined` sends no request. */
export function useEntries(filter: Filter | undefined, { isWhole = false } = {}): Entries {
  const key = JSON.stringify([filter, isWhole])
  const [loaded, setLoaded] = useState<Loaded>(NOTHING)
  const current = loaded.key === key ? loaded : NOTHING
  const machine = useRef<ReturnType<typeof pageLoader>>(undefined)
  useEffect(() => {
    const [asked, whole] = JSON.parse(key) as [Filter | null, boolean]
    if (asked === null) return
    const loader = pageLoader(asked, whole, change => {
      setLoaded(before => change(before.key === key ? before : { ...NOTHING, key }))
    })
    machine.current = loader
    const stopLive = onMemoryChange(loader.refreshSoon)
    return () => {
      stopLive()
      loader.stop()
    }
  }, [key])
  const inSight = useCallback((first: number, last: number) => machine.current?.inSight(first, last), [])
  const refetch = useCallback(() => machine.current?.refresh(), [])
  const replace = useCallback((entry: Listed['entry']) => {
    setLoaded(before => ({
      ...before,
      items: before.items.map(item => (item?.entry.id === entry.id ? { ...item, entry } : item)),
    }))
  }, [])
  const drop = useCallback((ids: readonly string[]) => {
    setLoaded(before => ({ ...before, items: withoutIds(before.items, new Set(ids)) }))
  }, [])
  const { state, items, error, degraded } = current
  return useMemo(
    () => ({ state, items, error, degraded, inSight, refetch, replace, drop }),
    [state, items, error, degraded, inSight, refetch, replace, drop],
  )
}

/** Loads the visible pages, a few at a time, and loads them again after a change. */
function pageLoader(filter: Filter, isWhole: boolean, change: (how: (loaded: Loaded) => Loaded) => void) {
  const ending = new AbortController()
  const underWay = new Set<number>()
  let sight: readonly [number, number] = [0, PAGE - 1]
  let fresh = new Set<number>()
  let total = PAGE
  let settling: ReturnType<typeof setTimeout> | undefined
  let generation = 0

  const ask = (offset: number, limit: number) =>
    call('list', { ...filter, offset, limit }, { signal: ending.signal })

  const failed = (error: unknown) => {
    if (ending.signal.aborted) return
    const failure =
      error instanceof ApiError
        ? error
        : new ApiError({ code: 'internal', message: String(error), hint: 'Reload the page.' })
    change(loaded => ({ ...loaded, state: 'failed', error: failure }))
  }

  const loadPage = async (page: number) => {
    underWay.add(page)
    const asked = generation
    try {
      const answer = await ask(page * PAGE, PAGE)
      if (asked !== generation) return
      fresh.add(page)
      total = answer.total
      const listed = listedFrom(answer)
      change(loaded => ({
        ...loaded,
        state: 'loaded',
        error: undefined,
        degraded: answer.degraded,
        items: withPage(loaded.items, page * PAGE, listed, answer.total),
      }))
    } catch (error) {
      failed(error)
      return
    } finally {
      underWay.delete(page)
    }
    loadMissing()
  }

  const pagesWanted = () => {
    const last = isWhole ? total - 1 : Math.min(sight[1], total - 1)
    const wanted: number[] = []
    const first = isWhole ? 0 : Math.floor(sight[0] / PAGE)
    for (let page = first; page <= Math.floor(Math.max(0, last) / PAGE); page++) wanted.push(page)
    return wanted
  }

  const loadMissing = () => {
    for (const page of pagesWanted()) {
      if (underWay.size >= MAX_CONCURRENT) return
      if (!fresh.has(page) && !underWay.has(page)) void loadPage(page)
    }
  }

  /** The visible pages in one request, so that they are consistent. The others when they become visible. */
  const refresh = async () => {
    const asked = ++generation
    const first = isWhole ? 0 : Math.max(0, Math.floor(sight[0] / PAGE) - 1)
    const last = isWhole ? Math.floor(total / PAGE) : Math.floor(sight[1] / PAGE) + 1
    try {
      const answer = await ask(first * PAGE, (last - first + 1) * PAGE)
      if (asked !== generation) return
      fresh = new Set(Array.from({ length: last - first + 1 }, (_, at) => first + at))
      total = answer.total
      const listed = listedFrom(answer)
      change(loaded => ({
        ...loaded,
        state: 'loaded',
        error: undefined,
        degraded: answer.degraded,
        items: withRefreshed(loaded.items, first * PAGE, listed, answer.total),
      }))
      loadMissing()
    } catch (error) {
      failed(error)
    }
  }

  loadMissing()
  return {
    inSight(first: number, last: number) {
      sight = [first, last]
      loadMissing()
    },
    refresh: () => void refresh(),
    refreshSoon() {
      clearTimeout(settling)
      settling = setTimeout(() => void refresh(), SETTLE_MS)
    },
    stop() {
      clearTimeout(settling)
      ending.abort()
    },
  }
}
