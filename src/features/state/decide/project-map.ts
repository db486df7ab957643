import type { ProjectFacts, ProjectMap } from '../../../kernel/model/bundle.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import { plainStatement } from '../../../kernel/text/plain-statement.ts'
import { type ManifestReading, parserOf } from './manifests.ts'

/** How much of a repository is read, and how much of it is in the map. No one reads a longer map. */
export const MAP_LIMITS = {
  /** Files and folders, level by level, so that the deepest are left out. 20,000 take about 100 ms. */
  items: 20_000,
  /** A larger monorepo is described by its first packages. */
  manifests: 60,
  languages: 8,
  packages: 20,
  entryPoints: 12,
  scripts: 24,
  folders: 14,
  /** Per manifest below the root: its whole list would hide the others. */
  scriptsOfOther: 4,
  nameCharacters: 80,
  commandCharacters: 160,
  descriptionCharacters: 300,
} as const

interface ProjectListing {
  /** The name of its folder. */
  readonly folder: string
  /** Relative to the project, with `/`. */
  readonly files: readonly string[]
  /** Not all files were listed. */
  readonly isPartial: boolean
  /** The text of each manifest; `too_large`: it was not read. */
  readonly textByPath: ReadonlyMap<string, string | 'too_large'>
}

interface ProjectReading {
  readonly map: ProjectMap
  /** From the manifest nearest to the root. */
  readonly facts: ProjectFacts
  /** By the lock file; npm without one. */
  readonly packageManager: string
  readonly problems: readonly Problem[]
}

/** The manifests of a listing, nearest to the root first. */
export function manifestsAmong(files: readonly string[]): string[] {
  return byDepth(files.filter(file => parserOf(file) !== undefined)).slice(0, MAP_LIMITS.manifests)
}

/** Reads the map and the facts of a repository without running anything. The same repository gives the same map. */
export function readProject({ folder, files, isPartial, textByPath }: ProjectListing): ProjectReading {
  const problems: Problem[] = []
  const manifests = byDepth([...textByPath.keys()]).flatMap(path => {
    const text = textByPath.get(path)
    const reading = text === undefined || text === 'too_large' ? undefined : parserOf(path)?.(text, path)
    if (reading !== undefined) return [{ path, reading }]
    problems.push({
      code: 'manifest_unreadable',
      path,
      message: `${path} ${text === 'too_large' ? 'is too large to read' : 'does not have the format of its name'}; the map has the rest of the project.`,
      hint: 'Correct it; the next recall reads it again.',
    })
    return []
  })
  if (isPartial)
    problems.push({
      code: 'project_partly_seen',
      path: '.',
      message: `The project has more than ${MAP_LIMITS.items} files and folders: its map has those nearest to the root.`,
      hint: 'Ignored files, and folders like node_modules, are skipped already.',
    })
  const root = manifests.find(({ path, reading }) => !path.includes('/') && reading.name !== undefined)
  const description = root?.reading.description
  return {
    map: {
      languages: countLanguages(files),
      packages: packagesOf(manifests),
      entryPoints: entryPointsOf(manifests, files),
      scripts: scriptsOf(manifests),
      folders: foldersOf(files),
    },
    facts: {
      name: plainName(root?.reading.name ?? folder) || 'project',
      ...(description !== undefined && {
        description: plainStatement(description, MAP_LIMITS.descriptionCharacters),
      }),
    },
    packageManager: LOCK_FILES.find(([file]) => files.includes(file))?.[1] ?? 'npm',
    problems,
  }
}

const LOCK_FILES = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
] as const

interface Manifest {
  readonly path: string
  readonly reading: ManifestReading
}

function countLanguages(files: readonly string[]): ProjectMap['languages'] {
  const counts = new Map<string, number>()
  for (const file of files) {
    const dot = file.lastIndexOf('.')
    const name = dot < 0 ? undefined : LANGUAGE_BY_ENDING.get(file.slice(dot + 1).toLowerCase())
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, MAP_LIMITS.languages)
    .map(([name, count]) => ({ name, files: count }))
}

function packagesOf(manifests: readonly Manifest[]): ProjectMap['packages'] {
  const packages = new Map<string, ProjectMap['packages'][number]>()
  for (const { path, reading } of manifests) {
    const name = plainName(reading.name ?? '')
    if (name === '') continue
    const key = `${reading.kind} ${path.slice(0, path.lastIndexOf('/') + 1)}`
    if (!packages.has(key)) packages.set(key, { name, path: plainPath(path), kind: reading.kind })
  }
  return [...packages.values()].slice(0, MAP_LIMITS.packages)
}

/** Usual entry points of a program, by language. */
const ENTRY_FILES: readonly (readonly [RegExp, string])[] = [
  [/^(?:src\/)?main\.(?:ts|js|mjs|cjs|py|rs|go|c|cc|cpp|swift|kt|dart|zig)$/, 'main'],
  [/^cmd\/[^/]+\/main\.go$/, 'command'],
  [/^src\/bin\/[^/]+\.rs$/, 'command'],
  [/^src\/lib\.rs$/, 'library'],
  [/^(?:src\/)?index\.(?:ts|tsx|js|jsx|mjs|html|php)$/, 'index'],
  [/^(?:src\/)?(?:app|server|cli)\.(?:ts|tsx|js|mjs|py|rb)$/, 'program'],
  [/^(?:manage|wsgi|asgi)\.py$/, 'program'],
  [/^(?:src\/)?[\w-]+\/__main__\.py$/, 'program'],
  [/^(?:src\/)?Program\.cs$/, 'main'],
  [/^config\.ru$/, 'program'],
  [/^(?:[^/]+\/){0,2}Dockerfile(?:\.[\w-]+)?$/, 'container'],
  [/^(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml$/, 'containers'],
]

function entryPointsOf(manifests: readonly Manifest[], files: readonly string[]): ProjectMap['entryPoints'] {
  const found = new Map<string, string>()
  const add = (path: string, what: string) => {
    if (path !== '' && !found.has(path)) found.set(path, plainName(what))
  }
  for (const { path, reading } of manifests)
    for (const point of reading.entryPoints ?? []) add(joined(path, point.path), point.what)
  for (const file of byDepth(files)) {
    if (file.split('/').length > 4) break
    const what = ENTRY_FILES.find(([pattern]) => pattern.test(file))?.[1]
    if (what !== undefined) add(plainPath(file), what)
  }
  return [...found].slice(0, MAP_LIMITS.entryPoints).map(([path, what]) => ({ path, what }))
}

/** The scripts that are listed for packages below the root. */
const USUAL = /^(?:test|build|lint|start|dev|check|typecheck)$/

function scriptsOf(manifests: readonly Manifest[]): ProjectMap['scripts'] {
  return manifests
    .flatMap(({ path, reading: { scripts = [] } }) => {
      const isRoot = !path.replace(/^\.cargo\//, '').includes('/')
      const own = isRoot
        ? scripts
        : scripts.filter(({ name }) => USUAL.test(name)).slice(0, MAP_LIMITS.scriptsOfOther)
      return own.map(({ name, command }) => ({
        name: plainName(name),
        command: plainStatement(command, MAP_LIMITS.commandCharacters),
        path: plainPath(path),
      }))
    })
    .filter(({ name, command }) => name !== '' && command !== '')
    .slice(0, MAP_LIMITS.scripts)
}

/** Folders whose subfolders are listed too. */
const PARENT_FOLDERS = new Set([
  'src',
  'packages',
  'apps',
  'crates',
  'services',
  'modules',
  'libs',
  'lib',
  'internal',
  'cmd',
])

function foldersOf(files: readonly string[]): ProjectMap['folders'] {
  const counts = new Map<string, number>()
  for (const file of files) {
    const [top, second, third] = file.split('/')
    if (top === undefined || second === undefined) continue
    counts.set(top, (counts.get(top) ?? 0) + 1)
    if (third === undefined || !PARENT_FOLDERS.has(top)) continue
    counts.set(`${top}/${second}`, (counts.get(`${top}/${second}`) ?? 0) + 1)
  }
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, MAP_LIMITS.folders)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, count]) => ({ path: plainPath(path), files: count }))
}

/** A path of a manifest, relative to the root; empty: it leads out. */
function joined(manifest: string, path: string): string {
  const parts = manifest.split('/').slice(0, -1)
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return ''
  }
  return /^(?:\/|[A-Za-z]:)/.test(path) ? '' : plainPath(parts.join('/'))
}

function plainPath(path: string): string {
  return path.replace(/[\p{Cc}\p{Cf}\p{Cs}`<>|]+/gu, '_').slice(0, 300)
}

function plainName(name: string): string {
  return plainStatement(name, MAP_LIMITS.nameCharacters)
}

function byDepth(files: readonly string[]): string[] {
  const depth = (file: string) => file.split('/').length
  return [...files].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : a > b ? 1 : 0))
}

const MAX_MARKDOWN_CHARACTERS = 20_000
/** A shorter text is a badge or a greeting, not a description. */
const MIN_LENGTH = 12

/** The name from the repository, and its description from `_project.md`, the README or the manifest, in this order. */
export function factsOf(
  facts: ProjectFacts,
  {
    projectText,
    readme,
    clean,
  }: {
    readonly projectText: string | undefined
    readonly readme: string | undefined
    readonly clean: (text: string) => string
  },
): ProjectFacts {
  const described = firstParagraph(projectText ?? '') ?? firstParagraph(readme ?? '')
  const description = plainStatement(
    clean(described ?? facts.description ?? ''),
    MAP_LIMITS.descriptionCharacters,
  )
  return {
    name: plainStatement(clean(facts.name), MAP_LIMITS.nameCharacters) || 'project',
    ...(description !== '' && { description }),
  }
}

/** The first prose of a Markdown file: no front matter, heading, badge, picture, list, table, code or comment. */
export function firstParagraph(markdown: string): string | undefined {
  const text = markdown
    .slice(0, MAX_MARKDOWN_CHARACTERS)
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .replace(/^---\n[\s\S]*?\n---\s*(?:\n|$)/, '')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/^(```|~~~)[\s\S]*?(?:^\1|$(?![\s\S]))/gm, '')
  for (const block of text.split(/\n[ \t]*\n/)) {
    const lines = block.split('\n').filter(line => !NO_PROSE.test(line))
    const prose = withoutMarks(lines.join(' ')).trim()
    if (prose.length >= MIN_LENGTH && /\p{L}{2,}\s+\S/u.test(prose)) return prose
  }
  return undefined
}

const NO_PROSE = /^\s*(?:#|[-=*_]{3,}\s*$|[-*+]\s|\d+[.)]\s|\||>|<\/?\w|!\[|\[!\[|\[[^\]]+\]:|={2,}\s*$)/

/** Removes the marks of links and emphasis; an underscore inside a name stays. */
function withoutMarks(text: string): string {
  return text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, '$1')
    .replace(/(?<![\w_])_(?=\S)([^_]+?)(?<=\S)_(?![\w_])/g, '$1')
    .replace(/`([^`]*)`/g, '$1')
    .replace(/\s+/g, ' ')
}

/** The language by the ending of a file. Data and prose (JSON, YAML, Markdown) do not count. */
const LANGUAGE_BY_ENDING: ReadonlyMap<string, string> = new Map(
  Object.entries({
    TypeScript: 'ts tsx mts cts',
    JavaScript: 'js jsx mjs cjs',
    Python: 'py pyi',
    Rust: 'rs',
    Go: 'go',
    Java: 'java',
    Kotlin: 'kt kts',
    Scala: 'scala sc',
    Groovy: 'groovy',
    Swift: 'swift',
    'Objective-C': 'm mm',
    C: 'c',
    'C++': 'cc cpp cxx hpp hh hxx',
    'C/C++ headers': 'h',
    'C#': 'cs',
    'F#': 'fs fsx',
    'Visual Basic': 'vb',
    Ruby: 'rb rake',
    PHP: 'php',
    Perl: 'pl pm',
    Lua: 'lua',
    R: 'r',
    Julia: 'jl',
    Dart: 'dart',
    Elixir: 'ex exs',
    Erlang: 'erl hrl',
    Clojure: 'clj cljs cljc',
    Haskell: 'hs',
    OCaml: 'ml mli',
    Elm: 'elm',
    Zig: 'zig',
    Nim: 'nim',
    Nix: 'nix',
    Solidity: 'sol',
    Shell: 'sh bash zsh fish',
    PowerShell: 'ps1 psm1',
    SQL: 'sql',
    GraphQL: 'graphql gql',
    'Protocol Buffers': 'proto',
    Terraform: 'tf hcl',
    HTML: 'html htm',
    CSS: 'css scss sass less',
    Vue: 'vue',
    Svelte: 'svelte',
    Astro: 'astro',
  }).flatMap(([name, endings]) => endings.split(' ').map(ending => [ending, name] as const)),
)

/**
 * The paths that a `.gitignore` at the root excludes, as far as a walk needs it: plain names, folders, endings and paths. Other patterns,
 * and everything that a `!` could include again, are not excluded: a map with too much is better than one with gaps.
 *
 *   node_modules   data/   /tmp   *.log   src/generated/
 */
export function ignoredPaths(gitignore: string): (path: string) => boolean {
  const names = new Set<string>()
  const rooted = new Set<string>()
  const endings = new Set<string>()
  const lines = gitignore.slice(0, MAX_GITIGNORE_CHARACTERS).split(/\r?\n/).slice(0, MAX_GITIGNORE_LINES)
  const broughtBack = lines.filter(line => line.startsWith('!')).map(line => line.slice(1).trim())
  for (const line of lines) {
    const pattern = line.trim()
    if (pattern === '' || /^[#!]/.test(pattern)) continue
    const bare = pattern.replace(/^\//, '').replace(/\/(?:\*{1,2})?$/, '')
    if (bare === '' || broughtBack.some(back => back.includes(bare.replace(/^\*/, '')))) continue
    if (/^\*\.[\w.-]+$/.test(bare)) endings.add(bare.slice(1))
    else if (/[*?[\\]/.test(bare)) continue
    else if (pattern.startsWith('/') || bare.includes('/')) rooted.add(bare)
    else names.add(bare)
  }
  return path => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const dot = name.indexOf('.')
    return names.has(name) || rooted.has(path) || (dot >= 0 && endsWithOne(name, endings))
  }
}

const MAX_GITIGNORE_CHARACTERS = 100_000
const MAX_GITIGNORE_LINES = 2_000

function endsWithOne(name: string, endings: ReadonlySet<string>): boolean {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1))
    if (endings.has(name.slice(dot))) return true
  return false
}
