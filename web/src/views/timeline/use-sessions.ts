import { useCallback, useEffect, useRef, useState } from 'react'
import { type Answered, ApiError, call } from '../../api/client.ts'
import { affects, onMemoryChange } from '../../api/live.ts'

type Page = Answered<'timeline'>

export interface SessionPages {
  readonly sessions: Page['sessions']
  readonly total: number | undefined
  readonly problems: Page['problems']
  readonly degraded: Page['degraded']
  readonly isLoading: boolean
  readonly error: ApiError | undefined
  more(): void
}

const PAGE = 30
const MAX_CONCURRENT = 200
const NONE: Omit<SessionPages, 'more'> = {
  sessions: [],
  total: undefined,
  problems: [],
  degraded: [],
  isLoading: true,
  error: undefined,
}

/** The sessions of the timeline, page by page. After a change, the loaded pages are requested again. */
export function useSessions(agent: string): SessionPages {
  const [pages, setPages] = useState(NONE)
  const [turn, setTurn] = useState(0)
  const wanted = useRef(PAGE)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` requests it again.
  useEffect(() => {
    const ending = new AbortController()
    setPages(before => ({ ...before, isLoading: true }))
    load(agent, wanted.current, ending.signal).then(
      loaded => setPages({ ...loaded, isLoading: false, error: undefined }),
      (error: unknown) => {
        if (ending.signal.aborted) return
        setPages(before => ({ ...before, isLoading: false, error: asFailure(error) }))
      },
    )
    return () => ending.abort()
  }, [agent, turn])
  useEffect(
    () =>
      onMemoryChange(changed => {
        if (affects(changed, ['sessions', 'entries', 'review'])) setTurn(value => value + 1)
      }),
    [],
  )
  const more = useCallback(() => {
    wanted.current += PAGE
    setTurn(value => value + 1)
  }, [])
  return { ...pages, more }
}

async function load(
  agent: string,
  wanted: number,
  signal: AbortSignal,
): Promise<Pick<SessionPages, 'sessions' | 'problems' | 'degraded'> & { total: number }> {
  const pages: Page[] = []
  let loaded = 0
  for (;;) {
    const limit = Math.min(MAX_CONCURRENT, wanted - loaded)
    const page = await call('timeline', { limit, offset: loaded, ...(agent !== '' && { agent }) }, { signal })
    pages.push(page)
    loaded += page.sessions.length
    if (page.sessions.length < limit || loaded >= wanted) break
  }
  return {
    sessions: pages.flatMap(({ sessions }) => sessions),
    problems: pages[0]?.problems ?? [],
    degraded: pages[0]?.degraded ?? [],
    total: pages.at(-1)?.total ?? 0,
  }
}

function asFailure(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError({ code: 'internal', message: String(error), hint: 'Reload the page.' })
}
