import { existsSync, readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HubOperation } from '../../src/addons/hub/verbs/hub-operation.ts'
import type { Operation } from '../../src/verbs/operation.ts'
import type { RegisteredTool } from '../../src/verbs/ready-tool.ts'

/**
 * The registries are made from the definitions: `npm run generate` writes them, and test/registries.test.ts fails when one is out of
 * date. Each is read by what must not load a definition before it is used. A row keeps its position in the file; a new one is put
 * behind the last one of its family, so that `cairn help` can be reordered by moving lines.
 */
const SRC = fileURLToPath(new URL('../../src/', import.meta.url))
const HEADER =
  '// Generated from the definitions of verbs by `npm run generate`. Lines may be moved, and nothing else changed.\n'

/** An exported definition, and where it is. */
interface Found {
  /** `features/entries/verbs/pin.ts` */
  readonly file: string
  readonly exportName: string
  readonly definition: Operation
}

/** Other files of these folders, which may import a registry, are not loaded: it may be out of date. */
const DEFINES = /\bdefine(?:Hub)?Operation\(|\bdefineStream\(|\bdefineTool\(/

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map(file => file.split(path.sep).join('/'))
  .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .sort()

const textOf = (file: string) => readFileSync(path.join(SRC, file), 'utf8')

/** Every definition of a verb, route or tool. */
async function findDefinitions(): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const file of sources.filter(name => /\/verbs\/|^surfaces\/http\/routes\//.test(name))) {
    if (!DEFINES.test(textOf(file))) continue
    const exported = (await import(path.join(SRC, file))) as Record<string, unknown>
    for (const [exportName, definition] of Object.entries(exported))
      if (isDefinition(definition)) found.push({ file, exportName, definition })
  }
  return found
}

function isDefinition(value: unknown): value is Operation {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    'input' in value &&
    ('run' in value || 'open' in value)
  )
}

interface Row {
  readonly name: string
  /** New rows stand behind those of the first family that is there already. */
  readonly families: readonly string[]
  readonly text: string
}

function ordered<One extends Row>(file: string, rows: readonly One[]): readonly One[] {
  return orderedAs(existsSync(path.join(SRC, file)) ? textOf(file) : '', rows)
}

/** Rows that were there keep their order; a new one comes after the last of the first family that it finds. */
export function orderedAs<One extends Row>(before: string, rows: readonly One[]): readonly One[] {
  const names = [...before.matchAll(/^ {2}'?([\w -]+?)'?: /gm)].map(match => match[1] ?? '')
  const placed = names.flatMap(name => rows.filter(row => row.name === name))
  for (const row of rows) {
    if (placed.includes(row)) continue
    const at = row.families.map(family => placed.findLastIndex(({ families }) => families.includes(family)))
    placed.splice((at.find(index => index >= 0) ?? placed.length - 1) + 1, 0, row)
  }
  return placed
}

const keyOf = (name: string) => (/^\w+$/.test(name) ? name : `'${name}'`)

function refuseTwice(what: string, names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`two ${what} are called ${twice}`)
}

/** Code that imports a definition, from a file of `folder`. */
function imported(folder: string, { file, exportName }: Pick<Found, 'file' | 'exportName'>): string {
  const to = path.posix.relative(folder, file)
  return `(await import('${to.startsWith('.') ? to : `./${to}`}')).${exportName}`
}

const AS_COMMAND = { file: 'addons/hub/verbs/hub-operation.ts', exportName: 'asCommand' }

/** The command line reaches the database of a hub by itself. */
function loadVerb(folder: string, found: Found): string {
  const operation = imported(folder, found)
  return `async () => ${'runOn' in found.definition ? `${imported(folder, AS_COMMAND)}(${operation})` : operation}`
}

function renderVerbs(found: readonly Found[]): string {
  const file = 'verbs/verbs.generated.ts'
  const verbs = found.filter(one => one.file.includes('/verbs/') && one.definition.group !== undefined)
  refuseTwice(
    'verbs',
    verbs.map(({ definition }) => definition.name),
  )
  const rows = verbs.map(one => {
    const { name, group = '' } = one.definition
    const families = [name.split(' ')[0] ?? '', group]
    return { name, families, text: `  ${keyOf(name)}: ${loadVerb('verbs', one)},\n` }
  })
  return `${HEADER}import type { Operation } from './operation.ts'

/** Every verb, loaded when it is used: a cold \`cairn search\` pays for search alone. */
export const VERBS = {
${ordered(file, rows)
  .map(({ text }) => text)
  .join('')}} as const satisfies Readonly<Record<string, () => Promise<Operation>>>
`
}

interface FoundRoute {
  readonly name: string
  readonly at: string
  /** The code of its row in the contract. */
  readonly row: string
}

const camelCase = (name: string) => name.replace(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase())

function routesOf(found: readonly Found[]): readonly FoundRoute[] {
  return found.flatMap(one => {
    const { definition } = one
    if (definition.route === undefined) return []
    const { name = camelCase(definition.name), at, ...rest } = definition.route
    const rules = definition.runs === 'checkout' ? { ...rest, runs: definition.runs } : rest
    const kind = 'events' in definition ? 'streamRoute' : 'route'
    return [
      { name, at, row: `${kind}({ ${fieldsOf(rules)} }, async () => ${imported('surfaces/http', one)})` },
    ]
  })
}

/** A hub operation is loaded as it is: over HTTP it has no database to name. */
function hubRoutesOf(found: readonly Found[]): readonly FoundRoute[] {
  return found.flatMap(one => {
    const { hubRoute } = one.definition as HubOperation
    if (hubRoute === undefined) return []
    const { name = camelCase(one.definition.name), at, ...rules } = hubRoute
    const row = `hubRoute({ ${fieldsOf(rules)} }, async () => ${imported('surfaces/http', one)})`
    return [{ name, at, row }]
  })
}

const fieldsOf = (value: object) =>
  Object.entries(value)
    .map(([key, field]) => `${key}: ${typeof field === 'string' ? `'${field}'` : String(field)}`)
    .join(', ')

const PATHS_FILE = 'surfaces/http/paths.generated.ts'

/** Routes of a path stand together: those with the longest common beginning are the next of kin. */
function orderedRoutes(routes: readonly FoundRoute[]): readonly (FoundRoute & Row)[] {
  refuseTwice(
    'routes',
    routes.flatMap(({ name, at }) => [name, at]),
  )
  const rows = routes.map(route => {
    const words = route.at.split(' ')[1]?.split('/') ?? []
    const families = words.map((_, at) => words.slice(0, words.length - at).join('/')).slice(0, -2)
    return { ...route, families, text: `  ${route.name}: '${route.at}',\n` }
  })
  return ordered(PATHS_FILE, rows)
}

function renderPaths(found: readonly Found[]): string {
  const rows = (routes: readonly FoundRoute[]) =>
    orderedRoutes(routes)
      .map(({ text }) => text)
      .join('')
  return `${HEADER}
/** Where every route is. Data alone: the page has this file too. */
export const PATHS = {
${rows(routesOf(found))}} as const

/** Where the routes of a hub are that are not about one project. */
export const HUB_PATHS = {
${rows(hubRoutesOf(found))}} as const

export type RouteName = keyof typeof PATHS
export type HubRouteName = keyof typeof HUB_PATHS
`
}

function renderRoutes(found: readonly Found[]): string {
  const rows = (routes: readonly FoundRoute[]) =>
    orderedRoutes(routes)
      .map(({ name, row }) => `  ${name}: ${row},\n`)
      .join('')
  return `${HEADER}import type { HubRouteName, RouteName } from './paths.generated.ts'
import { type HubRoute, hubRoute, type Route, route, type StreamRoute, streamRoute } from './route.ts'

/** What is behind every path: a verb, or events. The server, the types of the page's calls and the OpenAPI document are made from it. */
export const CONTRACT = {
${rows(routesOf(found))}} as const satisfies Record<RouteName, Route<unknown> | StreamRoute<unknown>>

export const HUB_CONTRACT = {
${rows(hubRoutesOf(found))}} as const satisfies Record<HubRouteName, HubRoute<unknown>>
`
}

interface ToolPart {
  readonly name: string
  readonly action: string
  readonly found: Found
  /** What the registry says before the tool is loaded; only the verb that describes the tool has it. */
  readonly rules: object | undefined
}

function rulesOf({ effect, needs, isExtra }: RegisteredTool): object {
  return { effect, ...(needs && { needs }), ...(isExtra && { isExtra }) }
}

function renderTools(found: readonly Found[]): string {
  const file = 'surfaces/mcp/tools.generated.ts'
  const folder = path.posix.dirname(file)
  const verbs = found.filter(one => one.file.includes('/verbs/'))
  const parts: readonly ToolPart[] = verbs.flatMap(one => {
    const { tool } = one.definition
    if (tool === undefined) return []
    const { name, action = name } = tool
    return { name, action, found: one, rules: 'effect' in tool ? rulesOf(tool as never) : undefined }
  })
  const ready = verbs.filter(({ definition }) => 'example' in definition)
  refuseTwice('tools', [
    ...ready.map(({ definition }) => definition.name),
    ...parts.flatMap(({ name, rules }) => (rules === undefined ? [] : name)),
  ])
  const rows: Row[] = parts.flatMap(({ name, rules, ...first }) => {
    if (rules === undefined) return []
    const others = parts.filter(part => part.name === name && part.rules === undefined)
    const loads = [first, ...others].map(
      part => `${keyOf(part.action)}: async () => ${imported(folder, part.found)}`,
    )
    return {
      name,
      families: [],
      text: `  ${name}: { ${fieldsOf(rules)}, verbs: { ${loads.join(', ')} } },\n`,
    }
  })
  for (const one of ready) {
    const { name } = one.definition
    const rules = fieldsOf(rulesOf(one.definition as never))
    const text = `  ${name}: { ${rules}, ready: async () => ${imported(folder, one)} as ReadyTool },\n`
    rows.push({ name, families: [name.split('_')[0] ?? ''], text })
  }
  return `${HEADER}import type { ReadyTool, RegisteredTool } from '../../verbs/ready-tool.ts'

/** The tools in the order in which they are listed, loaded when they are used. */
export const TOOLS: Readonly<Record<string, RegisteredTool>> = {
${ordered(file, rows)
  .map(({ text }) => text)
  .join('')}}
`
}

/** Screens are tables in present-*.ts, beside the verbs. */
function renderPresenters(): string {
  const tables = sources
    .filter(file => /\/present-[^/]*$/.test(file))
    .flatMap(file =>
      [...textOf(file).matchAll(/^export const (\w+_PRESENTERS)\b/gm)].map(match => ({
        file,
        table: match[1] ?? '',
      })),
    )
  refuseTwice(
    'tables of presenters',
    tables.map(({ table }) => table),
  )
  return `${HEADER}${tables.map(({ file, table }) => `import { ${table} } from '../../${file}'\n`).join('')}import type { Presenters } from '../../verbs/presenter.ts'

/** How every verb shows its answer. */
export const PRESENTERS: Presenters = {
${tables.map(({ table }) => `  ...${table},\n`).join('')}}
`
}

/** Path below `src` → the text. */
export async function renderRegistries(): Promise<Readonly<Record<string, string>>> {
  const found = await findDefinitions()
  return {
    'verbs/verbs.generated.ts': renderVerbs(found),
    [PATHS_FILE]: renderPaths(found),
    'surfaces/http/routes.generated.ts': renderRoutes(found),
    'surfaces/mcp/tools.generated.ts': renderTools(found),
    'surfaces/cli/presenters.generated.ts': renderPresenters(),
  }
}
