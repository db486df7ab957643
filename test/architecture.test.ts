import { readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const SRC = fileURLToPath(new URL('../src/', import.meta.url))

/**
 * Who may import whom. A stage of the pipeline never imports another stage; a backend never another backend.
 * `self` is the same folder.
 */
const ENGINE = [
  'memory-place.ts',
  'engine-parts.ts',
  'meaning.ts',
  'anchoring.ts',
  'superseded.ts',
  'shelved-documents.ts',
  'engine.ts',
  'fitting-entries.ts',
  'brief.ts',
  'sessions',
  'learning',
  'asking',
  'conflicts',
  'upkeep',
  'workspaces',
  'state',
  'hot',
  'reviewing',
  'merging',
  'importing',
  'cold',
  'validating',
  'projects',
  'installing',
  'setup',
  'hooking',
  'diagnosing',
  'overview',
  'agents',
  'obsidian',
  'linking',
  'across',
  'work',
]
/** What a file of the path may stand on, besides other files of it. */
const PATH = ['model', 'text', 'pipeline', 'system', 'memory-place.ts', 'engine-parts.ts']
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  model: ['self'],
  text: ['self', 'model'],
  'pipeline/capture': ['self', 'model', 'text'],
  'pipeline/promote': ['self', 'model', 'text'],
  'pipeline/store': ['self', 'model', 'text'],
  'pipeline/retrieve': ['self', 'model', 'text'],
  'pipeline/brief': ['self', 'model', 'text'],
  'pipeline/upkeep': ['self', 'model', 'text'],
  'pipeline/distill': ['self', 'model', 'text'],
  'pipeline/anchor': ['self', 'model', 'text'],
  'pipeline/workspace': ['self', 'model', 'text'],
  'pipeline/recall': ['self', 'model', 'text'],
  'pipeline/query': ['self', 'model', 'text'],
  'pipeline/validate': ['self', 'model', 'text'],
  'pipeline/hot': ['self', 'model', 'text'],
  'pipeline/review': ['self', 'model', 'text'],
  'pipeline/overview': ['self', 'model', 'text'],
  // Merging reads and writes the formats of the store.
  'pipeline/merge': ['self', 'model', 'text', 'pipeline/store'],
  'pipeline/hooks': ['self', 'model', 'text'],
  // What agents are asked, and what they answer.
  'pipeline/asking': ['self', 'model', 'text'],
  'pipeline/agents': ['self', 'model', 'text'],
  // What is installed is what the hooks are called by.
  'pipeline/install': ['self', 'model', 'text', 'pipeline/hooks'],
  // Notes have properties, which are read and written as the front matter of documents is.
  'pipeline/obsidian': ['self', 'model', 'text', 'pipeline/workspace'],
  // Who may do what on a hub.
  'pipeline/hub': ['self', 'model', 'text'],
  // A repository and its hub: what goes which way.
  'pipeline/sync': ['self', 'model', 'text', 'pipeline/store', 'pipeline/merge'],
  // Several memories as one: what is ranked by one plan, and which of it is told.
  'pipeline/across': ['self', 'model', 'text', 'pipeline/retrieve'],
  // The task graph of an orchestrator and its workers.
  'pipeline/work': ['self', 'model', 'text'],
  // What a backup is made of.
  'pipeline/backup': ['self', 'model', 'text'],
  system: ['self', 'model'],
  'backends/files': [
    'self',
    'model',
    'text',
    'system',
    'pipeline/store',
    'pipeline/capture',
    'pipeline/upkeep',
    'pipeline/anchor',
    'pipeline/workspace',
    'pipeline/recall',
    'pipeline/hot',
    'pipeline/validate',
    'pipeline/hooks',
    'pipeline/asking',
    'pipeline/install',
    'pipeline/overview',
    'pipeline/agents',
    'pipeline/obsidian',
    'pipeline/agents',
    'pipeline/sync',
  ],
  // What every database has alike.
  'backends/sql': ['self', 'model', 'pipeline/upkeep'],
  'backends/sqlite': [
    'self',
    'backends/sql',
    'model',
    'text',
    'system',
    'pipeline/store',
    'pipeline/capture',
    'pipeline/retrieve',
    'pipeline/brief',
    'pipeline/promote',
    'pipeline/distill',
    'pipeline/anchor',
    'pipeline/upkeep',
    'pipeline/workspace',
    'pipeline/review',
    'pipeline/overview',
    'pipeline/validate',
    'pipeline/capture',
    'pipeline/sync',
    'pipeline/work',
  ],
  'backends/embedded': ['self', 'model', 'text', 'system', 'pipeline/store'],
  'backends/postgres': [
    'self',
    'backends/sql',
    'model',
    'text',
    'system',
    'pipeline/store',
    'pipeline/capture',
    'pipeline/retrieve',
    'pipeline/brief',
    'pipeline/promote',
    'pipeline/distill',
    'pipeline/anchor',
    'pipeline/upkeep',
    'pipeline/recall',
    'pipeline/review',
    'pipeline/overview',
    'pipeline/validate',
    'pipeline/hub',
    'pipeline/work',
    'pipeline/sync',
    'pipeline/backup',
  ],
  providers: ['self', 'model', 'text', 'system', 'pipeline/retrieve', 'pipeline/distill', 'pipeline/sync'],
  sources: ['self', 'model', 'text', 'pipeline', 'system'],
  // Where a memory is: in a folder, or on a hub, which has no files.
  'memory-place.ts': ['model', 'system'],
  'engine-parts.ts': ['model', 'text', 'pipeline', 'system', 'memory-place.ts'],
  'meaning.ts': ['model', 'text', 'pipeline', 'system', 'engine-parts.ts'],
  'superseded.ts': PATH,
  'anchoring.ts': PATH,
  'shelved-documents.ts': [...PATH, 'meaning.ts'],
  'engine.ts': [...PATH, 'meaning.ts', 'superseded.ts', 'anchoring.ts', 'shelved-documents.ts'],
  'fitting-entries.ts': [...PATH, 'meaning.ts', 'superseded.ts', 'shelved-documents.ts'],
  'brief-parts.ts': [...PATH, 'superseded.ts'],
  'session-start.ts': [...PATH, 'brief-parts.ts', 'fitting-entries.ts', 'superseded.ts'],
  'brief.ts': [...PATH, 'brief-parts.ts', 'session-start.ts', 'fitting-entries.ts'],
  sessions: ['self', ...PATH, 'engine.ts'],
  learning: ['self', ...PATH, 'engine.ts', 'anchoring.ts', 'brief.ts', 'sessions'],
  asking: ['self', ...PATH, 'engine.ts', 'sessions'],
  conflicts: ['self', ...PATH, 'engine.ts', 'superseded.ts'],
  upkeep: ['self', ...PATH, 'learning'],
  workspaces: ['self', ...PATH, 'engine.ts'],
  state: ['self', ...PATH, 'engine.ts', 'meaning.ts', 'superseded.ts', 'sessions', 'learning', 'upkeep'],
  hot: ['self', ...PATH, 'engine.ts'],
  validating: ['self', ...PATH, 'state', 'hot'],
  reviewing: ['self', ...PATH, 'engine.ts', 'anchoring.ts', 'superseded.ts', 'conflicts', 'upkeep'],
  merging: ['self', 'model', 'pipeline/merge', 'system'],
  importing: ['self', ...PATH, 'engine.ts', 'sessions', 'learning', 'sources', 'cold'],
  // Two-way sync with notes: what it takes from them goes the way of an edit.
  obsidian: ['self', ...PATH, 'engine.ts', 'anchoring.ts', 'projects'],
  // A repository and its hub, from both ends.
  linking: ['self', ...PATH, 'projects'],
  // What a worker is handed is freed of secrets as what workspaces keep is.
  work: ['self', ...PATH, 'engine.ts', 'workspaces', 'asking'],
  // What hosts keep stays there, and is searched when somebody asks for it.
  cold: ['self', ...PATH],
  // Whose memory is meant: asked before there is an engine.
  projects: ['self', 'model', 'system'],
  installing: ['self', 'model', 'pipeline/install', 'pipeline/hooks', 'system'],
  // init and uninstall: a memory, the yes to it, the hosts, and what stands in the project.
  setup: ['self', ...PATH, 'state', 'merging', 'projects', 'installing', 'validating'],
  // Loaded where a hub is configured, and nowhere else.
  'compose-without-files.ts': [...PATH],
  'compose-postgres.ts': [
    ...PATH,
    'backends/postgres',
    'providers',
    'compose.ts',
    'compose-semantics.ts',
    'compose-sources.ts',
    'compose-without-files.ts',
    'superseded.ts',
    'work',
  ],
  // A memory, or a hub, in one file and back.
  backup: ['self', 'model', 'pipeline/backup', 'system'],
  'compose-backup.ts': ['model', 'system', 'backends/sqlite', 'compose.ts', 'memory-place.ts', 'backup'],
  'compose-install.ts': ['model', 'pipeline/install', 'system', 'backends/sqlite', 'installing'],
  hooking: [
    'self',
    ...PATH,
    'engine.ts',
    'asking',
    'meaning.ts',
    'brief.ts',
    'sessions',
    'learning',
    'conflicts',
    'state',
    'upkeep',
    'projects',
    // Whether a sync is due; another process does it.
    'linking',
  ],
  // Tries what is installed, from the outside.
  diagnosing: [
    'self',
    'model',
    'text',
    'pipeline/install',
    'pipeline/hooks',
    'system',
    'installing',
    'projects',
    'hooking',
  ],
  // What a page shows of a whole memory: asked by a person, never on the way of a prompt.
  overview: ['self', ...PATH, 'engine.ts', 'anchoring.ts', 'sessions', 'upkeep', 'hooking'],
  // A host's program at work: told what a hook would be told, and kept as a hook would keep it.
  agents: ['self', ...PATH, 'brief.ts', 'sessions', 'projects'],
  // How a port is loaded by its first call, and mends the index on the way.
  'guarded-ports.ts': [],
  // The same question to several memories, each through the ports of retrieval.
  across: ['self', ...PATH, 'meaning.ts'],
  // Memories of other projects, opened to be looked into and nothing else.
  'compose-across.ts': [...PATH, 'backends', 'projects', 'superseded.ts', 'guarded-ports.ts', 'across'],
  'compose-folder-ports.ts': ['system', 'backends', 'engine-parts.ts', 'guarded-ports.ts'],
  'compose-index-ports.ts': ['backends/sqlite', 'engine-parts.ts', 'guarded-ports.ts'],
  'compose-agents.ts': ['model', 'pipeline/agents', 'system', 'backends/files', 'engine-parts.ts', 'agents'],
  'compose-sources.ts': [...PATH, 'sessions'],
  'compose-work.ts': ['pipeline/work', 'system', 'backends/files', 'backends/sqlite', 'work'],
  'session-api.ts': [...PATH, 'sessions', 'learning', 'asking'],
  'workspace-api.ts': [...PATH, 'workspaces'],
  'hot-api.ts': ['operations', 'compose.ts', 'hot'],
  'work-api.ts': ['model', 'operations', 'compose.ts', 'pipeline/work'],
  'obsidian-api.ts': ['engine-parts.ts', 'obsidian'],
  'background-vectors.ts': ['pipeline/upkeep', 'engine-parts.ts', 'meaning.ts', 'conflicts'],
  'read-preferences.ts': ['model', 'text', 'pipeline', 'system', 'backends/files'],
  'compose-preferences.ts': ['model', 'system', 'read-preferences.ts'],
  'compose-semantics.ts': ['model', 'pipeline', 'system', 'providers', 'engine-parts.ts'],
  'compose-shelf.ts': ['model', 'pipeline', 'system', 'backends', 'workspaces', 'engine-parts.ts'],
  'compose-projects.ts': ['model', 'system', 'backends/sqlite', 'projects'],
  'compose-consent.ts': ['model', 'backends/files', 'engine-parts.ts'],
  'compose-import-sources.ts': ['model', 'backends/files', 'engine-parts.ts'],
  'compose-transcripts.ts': ['model', 'pipeline', 'system', 'backends', 'sources', 'projects'],
  'compose-embedder.ts': ['model', 'backends/files', 'engine-parts.ts', 'compose-consent.ts'],
  'compose-model.ts': [
    'model',
    'pipeline',
    'backends/files',
    'providers',
    'engine-parts.ts',
    'compose-consent.ts',
  ],
  'compose.ts': [
    'model',
    'text',
    'pipeline',
    'system',
    'backends',
    'providers',
    'guarded-ports.ts',
    'compose-folder-ports.ts',
    'compose-index-ports.ts',
    'compose-semantics.ts',
    'compose-shelf.ts',
    'compose-sources.ts',
    'compose-preferences.ts',
    'compose-model.ts',
    'compose-embedder.ts',
    'compose-import-sources.ts',
    'compose-projects.ts',
    'compose-transcripts.ts',
    'compose-agents.ts',
    'compose-across.ts',
    'compose-work.ts',
    ...ENGINE,
  ],
  operations: [
    'self',
    'model',
    'text',
    'pipeline',
    'system',
    'sources',
    'compose.ts',
    'compose-install.ts',
    // Verbs over a hub instead of over a memory.
    'hub',
    'compose-backup.ts',
    'backup',
    ...ENGINE,
  ],
  // Who is let in to a hub, who administers it, and what is put on record of either.
  hub: ['self', 'model', 'text', 'pipeline/hub', 'system'],
  // Which projects of a hub somebody may look into, by their token.
  'compose-hub-across.ts': ['model', 'pipeline/across', 'engine-parts.ts', 'superseded.ts', 'across', 'hub'],
  'compose-hub.ts': [
    'model',
    'pipeline',
    'system',
    'backends/postgres',
    'hub',
    'compose.ts',
    'compose-postgres.ts',
    'automation.ts',
  ],
  // What happens by itself while a server has a memory open.
  'automation.ts': ['background-vectors.ts', 'compose.ts', 'state', 'upkeep', 'obsidian', 'linking'],
  // A path is a verb: its schemas are the contract, which the page has its types from.
  'surfaces/http': [
    'self',
    'model',
    'text',
    'system',
    'pipeline/brief',
    'pipeline/overview',
    // Whose memories a request may look into follows from who asks.
    'pipeline/across',
    'operations',
    'automation.ts',
    'compose.ts',
    // A hub: who may do what is asked before every route.
    'compose-hub.ts',
    'compose-hub-across.ts',
    'hub',
    'pipeline/hub',
    'surfaces/mcp',
    ...ENGINE,
  ],
  'surfaces/mcp': [
    'self',
    'model',
    'text',
    'system',
    // What agents are told is written as in a brief: in characters that cannot pass for anything else.
    'pipeline/brief',
    'pipeline/hooks',
    'operations',
    'automation.ts',
    'compose.ts',
    ...ENGINE,
  ],
  // What hosts call: it must start fast, and reaches the rest of the path when something is to be kept.
  'surfaces/hook': [
    'self',
    'model',
    'text',
    'system',
    'pipeline/hooks',
    'compose.ts',
    // A slash command that is done without a model is a verb.
    'operations',
    ...ENGINE,
  ],
  'surfaces/cli': [
    'self',
    'model',
    'text',
    'system',
    'operations',
    'compose.ts',
    'compose-hub.ts',
    'surfaces/hook',
    ...ENGINE,
  ],
  'memory.ts': [
    'model',
    'operations',
    'importing',
    'meaning.ts',
    'learning',
    'sessions',
    'state',
    'session-api.ts',
    'workspace-api.ts',
    'hot-api.ts',
    'work-api.ts',
    'work-api.ts',
    'obsidian-api.ts',
    'work-api.ts',
    'asking',
  ],
  'api.ts': [
    'memory.ts',
    'model',
    'system',
    'operations',
    'compose.ts',
    'background-vectors.ts',
    'session-api.ts',
    'workspace-api.ts',
    'hot-api.ts',
    'work-api.ts',
    'obsidian-api.ts',
    'work-api.ts',
    ...ENGINE,
  ],
  'format.ts': ['model', 'pipeline/store'],
}

/** Decide, never act: no disk, clock, network, environment or chance. */
const PURE = ['model', 'text', 'pipeline']
const IMPURE = [
  /from 'node:(?!buffer')/,
  /\bDate\.now\(/,
  /\bnew Date\(\)/,
  /\bMath\.random\(/,
  /\bprocess\./,
  /\bfetch\(/,
  /\bperformance\.now\(/,
  /\bsetTimeout\(/,
]

/** path → what it holds that is no code of ours at work: a program as a text, which somebody else runs. */
const TEXTS_OF_PROGRAMS: Readonly<Record<string, string>> = {
  'pipeline/install/opencode-plugin.ts': 'the plugin that OpenCode loads',
}

const MAX_CODE_LINES = 400
/** path → why it may be longer. This list may only shrink. */
const LONGER: Readonly<Record<string, string>> = {}

/** Here an index is the search index: a file that is only called so tells nothing. */
const VAGUE_NAMES = /(^|\/)index\.ts$|(^|\/|-)(utils?|helpers?|common|manager|service|base|misc)(-|\.ts$)/

interface Source {
  readonly file: string
  readonly layer: string | undefined
  readonly text: string
  readonly imports: readonly string[]
}

const sources: Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map(file => file.split(path.sep).join('/'))
  .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map(file => {
    const text = readFileSync(path.join(SRC, file), 'utf8')
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(match =>
      path.posix.join(path.posix.dirname(file), match[1] ?? ''),
    )
    return { file, layer: layerOf(file), text, imports }
  })

function layerOf(file: string): string | undefined {
  return Object.keys(LAYERS)
    .filter(layer => file === layer || file.startsWith(`${layer}/`))
    .sort((a, b) => b.length - a.length)[0]
}

function mayImport(from: string, to: string): boolean {
  const target = layerOf(to) ?? to
  return (LAYERS[from] ?? []).some(allowed =>
    allowed === 'self' ? target === from : target === allowed || target.startsWith(`${allowed}/`),
  )
}

/** Strips comments and strings, so that prose about a clock is not taken for one. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1')
}

describe('the architecture', () => {
  it('sees the source', () => {
    expect(sources.length).toBeGreaterThan(60)
    expect(sources.flatMap(source => source.imports).length).toBeGreaterThan(200)
  })

  it('has every file in a layer', () => {
    expect(sources.filter(source => source.layer === undefined).map(source => source.file)).toEqual([])
  })

  it('has only the imports that the layers allow', () => {
    const wrong = sources.flatMap(({ file, layer, imports }) =>
      imports
        .filter(target => layer !== undefined && !mayImport(layer, target))
        .map(target => `${file} -> ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('has no cycle', () => {
    const importsByFile = new Map(sources.map(source => [source.file, source.imports]))
    const cycles: string[] = []
    const done = new Set<string>()
    const visit = (file: string, trail: readonly string[]) => {
      if (trail.includes(file))
        return void cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '))
      if (done.has(file)) return
      for (const target of importsByFile.get(file) ?? []) visit(target, [...trail, file])
      done.add(file)
    }
    for (const { file } of sources) visit(file, [])
    expect(cycles).toEqual([])
  })

  it('keeps disk, clock, network, environment and chance out of the pure layers', () => {
    const wrong = sources
      .filter(source => PURE.some(layer => source.file.startsWith(`${layer}/`)))
      .filter(source => TEXTS_OF_PROGRAMS[source.file] === undefined)
      .flatMap(({ file, text }) =>
        IMPURE.filter(pattern => pattern.test(codeOf(text))).map(pattern => `${file}: ${pattern}`),
      )
    expect(wrong).toEqual([])
  })

  it('reads the environment in one place', () => {
    const readers = sources
      .filter(source => /process\.env/.test(codeOf(source.text)))
      .map(source => source.file)
    expect(readers).toEqual(['system/environment.ts'])
  })

  it('has no file over 400 lines of code', () => {
    const long = sources
      .map(({ file, text }) => ({
        file,
        lines: codeOf(text)
          .split('\n')
          .filter(line => line.trim() !== '').length,
      }))
      .filter(({ file, lines }) => lines > MAX_CODE_LINES && LONGER[file] === undefined)
    expect(long).toEqual([])
  })

  it('has no empty catch, with or without a comment in it', () => {
    const empty = sources
      .filter(source => /catch\s*(\([^)]*\))?\s*\{\s*\}/.test(codeOf(source.text)))
      .map(source => source.file)
    expect(empty).toEqual([])
  })

  it('names each file after the one thing in it', () => {
    expect(
      sources.map(source => source.file).filter(file => VAGUE_NAMES.test(file) || /[A-Z ]/.test(file)),
    ).toEqual([])
  })
})

const WEB = fileURLToPath(new URL('../web/src/', import.meta.url))

const pageSources: readonly {
  readonly file: string
  readonly text: string
  readonly imports: readonly string[]
}[] = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .map(file => file.split(path.sep).join('/'))
  .filter(file => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map(file => {
    const text = readFileSync(path.join(WEB, file), 'utf8')
    const imports = [
      ...text.matchAll(/^(?:import|export)\b(?! type\b)[^']*'(\.[^']+)'/gm),
      ...text.matchAll(/\bimport\('(\.[^']+)'\)/g),
    ].map(([, to = '']) => path.posix.join('web/src', path.posix.dirname(file), to))
    return { file, text, imports }
  })

/** Words by which a text would become HTML, or code. */
const BECOMES_HTML =
  /\binnerHTML\b|\bouterHTML\b|dangerouslySetInnerHTML|insertAdjacentHTML|document\.write|\bsrcdoc\b|createContextualFragment|\beval\(|new Function\(/i

/** path → why the page carries it. Both are tables and arithmetic, without anything of Node. */
const CARRIED: Readonly<Record<string, string>> = {
  'src/surfaces/http/hub-paths.ts': 'where each route of a hub is',
  'src/surfaces/http/paths.ts': 'where every route is',
  'src/pipeline/promote/score-finding.ts': 'the points that Review shows are those that count',
}

describe('the page', () => {
  it('is seen', () => {
    expect(pageSources.length).toBeGreaterThan(60)
    expect(pageSources.flatMap(({ imports }) => imports)).toContain('src/surfaces/http/paths.ts')
  })

  it('never makes HTML or code of a text', () => {
    expect(pageSources.filter(({ text }) => BECOMES_HTML.test(codeOf(text))).map(({ file }) => file)).toEqual(
      [],
    )
  })

  it('carries nothing of the server but tables', () => {
    const carried = pageSources.flatMap(({ imports }) => imports.filter(to => !to.startsWith('web/')))
    expect([...new Set(carried)].sort()).toEqual(Object.keys(CARRIED).sort())
  })

  it('has views that know nothing of each other, and parts that know of no view', () => {
    const wrong = pageSources.flatMap(({ file, imports }) => {
      const view = /^views\/([^/]+)\//.exec(file)?.[1]
      return imports
        .filter(to => {
          const other = /^web\/src\/views\/([^/]+)\//.exec(to)?.[1]
          return other !== undefined && other !== view && file !== 'views.ts'
        })
        .map(to => `${file} → ${to}`)
    })
    expect(wrong).toEqual([])
  })

  it('has no file over 400 lines of code, no empty catch, and names each file after the one thing in it', () => {
    const lines = (text: string) =>
      codeOf(text)
        .split('\n')
        .filter(line => line.trim() !== '').length
    expect(pageSources.filter(({ text }) => lines(text) > MAX_CODE_LINES).map(({ file }) => file)).toEqual([])
    expect(
      pageSources
        .filter(({ text }) => /catch\s*(\([^)]*\))?\s*\{\s*\}/.test(codeOf(text)))
        .map(({ file }) => file),
    ).toEqual([])
    expect(
      pageSources.map(({ file }) => file).filter(file => VAGUE_NAMES.test(file) || /[A-Z ]/.test(file)),
    ).toEqual([])
  })
})
