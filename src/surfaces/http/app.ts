import { setImmediate } from 'node:timers/promises'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Composed } from '../../compose.ts'
import { CairnError } from '../../model/errors.ts'
import { type AdmissionRules, admit, type Peer } from './admission.ts'
import { CONTRACT } from './contract.ts'
import { failureOf } from './failure.ts'
import { PATHS, type RouteName } from './paths.ts'
import { progressOf } from './progress.ts'
import { fieldsFromText, parseFields, refuseUnknown, type Taking } from './read-request.ts'
import type { Route, StreamRoute } from './route.ts'
import { tellEvents } from './tell-events.ts'
import { noteRequest } from './watching/request-note.ts'
import type { ServerMetrics } from './watching/server-metrics.ts'

export interface AppParts {
  readonly engine: Composed
  readonly rules: AdmissionRules
  /** Tells the terminal of a fault. */
  readonly onFault: (error: unknown) => void
  /** Something may have been written. */
  readonly onWrite?: () => void
  /** Aborted when the server ends. */
  readonly ending?: AbortSignal
  readonly metrics?: ServerMetrics
}

/** What a verb has begun it ends, whoever listens. */
const NEVER = new AbortController().signal

/** Every route of the contract over one memory. */
export function httpApp({ engine, rules, onFault, onWrite, ending = NEVER, metrics }: AppParts): Hono {
  const app = new Hono()
  app.onError((error, context) => answerFailure(context, error, onFault))
  app.notFound(context =>
    isOfApi(context.req.path)
      ? answerFailure(context, noRoute(context.req.path), onFault)
      : pageNotFound(context),
  )
  const methodsByPath = new Map<string, string[]>()
  for (const [name, route] of Object.entries(CONTRACT) as [RouteName, Route | StreamRoute][]) {
    const [method = '', path = ''] = PATHS[name].split(' ')
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), method])
    app.on(method, path, async context => {
      noteRequest(context, { route: name })
      const body = await admit(context, route.access, { rules, peer: peerOf(context) })
      const { leavesExtras } = route
      if (route.kind === 'stream') {
        // Nobody would listen.
        if (context.req.method === 'HEAD') throw methodUnknown(context, [method])
        const stream = await route.load()
        const input = parseFields(stream, fieldsOf(context, stream, { body, leavesExtras }))
        return watched(context, metrics, over =>
          tellEvents(signal => stream.open(engine, input, { signal }), { ending, onFault, onOver: over }),
        )
      }
      const operation = await route.load()
      const input = parseFields(operation, fieldsOf(context, operation, { body, leavesExtras }))
      const isTelling = context.req.header('accept')?.includes('text/event-stream') === true
      const told = () => {
        if (name === 'search') metrics?.countSearch()
        if (route.access !== 'write' && route.access !== 'local') return
        metrics?.countWrite()
        onWrite?.()
      }
      if (isTelling && method !== 'GET')
        return watched(context, metrics, over =>
          tellEvents(() => progressOf(operation, engine, input, told), {
            ending: NEVER,
            onFault,
            onOver: over,
          }),
        )
      const output = (await operation.run(engine, input, { turn: setImmediate })) as object
      told()
      context.header('cache-control', 'no-store')
      return context.json(output)
    })
  }
  for (const [path, methods] of methodsByPath)
    app.all(path, context => {
      throw methodUnknown(context, methods)
    })
  return app
}

/** A stream is counted while it is open, and its length is no duration of an answer. */
async function watched(
  context: Context,
  metrics: ServerMetrics | undefined,
  tell: (over: () => void) => Promise<Response>,
): Promise<Response> {
  noteRequest(context, { isStream: true })
  const over = metrics?.beginStream() ?? (() => undefined)
  try {
    return await tell(over)
  } catch (error) {
    over()
    throw error
  }
}

function answerFailure(context: Context, error: unknown, onFault: (error: unknown) => void): Response {
  const { status, body } = failureOf(error)
  if (body.code === 'internal') onFault(error)
  noteRequest(context, { refused: body.code })
  context.header('cache-control', 'no-store')
  if (status === 401) context.header('www-authenticate', 'Bearer')
  // What was left unread of it is not waited for.
  if (status === 413) context.header('connection', 'close')
  return context.json(body, status as ContentfulStatusCode)
}

function fieldsOf(
  { req }: Context,
  taking: Taking,
  { body, leavesExtras }: { body: Readonly<Record<string, unknown>>; leavesExtras?: true | undefined },
): Record<string, unknown> {
  // Admission has read it: a page can give a stream that it listens to no header.
  const { token: _, ...query } = req.queries()
  refuseUnknown(taking, Object.keys(query), 'parameter')
  if (leavesExtras !== true) refuseUnknown(taking, Object.keys(body), 'field')
  return {
    ...fieldsFromText(taking, query),
    ...body,
    ...fieldsFromText(taking, textFields(req.param())),
  }
}

function textFields(params: Readonly<Record<string, string>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [value]]))
}

/** Of a request that did not come through a socket (a test), nothing is known: it is from here. */
export function peerOf({ env }: Context): Peer {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } }
  return { address: incoming === undefined ? '127.0.0.1' : incoming.socket?.remoteAddress }
}

function isOfApi(path: string): boolean {
  return path === '/api' || path.startsWith('/api/')
}

function noRoute(path: string): CairnError {
  return new CairnError({
    code: 'route_not_found',
    message: `There is no route ${path.slice(0, 100)}.`,
    hint: 'GET /api/openapi.json lists the routes.',
  })
}

export function methodUnknown(context: Context, methods: readonly string[]): CairnError {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : [...methods]
  context.header('allow', allowed.join(', '))
  return new CairnError({
    code: 'method_unknown',
    message: `${context.req.path.slice(0, 100)} does not take ${context.req.method.slice(0, 20)}.`,
    hint: `It takes ${allowed.join(', ')}.`,
  })
}

function pageNotFound(context: Context): Response | Promise<Response> {
  return context.html(
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Nothing here</title><h1>There is nothing here</h1><p><a href="/">The Memory Vault</a> is at the top.</p></html>\n',
    404,
  )
}
