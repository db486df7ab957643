import { jsonSchemaOf } from '../../verbs/json-schema.ts'
import type { ObjectSchema } from '../../verbs/operation.ts'
import { HUB_CONTRACT } from './contract.ts'
import { HTTP_STATUS, STATUS_OF_CODE } from './failure.ts'
import { type DescribedRoute, describeRoutes, takenBy } from './openapi.ts'
import { HUB_PATHS, type HubRouteName } from './paths.generated.ts'
import type { HubRoute } from './route.ts'

/** docs/reference/rest.md: every route with its fields. The answers are described in the OpenAPI document. */
export async function renderRestReference(): Promise<string> {
  const routes = await describeRoutes()
  return [
    '<!-- Generated from the code by `npm run docs`. Do not edit. -->',
    '# REST',
    '',
    '`cairn up` serves these routes; [the guide](../guide/rest.md) shows how to call them. `GET /api/openapi.json` is the whole contract as OpenAPI 3.1, with the shape of every answer. MCP is at `/mcp`.',
    '',
    'Fields that the path names go into the path. The others go into the query string (GET, DELETE) or into a JSON object (POST, PUT, PATCH). Every POST with `Accept: text/event-stream` sends `progress` events, and then `answer` or `error`.',
    '',
    '| access | who is answered |',
    '|---|---|',
    '| open | every client that reaches the server; the answer contains nothing of the memory |',
    '| read | every client on this machine; the token is required for forwarded requests, if the server listens on another address, or with `--require-token` |',
    '| write | clients with the token |',
    '| local | clients with the token, without forwarding from another machine |',
    '',
    '| class of error | status |',
    '|---|---|',
    ...Object.entries(HTTP_STATUS).map(([name, status]) => `| ${name} | ${status} |`),
    ...Object.entries(STATUS_OF_CODE).map(([code, status]) => `| \`${code}\` | ${status} |`),
    '',
    '| route | access | what it does |',
    '|---|---|---|',
    ...routes.map(
      route =>
        `| [\`${route.method} ${route.path}\`](#${route.name.toLowerCase()}) | ${route.access} | ${takenBy(route).summary} |`,
    ),
    '',
    ...routes.flatMap(renderRoute),
    ...(await renderHubRoutes()),
  ].join('\n')
}

/** The routes of a hub besides those of its memories. */
async function renderHubRoutes(): Promise<string[]> {
  const routes = await Promise.all(
    (Object.entries(HUB_CONTRACT) as [HubRouteName, HubRoute][]).map(async ([name, { scope, load }]) => ({
      name,
      scope,
      operation: await load(),
    })),
  )
  return [
    '# The routes of a hub',
    '',
    '`cairn up --store` serves the routes above below `/p/{project}`, each for a token with the scope that it needs: read, write, or admin for settings and upkeep. What is about the files and programs of one machine is answered with `not_on_hub`. These are about the hub itself, and where the table says admin they need it for every project; those of tokens also take admin for one, and then are about tokens for that one alone ([the guide](../guide/hub.md)).',
    '',
    '| route | scope | what it does |',
    '|---|---|---|',
    ...routes.map(
      ({ name, scope, operation }) =>
        `| [\`${HUB_PATHS[name]}\`](#${name.toLowerCase()}) | ${scope} | ${operation.summary} |`,
    ),
    '',
    ...routes.flatMap(({ name, operation }) => [
      `## ${name}`,
      '',
      `\`${HUB_PATHS[name]}\``,
      '',
      ...renderFields(operation.input.entries),
    ]),
  ]
}

function renderRoute(route: DescribedRoute): string[] {
  return [
    `## ${route.name}`,
    '',
    `\`${route.method} ${route.path}\``,
    '',
    ...renderFields(takenBy(route).input.entries),
    ...(route.behind.kind === 'stream'
      ? [
          `Tells: ${Object.keys(route.behind.stream.events)
            .map(name => `\`${name}\``)
            .join(', ')}.`,
          '',
        ]
      : []),
  ]
}

function renderFields(entries: ObjectSchema['entries']): string[] {
  const fields = Object.entries(entries)
  if (fields.length === 0) return []
  return [
    '| field | takes | what it is |',
    '|---|---|---|',
    ...fields.map(([name, schema]) => {
      const field = schema as Parameters<typeof jsonSchemaOf>[0]
      const { description = '', ...shape } = jsonSchemaOf(field)
      const isNeeded = field.type !== 'optional' && field.type !== 'exact_optional'
      return `| \`${name}\`${isNeeded ? ' (needed)' : ''} | ${takes(shape)} | ${description} |`
    }),
    '',
  ]
}

function takes(shape: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(shape.enum)) return shape.enum.join(', ')
  if (shape.type === 'array') return `list of ${takes(shape.items as Readonly<Record<string, unknown>>)}`
  if (Array.isArray(shape.anyOf)) return shape.anyOf.map(takes).join(' or ')
  return String(shape.type ?? JSON.stringify(shape.const) ?? 'anything')
}
