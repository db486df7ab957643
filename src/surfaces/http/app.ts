import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Composed } from '../../compose.ts'
import { CairnError } from '../../model/errors.ts'
import { type Operation, parseInput } from '../../operations/operation.ts'
import { CONTRACT } from './contract.ts'
import { failureOf } from './failure.ts'
import { PATHS, type RouteName } from './paths.ts'
import { fieldsFromText } from './read-request.ts'
import type { Route } from './route.ts'

export interface AppParts {
  readonly engine: Composed
  readonly token: string
  /** Tells the terminal of a fault. */
  readonly onFault: (error: unknown) => void
}

/** Every route of the contract over one memory. */
export function httpApp({ engine, token, onFault }: AppParts): Hono {
  const app = new Hono()
  app.onError((error, context) => {
    const { status, body } = failureOf(error)
    if (body.code === 'internal') onFault(error)
    return context.json(body, status as ContentfulStatusCode)
  })
  for (const [name, route] of Object.entries(CONTRACT) as [RouteName, Route][]) {
    const [method = '', path = ''] = PATHS[name].split(' ')
    app.on(method, path, async context => {
      if (route.access !== 'read' && context.req.header('authorization') !== `Bearer ${token}`)
        throw tokenMissing()
      const operation = await route.load()
      const input = parseInput(operation, {
        ...fieldsFromText(operation, context.req.queries()),
        ...(method === 'GET' || method === 'DELETE' ? {} : await bodyOf(context.req.raw)),
        ...fieldsFromText(operation, textFields(context.req.param())),
      })
      if (!context.req.header('accept')?.includes('text/event-stream'))
        return context.json((await operation.run(engine, input, {})) as object)
      return streamSSE(context, async stream => {
        const tell = (event: string, data: unknown) => stream.writeSSE({ event, data: JSON.stringify(data) })
        try {
          const output = await runTelling(operation, engine, input, tell)
          await tell('answer', output)
        } catch (error) {
          const { body } = failureOf(error)
          if (body.code === 'internal') onFault(error)
          await tell('error', body)
        }
      })
    })
  }
  return app
}

function runTelling(
  operation: Operation,
  engine: Composed,
  input: Parameters<Operation['run']>[1],
  tell: (event: string, data: unknown) => Promise<void>,
): Promise<unknown> {
  const onProgress = (done: number, total: number | undefined, what: string) =>
    void tell('progress', { done, total, what })
  return operation.run(engine, input, { onProgress })
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
