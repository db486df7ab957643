import { LAYOUT } from '../kernel/layout.ts'
import type { Clock } from '../kernel/system/clock.ts'
import type { Disk } from '../kernel/system/disk.ts'
import { type MemoryPaths, placeIn } from '../kernel/system/paths.ts'
import type { SqliteIndex } from '../stores/sqlite/sqlite-index.ts'
import { sqliteWriterLock } from '../stores/sqlite/writer-lock.ts'
import type { Composed, ComposedCheckout } from './composed.ts'
import { type Mending, whenCalled } from './guarded-ports.ts'

/** The ports over the index, each loaded by its first call. */
export function indexPorts(
  store: Mending & { index(): SqliteIndex },
): Pick<
  Composed,
  'spend' | 'briefs' | 'findings' | 'upkeepIndex' | 'overview' | 'reviewIndex' | 'conflicts' | 'graph'
> {
  return {
    spend: whenCalled(
      async () => (await import('../stores/sqlite/sqlite-spend.ts')).sqliteSpend(() => store.index()),
      store,
    ),
    briefs: whenCalled(
      async () => (await import('../stores/sqlite/sqlite-briefs.ts')).sqliteBriefs(() => store.index()),
      store,
    ),
    findings: whenCalled(
      async () => (await import('../stores/sqlite/sqlite-findings.ts')).sqliteFindings(() => store.index()),
      store,
    ),
    upkeepIndex: whenCalled(
      async () => (await import('../stores/sqlite/sqlite-upkeep.ts')).sqliteUpkeep(() => store.index()),
      store,
    ),
    overview: whenCalled(
      async () => (await import('../stores/sqlite/sqlite-overview.ts')).sqliteOverview(() => store.index()),
      store,
    ),
    reviewIndex: whenCalled(
      async () => (await import('../stores/sqlite/sqlite-review.ts')).sqliteReview(() => store.index()),
      store,
    ),
    conflicts: whenCalled(
      async () => (await import('../stores/sqlite/sqlite-conflicts.ts')).sqliteConflicts(() => store.index()),
      store,
    ),
    graph: whenCalled(
      async () => (await import('../stores/sqlite/sqlite-graph.ts')).sqliteGraph(() => store.index()),
      store,
    ),
  }
}

/** The memory's folder, and the lock for writing files next to the vault. */
interface BesideVault {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  exclusively<T>(work: () => T | Promise<T>): Promise<T>
}

/** The ports over files next to the vault, each loaded by its first call. */
export function folderPorts(
  beside: BesideVault,
  store: Mending,
): Pick<
  ComposedCheckout,
  | 'sessions'
  | 'projectFiles'
  | 'hotFiles'
  | 'hookQueue'
  | 'asks'
  | 'events'
  | 'state'
  | 'sourceRegistry'
  | 'archive'
  | 'memoryFiles'
  | 'memoryTree'
  | 'memoryMender'
  | 'gitTracking'
  | 'indexInspector'
> {
  const { paths, disk, clock } = beside
  return {
    sessions: whenCalled(async () => {
      const { sessionFolder } = await import('../stores/files/session-folder.ts')
      const { agentRunFolder } = await import('../stores/files/agent-run-folder.ts')
      const { withRecoveredRuns } = await import('../stores/files/recovered-sessions.ts')
      return withRecoveredRuns(sessionFolder(beside), agentRunFolder(beside), clock)
    }, store),
    projectFiles: whenCalled(
      async () => (await import('../stores/files/project-files.ts')).projectFiles(paths, disk),
      store,
    ),
    hotFiles: whenCalled(
      async () => (await import('../stores/files/hot-folder.ts')).hotFolder({ paths, disk, clock }),
      store,
    ),
    hookQueue: whenCalled(
      async () =>
        (await import('../stores/files/hook-spool-folder.ts')).hookSpoolFolder({
          ...beside,
          turn: sqliteWriterLock(placeIn(paths.memory, LAYOUT.hookLock), disk),
        }),
      store,
    ),
    asks: whenCalled(
      async () => (await import('../stores/files/ask-marks-folder.ts')).askMarksFolder(beside),
      store,
    ),
    events: whenCalled(async () => (await import('../stores/files/event-file.ts')).eventFile(beside), store),
    state: whenCalled(
      async () => (await import('../stores/files/state-folder.ts')).stateFolder(beside),
      store,
    ),
    sourceRegistry: whenCalled(
      async () => (await import('../stores/files/source-registry-file.ts')).sourceRegistryFile(beside),
      store,
    ),
    archive: whenCalled(
      async () => (await import('../stores/files/archive-folder.ts')).archiveFolder({ paths, disk, clock }),
      store,
    ),
    memoryFiles: whenCalled(
      async () => (await import('../stores/files/memory-files.ts')).memoryFiles(beside),
      store,
    ),
    memoryTree: whenCalled(
      async () => (await import('../stores/files/memory-tree.ts')).memoryTree(paths, disk),
      store,
    ),
    memoryMender: whenCalled(
      async () => (await import('../stores/files/memory-tree.ts')).memoryMender(beside),
      store,
    ),
    gitTracking: whenCalled(
      async () => (await import('../stores/files/git-index-file.ts')).gitIndexFile(paths, disk),
      store,
    ),
    indexInspector: whenCalled(
      async () => (await import('../stores/sqlite/index-inspector.ts')).indexInspector(paths, disk),
      store,
    ),
  }
}
