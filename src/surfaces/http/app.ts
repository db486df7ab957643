import { setImmediate } from 'node:timers/promises'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Composed } from '../../compose/composed.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Degradation } from '../../kernel/model/search.ts'
import { agentActs } from '../../verbs/agent-rules.ts'
import type { Access, Operation } from '../../verbs/operation.ts'
import { requirePlace } from '../../verbs/runs-in.ts'
import type { Peer } from './admission.ts'
import { CONTRACT } from './contract.ts'
import { failureOf } from './failure.ts'
import { PATHS, type RouteName } from './paths.generated.ts'
import { fieldsFromText, parseFields, refuseUnknown, type Taking } from './read-request.ts'
import type { Route, StreamRoute } from './route.ts'
import { type SentEvent, sendEvents } from './send-events.ts'
import { noteRequest } from './watching/request-note.ts'
import type { ServerMetrics } from './watching/server-metrics.ts'

interface AppParts {
  /** The prefix of the routes: '' if one memory is served. */
  readonly base?: string
  /** Admits a request, or throws why it is refused. */
  readonly enter: (
    context: Context,
    asked: { readonly name: RouteName; readonly access: Access; readonly isStream: boolean },
  ) => Promise<Admitted>
  /** Reports a defect to the terminal. */
  readonly onFault: (error: unknown) => void
  /** Aborted when the server ends. */
  readonly ending?: AbortSignal
  readonly metrics?: ServerMetrics
}

/** An admitted request: its memory, and the fields of its body. */
export interface Admitted {
  readonly engine: Composed
  readonly body: Readonly<Record<string, unknown>>
  /** Maximum rows of one answer. Absent: as many as the verb returns. */
  readonly mostRows?: number
  /** The caller is an agent, according to its token. */
  readonly isAgent?: boolean
  /** Something may have been written. */
  readonly onWrite?: () => void
  /** For work that continues after the answer has begun: the signal ends it. */
  readonly hold?: () => { readonly signal: AbortSignal; readonly release: () => void }
  /** How the request ended; `error`: why it failed. */
  readonly onEnd?: (end: { readonly error?: unknown; readonly subject: string | undefined }) => void
}

interface Answering {
  readonly name: RouteName
  readonly route: Route | StreamRoute
  /** Called when the whole answer ended, also if it continues after it has begun. */
  readonly end: (failed?: { readonly error: unknown }) => void
}

/** A verb finishes what it started, even if the client disconnected. */
const NEVER = new AbortController().signal
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD'])
/** The parameter of the prefix: it names the memory and is not a field of a route. */
export const PROJECT_PARAMETER = 'hubProject'

/** Every route of the contract over one memory. */
export function httpApp({ base = '', enter, onFault, ending = NEVER, metrics }: AppParts): Hono {
  const app = new Hono()
  app.onError((error, context) => answerFailure(context, error, onFault))
  app.notFound(context =>
    isOfApi(context.req.path)
      ? answerFailure(context, noRoute(context.req.path), onFault)
      : pageNotFound(context),
  )
  const methodsByPath = new Map<string, string[]>()
  for (const [name, route] of Object.entries(CONTRACT) as [RouteName, Route | StreamRoute][]) {
    const [method = '', ownPath = ''] = PATHS[name].split(' ')
    const path = `${base}${ownPath}`
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), method])
    app.on(method, path, async context => {
      noteRequest(context, { route: name })
      const admitted = await enter(context, {
        name,
        access: route.access,
        isStream: route.kind === 'stream',
      })
      const subject = context.req.param('target') ?? context.req.param('session')
      let isOver = false
      const end = (failed?: { readonly error: unknown }) => {
        if (isOver) return
        isOver = true
        admitted.onEnd?.({ ...failed, subject })
      }
      try {
        const { response, goesOn } = await answer(context, { name, route, end }, admitted)
        if (!goesOn) end()
        return response
      } catch (error) {
        end({ error })
        throw error
      }
    })
  }
  const answer = async (
    context: Context,
    { name, route, end }: Answering,
    { engine: opened, body, mostRows, isAgent: isAgents = false, onWrite, hold }: Admitted,
  ): Promise<{ readonly response: Response; readonly goesOn: boolean }> => {
    /** A request that outlives its answer takes one of a limited number of slots, and is ended when its token is no longer valid. */
    const stay = () => hold?.() ?? { signal: NEVER, release: () => undefined }
    const { ignoresUnknown } = route
    if (route.kind === 'stream') {
      // The answer to HEAD has no body.
      if (context.req.method === 'HEAD') throw methodUnknown(context, ['GET'])
      const stream = await route.load()
      const input = parseFields(stream, fieldsOf(context, stream, { body, ignoresUnknown, isStream: true }))
      requirePlace(stream, opened)
      const { signal: mayNoLonger, release } = stay()
      const response = await watched(context, metrics, release, over =>
        sendEvents(signal => stream.open(opened, input, { signal }), {
          ending: AbortSignal.any([ending, mayNoLonger]),
          onFault,
          onOver: over,
        }),
      )
      return { response, goesOn: false }
    }
    const operation = await route.load()
    const input = parseFields(operation, fieldsOf(context, operation, { body, ignoresUnknown }))
    checkRows(input, mostRows)
    const isAgent = isAgents && agentActs(operation, input)
    requirePlace(operation, opened)
    const memory = isAgent ? { ...opened, actor: { ...opened.actor, isAgent } } : opened
    const isTelling = context.req.header('accept')?.includes('text/event-stream') === true
    const reportEnd = () => {
      if (name === 'search') metrics?.countSearch()
      if (route.access !== 'write' && route.access !== 'local') return
      metrics?.countWrite()
      onWrite?.()
    }
    if (isTelling && !BODILESS.has(context.req.method)) {
      const { signal: mayNoLonger, release } = stay()
      const work = (gone: AbortSignal) =>
        progressOf(operation, memory, input, {
          isAgent,
          staying: () => AbortSignal.any([gone, ending, mayNoLonger]),
          onEnd(failed) {
            reportEnd()
            end(failed)
          },
        })
      const response = await watched(context, metrics, release, over =>
        sendEvents(work, { ending: NEVER, onFault, onOver: over }),
      )
      return { response, goesOn: true }
    }
    const slots: (() => void)[] = []
    const staying = () => {
      const { signal: mayNoLonger, release } = stay()
      slots.push(release, ...(metrics === undefined ? [] : [metrics.beginWait()]))
      return AbortSignal.any([context.req.raw.signal, ending, mayNoLonger])
    }
    const output = (await operation
      .run(memory, input, { turn: setImmediate, staying, isAgent })
      .finally(() => {
        for (const release of slots) release()
      })) as { readonly degraded?: readonly Degradation[] }
    reportEnd()
    for (const { code } of output.degraded ?? []) metrics?.countDegraded(code)
    context.header('cache-control', 'no-store')
    return { response: context.json(output), goesOn: false }
  }
  for (const [path, methods] of methodsByPath)
    app.all(path, context => {
      throw methodUnknown(context, methods)
    })
  return app
}

/** A stream is counted while it is open; its length does not count as the duration of an answer. */
async function watched(
  context: Context,
  metrics: ServerMetrics | undefined,
  release: (() => void) | undefined,
  answer: (over: () => void) => Promise<Response>,
): Promise<Response> {
  noteRequest(context, { isStream: true })
  const counted = metrics?.beginStream()
  const over = () => {
    release?.()
    counted?.()
  }
  try {
    return await answer(over)
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
  const { retryAfterSeconds } = body.details ?? {}
  if (typeof retryAfterSeconds === 'number') context.header('retry-after', String(retryAfterSeconds))
  // The unread rest of the body is not waited for.
  if (status === 413) context.header('connection', 'close')
  return context.json(body, status as ContentfulStatusCode)
}

export function fieldsOf(
  { req }: Context,
  taking: Taking,
  {
    body,
    ignoresUnknown,
    isStream = false,
  }: {
    readonly body: Readonly<Record<string, unknown>>
    readonly ignoresUnknown?: true | undefined
    readonly isStream?: boolean
  },
): Record<string, unknown> {
  const { token, ...others } = req.queries()
  // Admission has read the token.
  const query = isStream || token === undefined ? others : { ...others, token }
  refuseUnknown(taking, Object.keys(query), 'parameter')
  if (ignoresUnknown !== true) refuseUnknown(taking, Object.keys(body), 'field')
  return {
    ...fieldsFromText(taking, query),
    ...body,
    ...fieldsFromText(taking, textFields(withoutProject(req.param()))),
  }
}

function checkRows({ limit }: { readonly limit?: unknown }, most: number | undefined): void {
  if (most === undefined || typeof limit !== 'number' || limit <= most) return
  throw new CairnError({
    code: 'invalid_input',
    message: `\`limit\`: the maximum on a hub is ${most}.`,
    hint: 'Ask for the rest with `offset`, where the route takes one.',
  })
}

function withoutProject({
  [PROJECT_PARAMETER]: _,
  ...fields
}: Readonly<Record<string, string>>): Record<string, string> {
  return fields
}

function textFields(params: Readonly<Record<string, string>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [value]]))
}

/** A request without a socket (in a test) counts as local. */
export function peerOf({ env }: Context): Peer {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } }
  return { address: incoming === undefined ? '127.0.0.1' : incoming.socket?.remoteAddress }
}

function isOfApi(path: string): boolean {
  return /^(?:\/p\/[^/]*)?\/api(?:\/|$)/.test(path)
}

function noRoute(path: string): CairnError {
  return new CairnError({
    code: 'route_not_found',
    message: `Route not found: ${path.slice(0, 100)}.`,
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
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Not found</title><h1>Page not found</h1><p><a href="/">The Memory Vault</a> is at the top.</p></html>\n',
    404,
  )
}

/** The progress of a verb as events: `progress`, as fast as the client reads, then `answer`. */
async function* progressOf(
  operation: Operation,
  memory: Composed,
  input: Parameters<Operation['run']>[1],
  {
    staying,
    onEnd,
    isAgent = false,
  }: {
    readonly isAgent?: boolean
    readonly staying?: () => AbortSignal
    readonly onEnd?: (failed?: { readonly error: unknown }) => void
  } = {},
): AsyncGenerator<SentEvent> {
  let latest: SentEvent | undefined
  let onNews: (() => void) | undefined
  let end: { readonly output: unknown } | { readonly error: unknown } | undefined
  const onProgress = (done: number, total: number | undefined, what: string) => {
    // A slow client gets only the latest progress.
    latest = { event: 'progress', data: { done, total, what } }
    onNews?.()
  }
  operation
    .run(memory, input, {
      onProgress,
      turn: setImmediate,
      isAgent,
      ...(staying !== undefined && { staying }),
    })
    .then(
      output => {
        end = { output }
      },
      (error: unknown) => {
        end = { error }
      },
    )
    .finally(() => {
      onEnd?.(end !== undefined && 'error' in end ? end : undefined)
      onNews?.()
    })
  for (;;) {
    if (latest !== undefined) {
      const next = latest
      latest = undefined
      yield next
    } else if (end !== undefined) break
    else
      await new Promise<void>(resolve => {
        onNews = resolve
      })
  }
  if ('error' in end) throw end.error
  yield { event: 'answer', data: end.output }
}
