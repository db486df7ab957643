import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { HubAnswered, HubAsked } from '../../../src/surfaces/http/contract.ts'
import { HUB_PATHS, type HubRouteName } from '../../../src/surfaces/http/paths.generated.ts'
import { ApiError, requestAt } from './client.ts'
import { hubProject, isHub } from './hub-place.ts'
import { addressAt } from './send.ts'
import type { Answer } from './use-answer.ts'

export type { HubAnswered } from '../../../src/surfaces/http/contract.ts'
export { addressOfProject, hubProject, isHub } from './hub-place.ts'

export type Self = HubAnswered<'hubMe'>
export type Scope = Self['projects'][number]['scope']

/** Asks one route of the hub. */
export async function callHub<Name extends HubRouteName>(
  name: Name,
  input: HubAsked<Name>,
  { signal, token }: { readonly signal?: AbortSignal; readonly token?: string } = {},
): Promise<HubAnswered<Name>> {
  const address = addressAt(HUB_PATHS[name], input as Record<string, unknown>)
  const response = await requestAt(address, { accept: 'application/json', signal, token })
  return (await response.json()) as HubAnswered<Name>
}

/** What a route of the hub answers; `again` asks anew. */
export function useHubAnswer<Name extends HubRouteName>(
  name: Name,
  input: HubAsked<Name>,
): Answer<HubAnswered<Name>> & { again(): void } {
  const [answer, setAnswer] = useState<Answer<HubAnswered<Name>>>({ state: 'waiting' })
  const [turn, setTurn] = useState(0)
  const again = useCallback(() => setTurn(value => value + 1), [])
  const key = JSON.stringify(input)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the input by value, `turn` asks again.
  useEffect(() => {
    const ending = new AbortController()
    callHub(name, JSON.parse(key) as HubAsked<Name>, { signal: ending.signal }).then(
      data => setAnswer({ state: 'there', data, isOld: false }),
      (error: unknown) => {
        if (ending.signal.aborted) return
        if (!(error instanceof ApiError)) throw error
        setAnswer(before => ({
          state: 'failed',
          error,
          ...('data' in before && before.data !== undefined && { data: before.data }),
        }))
      },
    )
    return () => ending.abort()
  }, [name, key, turn])
  return { ...answer, again }
}

let self: Self | undefined
const listeners = new Set<() => void>()

/** Whoever the token of this tab is of; asked once, when the page opens or somebody signs in. */
export function setSelf(next: Self | undefined): void {
  self = next
  for (const listener of listeners) listener()
}

export function useSelf(): Self | undefined {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => self,
  )
}

/** What one may do in the project of this page; without a hub, everything that the token may. */
export function useScope(): Scope {
  const known = useSelf()
  if (!isHub) return 'admin'
  return known?.projects.find(({ name }) => name === hubProject)?.scope ?? 'read'
}

export type NeededScope = Exclude<Scope, 'read'>

/** Whether one may do what needs this scope; the server refuses it all the same. */
export function useMay(needs: NeededScope | undefined): boolean {
  const scope = useScope()
  return needs === undefined || scope === 'admin' || scope === needs
}
