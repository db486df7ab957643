import type { SourcePorts } from '../addons/import/decide/ports.ts'
import type { WorkspacePorts } from '../addons/workspaces/decide/ports.ts'
import type { WorkspaceFolder } from '../addons/workspaces/decide/workspace-folder.ts'
import type { AskPorts } from '../features/agent-saves/decide/ports.ts'
import type { FreshnessPorts, ProjectFiles } from '../features/freshness/decide/ports.ts'
import type {
  DocumentPorts,
  DocumentSearch,
  SearchIndex,
  VectorIndex,
} from '../features/search/decide/ports.ts'
import type { ImportSync } from '../features/state/decide/ports.ts'
import { notOnHub } from '../kernel/memory-place.ts'

const NO_LENGTH = { body: 0, tags: 0, files: 0, kind: 0, date: 0 }

/** Ports that a hub project lacks, where an empty answer is correct. */
export function withoutFiles(): DocumentPorts &
  WorkspacePorts &
  AskPorts &
  Pick<FreshnessPorts, 'projectFiles'> {
  return {
    documentSearch: emptyDocumentSearch(),
    workspaces: async () => NO_WORKSPACES,
    documents: async () => ({ exists: () => false, survey: () => [], read: () => undefined }),
    projectFiles: NO_FILES,
    // A hub does not ask sessions of hosts.
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
  }
}

/** Import sources are paths of a machine: those in a memory are listed, and none is read here. */
export function importsElsewhere(memory: () => SourcePorts): ImportSync {
  const count = async () => (await memory().sourceRegistry.list()).sources.length
  return {
    count,
    async sync() {
      if ((await count()) === 0) return { imported: 0, problems: [] }
      const { code, message, hint } = notOnHub('Import sources')
      return { imported: 0, problems: [{ code, path: 'sources.json', message, hint }] }
    },
  }
}

function emptyDocumentSearch(): DocumentSearch {
  const search: SearchIndex = {
    statistics: async () => ({ documentCount: 0, totalLength: NO_LENGTH, documentsByLanguage: {} }),
    documentFrequencies: async () => new Map(),
    vocabulary: async () => [],
    findCandidates: async () => [],
    findNeighbourhoods: async () => [],
    listEntries: async () => ({ entries: [], total: 0 }),
    loadEntries: async () => new Map(),
  }
  const vectors: VectorIndex = {
    startModel: noDocuments,
    put: noDocuments,
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
    takeUnembedded: () => false,
    takeDegraded: () => [],
  }
}

async function noDocuments(): Promise<never> {
  throw notOnHub('Documents of workspaces')
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
