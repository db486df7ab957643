import { isOptionalField, type JsonSchema, jsonSchemaOf } from '../../verbs/json-schema.ts'
import type { Access, Operation } from '../../verbs/operation.ts'
import { CONTRACT } from './contract.ts'
import type { EventStream } from './event-stream.ts'
import { PATHS, type RouteName } from './paths.generated.ts'
import type { Route, StreamRoute } from './route.ts'

/** A route with its verb or stream. */
export interface DescribedRoute {
  readonly name: RouteName
  readonly method: string
  /** `/api/entries/:target` */
  readonly path: string
  readonly access: Access
  readonly behind:
    | { readonly kind: 'answer'; readonly operation: Operation }
    | { readonly kind: 'stream'; readonly stream: EventStream }
}

/** The whole contract, ordered by path. */
export async function describeRoutes(): Promise<readonly DescribedRoute[]> {
  const described: DescribedRoute[] = []
  const contract: Partial<Record<RouteName, Route | StreamRoute>> = CONTRACT as never
  for (const name of Object.keys(PATHS) as RouteName[]) {
    const route = contract[name]
    if (route === undefined) continue
    const [method = '', path = ''] = PATHS[name].split(' ')
    const behind =
      route.kind === 'stream'
        ? { kind: route.kind, stream: await route.load() }
        : { kind: route.kind, operation: await route.load() }
    described.push({ name, method, path, access: route.access, behind })
  }
  return described
}

export function takenBy({ behind }: DescribedRoute): Operation | EventStream {
  return behind.kind === 'stream' ? behind.stream : behind.operation
}

const FAILURE = { $ref: '#/components/schemas/Failure' }

const ACCESS: Readonly<Record<Access, string>> = {
  open: 'Answered to everybody who reaches the server.',
  read: 'Answered on this machine; with the token alone for what was forwarded, where the server listens elsewhere or runs with --require-token.',
  write: 'Needs the token.',
  local: 'Needs the token, and is only answered to requests of this machine.',
}

/** OpenAPI 3.1, from the schemas that validate requests. */
export async function openApiDocument(version: string): Promise<JsonSchema> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of await describeRoutes()) {
    const at = route.path.replace(/:(\w+)/g, '{$1}')
    paths[at] = { ...paths[at], [route.method.toLowerCase()]: describedOperation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cairn',
      version,
      summary: 'The memory of one project, over HTTP',
      description:
        'Served by `cairn up` on this machine. Requests that change something need `Authorization: Bearer <token>`; `cairn token` prints it. An error is `{ code, message, hint, details? }`. Unknown parameters and fields are refused; the routes below /api/memory ignore them. Every POST with `Accept: text/event-stream` sends `progress` events, and then `answer` or `error`. MCP is at /mcp.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Failure: {
          type: 'object',
          properties: {
            code: { type: 'string', description: 'For programs: docs/reference/errors.md lists them' },
            message: { type: 'string' },
            hint: { type: 'string', description: 'What to do next' },
            details: { type: 'object' },
          },
          required: ['code', 'message', 'hint'],
        },
      },
    },
  }
}

function describedOperation(route: DescribedRoute): JsonSchema {
  const { name, method, path, access, behind } = route
  const { summary, description, input } = takenBy(route)
  const inPath = [...path.matchAll(/:(\w+)/g)].map(match => match[1] ?? '')
  const others = Object.keys(input.entries).filter(field => !inPath.includes(field))
  const isInQuery = method === 'GET' || method === 'DELETE'
  const parameter = (field: string, where: 'path' | 'query') => {
    const schema = input.entries[field] as Parameters<typeof jsonSchemaOf>[0]
    const { description, ...shape } = jsonSchemaOf(schema)
    return {
      name: field,
      in: where,
      required: where === 'path' || !isOptionalField(schema),
      ...(description !== undefined && { description }),
      schema: shape,
    }
  }
  const parameters = [
    ...inPath.map(field => parameter(field, 'path')),
    ...(isInQuery ? others.map(field => parameter(field, 'query')) : []),
  ]
  return {
    operationId: name,
    summary,
    description: [description, ACCESS[access]].filter(text => text !== undefined).join(' '),
    tags: [path.split('/')[2] ?? ''],
    security: access === 'write' || access === 'local' ? [{ token: [] }] : [{}, { token: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(!isInQuery && others.length > 0 && { requestBody: bodyOf(input, inPath) }),
    responses: {
      200: behind.kind === 'stream' ? eventsAsText(behind.stream) : answered(behind.operation, method),
      default: { description: 'A failure', content: { 'application/json': { schema: FAILURE } } },
    },
  }
}

function bodyOf(input: Operation['input'], inPath: readonly string[]): JsonSchema {
  const whole = jsonSchemaOf(input) as { properties: Record<string, unknown>; required?: readonly string[] }
  const properties = Object.entries(whole.properties).filter(([field]) => !inPath.includes(field))
  const required = (whole.required ?? []).filter(field => !inPath.includes(field))
  return {
    required: required.length > 0,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: Object.fromEntries(properties),
          ...(required.length > 0 && { required }),
        },
      },
    },
  }
}

function answered({ output }: Operation, method: string): JsonSchema {
  return {
    description: 'The answer',
    content: {
      'application/json': { schema: jsonSchemaOf(output) },
      ...(method !== 'GET' && {
        'text/event-stream': {
          schema: {
            type: 'string',
            description: '`progress { done, total?, what }`, then `answer` or `error`',
          },
        },
      }),
    },
  }
}

/** OpenAPI 3.1 cannot describe the events of a stream, so they are described as text. */
function eventsAsText({ events }: EventStream): JsonSchema {
  return {
    description: `Server-sent events: ${[...Object.keys(events), 'ping', 'error', 'bye'].join(', ')}`,
    content: {
      'text/event-stream': {
        schema: { type: 'string' },
        'x-events': Object.fromEntries(
          Object.entries(events).map(([name, schema]) => [name, jsonSchemaOf(schema)]),
        ),
      },
    },
  }
}
