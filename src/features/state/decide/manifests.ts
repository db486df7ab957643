/** The content of a manifest. Every field comes from a file of any quality. */
export interface ManifestReading {
  readonly kind: string
  /** undefined: it describes no package, like the root of a workspace. */
  readonly name?: string
  readonly description?: string
  readonly entryPoints?: readonly { readonly path: string; readonly what: string }[]
  readonly scripts?: readonly { readonly name: string; readonly command: string }[]
}

type ManifestParser = (text: string, path: string) => ManifestReading | undefined

/** By the name of the file. A parser returns undefined if the file is not valid. */
const PARSERS: readonly (readonly [RegExp, ManifestParser])[] = [
  [/(?:^|\/)package\.json$/, readPackageJson],
  [/(?:^|\/)deno\.jsonc?$/, readDeno],
  [/(?:^|\/)composer\.json$/, readComposer],
  [/(?:^|\/)Cargo\.toml$/, readCargo],
  [/(?:^|\/)\.cargo\/config(?:\.toml)?$/, readCargoConfig],
  [/(?:^|\/)pyproject\.toml$/, readPyproject],
  [/(?:^|\/)setup\.(?:cfg|py)$/, named('python', /^\s*name\s*=\s*["']?([\w.-]+)/m)],
  [/(?:^|\/)go\.mod$/, named('go', /^module\s+(\S+)/m)],
  [/(?:^|\/)pom\.xml$/, readPom],
  [/(?:^|\/)build\.gradle(?:\.kts)?$/, (_, path) => ({ kind: 'gradle', name: folderOf(path) })],
  [/(?:^|\/)Gemfile$/, (_, path) => ({ kind: 'ruby', name: folderOf(path) })],
  [/\.gemspec$/, named('ruby', /\.name\s*=\s*["']([\w.-]+)/)],
  [/\.(?:cs|fs|vb)proj$/, (_, path) => ({ kind: 'dotnet', name: baseOf(path).replace(/\.\w+$/, '') })],
  [/(?:^|\/)mix\.exs$/, named('elixir', /\bapp:\s*:(\w+)/)],
  [/(?:^|\/)pubspec\.yaml$/, named('dart', /^name:\s*["']?([\w.-]+)/m)],
  [/(?:^|\/)Package\.swift$/, named('swift', /\bname:\s*"([^"]+)"/)],
  [/(?:^|\/)CMakeLists\.txt$/, named('cmake', /\bproject\s*\(\s*"?([\w.+-]+)/i)],
  [/(?:^|\/)(?:GNU)?[Mm]akefile$/, readMakefile],
  [/(?:^|\/)\.?[Jj]ustfile$/, readJustfile],
  [/(?:^|\/)Taskfile\.ya?ml$/, readTaskfile],
  [/(?:^|\/)Rakefile$/, readRakefile],
]

export function parserOf(path: string): ManifestParser | undefined {
  return PARSERS.find(([pattern]) => pattern.test(path))?.[1]
}

function readPackageJson(text: string): ManifestReading | undefined {
  const json = objectIn(text)
  if (json === undefined) return undefined
  const bins =
    typeof json.bin === 'string' ? { [stringOf(json.name) ?? 'bin']: json.bin } : objectOf(json.bin)
  const exported = typeof json.exports === 'string' ? json.exports : exportOf(objectOf(json.exports)['.'])
  return {
    kind: 'npm',
    ...nameAndDescription(json),
    entryPoints: [
      ...texts(bins).map(([name, path]) => ({ path, what: `command ${name}` })),
      ...[json.main, json.module].flatMap(path => (typeof path === 'string' ? [{ path, what: 'main' }] : [])),
      ...(exported === undefined ? [] : [{ path: exported, what: 'export' }]),
    ],
    scripts: texts(objectOf(json.scripts)).map(([name, command]) => ({ name, command })),
  }
}

/** `{ "import": { "default": "./a.js" } }` → `./a.js` */
function exportOf(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value
  if (depth > 3) return undefined
  const conditions = objectOf(value)
  for (const name of ['import', 'default', 'node', 'require']) {
    const found = exportOf(conditions[name], depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function readDeno(text: string): ManifestReading | undefined {
  const json = objectIn(text.replace(/^\s*\/\/.*$/gm, ''))
  if (json === undefined) return undefined
  const main = exportOf(json.exports) ?? exportOf(objectOf(json.exports)['.'])
  return {
    kind: 'deno',
    ...nameAndDescription(json),
    entryPoints: main === undefined ? [] : [{ path: main, what: 'export' }],
    scripts: texts(objectOf(json.tasks)).map(([name, command]) => ({ name, command })),
  }
}

function readComposer(text: string): ManifestReading | undefined {
  const json = objectIn(text)
  if (json === undefined) return undefined
  return {
    kind: 'composer',
    ...nameAndDescription(json),
    scripts: texts(objectOf(json.scripts)).map(([name, command]) => ({ name, command })),
  }
}

function readCargo(text: string): ManifestReading {
  const toml = readToml(text)
  const name = toml.get('package')?.get('name')
  const description = toml.get('package')?.get('description')
  const bins = [...toml.entries()].filter(([section]) => /^\[?bin\]?(?:#\d+)?$/.test(section))
  return {
    kind: 'cargo',
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    entryPoints: bins.flatMap(([, keys]) => {
      const path = keys.get('path')
      return path === undefined ? [] : [{ path, what: `command ${keys.get('name') ?? ''}`.trim() }]
    }),
  }
}

function readCargoConfig(text: string): ManifestReading {
  const aliases = readToml(text).get('alias') ?? new Map<string, string>()
  return {
    kind: 'cargo',
    scripts: [...aliases].map(([name, command]) => ({ name, command: `cargo ${command}` })),
  }
}

function readPyproject(text: string): ManifestReading {
  const toml = readToml(text)
  const project = toml.get('project') ?? toml.get('tool.poetry')
  const name = project?.get('name')
  const description = project?.get('description')
  const commands = new Map([
    ...(toml.get('project.scripts') ?? []),
    ...(toml.get('tool.poetry.scripts') ?? []),
  ])
  const tasks = new Map([...(toml.get('tool.poe.tasks') ?? []), ...(toml.get('tool.pdm.scripts') ?? [])])
  return {
    kind: 'python',
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    entryPoints: [...commands].map(([command, target]) => ({
      // `shop.cli:main` is in shop/cli.py
      path: `${(target.split(':')[0] ?? '').replaceAll('.', '/')}.py`,
      what: `command ${command}`,
    })),
    scripts: [...tasks].map(([task, command]) => ({ name: task, command })),
  }
}

function readPom(text: string): ManifestReading | undefined {
  if (!/<project[\s>]/.test(text)) return undefined
  const own = text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<(parent|dependencies|dependencyManagement|build|profiles|plugins)>[\s\S]*?<\/\1>/g, '')
  const name = /<artifactId>\s*([\w.-]+)\s*</.exec(own)?.[1]
  const description = /<description>\s*([^<]+?)\s*</.exec(own)?.[1]
  return {
    kind: 'maven',
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  }
}

const NO_TARGET = /^(?:\.|%|\$)|[%$(){}/]|=$/

function readMakefile(text: string): ManifestReading {
  const targets = [...text.matchAll(/^([A-Za-z0-9][\w.-]*(?:[ \t]+[A-Za-z0-9][\w.-]*)*)[ \t]*:(?![:=])/gm)]
    .flatMap(([, names = '']) => names.split(/[ \t]+/))
    .filter(name => !NO_TARGET.test(name) && !/\.\w{1,4}$/.test(name))
  return { kind: 'make', scripts: unique(targets).map(name => ({ name, command: `make ${name}` })) }
}

function readJustfile(text: string): ManifestReading {
  const recipes = [...text.matchAll(/^@?([A-Za-z][\w-]*)(?:[ \t][^:=\n]*)?:(?!=)/gm)]
    .map(([, name = '']) => name)
    .filter(name => !/^(?:set|export|alias|import|mod)$/.test(name))
  return { kind: 'just', scripts: unique(recipes).map(name => ({ name, command: `just ${name}` })) }
}

function readTaskfile(text: string): ManifestReading {
  const [, tasks = ''] = text.replaceAll('\r\n', '\n').split(/^tasks:[ \t]*$/m)
  const own = tasks.split(/^\S/m)[0] ?? ''
  const names = [...own.matchAll(/^ {2}([A-Za-z][\w:-]*?):[ \t]*(?:$|[^ ])/gm)].map(([, name = '']) => name)
  return { kind: 'task', scripts: unique(names).map(name => ({ name, command: `task ${name}` })) }
}

function readRakefile(text: string): ManifestReading {
  const names = [...text.matchAll(/^\s*task[ (]+:?["']?([A-Za-z_]\w*)/gm)].map(([, name = '']) => name)
  return { kind: 'rake', scripts: unique(names).map(name => ({ name, command: `rake ${name}` })) }
}

function named(kind: string, pattern: RegExp): ManifestParser {
  return text => {
    const name = pattern.exec(text)?.[1]
    return { kind, ...(name !== undefined && { name }) }
  }
}

const MAX_LINE_LENGTH = 2_000

/** The strings of a TOML file by section and key; all other values are skipped. Sections of an array of tables are numbered. */
function readToml(text: string): Map<string, Map<string, string>> {
  const sections = new Map<string, Map<string, string>>([['', new Map()]])
  let section = ''
  let tables = 0
  for (const line of text.split(/\r?\n/)) {
    if (line.length > MAX_LINE_LENGTH) continue
    const header = /^\s*(\[\[?)\s*([\w."' -]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line)
    if (header !== null) {
      const name = (header[2] ?? '').replace(/["' ]/g, '')
      section = header[1] === '[[' ? `[${name}]#${++tables}` : name
      if (!sections.has(section)) sections.set(section, new Map())
      continue
    }
    const pair = /^\s*["']?([\w.-]+)["']?\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(line)
    const [, key, double, single] = pair ?? []
    if (key !== undefined) sections.get(section)?.set(key, double ?? single ?? '')
  }
  return sections
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return typeof json === 'object' && json !== null && !Array.isArray(json)
      ? (json as Record<string, unknown>)
      : undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

function texts(record: Record<string, unknown>): [string, string][] {
  return Object.entries(record).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[key, value]] : [],
  )
}

function nameAndDescription(json: Record<string, unknown>): { name?: string; description?: string } {
  const [name, description] = [stringOf(json.name), stringOf(json.description)]
  return { ...(name !== undefined && { name }), ...(description !== undefined && { description }) }
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function folderOf(path: string): string {
  return path.split('/').at(-2) ?? ''
}

function baseOf(path: string): string {
  return path.split('/').at(-1) ?? ''
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}
