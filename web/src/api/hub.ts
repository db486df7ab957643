import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { HubAnswered, HubAsked } from '../../../src/surfaces/http/contract.ts'
import { HUB_PATHS, type HubRouteName } from '../../../src/surfaces/http/paths.generated.ts'
import { ApiError, requestAt } from './client.ts'
import { hubProject, isHub } from './hub-address.ts'
import { addressAt } from './send.ts'
import type { Answer } from './use-answer.ts'

export type { HubAnswered } from '../../../src/surfaces/http/contract.ts'
export { addressOfProject, hubProject, isHub } from './hub-address.ts'

export type Self = HubAnswered<'hubMe'>
export type Scope = Self['projects'][number]['scope']

/** Calls one route of the hub. */
export async function callHub<Name extends HubRouteName>(
  name: Name,
  input: HubAsked<Name>,
  { signal, token }: { readonly signal?: AbortSignal; readonly token?: string } = {},
): Promise<HubAnswered<Name>> {
  const address = addressAt(HUB_PATHS[name], input as Record<string, unknown>)
  const response = await requestAt(address, { accept: 'application/json', signal, token })
  return (await response.json()) as HubAnswered<Name>
}

/** The answer of a hub route. `again` requests it again. */
export function useHubAnswer<Name extends HubRouteName>(
  name: Name,
  input: HubAsked<Name>,
): Answer<HubAnswered<Name>> & { refetch(): void } {
  const [answer, setAnswer] = useState<Answer<HubAnswered<Name>>>({ state: 'loading' })
  const [turn, setTurn] = useState(0)
  const refetch = useCallback(() => setTurn(value => value + 1), [])
  const key = JSON.stringify(input)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the input by value, `turn` requests it again.
  useEffect(() => {
    const ending = new AbortController()
    callHub(name, JSON.parse(key) as HubAsked<Name>, { signal: ending.signal }).then(
      data => setAnswer({ state: 'loaded', data, isStale: false }),
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
  return { ...answer, refetch }
}

let self: Self | undefined
const listeners = new Set<() => void>()

/** The owner of this tab's token. Requested once, when the page opens or the user signs in. */
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

/** The scope of the user in this project. Without a hub: everything that the token allows. */
function useScope(): Scope {
  const known = useSelf()
  if (!isHub) return 'admin'
  return known?.projects.find(({ name }) => name === hubProject)?.scope ?? 'read'
}

export type NeededScope = Exclude<Scope, 'read'>

/** Whether the user has this scope. The server checks it too. */
export function useMay(needs: NeededScope | undefined): boolean {
  const scope = useScope()
  return needs === undefined || scope === 'admin' || scope === needs
}
