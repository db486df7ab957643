import { useCallback, useEffect, useRef, useState } from 'react'
import type { Answerable, Answered, Asked } from '../../../src/surfaces/http/contract.ts'
import { ApiError, call } from './client.ts'
import { affects, onMemoryChange, type Part } from './live.ts'

export type Answer<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'loaded'; readonly data: T; readonly isStale: boolean }
  | { readonly state: 'failed'; readonly error: ApiError; readonly data?: T }

/**
 * The answer of a route. It is requested again when the input changes or the memory changes. The last answer is shown until the next one
 * arrives. `undefined` as input sends no request. With `parts`, only a change of one of these parts requests it again.
 */
export function useAnswer<Name extends Answerable>(
  name: Name,
  input: Asked<Name> | undefined,
  parts?: readonly Part[],
): Answer<Answered<Name>> & { refetch(): void } {
  const [answer, setAnswer] = useState<Answer<Answered<Name>>>({ state: 'loading' })
  const [turn, setTurn] = useState(0)
  const refetch = useCallback(() => setTurn(value => value + 1), [])
  const key = JSON.stringify(input)
  const asked = useRef(input)
  asked.current = input
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the input by value, `turn` requests it again.
  useEffect(() => {
    if (asked.current === undefined) return
    const ending = new AbortController()
    setAnswer(before => (before.state === 'loaded' ? { ...before, isStale: true } : before))
    call(name, asked.current, { signal: ending.signal }).then(
      data => setAnswer({ state: 'loaded', data, isStale: false }),
      (error: unknown) => {
        if (ending.signal.aborted) return
        const failure =
          error instanceof ApiError
            ? error
            : new ApiError({ code: 'internal', message: String(error), hint: 'Reload the page.' })
        setAnswer(before => ({
          state: 'failed',
          error: failure,
          ...('data' in before && before.data !== undefined && { data: before.data }),
        }))
      },
    )
    return () => ending.abort()
  }, [name, key, turn])
  const concerned = useRef(parts)
  concerned.current = parts
  useEffect(
    () =>
      onMemoryChange(changed => {
        if (affects(changed, concerned.current)) refetch()
      }),
    [refetch],
  )
  return { ...answer, refetch }
}
