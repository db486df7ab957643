import type { HubDesk, TokenWishes } from '../../src/addons/hub/hub-desk.ts'
import { type Hub, openHub } from '../../src/compose/compose-hub.ts'
import { CairnError } from '../../src/kernel/model/errors.ts'
import type { TokenScope } from '../../src/kernel/model/hub.ts'
import { type Clock, systemClock } from '../../src/kernel/system/clock.ts'
import type { SqlPool } from '../../src/stores/postgres/sql-pool.ts'
import { type HubServer, startHubServer } from '../../src/surfaces/http/hub-server.ts'
import {
  HUB_PATHS,
  type HubRouteName,
  PATHS,
  type RouteName,
} from '../../src/surfaces/http/paths.generated.ts'
import { rateLimit } from '../../src/surfaces/http/rate-limit.ts'
import { freshDatabase } from './test-postgres.ts'

export interface HubAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

export interface HubWorld {
  readonly hub: Hub
  readonly desk: HubDesk
  readonly address: string
  /** A token of the administrator of the whole hub. */
  readonly admin: string
  readonly faults: unknown[]
  /** What of time goes by for the hub alone. */
  passMs(ms: number): void
  /** A person's token with one scope in one project; the project is made where it is new. */
  token(scope: TokenScope, project: string, wishes?: Partial<TokenWishes>): Promise<string>
  /** A route of a memory by its name, in a project. */
  ask(
    name: RouteName,
    given: { readonly project: string; readonly token?: string; readonly fields?: Record<string, unknown> },
  ): Promise<HubAnswer>
  /** A route of the hub by its name. */
  askHub(
    name: HubRouteName,
    given: { readonly token?: string; readonly fields?: Record<string, unknown> },
  ): Promise<HubAnswer>
  /** Any request. */
  send(target: string, init?: RequestInit): Promise<Response>
  end(): Promise<void>
}

export interface HubWorldOptions {
  /** Projects that are there from the beginning. */
  readonly projects?: readonly string[]
  /** An open database; it is closed with the world. */
  readonly pool?: SqlPool
  /** Requests a second of a token that says nothing of its own. */
  readonly perSecond?: number
}

/** A hub behind a port of this machine, over a database of its own. */
export async function hubWorld({
  projects = [],
  pool,
  perSecond = 10_000,
}: HubWorldOptions = {}): Promise<HubWorld> {
  const faults: unknown[] = []
  const onFault = (error: unknown) => faults.push(error)
  let passedMs = 0
  const clock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + passedMs }
  const rateOf = (rate: number) => ({ perSecond: rate, burst: Math.max(1, rate) })
  const turns = rateLimit(rateOf(perSecond))
  const hub = await openHub({
    store: pool ?? (await freshDatabase()),
    clock,
    onFault,
    takeTurn: (token, own, nowMs) => turns.take(token, nowMs, rateOf(own ?? perSecond)),
  })
  let server: HubServer | undefined
  const end = async () => {
    await server?.close()
    await hub.close()
  }
  try {
    server = await startHubServer({ hub, port: 0, host: '127.0.0.1', version: '0.0.0-test', onFault })
    const desk = hub.deskOf({ principal: 'test' })
    const first = await desk.addFirstToken()
    const admin = first?.token ?? (await desk.addToken(ADMINISTRATOR)).token
    for (const name of projects) await addOnce(desk, name)
    const address = `http://127.0.0.1:${server.port}`
    return {
      hub,
      desk,
      address,
      admin,
      faults,
      passMs: ms => {
        passedMs += ms
      },
      async token(scope, project, wishes = {}) {
        if (project !== '*') await addOnce(desk, project)
        const made = await desk.addToken({
          name: `${scope}-of-${project === '*' ? 'all' : project}`,
          kind: 'user',
          grants: [{ project, scope }],
          ...wishes,
        })
        return made.token
      },
      ask: (name, { project, token, fields = {} }) =>
        ask(`${address}/p/${encodeURIComponent(project)}`, PATHS[name], token, fields),
      askHub: (name, { token, fields = {} }) => ask(address, HUB_PATHS[name], token, fields),
      send: (target, init) => fetch(`${address}${target}`, init),
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

const ADMINISTRATOR: TokenWishes = {
  name: 'admin',
  kind: 'user',
  grants: [{ project: '*', scope: 'admin' }],
}

async function addOnce(desk: HubDesk, name: string): Promise<void> {
  try {
    await desk.addProject(name)
  } catch (error) {
    if (!(error instanceof CairnError) || error.code !== 'project_exists') throw error
  }
}

async function ask(
  at: string,
  place: string,
  token: string | undefined,
  fields: Readonly<Record<string, unknown>>,
): Promise<HubAnswer> {
  const [method = '', pattern = ''] = place.split(' ')
  const rest = { ...fields }
  const target = pattern.replace(/:(\w+)/g, (_, field: string) => {
    const value = rest[field]
    delete rest[field]
    return encodeURIComponent(String(value))
  })
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const query = new URLSearchParams(
    hasBody
      ? []
      : Object.entries(rest).flatMap(([field, value]) =>
          (Array.isArray(value) ? value : [value]).map((each): [string, string] => [field, String(each)]),
        ),
  )
  const response = await fetch(`${at}${target}${query.size === 0 ? '' : `?${query}`}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(rest) }),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}
