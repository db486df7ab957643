import { existsSync } from 'node:fs'
import * as path from 'node:path'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Context, Hono } from 'hono'
import type { AcrossProjects } from '../../addons/across/decide/rooms.ts'
import { type Automation, automate } from '../../compose/automation.ts'
import { composeEngine } from '../../compose/compose.ts'
import type { Composed, ComposedCheckout } from '../../compose/composed.ts'
import { projectAt } from '../../features/projects/resolve-project.ts'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { type Log, openLog } from '../../kernel/system/log.ts'
import { packageFolder } from '../../kernel/system/package-facts.ts'
import { openRequestPriority } from '../../kernel/system/request-priority.ts'
import type { TokenFile } from '../../kernel/system/token-file.ts'
import { type MemoryPool, notInitialised, notTrusted, type OpenMemory } from '../mcp/memory-pool.ts'
import { memoryServer } from '../mcp/server.ts'
import { type AdmissionRules, admit, admitCaller, hasToken } from './admission.ts'
import { httpApp, methodUnknown, peerOf } from './app.ts'
import { LIMITS, type Limits, type Listening, listen } from './listen.ts'
import { openApiDocument } from './openapi.ts'
import { servePage } from './page-files.ts'
import { serveProof } from './proof-route.ts'
import { MAX_BODY_BYTES, readJsonText } from './read-body.ts'
import { isLoopback } from './request-rules.ts'
import { endedBy } from './send-events.ts'
import { noteRequest } from './watching/request-note.ts'
import { type NotReady, serveWatching } from './watching/serve-watching.ts'
import { readBackground, type ServerMetrics, serverMetrics } from './watching/server-metrics.ts'
import { watchRequests } from './watching/watch-requests.ts'

export interface ServerOptions {
  readonly root: string
  readonly port: number
  /** The address to listen at; the default is this machine only. */
  readonly host?: string
  readonly token: TokenFile
  readonly trustsLocal?: boolean
  readonly needsTokenToRead?: boolean
  readonly limits?: Partial<Limits>
  readonly version: string
  readonly onFault: (error: unknown) => void
  /** No log if absent. */
  readonly log?: Log
  /** `/metrics` requires no token. */
  readonly hasOpenMetrics?: boolean
}

export interface Server {
  readonly root: string
  readonly port: number
  /** The memory was created by this start. */
  readonly isNew: boolean
  /** Announces the end: `/readyz` answers 503 from now on; all other requests are answered as before. */
  drain(): void
  /** Streams get `bye` and are closed, running requests are finished. */
  close(): Promise<void>
}

export const THIS_MACHINE = '127.0.0.1'
/** The number of entries that the page requests first. */
const FIRST_PAGE = 60
/** Shorter than the debounce of `live`: a client that requests data after a change must get a newer check. */
const LOOK_HOLDS_MS = 60

/** A browser takes some seconds to start. Upkeep blocks other work, so it begins after the page is loaded. */
const UPKEEP_PAUSE_MS = 15_000

/** Serves a memory, its routes, its page and its tools for agents on one port. */
export async function startServer({
  root,
  port,
  host = THIS_MACHINE,
  token,
  trustsLocal = false,
  needsTokenToRead = false,
  limits,
  version,
  onFault: tellFault,
  log = openLog({ format: 'off', level: 'error' }),
  hasOpenMetrics = false,
}: ServerOptions): Promise<Server> {
  const metrics = serverMetrics({ version })
  const onFault = (error: unknown) => {
    metrics.countFault()
    tellFault(error)
  }
  const memory = composeEngine({
    root,
    isTyped: true,
    actor: { host: 'web' },
    freshnessCacheMs: LOOK_HOLDS_MS,
  })
  const rules = {
    isToken: token.isToken,
    needsTokenToRead: needsTokenToRead || !isLoopback(host),
    trustsLocal,
  }
  const listenLimits = { ...LIMITS, ...limits }
  const { mostConnections } = listenLimits
  const streams = streamSlots({ mostConnections, isToken: token.isToken })
  const ending = new AbortController()
  const way = openRequestPriority(memory.clock)
  // Started when the memory exists, because background work would create half of one.
  let running: Automation | undefined
  let steps = 0
  readBackground(metrics.registry, () => steps)
  const automation: Automation = {
    wake: () => running?.wake(),
    stop: async () => running?.stop(),
  }
  const app = httpApp({
    enter: async (context, asked) => {
      const { body, token: given } = await admit(context, asked, { rules, peer: peerOf(context) })
      return { engine: memory, body, onWrite: automation.wake, hold: () => streams.hold(given) }
    },
    onFault,
    ending: ending.signal,
    metrics,
  })
  serveOpenApi(app, { rules, version })
  const mcp = serveMcp(app, {
    memory: { engine: memory, automation },
    rules,
    streams,
    version,
    onFault,
    metrics,
  })
  let state: 'starting' | 'ready' | 'ending' = 'starting'
  serveWatching(app, {
    metrics,
    whyNotReady: async (): Promise<NotReady | undefined> => {
      if (state !== 'ready') return state
      return existsSync(memory.paths.memory) ? undefined : 'memory_unreadable'
    },
    admitReader: context => {
      if (!hasOpenMetrics) admitCaller(context, 'read', { rules, peer: peerOf(context) })
    },
  })
  servePage(app, path.join(packageFolder(), 'dist', 'web'))
  let listening: Listening | undefined
  let reading: Promise<void> | undefined
  serveProof(app, { root: memory.root, token, port: () => listening?.port })
  const close = async () => {
    state = 'ending'
    ending.abort()
    way.end()
    await mcp.close()
    await listening?.close()
    streams.close()
    await automation.stop()
    await reading
    await memory.close()
  }
  try {
    listening = await listen({
      app,
      port,
      host,
      names: isLoopback(host) ? [] : [host.toLowerCase()],
      limits: listenLimits,
      hasToken: header => hasToken(header, rules),
      onAsked: way.note,
      watch: watchRequests({ metrics, log }),
    })
    const isNew = await makeMemory(memory)
    const turn = () => {
      steps++
      return way.turn()
    }
    running = automate(memory, { turn, upkeepPauseMs: UPKEEP_PAUSE_MS })
    reading = readAhead(memory).catch(onFault)
    state = 'ready'
    const { port: ownPort, drain } = listening
    return {
      root: memory.root,
      port: ownPort,
      isNew,
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

/** The page is opened next, so the data of its first requests is read in advance. */
async function readAhead({ store, overview, changes }: Composed): Promise<void> {
  await new Promise(resolve => setImmediate(resolve))
  try {
    await store.listEntries({ filter: {}, limit: FIRST_PAGE, offset: 0 })
    await store.counts()
    await overview.tags(FIRST_PAGE)
    const stop = await changes.listen({ onChange: () => undefined, onFailure: () => undefined })
    stop()
  } catch (error) {
    // The request itself will report the error with its hint.
    if (!(error instanceof CairnError)) throw error
  }
}

/** Creates the folder with its config.json and .gitignore if there is none, and records it as this user's own. */
async function makeMemory({ paths, store }: ComposedCheckout): Promise<boolean> {
  if (existsSync(paths.memory)) return false
  await store.exclusively(() => undefined)
  return true
}

/** The OpenAPI document, made at the first request. */
function serveOpenApi(
  app: Hono,
  { rules, version }: { readonly rules: AdmissionRules; readonly version: string },
): void {
  let made: Promise<string> | undefined
  app.get('/api/openapi.json', async context => {
    noteRequest(context, { route: 'openapi' })
    admitCaller(context, 'read', { rules, peer: peerOf(context) })
    made ??= openApiDocument(version).then(document => JSON.stringify(document))
    return context.body(await made, 200, { 'content-type': 'application/json', 'cache-control': 'no-cache' })
  })
  app.all('/api/openapi.json', context => {
    throw methodUnknown(context, ['GET'])
  })
}

interface McpParts {
  readonly memory: OpenMemory
  readonly rules: AdmissionRules
  readonly streams: StreamSlots
  readonly version: string
  readonly onFault: (error: unknown) => void
  readonly metrics: Pick<ServerMetrics, 'countCall'>
}

/** The MCP server at `/mcp`: the same as over standard input and output, with the same rule of trust. */
function serveMcp(
  app: Hono,
  { memory, rules, streams, version, onFault, metrics }: McpParts,
): { close(): Promise<void> } {
  const engine = { ...memory.engine, actor: { host: 'mcp' }, across: THIS_PROJECT_ALONE }
  const pool = poolOf({ ...memory, engine })
  const handler = createMcpHandler(
    () =>
      memoryServer({
        version,
        pool,
        folder: async () => memoryFolderOf(engine).root,
        hasAllTools: false,
        onCalled: metrics.countCall,
        // Hosts call their hooks over the server that they start themselves.
        hooks: { answer: () => undefined },
      }),
    { onerror: onFault, maxRequestBodySize: MAX_BODY_BYTES },
  )
  const answer = async (context: Context) => {
    noteRequest(context, { route: 'mcp' })
    const token = admitCaller(context, 'write', { rules, peer: peerOf(context) })
    const { raw } = context.req
    const request = raw.method === 'POST' ? await withReadBody(raw) : raw
    const slot = streams.hold(token)
    let isStream = false
    try {
      const response = await handler.fetch(request)
      isStream = response.headers.get('content-type')?.includes('text/event-stream') === true
      return isStream ? endedBy(response, slot) : response
    } finally {
      if (!isStream) slot.release()
    }
  }
  app.on(['POST', 'GET', 'DELETE'], '/mcp', answer)
  app.all('/mcp', context => {
    throw methodUnknown(context, ['POST'])
  })
  return {
    async close() {
      await handler.close()
      await pool.close()
    },
  }
}

/** The token of this server admits its holder to one project, perhaps from another machine. */
const THIS_PROJECT_ALONE: AcrossProjects = {
  atOnce: 1,
  hasOthers: async () => false,
  readable: async () => {
    throw new CairnError({
      code: 'request_refused',
      message: 'This server serves one project and cannot read others over HTTP.',
      hint: 'An agent whose host starts `cairn mcp` can ask all projects; `cairn everywhere` can, too.',
    })
  },
}

/** The same request, with a body that was checked before a parser builds a value of it. */
async function withReadBody(request: Request): Promise<Request> {
  const { url, method, headers, signal } = request
  return new Request(url, { method, headers, signal, body: await readJsonText(request) })
}

/** One memory, which is open as long as the server runs. Every call checks whether the user trusts it. */
function poolOf(memory: OpenMemory): MemoryPool {
  const { root } = memoryFolderOf(memory.engine)
  const underWay = new Set<Promise<unknown>>()
  const settled = async () => {
    await Promise.allSettled(underWay)
  }
  const standing = () => projectAt(root).standing
  return {
    async enter(_folder, work) {
      const now = standing()
      if (now !== 'trusted') throw now === 'none' ? notInitialised(root) : notTrusted(root)
      const working = work(memory)
      underWay.add(working)
      try {
        return await working
      } finally {
        underWay.delete(working)
      }
    },
    standingOf: standing,
    settled,
    close: settled,
  }
}

/** How often the tokens of open streams are checked. */
const CHECK_EVERY_MS = 1_000

/** A stream, or a request that waits. */
interface HeldStream {
  /** Aborted when its token is no longer valid. */
  readonly signal: AbortSignal
  release(): void
}

interface StreamSlots {
  /** `token`: the one that admitted it. Throws `too_many_requests`. */
  hold(token: string | undefined): HeldStream
  close(): void
}

/**
 * Streams stay open, so they get half of the connections, and those without a token half of that: clients with the token are never
 * excluded by those without one, and short requests by neither.
 */
function streamSlots({
  mostConnections,
  isToken,
}: {
  readonly mostConnections: number
  readonly isToken: (token: string) => boolean
}): StreamSlots {
  const most = Math.max(2, Math.floor(mostConnections / 2))
  const mostWithoutToken = Math.floor(most / 2)
  const open = new Set<{ readonly token: string | undefined; readonly ending: AbortController }>()
  let withoutToken = 0
  let timer: NodeJS.Timeout | undefined

  const check = () => {
    for (const { token, ending } of open) if (token !== undefined && !isToken(token)) ending.abort()
  }
  return {
    hold(token) {
      if (open.size >= most || (token === undefined && withoutToken >= mostWithoutToken)) throw tooMany()
      const stream = { token, ending: new AbortController() }
      open.add(stream)
      if (token === undefined) withoutToken++
      timer ??= setInterval(check, CHECK_EVERY_MS).unref()
      return {
        signal: stream.ending.signal,
        release() {
          if (!open.delete(stream)) return
          if (token === undefined) withoutToken--
          if (open.size > 0) return
          clearInterval(timer)
          timer = undefined
        },
      }
    },
    close: () => clearInterval(timer),
  }
}

function tooMany(): CairnError {
  return new CairnError({
    code: 'too_many_requests',
    message: 'Too many streams are open on this server.',
    hint: 'Close some: tabs of the page, programs that listen. Streams with the token have more slots.',
    details: { retryAfterSeconds: 5 },
  })
}
