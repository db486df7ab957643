import { existsSync, readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Operation } from '../../src/verbs/operation.ts'

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

/** The rows in the order of the file as it is. */
function ordered(file: string, rows: readonly Row[]): readonly Row[] {
  const before = existsSync(path.join(SRC, file)) ? textOf(file) : ''
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
function load(folder: string, { file, exportName, definition }: Found): string {
  const imported = (of: string) => `await import('${path.posix.relative(folder, of)}')`
  const definitionCode = `(${imported(file)}).${exportName}`
  if (!('runOn' in definition)) return `async () => ${definitionCode}`
  return `async () => (${imported('addons/hub/verbs/hub-operation.ts')}).asCommand(${definitionCode})`
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
    return { name, families, text: `  ${keyOf(name)}: ${load('verbs', one)},\n` }
  })
  return `${HEADER}import type { Operation } from './operation.ts'

/** Every verb, loaded when it is used: a cold \`cairn search\` pays for search alone. */
export const VERBS = {
${ordered(file, rows)
  .map(({ text }) => text)
  .join('')}} as const satisfies Readonly<Record<string, () => Promise<Operation>>>
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
    'surfaces/cli/presenters.generated.ts': renderPresenters(),
  }
}
