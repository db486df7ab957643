import { type Config, readConfig } from '../../kernel/model/config.ts'
import type { Actor, Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { JournalRecord } from '../../kernel/model/journal.ts'
import type { NoticeCode } from '../../kernel/model/notice-codes.ts'
import type { Degradation, Problem } from '../../kernel/model/search.ts'
import { asStorageError } from '../../kernel/system/disk.ts'
import { withProcessMutex } from '../../kernel/system/process-mutex.ts'
import {
  DOCUMENTS,
  damagedDocument,
  documentInConflict,
  memoryDocumentProblems,
  newerVault,
  renderMemoryDocument,
} from '../../kernel/vault/documents.ts'
import type { EntryIndex } from '../../kernel/vault/entry-index.ts'
import type {
  DocumentName,
  JournalQuery,
  JsonObject,
  ListOptions,
  Mutation,
  Store,
  StoreHealth,
  StoreView,
  VaultCounts,
} from '../../kernel/vault/ports.ts'
import { leftUntouched } from '../../kernel/vault/vault-folder.ts'
import type { DocumentState, EmbeddedParts } from './embedded-parts.ts'
import { FreshnessCache, takesLonger } from './freshness.ts'
import { GITIGNORE } from './git-files.ts'
import { IndexHolder } from './index-holder.ts'
import { indexDamaged, lockedError } from './store-errors.ts'
import type { VaultCommitter } from './vault-committer.ts'

/** A reader waits this long for a writer, then answers from the index as it is. */
const READER_PATIENCE_MS = 1_000
const REBUILD_PATIENCE_MS = 60_000
/** With these errors a reader cannot update the index: it adds a note and answers from the index as it is. */
const MAY_READ_ON: ReadonlySet<string> = new Set([
  'store_locked',
  'vault_read_only',
  'disk_full',
  'file_changed',
])
/** The first in the queue checks often, the others less. */
const FIRST_PAUSE_MS = 1
const PAUSE_PER_PLACE_MS = 4
const MAX_PAUSE_MS = 20

/**
 * Files are the source of truth, the index is a cache, and the journal is written first.
 *
 *   lock -> recover the write of a dead process -> absorb outside edits -> decide -> journal -> files -> index -> unlock
 */
export class EmbeddedStore<Index extends EntryIndex> implements Store {
  readonly #parts: EmbeddedParts<Index>
  readonly #holder: IndexHolder<Index>
  #committer: VaultCommitter<Index> | undefined
  readonly #look: FreshnessCache
  #notes: Degradation[] = []
  /** Once true, it stays true: a process with a deadline is short-lived. */
  #isBehind = false
  #isIndexRebuilt = false

  constructor(parts: EmbeddedParts<Index>) {
    this.#parts = parts
    this.#look = new FreshnessCache(parts.freshnessCacheMs ?? 0)
    this.#holder = new IndexHolder(parts.paths, parts.disk, parts.opener)
  }

  /** For the search half of this backend, which reads the same index. */
  index(): Index {
    return this.#holder.get()
  }

  async refresh(): Promise<void> {
    await this.guarded(async () => {
      const { folder, journal, clock } = this.#parts
      const index = this.#holder.get()
      if (this.#look.isCurrent({ index, folder, journal, nowMs: clock.nowMs(), keepSurvey: true })) return
      this.#isBehind ||= takesLonger({ index, folder }, this.#parts.indexingLimitMs)
      if (this.#isBehind) return this.#noteBehind(index)
      const committer = await this.#writing()
      if (this.#holder.mode !== 'disk') return committer.absorb()
      // A new index for an existing memory.
      const isAnew = index.settled() === undefined && (journal.bytes() > 0 || folder.scan().files.length > 0)
      await this.takeIn(() => committer.catchUp())
      if (isAnew) this.#isIndexRebuilt = true
    })
  }

  #noteBehind(index: Index): void {
    this.#note(
      'index_behind',
      index.files().size === 0
        ? 'The index is not built yet, so this was answered without memory. It is built in the background.'
        : 'Many files have changed, so the newest changes are missing here. They are read in the background.',
    )
  }

  /** Updates the index for a reader. If another process writes, or the disk is full, it adds a note and reads on. */
  async takeIn(work: () => void): Promise<void> {
    if (this.#holder.mode !== 'disk') return work()
    try {
      await this.#locked(READER_PATIENCE_MS, work)
    } catch (error) {
      const failure = this.#parts.opener.isDamaged(error) ? error : this.#parts.opener.explain(error)
      if (!(failure instanceof CairnError) || !MAY_READ_ON.has(failure.code)) throw failure
      this.#note('index_stale', `The newest changes may be missing: ${failure.message}`)
    }
  }

  /** There is one connection, which is always available. */
  reading<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }

  async findEntry(id: string): Promise<Entry | undefined> {
    await this.refresh()
    return this.guarded(() => this.#holder.get().find(id)?.entry)
  }

  async listEntries(options: ListOptions): Promise<{ entries: Entry[]; total: number }> {
    await this.refresh()
    return this.guarded(() => this.#holder.get().list(options))
  }

  async counts(): Promise<VaultCounts> {
    await this.refresh()
    return this.guarded(() => this.#holder.get().counts())
  }

  async write(
    by: Actor,
    decide: (view: StoreView) => Promise<Mutation | null>,
  ): Promise<JournalRecord | null> {
    const config = this.#writableConfig()
    const isNew = this.#ensureFolder()
    const committer = await this.#writing()
    const done = this.guarded(() =>
      this.#locked(config['lock.timeoutMs'], async () => {
        this.#ensureLayout()
        if (this.#holder.mode === 'newer') throw newerVault('The index', this.#holder.get().version + 1)
        committer.finishJournal()
        return committer.onCurrentFiles(async () => {
          const mutation = await decide(committer.view())
          if (mutation === null || mutation.changes.length === 0) return null
          const record = committer.commit(by, mutation, config)
          this.#parts.onWritten?.(record.id)
          return record
        })
      }),
    )
    return isNew ? this.#announced(done) : done
  }

  async exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    const config = this.#writableConfig()
    const isNew = this.#ensureFolder()
    const done = this.#locked(config['lock.timeoutMs'], () => {
      this.#ensureLayout()
      return work()
    })
    return isNew ? this.#announced(done) : done
  }

  /** Also after a failed first write: the folder exists, and a later write would not register it. */
  async #announced<T>(done: Promise<T>): Promise<T> {
    try {
      return await done
    } finally {
      await this.#parts.onCreated?.().catch((error: unknown) => {
        if (!(error instanceof CairnError)) throw error
        this.#note('project_unknown', `This memory could not be registered as yours: ${error.message}`)
      })
    }
  }

  async *readJournal(query: JournalQuery): AsyncIterable<JournalRecord> {
    await this.refresh()
    let left = query.limit ?? Number.POSITIVE_INFINITY
    for (const record of this.#parts.journal.newestFirst()) {
      if (left <= 0) return
      if (query.entryId !== undefined && !concerns(record, query.entryId)) continue
      left--
      yield record
    }
  }

  async readDocument(name: DocumentName): Promise<JsonObject> {
    return this.#document(name)
  }

  async recordAccess(ids: readonly string[]): Promise<void> {
    if (this.#holder.mode !== 'disk' || ids.length === 0) return
    await this.guarded(() => this.#holder.get().recordAccess(ids, this.#parts.clock.nowMs()))
  }

  async health(): Promise<StoreHealth> {
    await this.refresh()
    return this.guarded(() => {
      const index = this.#holder.get()
      const last = this.#parts.journal.last()
      for (const name of ['config.json', 'curation.json'] as const)
        this.#noteRestored(name, this.#parts.documents.load(name))
      return {
        readOnly: this.#readOnlyReason(),
        degraded: this.takeDegraded(),
        problems: [
          ...[...index.files().values()].flatMap(file => file.problems),
          ...this.#parts.folder.scan().problems,
          ...memoryDocumentProblems(name => this.#parts.documents.load(name)),
        ],
        index: { mode: this.#holder.mode, bytes: index.bytes(), version: index.version },
        journal: {
          bytes: this.#parts.journal.bytes(),
          last: last && { id: last.id, at: last.at, action: last.action },
        },
      }
    })
  }

  async readOnly(): Promise<StoreHealth['readOnly']> {
    return this.guarded(() => {
      this.#holder.get()
      return this.#readOnlyReason()
    })
  }

  takeDegraded(): readonly Degradation[] {
    const existing = this.#holder.noteIfOpen()
    const taken = existing === undefined ? this.#notes : [existing, ...this.#notes]
    this.#notes = []
    return taken
  }

  async check(): Promise<Problem[]> {
    await this.refresh()
    const committer = await this.#writing()
    return this.guarded(() => {
      const damagedLines: Problem[] = []
      Array.from(
        this.#parts.journal.newestFirst(problem => damagedLines.push(problem)),
        record => record.id,
      )
      this.#holder.get().check()
      return [...damagedLines, ...committer.compare()]
    })
  }

  async rebuildIndex(): Promise<{ entries: number }> {
    this.#ensureFolder()
    const committer = await this.#writing()
    await this.#locked(this.#writableConfig()['lock.timeoutMs'], () => {
      this.#holder.renameDamaged()
      committer.catchUp()
    })
    this.#isIndexRebuilt = true
    return { entries: this.#holder.get().counts().total }
  }

  takeIndexRebuilt(): boolean {
    const isRebuilt = this.#isIndexRebuilt
    this.#isIndexRebuilt = false
    return isRebuilt
  }

  async compactIndex(): Promise<void> {
    await this.guarded(() =>
      this.#locked(this.#writableConfig()['lock.timeoutMs'], () => {
        this.#holder.get().compact()
      }),
    )
  }

  async rollOver(heads: readonly string[]): Promise<number> {
    const config = this.#writableConfig()
    this.#ensureFolder()
    const committer = await this.#writing()
    return this.guarded(() =>
      this.#locked(config['lock.timeoutMs'], () => {
        committer.catchUp()
        return committer.rollOver(heads, config)
      }),
    )
  }

  async close(): Promise<void> {
    this.#holder.close()
    this.#parts.lock.close()
  }

  /** Runs with a valid index: a damaged one is renamed and rebuilt from the files once, with a note. */
  async guarded<T>(work: () => T | Promise<T>): Promise<T> {
    // Lets the timer of a deadline fire before synchronous work starts.
    if (this.#parts.patienceMs !== undefined) await new Promise<void>(resolve => setImmediate(resolve))
    try {
      return await work()
    } catch (error) {
      if (!this.#holder.isDamagedBy(error, this.#parts.patienceMs)) throw this.#parts.opener.explain(error)
      if (this.#parts.patienceMs !== undefined) throw indexDamaged(error)
      const committer = await this.#writing()
      await this.#locked(REBUILD_PATIENCE_MS, () => {
        this.#holder.renameDamaged()
        committer.catchUp()
      })
      this.#isIndexRebuilt = true
      this.#note(
        'index_rebuilt',
        'The index was damaged. It was renamed and rebuilt from the vault files; nothing is lost.',
      )
      try {
        return await work()
      } catch (again) {
        throw this.#parts.opener.explain(again)
      }
    }
  }

  async #locked<T>(patienceMs: number, work: () => T | Promise<T>): Promise<T> {
    const { lock, clock, paths } = this.#parts
    return withProcessMutex(paths.memory, async () => {
      await this.#acquire(
        clock.nowMs() + Math.min(patienceMs, this.#parts.patienceMs ?? patienceMs),
        patienceMs,
      )
      try {
        return await work()
      } finally {
        lock.release()
      }
    })
  }

  /** In the order of arrival of the processes. */
  async #acquire(deadlineMs: number, patienceMs: number): Promise<void> {
    const { lock, queue, clock } = this.#parts
    try {
      for (;;) {
        const ahead = queue.countAhead()
        if (ahead === 0 && lock.tryAcquire()) return
        if (clock.nowMs() >= deadlineMs) throw lockedError(patienceMs)
        queue.wait()
        await clock.sleep(Math.min(FIRST_PAUSE_MS + ahead * PAUSE_PER_PLACE_MS, MAX_PAUSE_MS))
      }
    } finally {
      queue.leave()
    }
  }

  /** Loaded on demand: most processes only read an unchanged memory. */
  async #writing(): Promise<VaultCommitter<Index>> {
    if (this.#committer === undefined) {
      const { VaultCommitter } = await import('./vault-committer.ts')
      this.#committer ??= new VaultCommitter({
        ...this.#parts,
        index: () => this.#holder.get(),
        document: name => this.#document(name),
        writable: () => this.#writable(),
        note: (code, message) => this.#note(code, message),
      })
    }
    return this.#committer
  }

  #document(name: DocumentName): JsonObject {
    const loaded = this.#parts.documents.load(name)
    if (loaded.kind === 'damaged')
      throw loaded.inConflict
        ? documentInConflict(loaded.file ?? name)
        : damagedDocument(loaded.file ?? name, loaded.reason ?? 'unreadable')
    this.#noteRestored(name, loaded)
    return loaded.document ?? DOCUMENTS[name].empty
  }

  /** Adds a note for a document that a caller used. */
  noteDocument(name: DocumentName, loaded: DocumentState): void {
    if (loaded.kind === 'damaged')
      this.#note(
        'document_damaged',
        `.memory/${loaded.file ?? name} is damaged and has no good copy; defaults are used.`,
      )
    else this.#noteRestored(name, loaded)
  }

  #noteRestored(name: DocumentName, { restored, inConflict, file }: DocumentState): void {
    if (!restored) return
    const code = inConflict ? 'document_in_conflict' : 'document_restored'
    const what = inConflict ? 'has a conflict that git left in it' : 'is damaged'
    this.#note(code, `.memory/${file ?? name} ${what}; its last good version is used.`)
  }

  #writableConfig(): Config {
    const loaded = this.#parts.documents.load('config.json')
    if (loaded.kind === 'newer') throw newerVault('.memory/config.json', loaded.version ?? 0)
    return readConfig(this.#document('config.json'))
  }

  #writable(): boolean {
    return this.#holder.mode === 'disk' && this.#parts.documents.load('config.json').kind === 'read'
  }

  #readOnlyReason(): { code: NoticeCode; message: string } | undefined {
    const note = this.#holder.note()
    if (note !== undefined)
      return {
        code: this.#holder.mode === 'newer' ? 'vault_newer' : 'vault_read_only',
        message: note.message,
      }
    const loaded = this.#parts.documents.load('config.json')
    if (loaded.kind !== 'newer') return undefined
    const { code, message } = newerVault('.memory/config.json', loaded.version ?? 0)
    return { code, message }
  }

  /** Before the lock, which is in this folder. True: there was no memory. */
  #ensureFolder(): boolean {
    const { disk, paths } = this.#parts
    return this.#storing(() => {
      if (disk.isFolder(paths.vaultData) === true) return false
      const isNew = disk.isFolder(paths.memory) === undefined
      disk.makeFolder(paths.vaultData)
      return isNew
    })
  }

  /** Creates `.gitignore` and `config.json`. Under the lock: two first writers must not interfere. */
  #ensureLayout(): void {
    const { disk, paths, folder } = this.#parts
    this.#storing(() => {
      if (disk.stamp(paths.gitignore) === undefined) {
        folder.write([{ path: '.gitignore', bytes: new TextEncoder().encode(GITIGNORE) }])
      }
      if (disk.stamp(paths.config) === undefined) {
        folder.write([{ path: 'config.json', bytes: renderMemoryDocument(DOCUMENTS['config.json'].empty) }])
      }
    })
  }

  #storing<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw asStorageError(leftUntouched(error) ? (error as Error).cause : error, 'The memory folder')
    }
  }

  #note(code: NoticeCode, message: string): void {
    if (!this.#notes.some(note => note.code === code)) this.#notes.push({ code, message })
  }
}

function concerns(record: JournalRecord, id: string): boolean {
  return record.changes.some(change => {
    if (change.type === 'document') return change.name === id
    if (change.type === 'file') return change.path === id
    return change.before?.id === id || change.after?.id === id
  })
}
