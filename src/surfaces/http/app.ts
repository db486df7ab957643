import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Composed } from '../../compose.ts'
import { CairnError } from '../../model/errors.ts'
import type { Operation } from '../../operations/operation.ts'
import { CONTRACT } from './contract.ts'
import { failureOf } from './failure.ts'
import { PATHS, type RouteName } from './paths.ts'
import { fieldsFromText, parseFields, type Taking } from './read-request.ts'
import type { Access, Route, StreamRoute } from './route.ts'
import { type Told, tellEvents } from './tell-events.ts'

export interface AppParts {
  readonly engine: Composed
  readonly token: string
  /** Tells the terminal of a fault. */
  readonly onFault: (error: unknown) => void
  /** Aborted when the server ends. */
  readonly ending?: AbortSignal
}

/** Every route of the contract over one memory. */
export function httpApp({ engine, token, onFault, ending = new AbortController().signal }: AppParts): Hono {
  const app = new Hono()
  app.onError((error, context) => {
    const { status, body } = failureOf(error)
    if (body.code === 'internal') onFault(error)
    return context.json(body, status as ContentfulStatusCode)
  })
  const admit = (context: Context, access: Access) => {
    if (access !== 'read' && context.req.header('authorization') !== `Bearer ${token}`) throw tokenMissing()
  }
  for (const [name, route] of Object.entries(CONTRACT) as [RouteName, Route | StreamRoute][]) {
    const [method = '', path = ''] = PATHS[name].split(' ')
    app.on(method, path, async context => {
      admit(context, route.access)
      if (route.kind === 'stream') {
        const stream = await route.load()
        const input = parseFields(stream, await fieldsOf(context, stream))
        return tellEvents(signal => stream.open(engine, input, { signal }), { ending, onFault })
      }
      const operation = await route.load()
      const input = parseFields(operation, await fieldsOf(context, operation))
      if (!context.req.header('accept')?.includes('text/event-stream'))
        return context.json((await operation.run(engine, input, {})) as object)
      return tellEvents(() => progressOf(operation, engine, input), { ending: NEVER, onFault })
    })
  }
  return app
}

/** What a verb has begun it ends, whoever listens. */
const NEVER = new AbortController().signal

async function* progressOf(
  operation: Operation,
  engine: Composed,
  input: Parameters<Operation['run']>[1],
): AsyncGenerator<Told> {
  let latest: Told | undefined
  let onNews: (() => void) | undefined
  let end: { readonly output: unknown } | { readonly error: unknown } | undefined
  const onProgress = (done: number, total: number | undefined, what: string) => {
    // A listener that is slower than the work hears how far it is by then.
    latest = { event: 'progress', data: { done, total, what } }
    onNews?.()
  }
  operation
    .run(engine, input, { onProgress })
    .then(
      output => {
        end = { output }
      },
      (error: unknown) => {
        end = { error }
      },
    )
    .finally(() => onNews?.())
  for (;;) {
    if (latest !== undefined) {
      const told = latest
      latest = undefined
      yield told
    } else if (end !== undefined) break
    else
      await new Promise<void>(resolve => {
        onNews = resolve
      })
  }
  if ('error' in end) throw end.error
  yield { event: 'answer', data: end.output }
}

async function fieldsOf(context: Context, taking: Taking): Promise<Record<string, unknown>> {
  const { req } = context
  const hasBody = req.method !== 'GET' && req.method !== 'DELETE'
  return {
    ...fieldsFromText(taking, req.queries()),
    ...(hasBody ? await bodyOf(req.raw) : {}),
    ...fieldsFromText(taking, textFields(req.param())),
  }
}

function textFields(params: Readonly<Record<string, string>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [value]]))
}

async function bodyOf(request: Request): Promise<Record<string, unknown>> {
  const text = await request.text()
  if (text.trim() === '') return {}
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new CairnError({
    code: 'invalid_input',
    message: 'The body is not a JSON object.',
    hint: 'Send an object with the fields of the route: GET /api/openapi.json lists them.',
  })
}

function tokenMissing(): CairnError {
  return new CairnError({
    code: 'token_missing',
    message: 'This changes something, and the request has no token, or a wrong one.',
    hint: 'Send `Authorization: Bearer <token>`; `cairn token` prints it. Or open the page by `cairn up`.',
  })
}
