import type { Actor, Entry } from '../../model/entry.ts'
import { newEntryId } from '../../model/entry-id.ts'
import { CairnError } from '../../model/errors.ts'
import type { DocumentChange, EntryChange, JournalRecord } from '../../model/journal.ts'
import type { Degradation, Problem } from '../../model/search.ts'
import { damagedDocument, DOCUMENTS, newerVault, renderDocument } from '../../pipeline/store/documents.ts'
import type { EntryIndex } from '../../pipeline/store/entry-index.ts'
import type { Journal } from '../../pipeline/store/journal.ts'
import { sameEntry } from '../../pipeline/store/observe.ts'
import { planFiles } from '../../pipeline/store/plan-files.ts'
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
} from '../../pipeline/store/ports.ts'
import { type FileWrite, leftUntouched, type VaultFolder } from '../../pipeline/store/vault-folder.ts'
import type { WriterLock } from '../../pipeline/store/writer-lock.ts'
import { type Config, readConfig } from '../../model/config.ts'
import type { Clock } from '../../system/clock.ts'
import { asStorageError, type Disk } from '../../system/disk.ts'
import type { MemoryPaths } from '../../system/paths.ts'
import { withProcessMutex } from '../../system/process-mutex.ts'
import { IndexHolder, type IndexOpener } from './index-holder.ts'
import { GITIGNORE } from './layout.ts'
import { describeFile, indexedEntry, VaultReader, type VaultReaderParts } from './vault-reader.ts'

/** A reader that finds a writer at work waits this long for it, then answers from the index as it is. */
const READER_PATIENCE_MS = 1_000
const REBUILD_PATIENCE_MS = 60_000
const FIRST_PAUSE_MS = 1
const LONGEST_PAUSE_MS = 20

export interface LoadedDocument {
  readonly kind: 'read' | 'newer' | 'damaged'
  readonly document?: JsonObject
  readonly version?: number
  readonly reason?: string
  readonly restored: boolean
}

export interface EmbeddedParts<Index extends EntryIndex> {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  readonly opener: IndexOpener<Index>
  readonly lock: WriterLock
  readonly folder: VaultFolder
  readonly journal: Journal
  readonly documents: {
    load(name: DocumentName): LoadedDocument
    backUp(name: DocumentName): void
  }
  readonly redact: VaultReaderParts['redact']
  readonly onProgress?: VaultReaderParts['onProgress']
}

/**
 * Files are the truth, the index is a cache of them, the journal is written first.
 *
 *   lock -> recover what a dead writer left -> absorb outside edits -> decide -> journal -> files -> index -> unlock
 */
export class EmbeddedStore<Index extends EntryIndex> implements Store {
  readonly #parts: EmbeddedParts<Index>
  readonly #holder: IndexHolder<Index>
  readonly #reader: VaultReader
  #notes: Degradation[] = []

  constructor(parts: EmbeddedParts<Index>) {
    this.#parts = parts
    this.#holder = new IndexHolder(parts.paths, parts.disk, parts.opener)
    this.#reader = new VaultReader({
      folder: parts.folder,
      journal: parts.journal,
      index: () => this.#holder.get(),
      nowMs: () => parts.clock.nowMs(),
      makeId: (nowMs, lastMs) => newEntryId({ nowMs, lastMs, random: bound => parts.clock.random(bound) }),
      redact: parts.redact,
      onProgress: parts.onProgress,
    })
  }

  /** For the search half of this backend, which reads the same index. */
  index(): Index {
    return this.#holder.get()
  }

  async refresh(): Promise<void> {
    await this.guarded(async () => {
      if (this.#reader.isCurrent()) return
      if (this.#holder.mode !== 'disk') return this.#reader.absorb({ explainedBy: [], mayWrite: false })
      try {
        await this.#locked(READER_PATIENCE_MS, () => this.#catchUp())
      } catch (error) {
        if (!(error instanceof CairnError)) throw error
        if (error.code === 'store_locked') this.#note('index_stale', 'A writer was busy: the newest changes may be missing.')
        else if (error.code === 'vault_read_only') this.#note('index_stale', error.message)
        else throw error
      }
    })
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

  async write(by: Actor, decide: (view: StoreView) => Promise<Mutation | null>): Promise<JournalRecord | null> {
    const config = this.#writableConfig()
    this.#ensureLayout()
    return this.guarded(() =>
      this.#locked(config['lock.timeoutMs'], async () => {
        if (this.#holder.mode === 'newer') throw newerVault('The index', this.#holder.get().version + 1)
        this.#catchUp()
        this.#reader.startIds()
        const mutation = await decide(this.#view())
        if (mutation === null || mutation.changes.length === 0) return null
        return this.#commit(by, mutation, config)
      }),
    )
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
      return {
        readOnly: this.#readOnlyReason(),
        degraded: this.takeDegraded(),
        problems: [...[...index.files().values()].flatMap(file => file.problems), ...this.#parts.folder.scan().problems],
        index: { mode: this.#holder.mode, bytes: index.bytes(), version: index.version },
        journal: {
          bytes: this.#parts.journal.bytes(),
          last: last && { id: last.id, at: last.at, action: last.action },
        },
      }
    })
  }

  takeDegraded(): readonly Degradation[] {
    const standing = this.#holder.note()
    const taken = standing === undefined ? this.#notes : [standing, ...this.#notes]
    this.#notes = []
    return taken
  }

  async check(): Promise<Problem[]> {
    await this.refresh()
    return this.guarded(() => {
      const problems: Problem[] = []
      for (const _record of this.#parts.journal.newestFirst(problem => problems.push(problem)));
      this.#holder.get().check()
      return [...problems, ...this.#reader.compare()]
    })
  }

  async rebuildIndex(): Promise<{ entries: number }> {
    this.#ensureLayout()
    await this.#locked(this.#writableConfig()['lock.timeoutMs'], () => {
      this.#holder.putAside()
      this.#catchUp()
    })
    return { entries: this.#holder.get().counts().total }
  }

  async compactIndex(): Promise<void> {
    await this.guarded(() =>
      this.#locked(this.#writableConfig()['lock.timeoutMs'], () => {
        this.#holder.get().compact()
      }),
    )
  }

  async close(): Promise<void> {
    this.#holder.close()
    this.#parts.lock.close()
  }

  /** Runs with a good index: a damaged one is put aside and rebuilt from the files, once, and said so. */
  async guarded<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!this.#parts.opener.isDamaged(error)) throw error
      await this.#locked(REBUILD_PATIENCE_MS, () => {
        this.#holder.putAside()
        this.#catchUp()
      })
      this.#note('index_rebuilt', 'The index was damaged. It was put aside and rebuilt from the vault files; nothing is lost.')
      return await work()
    }
  }

  async #locked<T>(patienceMs: number, work: () => T | Promise<T>): Promise<T> {
    const { lock, clock, paths } = this.#parts
    return withProcessMutex(paths.memory, async () => {
      const deadlineMs = clock.nowMs() + patienceMs
      for (let pauseMs = FIRST_PAUSE_MS; !lock.tryAcquire(); pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
        if (clock.nowMs() >= deadlineMs) throw lockedError(patienceMs)
        await clock.sleep(pauseMs + clock.random(pauseMs))
      }
      try {
        return await work()
      } finally {
        lock.release()
      }
    })
  }

  /** Under the lock: finish what a dead writer began, then take in what changed outside. */
  #catchUp(): void {
    const { journal } = this.#parts
    const index = this.#holder.get()
    const settled = index.settled()
    const { records, end } = journal.readFrom(settled === undefined || settled.bytes > journal.bytes() ? 0 : settled.bytes)
    // A line without an end was being written when its writer died: nothing had been changed yet.
    if (journal.bytes() > end) journal.truncate(end)
    // With a fresh index the past is settled: what the files say is what is.
    const unfinished = settled === undefined || settled.bytes > end ? [] : records.filter(({ action }) => action !== 'observe')
    this.#reader.absorb({ explainedBy: unfinished, mayWrite: this.#writable() })
    for (const record of unfinished) this.#redo(record)
    const bytes = journal.bytes()
    if (index.settled()?.bytes !== bytes) index.apply({ settled: { bytes, records: journal.count() } })
  }

  /** Applies what is still as it was before; what is already done, or was changed since, stays. */
  #redo(record: JournalRecord): void {
    const index = this.#holder.get()
    const pending = entryChanges(record).filter(({ before, after }) => {
      const current = index.find((after ?? before)?.id ?? '')?.entry
      return sameEntry(current, before) && !sameEntry(current, after)
    })
    const documents = documentChanges(record).filter(
      ({ name, before }) => JSON.stringify(this.#document(name as DocumentName)) === JSON.stringify(before),
    )
    this.#applyToFiles(pending, documents, readConfig(this.#document('config.json')))
  }

  #commit(by: Actor, mutation: Mutation, config: Config): JournalRecord {
    const { journal, clock } = this.#parts
    const record: JournalRecord = {
      id: this.#newRecordId(),
      at: new Date(clock.nowMs()).toISOString(),
      action: mutation.action,
      by,
      changes: mutation.changes,
      ...(mutation.undoes !== undefined && { undoes: mutation.undoes }),
    }
    const settled = this.#holder.get().settled()
    const { before, after } = this.#storing(() => journal.append(record))
    try {
      this.#applyToFiles(entryChanges(record), documentChanges(record), config, {
        bytes: after,
        records: (settled?.records ?? 0) + 1,
      })
    } catch (error) {
      if (!leftUntouched(error)) throw interrupted(error)
      journal.truncate(before)
      throw asStorageError((error as Error).cause, 'the memory')
    }
    this.#rotateWhenDue(config)
    return record
  }

  #applyToFiles(
    changes: readonly EntryChange[],
    documents: readonly DocumentChange[],
    config: Config,
    settled?: { bytes: number; records: number },
  ): void {
    const index = this.#holder.get()
    const plan = planFiles(changes, this.#reader.sight(), {
      maxEntriesPerFile: config['vault.maxEntriesPerFile'],
      keepEntries: config['vault.keepEntries'],
      pageBytes: config['vault.pageBytes'],
      now: new Date(this.#parts.clock.nowMs()).toISOString(),
    })
    const documentWrites: FileWrite[] = documents.map(change => {
      this.#parts.documents.backUp(change.name as DocumentName)
      return { path: change.name, bytes: renderDocument(change.after as JsonObject) }
    })
    this.#parts.folder.write([...documentWrites, ...plan.writes])
    try {
      index.apply({
        files: plan.writes.flatMap(write => describeFile(write, plan.files, this.#parts.folder, this.#parts.clock.nowMs())),
        removedFiles: plan.writes.filter(write => write.bytes === null).map(write => write.path),
        removes: changes.filter(change => change.after === null).map(change => change.before?.id ?? ''),
        upserts: changes.flatMap(({ after }) =>
          after === null ? [] : [indexedEntry(after, plan.pathById.get(after.id) ?? '')],
        ),
        moves: plan.moves,
        lastIdMs: this.#reader.lastIdMs(),
        ...(settled && { settled }),
      })
    } catch (error) {
      // The files have it, so it is kept: the next reader sees that the index is behind and catches up.
      if (this.#parts.opener.isDamaged(error)) throw error
      this.#note('index_behind', `The index could not be updated now (${String(error)}); the next call catches up.`)
    }
  }

  #rotateWhenDue(config: Config): void {
    const index = this.#holder.get()
    const settled = index.settled()
    if (settled === undefined) return
    if (settled.records <= config['journal.maxRecords'] && settled.bytes <= config['journal.maxBytes']) return
    this.#storing(() => this.#parts.journal.rotate(this.#parts.clock.nowMs()))
    index.apply({ settled: { bytes: 0, records: 0 } })
  }

  #view(): StoreView {
    const index = this.#holder.get()
    return {
      findEntry: async id => index.find(id)?.entry,
      findDuplicate: async (print, agents) => {
        const found = index.findByFingerprint(print)
        return agents.map(agent => found.find(entry => entry.agent === agent)).find(entry => entry !== undefined)
      },
      newId: dateMs => this.#reader.newId(dateMs),
      readDocument: async name => this.#document(name),
    }
  }

  #newRecordId(): string {
    return newEntryId({ nowMs: this.#parts.clock.nowMs(), lastMs: 0, random: bound => this.#parts.clock.random(bound) })
  }

  #document(name: DocumentName): JsonObject {
    const loaded = this.#parts.documents.load(name)
    if (loaded.kind === 'damaged') throw damagedDocument(name, loaded.reason ?? 'unreadable')
    if (loaded.restored) this.#note('document_restored', `.memory/${name} is damaged; its last good version is used.`)
    return loaded.document ?? DOCUMENTS[name].empty
  }

  #writableConfig(): Config {
    const loaded = this.#parts.documents.load('config.json')
    if (loaded.kind === 'newer') throw newerVault('.memory/config.json', loaded.version ?? 0)
    return readConfig(this.#document('config.json'))
  }

  #writable(): boolean {
    return this.#holder.mode === 'disk' && this.#parts.documents.load('config.json').kind === 'read'
  }

  #readOnlyReason(): { code: string; message: string } | undefined {
    const note = this.#holder.note()
    if (note !== undefined) return { code: this.#holder.mode === 'newer' ? 'vault_newer' : 'vault_read_only', message: note.message }
    const loaded = this.#parts.documents.load('config.json')
    if (loaded.kind !== 'newer') return undefined
    const { code, message } = newerVault('.memory/config.json', loaded.version ?? 0)
    return { code, message }
  }

  #ensureLayout(): void {
    const { disk, paths } = this.#parts
    this.#storing(() => {
      if (disk.isFolder(paths.vaultData) !== true) disk.makeFolder(paths.vaultData)
      if (disk.stamp(paths.gitignore) === undefined) disk.writeFile(paths.gitignore, new TextEncoder().encode(GITIGNORE))
      const config = this.#parts.documents.load('config.json')
      if (config.kind === 'read' && disk.stamp(`${paths.memory}/config.json`) === undefined) {
        this.#parts.folder.write([{ path: 'config.json', bytes: renderDocument(DOCUMENTS['config.json'].empty) }])
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

  #note(code: string, message: string): void {
    if (!this.#notes.some(note => note.code === code)) this.#notes.push({ code, message })
  }
}

function entryChanges(record: JournalRecord): EntryChange[] {
  return record.changes.filter(change => change.type === 'entry')
}

function documentChanges(record: JournalRecord): DocumentChange[] {
  return record.changes.filter(change => change.type === 'document')
}

function concerns(record: JournalRecord, id: string): boolean {
  return entryChanges(record).some(({ before, after }) => before?.id === id || after?.id === id)
}

function lockedError(patienceMs: number): CairnError {
  return new CairnError({
    code: 'store_locked',
    message: `Another process has been writing to this memory for ${Math.round(patienceMs / 100) / 10} s.`,
    hint: 'Try again; raise `lock.timeoutMs` in the configuration if a long import is running.',
  })
}

function interrupted(cause: unknown): CairnError {
  const { message } = asStorageError(cause, 'a vault file')
  return new CairnError({
    code: 'write_interrupted',
    message: `The change is journaled but was interrupted: ${message}`,
    hint: 'The next Cairn command completes it. Run `cairn status` to see.',
    cause,
  })
}
