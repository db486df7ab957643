import type { WorkBoard } from '../addons/work/decide/work-board.ts'
import { snapshotDocuments } from '../addons/workspaces/decide/document-snapshot.ts'
import { readResolutions } from '../features/conflicts/decide/resolutions.ts'
import { readAliases, readFeedback } from '../features/entries/decide/curation.ts'
import type { AnchorIndex } from '../features/freshness/decide/ports.ts'
import type { Embedder, EmbedderUse } from '../features/search/decide/ports.ts'
import { readProfiles } from '../features/search/decide/profiles.ts'
import { conflictMarks } from '../features/search/superseded.ts'
import type { AgentPipeline } from '../hosts/run/decide/agent-pipeline.ts'
import { LAYOUT } from '../kernel/layout.ts'
import { type Config, DEFAULT_CONFIG, readConfig } from '../kernel/model/config.ts'
import type { Actor } from '../kernel/model/entry.ts'
import type { Reranker } from '../kernel/model/search.ts'
import { type Clock, systemClock } from '../kernel/system/clock.ts'
import { type Disk, memoryDisk, privateDisk } from '../kernel/system/disk.ts'
import { readEnvironment } from '../kernel/system/environment.ts'
import { checkMemoryFolder, type MemoryPaths, memoryPaths, placeIn } from '../kernel/system/paths.ts'
import { isTemporaryFolder, restrictToUser, userFolder } from '../kernel/system/user-folder.ts'
import { utcMinute } from '../kernel/text/dates.ts'
import { knownDocuments } from '../stores/embedded/embedded-parts.ts'
import { EmbeddedStore } from '../stores/embedded/embedded-store.ts'
import type { AllowedThing } from '../stores/files/allowance-file.ts'
import { journalFile } from '../stores/files/journal-file.ts'
import {
  documentFiles,
  documentWrites,
  findConflicted,
  loadDocument,
} from '../stores/files/json-documents.ts'
import { projectTexts } from '../stores/files/project-texts.ts'
import { vaultFolder } from '../stores/files/vault-folder.ts'
import { writerQueue } from '../stores/files/writer-queue.ts'
import {
  explainSqlite,
  isDamaged,
  isSuspect,
  isTooLong,
  pathTooLong,
  SQLITE,
  type SqliteDatabase,
  sqliteErrorCode,
} from '../stores/sqlite/driver.ts'
import { openSqliteIndex } from '../stores/sqlite/open-sqlite-index.ts'
import type { SqliteIndex } from '../stores/sqlite/sqlite-index.ts'
import { sqliteSearch } from '../stores/sqlite/sqlite-search.ts'
import { sqliteVectors } from '../stores/sqlite/sqlite-vectors.ts'
import { sqliteWriterLock } from '../stores/sqlite/writer-lock.ts'
import { composeDocumentSearch } from './compose-document-search.ts'
import { folderPorts, indexPorts } from './compose-folder-ports.ts'
import { composePreferences } from './compose-preferences.ts'
import { composeSemantics } from './compose-semantics.ts'
import { composeSources, folderTalks } from './compose-sources.ts'
import type { ComposedCheckout } from './composed.ts'
import { guarded, whenCalled } from './guarded-ports.ts'

export interface ComposeOptions {
  /** The project folder; its memory is `<root>/.memory`. */
  readonly root: string
  /** The root is the user's own folder (composeUserEngine): nobody else may look into what is made there. */
  readonly isUserMemory?: boolean
  readonly actor?: Actor
  /** A person typed it. What a program opens in a folder for temporary files is no project of this user's. */
  readonly isTyped?: boolean
  readonly clock?: Clock
  readonly disk?: Disk
  /** Somebody waits who cannot wait long: so long at most for another process, and nothing is rebuilt on the way. */
  readonly patienceMs?: number
  /** So long at most whoever asks waits for files to be read into the index; what takes longer is left to others. */
  readonly indexingLimitMs?: number
  /** Asked many times a second: so long at most one look at the files serves those who ask right after it. */
  readonly freshnessCacheMs?: number
  /** Called while a large vault is read for the first time. */
  readonly onProgress?: (done: number, total: number) => void
  readonly openDatabase?: (location: string) => SqliteDatabase
  /** Called with the record of each change that is made through this engine. */
  readonly onWritten?: (record: string) => void
  /** Another embedder than the configured one. */
  readonly embedder?: Embedder
  /** Another reranker than the configured one. */
  readonly reranker?: Reranker
}

const INDEX_BUSY_TIMEOUT_MS = 10_000

/** The only place that chooses implementations and reads configuration. */
export function composeEngine(options: ComposeOptions): ComposedCheckout {
  const isUserMemory = options.isUserMemory === true
  const clock = options.clock ?? systemClock
  const paths = memoryPaths(options.root)
  const disk = options.disk ?? (isUserMemory ? privateDisk : memoryDisk(paths.memory))
  checkMemoryFolder(paths, disk, { rootMayBeMissing: isUserMemory })

  const documentNow = knownDocuments({
    load: name => loadDocument(paths, disk, name),
    stamps: name => documentFiles(name).map(file => disk.stamp(`${paths.memory}/${file}`)),
    nowMs: () => clock.nowMs(),
  })
  let known: { readonly document: object; readonly config: Config } | undefined
  /** Asked a dozen times for every prompt: of the same document it is worked out once. */
  const configNow = (): Config => {
    const loaded = documentNow('config.json')
    store.noteDocument('config.json', loaded)
    if (loaded.kind === 'damaged') return DEFAULT_CONFIG
    const { document } = loaded
    if (known?.document !== document) known = { document, config: readConfig(document) }
    return known.config
  }
  const texts = projectTexts(paths, disk)
  const store = new EmbeddedStore<SqliteIndex>({
    paths,
    disk,
    clock,
    opener: {
      open: location =>
        openSqliteIndex({
          location,
          busyTimeoutMs: options.patienceMs ?? INDEX_BUSY_TIMEOUT_MS,
          openDatabase: options.openDatabase,
        }),
      isDamaged,
      isSuspect,
      isReadOnly: error =>
        [SQLITE.READONLY, SQLITE.CANTOPEN, SQLITE.FULL, SQLITE.IOERR].some(
          code => code === sqliteErrorCode(error),
        ),
      explain: error =>
        sqliteErrorCode(error) === SQLITE.CANTOPEN && isTooLong(paths.index)
          ? pathTooLong(paths.index, error)
          : explainSqlite(error),
    },
    lock: sqliteWriterLock(paths.lock, disk),
    queue: writerQueue(placeIn(paths.memory, LAYOUT.writerQueue), disk, clock),
    folder: vaultFolder(paths, disk),
    journal: journalFile(paths, disk),
    projectTexts: texts,
    documents: {
      load: documentNow,
      findConflicted: (name, document) => findConflicted({ paths, disk }, name, document),
      writes: (name, document, before) =>
        documentWrites({ paths, disk, nowMs: clock.nowMs() }, name, { before, document }),
    },
    onProgress: options.onProgress,
    onCreated: async () => {
      if (isUserMemory || (options.isTyped !== true && isTemporaryFolder(paths.root))) return
      await memory.projects.register(paths.root, { by: 'created' })
    },
    onWritten: options.onWritten,
    patienceMs: options.patienceMs,
    indexingLimitMs: options.indexingLimitMs,
    freshnessCacheMs: options.freshnessCacheMs,
  })

  /** What is kept beside the vault is written under the same lock. */
  const beside = {
    paths,
    disk,
    clock,
    exclusively: <T>(work: () => T | Promise<T>) => store.exclusively(work),
  }

  const now = () => utcMinute(clock.nowMs())
  const allowances = async (thing: AllowedThing) => {
    const { allowanceFile } = await import('../stores/files/allowance-file.ts')
    const project = disk.realPath(paths.root) ?? paths.root
    return allowanceFile({
      file: `${userFolder()}/allowed.json`,
      project,
      thing,
      disk: options.disk ?? privateDisk,
    })
  }
  const embedder: EmbedderUse = whenCalled(
    async () =>
      (await import('./compose-embedder.ts')).composeEmbedder({
        config: configNow,
        allowances: await allowances('embedders'),
        now,
      }),
    store,
  )
  const semantics = composeSemantics({
    vectors: guarded(
      sqliteVectors(() => store.index()),
      store,
    ),
    config: async () => configNow(),
    standing: () => embedder.standing(),
    embedder: options.embedder,
  })

  const anchors: AnchorIndex = whenCalled(
    async () => (await import('../stores/sqlite/sqlite-anchors.ts')).sqliteAnchors(() => store.index()),
    store,
  )

  let agents: Promise<AgentPipeline> | undefined
  let work: Promise<WorkBoard> | undefined

  const memory: ComposedCheckout = {
    place: { kind: 'folder', paths },
    root: paths.root,
    isUserMemory,
    paths,
    store,
    clock,
    // Processes of one machine make each other's work superfluous, and wait for nobody.
    turns: { take: async () => true, end: async () => undefined },
    search: guarded(
      sqliteSearch(() => store.index()),
      store,
    ),
    documentSearch: composeDocumentSearch({
      store,
      clock,
      roots: () => {
        const config = configNow()
        return [config['workspaces.resources'], config['workspaces.learnings']]
      },
      stampOf: path => disk.stamp(`${paths.root}/${path}`),
      survey: async () => snapshotDocuments(await memory.workspaces()),
      source: () => memory.documents(),
      onProgress: options.onProgress,
    }),
    ...indexPorts(store),
    ...folderPorts(beside, store),
    semantics,
    embedder,
    ...(options.reranker && { reranker: options.reranker }),
    model: whenCalled(async () => {
      const { composeModel } = await import('./compose-model.ts')
      return composeModel({
        config: configNow,
        allowances: await allowances('models'),
        now,
        isInternal: readEnvironment().isInternal,
      })
    }, store),
    anchors,
    projectTexts: {
      read: async path => texts.read(path),
      linkTarget: async path => texts.linkTarget(path),
    },
    workspaces: async () => {
      const { workspaceFolder } = await import('../stores/files/workspace-folder.ts')
      const config = configNow()
      return workspaceFolder(paths, disk, {
        resources: config['workspaces.resources'],
        learnings: config['workspaces.learnings'],
      })
    },
    documents: async () => {
      const { documentSource } = await import('../addons/workspaces/document-source.ts')
      // Once for all files that are read now.
      const config = configNow()
      return documentSource(await memory.workspaces(), () => config)
    },
    foreignDatabases: whenCalled(
      async () => (await import('../stores/sqlite/foreign-database.ts')).foreignDatabases,
      store,
    ),
    sourceUse: whenCalled(async () => {
      const { composeImportSources } = await import('./compose-import-sources.ts')
      return composeImportSources({ allowances: await allowances('sources'), now })
    }, store),
    obsidian: whenCalled(async () => {
      const { obsidianFolder } = await import('../stores/files/obsidian-folder.ts')
      return obsidianFolder({
        paths,
        disk,
        clock,
        allowances: await allowances('obsidian'),
        turn: sqliteWriterLock(placeIn(paths.memory, LAYOUT.obsidianLock), disk),
      })
    }, store),
    hubLink: whenCalled(async () => {
      const { hubLinkFolder } = await import('../stores/files/hub-link-folder.ts')
      const { openLinkState } = await import('../stores/sqlite/sqlite-link-state.ts')
      return hubLinkFolder({
        paths,
        disk,
        clock,
        user: userFolder(),
        project: disk.realPath(paths.root) ?? paths.root,
        allowances: await allowances('hubs'),
        turn: sqliteWriterLock(placeIn(paths.memory, LAYOUT.linkLock), disk),
        openState: openLinkState,
      })
    }, store),
    hubClient: async ({ url, project }, token, patience) =>
      (await import('../providers/hub/hub-client.ts')).httpHubClient({
        url,
        project,
        token,
        sleep: ms => clock.sleep(ms),
        ...(patience !== undefined && { requestMs: patience.onceMs, mostTries: 1 }),
      }),
    transcripts: whenCalled(async () => {
      const { composeTranscripts } = await import('./compose-transcripts.ts')
      return composeTranscripts({ root: disk.realPath(paths.root) ?? paths.root, clock })
    }, store),
    coldCopies: whenCalled(async () => {
      const { composeColdCopies } = await import('./compose-transcripts.ts')
      return composeColdCopies({ root: disk.realPath(paths.root) ?? paths.root, clock })
    }, store),
    importSync: whenCalled(
      async () => (await import('../addons/import/import-sync.ts')).importSync(() => memory),
      store,
    ),
    changes: whenCalled(async () => {
      const { memoryWatcher } = await import('../stores/files/memory-watcher.ts')
      const beside = async () =>
        new Map([
          ['conflicts' as const, await memory.overview.conflictStamp()],
          ['work' as const, workStamp(paths, disk)],
        ])
      return memoryWatcher({ paths, disk, beside })
    }, store),
    sources: composeSources({
      talks: folderTalks({
        paths,
        disk,
        fileNameOf: async session =>
          (await import('../kernel/system/session-names.ts')).sessionFileName(session),
      }),
      engine: () => memory,
      preferences: composePreferences(disk, () => clock.nowMs()),
      marks: [
        (ids, reader) => conflictMarks(memory, ids, reader),
        // Most entries name no file: only for one that does is the code that looks at files loaded.
        async ids =>
          (await anchors.anchored(ids)).length === 0
            ? new Map()
            : (await import('../features/freshness/anchoring.ts')).freshnessMarks(memory, ids),
      ],
    }),
    projectText: async () => {
      const bytes = disk.readFile(`${paths.memory}/_project.md`)
      return bytes && new TextDecoder().decode(bytes)
    },
    profiles: async () => readProfiles((await store.readDocument('config.json')).profiles).profiles,
    feedback: async () => readFeedback((await store.readDocument('curation.json')).feedback),
    projects: whenCalled(
      async () =>
        (await import('./compose-projects.ts')).composeProjects({ disk: options.disk ?? privateDisk, clock }),
      store,
    ),
    agents: whenCalled(() => {
      // Kept: what was begun is ended with the engine.
      agents ??= import('./compose-agents.ts').then(async ({ composeAgents }) =>
        composeAgents({ ...beside, engine: () => memory, allowances: await allowances('agents'), now }),
      )
      return agents
    }, store),
    across: {
      atOnce: 1,
      async hasOthers() {
        if (!configNow()['across.reads']) return false
        const { readKnownProjects } = await import('../features/projects/known-projects.ts')
        const known = readKnownProjects()
        const here = disk.realPath(paths.root) ?? paths.root
        return (
          known !== 'damaged' &&
          known.projects.some(({ root, trustedAt }) => trustedAt !== undefined && root !== here)
        )
      },
      readable: async () =>
        (await import('./compose-across.ts')).readableProjects({ engine: () => memory, paths, disk }),
    },
    work: whenCalled(() => {
      work ??= import('./compose-work.ts').then(({ composeWork }) => composeWork(beside))
      return work
    }, store),
    resolutions: async () => readResolutions((await store.readDocument('curation.json')).conflicts),
    config: async () => configNow(),
    aliases: async () => readAliases((await store.readDocument('curation.json')).aliases),
    secondNet: async text => {
      const { mayHoldSecret } = await import('../kernel/text/redaction/may-hold-secret.ts')
      if (!mayHoldSecret(text)) return { text, redacted: [] }
      const { scanWithSecretlint } = await import('../providers/secret-scanner.ts')
      return scanWithSecretlint(text)
    },
    actor: options.actor ?? { host: 'library' },
    close: async () => {
      await (await agents)?.close()
      await (await work)?.close()
      await semantics.close()
      await store.close()
    },
  }
  return memory
}

/** The memory of the person, which follows them across projects: the same engine over the user's own folder. */
export function composeUserEngine(options: Omit<ComposeOptions, 'root' | 'isUserMemory'>): ComposedCheckout {
  const root = userFolder()
  restrictToUser(memoryPaths(root).memory)
  return composeEngine({ ...options, root, isUserMemory: true })
}

/** The board is not opened to see whether it changed: what is written goes to its log first. */
function workStamp({ work }: MemoryPaths, disk: Disk): string {
  const stamps = [disk.stamp(work), disk.stamp(`${work}-wal`)]
  return stamps.map(stamp => (stamp === undefined ? '' : `${stamp.size} ${stamp.mtimeMs}`)).join(' ')
}
