import type { WorkspaceFolder } from '../addons/workspaces/decide/workspace-folder.ts'
import type { DocumentShelf, Engine, SourceUse } from '../engine-parts.ts'
import type { ProjectFiles } from '../features/freshness/decide/ports.ts'
import type { SearchIndex } from '../features/search/decide/search-index.ts'
import type { VectorShelf } from '../features/search/decide/vector-index.ts'
import type { ImportSync } from '../features/state/decide/import-sync.ts'
import { notOnHub, refusing } from '../kernel/memory-place.ts'

const NO_LENGTH = { body: 0, tags: 0, files: 0, kind: 0, date: 0 }

/** What lies beside the files of a repository, on a hub: nothing is there where nothing is the truth, and the rest refuses. */
export function withoutFiles(): Pick<
  Engine,
  | 'shelf'
  | 'workspaces'
  | 'documents'
  | 'projectFiles'
  | 'hotFiles'
  | 'hookSpool'
  | 'asks'
  | 'transcripts'
  | 'coldCopies'
  | 'foreignDatabases'
  | 'sourceUse'
  | 'obsidian'
  | 'hubLink'
  | 'hubClient'
  | 'memoryMender'
  | 'gitTracking'
  | 'indexGlance'
  | 'projects'
  | 'agents'
> {
  return {
    shelf: emptyShelf(),
    workspaces: async () => NO_WORKSPACES,
    documents: async () => ({ exists: () => false, survey: () => [], read: () => undefined }),
    projectFiles: NO_FILES,
    hotFiles: refusing('Rule files and skills'),
    hookSpool: {
      ...refusingMethods('What hooks leave behind', [
        'append',
        'peek',
        'take',
        'finish',
        'readCursor',
        'saveCursor',
        'tidy',
        'isWorked',
        'mark',
        'unmark',
        'tryTurn',
        'endTurn',
        'noteCalls',
      ]),
      // No host calls a hook here.
      waiting: async () => [],
      calls: async () => ({}),
    },
    // No host's session is asked here.
    asks: {
      findDue: async () => undefined,
      findUnasked: async () => undefined,
      saveDue: async () => undefined,
      dropDue: async () => undefined,
      isAsked: async () => false,
      claim: async () => false,
      noteSaved: async () => undefined,
      savedAt: async () => undefined,
      counts: async () => ({ asked: 0, answered: 0, tokens: 0 }),
      tidy: async () => undefined,
    },
    transcripts: refusing('The transcripts of hosts'),
    coldCopies: refusing('Copies of transcripts'),
    foreignDatabases: refusing('Databases of other tools'),
    sourceUse: noSourceUse(),
    obsidian: {
      ...refusingMethods('Notes of an Obsidian vault', [
        'keepLink',
        'otherLinks',
        'look',
        'notes',
        'write',
        'trash',
        'keepCopy',
        'savedMs',
        'clearLeftovers',
        'stamp',
        'base',
        'agreedRecord',
        'keepBase',
        'dropBase',
        'alone',
      ]),
      link: async () => undefined,
      dropLink: async () => false,
    },
    // A hub is linked to, and links to none.
    hubLink: {
      ...refusingMethods<Engine['hubLink'], 'token' | 'keep' | 'state' | 'keepLog' | 'alone'>(
        'The link to a hub',
        ['token', 'keep', 'state', 'keepLog', 'alone'],
      ),
      address: async () => undefined,
      log: async () => undefined,
      remove: async () => false,
    },
    hubClient: async () => {
      throw notOnHub('The link to a hub')
    },
    memoryMender: refusing('Mending files of the memory'),
    gitTracking: {
      isCheckout: async () => false,
      tracked: async () => ({ kind: 'no_checkout' }),
      headLog: async () => undefined,
      commitsOf: async () => ({ kind: 'known', commits: [] }),
      readAt: async () => ({ kind: 'absent' }),
    },
    indexGlance: refusing('The index in a file'),
    projects: refusing('The projects of a machine'),
    agents: refusing('Agents at work through the programs of their hosts'),
  }
}

/** Import sources are paths of a machine: those that a memory names are told, and none is read here. */
export function importsElsewhere(engine: () => Engine): ImportSync {
  const count = async () => (await engine().sourceRegistry.list()).sources.length
  return {
    count,
    async sync() {
      if ((await count()) === 0) return { imported: 0, problems: [] }
      const { code, message, hint } = notOnHub('Import sources')
      return { imported: 0, problems: [{ code, path: 'sources.json', message, hint }] }
    },
  }
}

/** Nobody on a hub has said yes to a path of its machine. */
function noSourceUse(): SourceUse {
  return {
    ...refusingMethods<SourceUse, 'codeOf' | 'allow' | 'trust'>('Import sources', [
      'codeOf',
      'allow',
      'trust',
    ]),
    allowed: async () => new Set(),
    // There was no yes to take back.
    forget: async () => undefined,
  }
}

function emptyShelf(): DocumentShelf {
  const search: SearchIndex = {
    statistics: async () => ({ documentCount: 0, totalLength: NO_LENGTH, documentsByLanguage: {} }),
    documentFrequencies: async () => new Map(),
    vocabulary: async () => [],
    findCandidates: async () => [],
    findNeighbourhoods: async () => [],
    listEntries: async () => ({ entries: [], total: 0 }),
    loadEntries: async () => new Map(),
  }
  const vectors: VectorShelf = {
    ...refusingMethods<VectorShelf, 'startModel' | 'put'>('Documents of workspaces', ['startModel', 'put']),
    state: async () => ({ model: undefined, count: 0, waiting: 0 }),
    waiting: async () => [],
    findNearest: async () => [],
    mean: async () => ({ mean: new Float32Array(), count: 0 }),
    measure: async () => ({ mean: new Float32Array(), count: 0, measuredById: new Map() }),
    vectorOf: async () => undefined,
  }
  return {
    refresh: async () => false,
    search,
    vectors,
    references: async () => new Map(),
    scopes: async () => [],
    state: async () => ({ documents: 0, problems: [] }),
    takeNews: () => false,
    takeDegraded: () => [],
  }
}

const NO_WORKSPACES: WorkspaceFolder = {
  roots: { resources: '', learnings: '' },
  exists: () => false,
  survey: () => ({ scopes: [], places: [], folders: [], hasLinks: false, problems: [] }),
  stamp: () => undefined,
  readHead: () => ({ kind: 'gone' }),
  readText: () => ({ kind: 'gone' }),
  firstCommits: async () => new Map(),
}

const NO_FILES: ProjectFiles = {
  see: async files => new Map(files.map(file => [file, { kind: 'absent' }])),
  read: async () => undefined,
  commit: async () => undefined,
  list: async () => [],
  readAt: async () => ({ kind: 'unknown', code: 'no_repository', why: 'a hub has no repository' }),
  renames: async () => ({ kind: 'unknown', why: 'a hub has no repository' }),
}

function refusingMethods<Port extends object, Name extends keyof Port>(
  what: string,
  names: readonly Name[],
): Pick<Port, Name> {
  const all = refusing<Port>(what)
  return Object.fromEntries(names.map(name => [name, all[name]])) as unknown as Pick<Port, Name>
}
