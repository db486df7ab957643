import * as path from 'node:path'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Context, Hono } from 'hono'
import { auditText } from '../../addons/hub/audit-trail.ts'
import { may, mayEverywhere } from '../../addons/hub/decide/judge-request.ts'
import type { Held } from '../../addons/hub/gate.ts'
import { type HubDesk, projectDesk } from '../../addons/hub/hub-desk.ts'
import { ownNotes } from '../../addons/hub/own-notes.ts'
import type { HubOperation } from '../../addons/hub/verbs/hub-operation.ts'
import type { Hub } from '../../compose/compose-hub.ts'
import { hubAcross } from '../../compose/compose-hub-across.ts'
import { notOnHub } from '../../kernel/memory-place.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { HubProject, Principal, TokenScope } from '../../kernel/model/hub.ts'
import { type Log, openLog } from '../../kernel/system/log.ts'
import { packageFolder } from '../../kernel/system/package-facts.ts'
import type { Access } from '../../verbs/operation.ts'
import type { MemoryPool } from '../mcp/memory-pool.ts'
import { memoryServer } from '../mcp/server.ts'
import { type Admitted, fieldsOf, httpApp, methodUnknown, PROJECT_PARAMETER } from './app.ts'
import { CONTRACT, HUB_CONTRACT } from './contract.ts'
import { LIMITS, type Limits, type Listening, listen } from './listen.ts'
import { openApiDocument } from './openapi.ts'
import { servePage } from './page-files.ts'
import { HUB_PATHS, type HubRouteName, type RouteName } from './paths.generated.ts'
import { MAX_BODY_BYTES, readBody, readJsonText } from './read-body.ts'
import { parseFields } from './read-request.ts'
import type { HubRoute, Route } from './route.ts'
import { endedBy } from './send-events.ts'
import { noteRequest } from './watching/request-note.ts'
import { type NotReady, serveWatching } from './watching/serve-watching.ts'
import { readHub, type ServerMetrics, serverMetrics } from './watching/server-metrics.ts'
import { watchRequests } from './watching/watch-requests.ts'

interface HubServerOptions {
  readonly hub: Hub
  readonly port: number
  readonly host: string
  readonly limits?: Partial<Limits>
  readonly version: string
  readonly onFault: (error: unknown) => void
  /** No log if absent. */
  readonly log?: Log
  /** `/metrics` requires no token. */
  readonly hasOpenMetrics?: boolean
}

export interface HubServer {
  readonly port: number
  /** Announces the end: `/readyz` answers 503 from now on; all other requests are answered as before. */
  drain(): void
  /** Streams get `bye` and are closed, running requests are finished. The hub itself stays open. */
  close(): Promise<void>
}

const PROJECT = `/p/:${PROJECT_PARAMETER}`

/** By address. All clients may come through one proxy, so this only stops floods; the rate of each token is limited separately. */
const HUB_LIMITS: Limits = {
  ...LIMITS,
  readsPerSecond: 5_000,
  writesPerSecond: 5_000,
  mostConnections: 4_096,
}

/**
 * Many memories behind one port.
 *
 *   /p/{project}/api/…   the routes of a memory       /api/hub/…   who one is; projects, tokens and the audit
 *   /p/{project}/mcp     its tools for agents         /            the page: it asks for a token
 *   /p/{project}/        its page                     /healthz /readyz /metrics
 */
export async function startHubServer({
  hub,
  port,
  host,
  limits,
  version,
  onFault: tellFault,
  log = openLog({ format: 'off', level: 'error' }),
  hasOpenMetrics = false,
}: HubServerOptions): Promise<HubServer> {
  const metrics = serverMetrics({ version })
  readHub(metrics.registry, hub)
  hub.giveWayTo(() => metrics.underWay() > 0)
  const onFault = (error: unknown) => {
    metrics.countFault()
    tellFault(error)
  }
  const ending = new AbortController()
  const app = httpApp({ base: PROJECT, enter: enterRoute(hub), onFault, ending: ending.signal, metrics })
  serveHubRoutes(app, hub)
  const mcp = serveHubMcp(app, { hub, version, onFault, metrics })
  let document: Promise<string> | undefined
  app.get(`${PROJECT}/api/openapi.json`, async context => {
    await enterProject(hub, context, 'read', 'openapi')
    document ??= openApiDocument(version).then(made => JSON.stringify(made))
    return context.body(await document, 200, {
      'content-type': 'application/json',
      'cache-control': 'no-cache',
    })
  })
  app.all(`${PROJECT}/api/openapi.json`, context => {
    throw methodUnknown(context, ['GET'])
  })
  let state: 'starting' | 'ready' | 'ending' = 'starting'
  serveWatching(app, {
    metrics,
    whyNotReady: async () => (state === 'ready' ? whyNotReady(hub) : state),
    admitReader: async ({ req }) => {
      if (hasOpenMetrics) return
      const authorization = req.header('authorization')
      await hub.gate.enter({ authorization, project: undefined, scope: 'admin', action: 'metrics' })
    },
  })
  servePage(app, path.join(packageFolder(), 'dist', 'web'), { projectPath: PROJECT })
  let listening: Listening | undefined
  const close = async () => {
    state = 'ending'
    ending.abort()
    await mcp.close()
    await listening?.close()
  }
  try {
    listening = await listen({
      app,
      port,
      host,
      names: [],
      isAnyHost: true,
      limits: { ...HUB_LIMITS, ...limits },
      watch: watchRequests({ metrics, log }),
    })
    state = 'ready'
    const { port: ownPort, drain } = listening
    return {
      port: ownPort,
      drain() {
        state = 'ending'
        drain()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function whyNotReady(hub: Hub): Promise<NotReady | undefined> {
  const { kind } = await hub.database()
  return kind === 'ready' ? undefined : `database_${kind}`
}

/** The method that opens a stream in a POST. */
const LISTEN = /"method"\s*:\s*"subscriptions\/listen"/
const PATH = `/p/:${PROJECT_PARAMETER}/mcp`

/**
 * MCP of every project. Each request gets its own server, with the tools that the token may call over the memory that it may read, so
 * nothing of another caller can remain in it.
 */
function serveHubMcp(
  app: Hono,
  {
    hub,
    version,
    onFault,
    metrics,
  }: {
    readonly hub: Hub
    readonly version: string
    readonly onFault: (error: unknown) => void
    readonly metrics: Pick<ServerMetrics, 'countCall' | 'beginStream' | 'beginWait'>
  },
): { close(): Promise<void> } {
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const entered = authInfo?.extra?.entered as InProject | undefined
      if (entered === undefined) throw new Error('a request of MCP came past the gate')
      const { principal, project } = entered
      return memoryServer({
        version,
        pool: poolOf(hub, entered),
        folder: async () => `/p/${project.name}`,
        hasAllTools: false,
        isReadOnly: !may(principal, 'write', project.name),
        onCalled(tool, call) {
          metrics.countCall(tool, call)
          // Reads are not recorded.
          if (!call.isChanging) return
          hub.trail.note({
            principal: principal.name,
            token: principal.token,
            project: project.name,
            action: `mcp ${tool}`,
            outcome: call.outcome,
          })
        },
        hooks: { answer: () => undefined },
        beginWait: metrics.beginWait,
      })
    },
    { onerror: onFault, maxRequestBodySize: MAX_BODY_BYTES },
  )
  /** A stream that listens is not counted as an answer. Every other answer is a stream too, and ends with its call. */
  const listening = (context: Context, { signal, release }: Held): Held => {
    noteRequest(context, { isStream: true })
    const over = metrics.beginStream()
    let isOver = false
    return {
      signal,
      release() {
        release()
        if (!isOver) over()
        isOver = true
      },
    }
  }
  const answer = async (context: Context) => {
    noteRequest(context, { route: 'mcp' })
    const entered = await enterProject(hub, context, 'read', 'mcp')
    const { raw } = context.req
    const body = raw.method === 'POST' ? await oneMessage(raw) : undefined
    const { name, token } = entered.principal
    // Checked before anything is done, because a caller that may not listen could not receive the result.
    const held = hub.gate.hold(entered.principal, entered.project.name, 'read')
    const signal = AbortSignal.any([raw.signal, held.signal])
    const { url, method, headers } = raw
    const request = new Request(url, { method, headers, signal, ...(body !== undefined && { body }) })
    let isStream = false
    try {
      const response = await handler.fetch(request, {
        authInfo: { token, clientId: name, scopes: [], extra: { entered } },
      })
      isStream = response.headers.get('content-type')?.includes('text/event-stream') === true
      if (!isStream) return response
      const isListening = raw.method === 'GET' || LISTEN.test(body ?? '')
      return endedBy(response, isListening ? listening(context, held) : held)
    } finally {
      if (!isStream) held.release()
    }
  }
  app.on(['POST', 'GET', 'DELETE'], PATH, answer)
  app.all(PATH, context => {
    throw methodUnknown(context, ['POST'])
  })
  return { close: () => handler.close() }
}

/** A batch of messages would count as one call of the token. The protocol has no batches since its version 2025-06-18. */
async function oneMessage(request: Request): Promise<string> {
  const text = await readJsonText(request)
  if (!/^\s*\[/.test(text)) return text
  throw new CairnError({
    code: 'invalid_input',
    message: 'The body is a list, and a hub takes one message at a time.',
    hint: 'Send each message in a request of its own.',
  })
}

/** The memory of one project for one principal, which was authorised before. */
function poolOf(hub: Hub, entered: InProject): MemoryPool {
  const memory = engineFor(hub, entered, 'mcp')
  const automation = { wake: () => hub.wake(entered.project), stop: async () => undefined }
  return {
    enter: async (_folder, work) => work({ engine: memory, automation }),
    standingOf: () => 'trusted',
    settled: async () => undefined,
    close: async () => undefined,
  }
}

/** Answers are built in the memory of a process that many clients share. */
const MAX_ROWS = 2_000
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

interface InProject {
  readonly principal: Principal
  readonly project: HubProject
}

/** The principal of a request to a project. Throws why it is refused. */
async function enterProject(
  hub: Hub,
  context: Context,
  scope: TokenScope,
  action: string,
): Promise<InProject> {
  const name = context.req.param(PROJECT_PARAMETER) ?? ''
  const { principal, project } = await hub.gate.enter({
    authorization: context.req.header('authorization'),
    project: name,
    scope,
    action,
  })
  noteRequest(context, { principal: principal.name, token: principal.token, project: name })
  if (project === undefined) throw new Error(`admission let a request in to ${name}, which does not exist`)
  return { principal, project }
}

/** The memory of a project for one request of a principal: writes carry its name, and notices are returned to it alone. */
function engineFor(hub: Hub, { principal, project }: InProject, host: string) {
  const memory = hub.engineOf(project)
  const actor = { host, principal: principal.name }
  const across = hubAcross(hub, principal, project)
  const mayConfigure = may(principal, 'admin', project.name)
  return { ...memory, semantics: ownNotes(memory.semantics), actor, mayConfigure, across }
}

/** How requests for a memory's routes are admitted on a hub. */
function enterRoute(hub: Hub) {
  return async (context: Context, { name }: { readonly name: RouteName }): Promise<Admitted> => {
    const needs = hubAccessOf(name)
    const scope = needs === 'not_on_hub' ? 'read' : needs
    const entered = await enterProject(hub, context, scope, name)
    const { principal, project } = entered
    const note = (outcome: string, subject?: string) =>
      hub.trail.note({
        principal: principal.name,
        token: principal.token,
        project: project.name,
        action: name,
        ...(subject !== undefined && { subject: auditText(subject) }),
        outcome,
      })
    if (needs === 'not_on_hub') {
      note('not_on_hub')
      throw notOnHub(`\`${name}\``)
    }
    const body = BODILESS.has(context.req.method) ? {} : await readBody(context.req.raw)
    const memory = engineFor(hub, entered, 'web')
    const over = hub.gate.begin(principal)
    return {
      engine: memory,
      body,
      mostRows: MAX_ROWS,
      isAgent: principal.kind === 'agent',
      onWrite: () => hub.wake(project, { more: name === 'syncPush' }),
      hold: () => hub.gate.hold(principal, project.name, scope),
      onEnd({ error, subject }) {
        over()
        // Reads are not recorded.
        if (scope === 'read') return
        note(error === undefined ? 'done' : error instanceof CairnError ? error.code : 'internal', subject)
      },
    }
  }
}

/** An administrator of some projects manages only their tokens. */
function deskFor(hub: Hub, principal: Principal, { isOfAnyProject }: HubRoute): HubDesk {
  const { name, token, kind } = principal
  const desk = hub.deskOf({ principal: name, token, kind })
  if (!isOfAnyProject || mayEverywhere(principal, 'admin')) return desk
  return { ...desk, ...projectDesk(hub.directory, hub.clock, principal) }
}

/** The routes of the hub itself: the caller, and administration. */
function serveHubRoutes(app: Hono, hub: Hub): void {
  const methodsByPath = new Map<string, string[]>()
  for (const [name, route] of Object.entries(HUB_CONTRACT) as [HubRouteName, HubRoute][]) {
    const [method = '', path = ''] = HUB_PATHS[name].split(' ')
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), method])
    app.on(method, path, async context => {
      noteRequest(context, { route: name })
      const operation: HubOperation = await route.load()
      const { principal } = await hub.gate.enter({
        authorization: context.req.header('authorization'),
        project: undefined,
        scope: route.scope,
        isOfAnyProject: route.isOfAnyProject === true,
        action: operation.name,
      })
      noteRequest(context, { principal: principal.name, token: principal.token })
      const body = BODILESS.has(context.req.method) ? {} : await readBody(context.req.raw)
      const input = parseFields(operation, fieldsOf(context, operation, { body }))
      const desk = deskFor(hub, principal, route)
      const around = { across: hubAcross(hub, principal), clock: hub.clock }
      context.header('cache-control', 'no-store')
      const over = hub.gate.begin(principal)
      try {
        return context.json((await operation.runOn(desk, input, principal, around)) as object)
      } finally {
        over()
      }
    })
  }
  for (const [path, methods] of methodsByPath)
    app.all(path, context => {
      throw methodUnknown(context, methods)
    })
}

/** The scope that a route requires on a hub, or that a hub does not offer it. */
type HubAccess = TokenScope | 'not_on_hub'

const HUB_ACCESS: Readonly<Record<Access, HubAccess>> = {
  // The answer names the project.
  open: 'read',
  read: 'read',
  write: 'write',
  local: 'not_on_hub',
}

export function hubAccessOf(name: RouteName): HubAccess {
  const { access, onHub, runs }: Pick<Route, 'access' | 'onHub' | 'runs'> = CONTRACT[name]
  if (runs === 'checkout') return 'not_on_hub'
  return onHub ?? HUB_ACCESS[access]
}
