import { existsSync } from 'node:fs'
import * as path from 'node:path'
import type { Hono } from 'hono'
import { type Automation, automate } from '../../compose/automation.ts'
import { composeEngine } from '../../compose/compose.ts'
import type { Composed, ComposedCheckout } from '../../compose/composed.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { type Log, openLog } from '../../kernel/system/log.ts'
import { packageFolder } from '../../kernel/system/package-facts.ts'
import { openRequestPriority } from '../../kernel/system/request-priority.ts'
import type { TokenFile } from '../../kernel/system/token-file.ts'
import { type AdmissionRules, admit, admitCaller, hasToken } from './admission.ts'
import { httpApp, methodUnknown, peerOf } from './app.ts'
import { LIMITS, type Limits, type Listening, listen } from './listen.ts'
import { serveMcp } from './mcp-route.ts'
import { openApiDocument } from './openapi.ts'
import { servePage } from './page-files.ts'
import { serveProof } from './proof-route.ts'
import { isLoopback } from './request-rules.ts'
import { streamSlots } from './stream-slots.ts'
import { noteRequest } from './watching/request-note.ts'
import { type NotReady, serveWatching } from './watching/serve-watching.ts'
import { readBackground, serverMetrics } from './watching/server-metrics.ts'
import { watchRequests } from './watching/watch-requests.ts'

export interface ServerOptions {
  readonly root: string
  readonly port: number
  /** Where to listen: this machine alone, unless it is another address. */
  readonly host?: string
  readonly token: TokenFile
  readonly trustsLocal?: boolean
  readonly needsTokenToRead?: boolean
  readonly limits?: Partial<Limits>
  readonly version: string
  readonly onFault: (error: unknown) => void
  /** Silent, unless there is one. */
  readonly log?: Log
  /** Whoever reaches the server may read its figures. */
  readonly hasOpenMetrics?: boolean
}

export interface Server {
  readonly root: string
  readonly port: number
  /** The memory was made just now. */
  readonly isNew: boolean
  /** Says that it will end: `/readyz` answers 503 from now on, and everything else as before. */
  drain(): void
  /** Streams get `bye` and are closed, running requests are finished. */
  close(): Promise<void>
}

export const THIS_MACHINE = '127.0.0.1'
/** Entries of which the page asks first. */
const FIRST_PAGE = 60
/** Less than the watcher of `live` waits: who is told of a change and asks then is answered by a later look. */
const LOOK_HOLDS_MS = 60

/** A browser takes its seconds to start: tidying up, which holds everything else up, begins when the page is there. */
const UPKEEP_PAUSE_MS = 15_000

/** A memory, its routes, its page and its tools for agents, behind one port. */
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
    lookHoldsMs: LOOK_HOLDS_MS,
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
  // It begins when the memory is there: what looks for work would make half of one.
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

/** Somebody opens the page next. What its first questions are answered from is read before they come, not while they wait. */
async function readAhead({ store, overview, changes }: Composed): Promise<void> {
  await new Promise(resolve => setImmediate(resolve))
  try {
    await store.listEntries({ filter: {}, limit: FIRST_PAGE, offset: 0 })
    await store.counts()
    await overview.tags(FIRST_PAGE)
    const stop = await changes.listen({ onChange: () => undefined, onFailure: () => undefined })
    stop()
  } catch (error) {
    // Whoever asks is told of it, with what to do.
    if (!(error instanceof CairnError)) throw error
  }
}

/** The folder with its config.json and .gitignore, where there is none; it is then known as this user's own. */
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
