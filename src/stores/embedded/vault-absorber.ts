import type { Entry } from '../../kernel/model/entry.ts'
import { timeOfId } from '../../kernel/model/entry-id.ts'
import type { EntryChange, JournalRecord } from '../../kernel/model/journal.ts'
import type { NoticeCode } from '../../kernel/model/notice-codes.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { isEntryFile, isTrackedPath, LOCAL_FOLDER } from '../../kernel/model/vault-layout.ts'
import { contentHash } from '../../kernel/system/content-hash.ts'
import { mayHaveChangedUnseen, sameStamp } from '../../kernel/system/file-stamp.ts'
import type { EntryIndex, IndexedFile, IndexUpdate } from '../../kernel/vault/entry-index.ts'
import { indexedEntry } from '../../kernel/vault/indexed-entry.ts'
import {
  observeChanges,
  reportSettled,
  sameEntry,
  type Twin,
  type VaultObservation,
} from '../../kernel/vault/observe.ts'
import { type VaultLookup, withoutEntries } from '../../kernel/vault/plan-files.ts'
import type { Journal } from '../../kernel/vault/ports.ts'
import { isTypedId, settleTyped } from '../../kernel/vault/typed-names.ts'
import { assignIds, dropCopies, entriesOf } from '../../kernel/vault/vault-edit.ts'
import { dateOfFile, parseVaultFile, renderVaultFile, type VaultFile } from '../../kernel/vault/vault-file.ts'
import type { FileWrite, ScannedFile, VaultFolder } from '../../kernel/vault/vault-folder.ts'
import {
  addTo,
  freeAlias,
  ownerOf,
  problemsOf,
  type ReadFile,
  type Redact,
  requireNewId,
  safeEntries,
  settleFiles,
  timeOfDate,
  twinProblem,
  withAlias,
  withKnownAliases,
} from './absorbed-files.ts'
import { idOf } from './entry-changes.ts'
import { disagreement } from './freshness.ts'

/** The first indexing of a large vault runs in batches, so that memory stays bounded. */
const ADOPTED_FILES_AT_ONCE = 64
const ONE_DAY_MS = 86_400_000
const ONE_MINUTE_MS = 60_000

interface AbsorberParts {
  readonly folder: VaultFolder
  readonly journal: Journal
  readonly index: () => EntryIndex
  readonly nowMs: () => number
  readonly makeId: (nowMs: number, lastMs: number) => string
  /** A secret in a file must not reach the index or the journal. */
  readonly redact: Redact
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** Adds a note to the next answer. */
  readonly note: (code: NoticeCode, message: string) => void
}

interface AbsorbOptions {
  /** Journaled changes that explain differences: they are not observations. */
  readonly explainedBy: readonly JournalRecord[]
  /** Whether ids may be added to files and observations journaled. */
  readonly mayWrite: boolean
}

/** Reads the vault files and updates the index. */
export class VaultAbsorber {
  readonly #parts: AbsorberParts
  #lastIdMs = 0
  #lastDatedMs = 0
  #issued = new Set<string>()
  readonly #loadedAs = new Map<string, string | null>()
  /** The dates of typed entries in the journal: the index may be new. */
  #dated: ReadonlyMap<string, string> = new Map()

  constructor(parts: AbsorberParts) {
    this.#parts = parts
  }

  absorb({ explainedBy, mayWrite }: AbsorbOptions): void {
    const { folder, index } = this.#parts
    const scan = folder.scan()
    if (mayWrite) for (const leftover of scan.leftovers) folder.removeLeftover(leftover)
    const known = index().files()
    const suspects = scan.files.filter(file => {
      const indexed = known.get(file.path)
      return indexed === undefined || !sameStamp(file, indexed) || mayHaveChangedUnseen(indexed)
    })
    const present = new Set(scan.files.map(file => file.path))
    const gone = [...known.keys()].filter(path => !present.has(path))
    if (suspects.length === 0 && gone.length === 0) return
    this.startIds()
    if (index().settled() === undefined) this.#adopt(suspects, mayWrite)
    else {
      // Of an entry in two files the other copy may count now.
      const twins = new Set(index().twinPaths())
      const read = new Set([...suspects, ...scan.files.filter(({ path }) => twins.has(path))])
      this.#absorbFiles([...read], gone, { explainedBy, mayWrite, twins })
    }
  }

  /** The first indexing, or the first after the index was lost. Entries that the journal knows are not changes. */
  #adopt(files: readonly ScannedFile[], mayWrite: boolean): void {
    const known = new Map<string, Entry | null>()
    for (const record of this.#parts.journal.newestFirst()) {
      for (const change of record.changes) {
        if (change.type !== 'entry') continue
        const id = (change.after ?? change.before)?.id
        if (id !== undefined && !known.has(id)) known.set(id, change.after)
      }
    }
    const seen = new Set<string>()
    const changes: EntryChange[] = []
    this.#dated = new Map(
      [...known].flatMap(([id, entry]) =>
        entry !== null && isTypedId(id) ? [[id, entry.date] as const] : [],
      ),
    )
    for (let start = 0; start < files.length; start += ADOPTED_FILES_AT_ONCE) {
      const batch = files.slice(start, start + ADOPTED_FILES_AT_ONCE)
      const observation = this.#indexFiles({ read: this.#read(batch), gone: [], mayWrite, explained: [] })
      for (const { entry } of observation.upserts) {
        seen.add(entry.id)
        const was = known.get(entry.id)
        if (was !== undefined && !sameEntry(was, entry))
          changes.push({ type: 'entry', before: was, after: entry })
        const ms = timeOfId(entry.id)
        if (ms !== undefined && ms < this.#parts.nowMs() + ONE_DAY_MS)
          this.#lastIdMs = Math.max(this.#lastIdMs, ms)
      }
      if (mayWrite) this.#recordSettled(observation)
      this.#writeAndApply(observation, {})
      this.#parts.onProgress?.(Math.min(start + batch.length, files.length), files.length)
    }
    for (const [id, was] of known) {
      if (was !== null && !seen.has(id)) changes.push({ type: 'entry', before: was, after: null })
    }
    if (mayWrite && changes.length > 0) this.#journalObservation(changes)
  }

  #absorbFiles(
    files: readonly ScannedFile[],
    gone: readonly string[],
    options: AbsorbOptions & { readonly twins: ReadonlySet<string> },
  ): void {
    const index = this.#parts.index()
    const read: ReadFile[] = []
    const unchanged: IndexedFile[] = []
    for (const scanned of files) {
      const bytes = this.#parts.folder.read(scanned.path)
      if (bytes === undefined) continue
      const hash = contentHash(bytes)
      const indexed = index.file(scanned.path)
      const { size, mtimeMs, inode } = scanned
      if (indexed?.hash === hash && !options.twins.has(scanned.path))
        unchanged.push({ ...indexed, size, mtimeMs, inode, checkedMs: this.#parts.nowMs() })
      else read.push({ scanned, hash, file: this.#parse(bytes, scanned) })
    }
    const explained = options.explainedBy
      .flatMap(record => record.changes)
      .filter(change => change.type === 'entry')
    const observation = this.#indexFiles({ read, gone, mayWrite: options.mayWrite, explained })
    const intended = new Map<string | undefined, EntryChange[]>()
    for (const change of explained)
      intended.set(idOf(change), [...(intended.get(idOf(change)) ?? []), change])
    const news = observation.changes.filter(
      change => !intended.get(idOf(change))?.some(other => sameEntry(other.after, change.after)),
    )
    if (options.mayWrite) this.#recordSettled(observation)
    const settled = options.mayWrite && news.length > 0 ? this.#journalObservation(news) : undefined
    this.#writeAndApply(observation, {
      removedFiles: gone,
      files: unchanged,
      ...(settled && options.explainedBy.length === 0 && { settled }),
    })
  }

  #read(files: readonly ScannedFile[]): ReadFile[] {
    return files.flatMap(scanned => {
      const bytes = this.#parts.folder.read(scanned.path)
      if (bytes === undefined) return []
      return [{ scanned, hash: contentHash(bytes), file: this.#parse(bytes, scanned) }]
    })
  }

  #parse(bytes: Uint8Array, scanned: ScannedFile): VaultFile {
    return parseVaultFile(bytes, scanned, {
      undatedAs: dateOfFile(scanned.path, scanned.mtimeMs),
      isEntryFile: isEntryFile(scanned.path),
    })
  }

  /** Decides the new state of the index and the files; writes nothing. */
  #indexFiles({ read: parsed, gone, mayWrite, explained }: ObserveInput): IndexedObservation {
    const index = this.#parts.index()
    const read = settleFiles(parsed, { gone, index, dates: this.#dated })
    const intended = new Map(explained.map(change => [idOf(change), change.after ?? undefined]))
    const files = new Map(read.map(({ scanned, file }) => [scanned.path, file]))
    const rewritten = new Set<string>()
    const rewrite = (path: string, file: VaultFile) => {
      const before = files.get(path)
      if (file === before) return
      // A rewritten file has lost the ids and dates of typed entries.
      const known = () => entriesOf(before ?? file).map(entry => ({ entry, path }))
      files.set(path, settleTyped(file, { known, isTaken: () => false, dateOf: () => undefined }))
      rewritten.add(path)
    }
    const problems = new Map<string, Problem[]>()
    const observe = () =>
      observeChanges(
        [...new Set([...read.map(({ scanned }) => scanned.path), ...gone])].map(path => ({
          path,
          before: index.inFile(path),
          after: this.#safeEntries(path, files.get(path), problems),
        })),
        id => index.find(id),
        id => intended.get(id),
      )

    // Reading never changes a file that git tracks.
    const mayMend = (path: string) => mayWrite && !isTrackedPath(path)
    const newIds = (file: VaultFile) => assignIds(file, entry => this.newId(timeOfDate(entry)))
    for (const [path, file] of files) if (mayMend(path)) rewrite(path, dropCopies(newIds(file)))
    let observation = observe()
    const { clashes } = observation
    const twins = new Map<string, string[]>()
    for (const { id, path } of clashes) {
      const file = files.get(path) as VaultFile
      if (mayMend(path)) rewrite(path, newIds(requireNewId(file, id)))
      else {
        const alias = freeAlias(id, { path, files, index })
        files.set(path, withAlias(file, id, alias))
        addTo(twins, path, alias)
      }
    }
    if (clashes.length > 0) observation = observe()
    const isMended = ({ id, path, counts }: Twin) =>
      mayWrite && !isTypedId(id) && (intended.has(id) || (mayMend(path) && !isTrackedPath(counts)))
    for (const { id, path } of observation.twice.filter(isMended))
      rewrite(path, withoutEntries(files.get(path) ?? this.#load(path), new Set([id])))
    const existing = observation.twice.filter(twin => !isMended(twin))
    for (const twin of existing) {
      addTo(twins, twin.path, twin.id)
      if (!isTypedId(twin.id) && [twin.path, twin.counts].every(isTrackedPath))
        addTo(problems, twin.path, twinProblem(twin))
    }
    const ids = new Set(existing.map(({ id }) => id))
    const settled = observation.settled.filter(({ id }) => !ids.has(id))
    return { ...observation, settled, read, files, rewritten, problems, twins }
  }

  #safeEntries(path: string, file: VaultFile | undefined, problems: Map<string, Problem[]>): Entry[] {
    if (file === undefined) return []
    const safe = safeEntries(file, path, this.#parts.redact)
    problems.set(path, safe.problems)
    return safe.entries
  }

  #writeAndApply(observation: IndexedObservation, update: IndexUpdate): void {
    const { folder, index, nowMs } = this.#parts
    const { files, rewritten, read, twins } = observation
    const readAs = new Map(read.map(({ scanned, hash }) => [scanned.path, hash]))
    const writes: FileWrite[] = [...rewritten].map(path => {
      const file = files.get(path) as VaultFile
      const bytes = file.segments.length === 0 ? null : renderVaultFile(file)
      return { path, bytes, replaces: readAs.get(path) ?? this.loadedAs(path) }
    })
    if (writes.length > 0) folder.write(writes)
    const described = [
      ...read
        .filter(({ scanned }) => !rewritten.has(scanned.path))
        .map(({ scanned, hash, file }) => ({
          ...scanned,
          hash,
          checkedMs: nowMs(),
          problems: problemsOf(scanned.path, file, observation.problems),
        })),
      ...writes.flatMap(write => this.#describe(write, files, observation.problems)),
    ].map(file => ({ ...file, twins: twins.get(file.path) ?? [] }))
    // An unchanged file can have a copy of an entry that now counts in a new file.
    const known = new Set(described.map(({ path }) => path))
    const others = [...twins].flatMap(([path, ids]): IndexedFile[] => {
      const file = known.has(path) ? undefined : index().file(path)
      if (file === undefined) return []
      return [
        { ...file, problems: [...file.problems, ...(observation.problems.get(path) ?? [])], twins: ids },
      ]
    })
    const emptied = writes.filter(({ bytes }) => bytes === null).map(({ path }) => path)
    index().apply({
      ...update,
      removedFiles: [...(update.removedFiles ?? []), ...emptied],
      files: [...(update.files ?? []), ...described, ...others],
      upserts: observation.upserts.map(({ entry, path }) => indexedEntry(entry, path)),
      moves: observation.moves,
      removes: observation.removes,
      lastIdMs: this.#lastIdMs,
      nowMs: nowMs(),
    })
  }

  /** The removed version is journaled first: `cairn undo` brings it back. */
  #recordSettled(observation: VaultObservation): void {
    const { changes, note } = reportSettled(observation)
    if (changes.length > 0) this.#journalObservation(changes)
    if (note !== undefined) this.#parts.note('versions_settled', note)
  }

  #journalObservation(changes: readonly EntryChange[]): { bytes: number; records: number } {
    const { journal, index, nowMs } = this.#parts
    const { after } = journal.append({
      id: this.#parts.makeId(nowMs(), 0),
      at: new Date(nowMs()).toISOString(),
      action: 'observe',
      by: { host: 'files' },
      changes,
    })
    return { bytes: after, records: (index().settled()?.records ?? 0) + 1 }
  }

  /**
   * The index rows of files that were just written. A secret in another entry of the file is still there, and still reported.
   */
  describe(
    writes: readonly FileWrite[],
    files: ReadonlyMap<string, VaultFile>,
    changes: readonly EntryChange[],
  ): IndexedFile[] {
    const index = this.#parts.index()
    const changed = new Set(changes.map(idOf))
    const twinPaths = new Set(index.twinPaths())
    return writes.flatMap(write => {
      const existing = (index.file(write.path)?.problems ?? []).filter(
        problem => problem.entry !== undefined && !changed.has(problem.entry),
      )
      const described = this.#describe(write, files, new Map([[write.path, existing]]))
      // Its copies of entries are found when it is read again.
      return twinPaths.has(write.path) ? described.map(file => ({ ...file, size: -1, hash: '' })) : described
    })
  }

  #describe(
    write: FileWrite,
    files: ReadonlyMap<string, VaultFile>,
    problems: ReadonlyMap<string, readonly Problem[]>,
  ): IndexedFile[] {
    const file = files.get(write.path)
    const stamp = write.bytes === null ? undefined : this.#parts.folder.stamp(write.path)
    if (file === undefined || stamp === undefined || write.bytes === null) return []
    return [
      {
        path: write.path,
        ...ownerOf(write.path),
        ...stamp,
        checkedMs: this.#parts.nowMs(),
        hash: contentHash(write.bytes),
        problems: problemsOf(write.path, file, problems),
      },
    ]
  }

  /** Differences between the index and the files: none, unless something is broken. */
  compare(): Problem[] {
    const index = this.#parts.index()
    const disagreements: Problem[] = []
    const read = this.#read(this.#parts.folder.scan().files)
    const present = new Set(read.map(({ scanned }) => scanned.path))
    const gone = [...index.files().keys()].filter(path => !present.has(path))
    const { upserts, removes } = this.#indexFiles({ read, gone, mayWrite: false, explained: [] })
    for (const { entry, path } of upserts) disagreements.push(disagreement(path, entry.id))
    for (const id of removes) disagreements.push(disagreement(index.find(id)?.path ?? '.vault/index.db', id))
    return disagreements
  }

  lookup(): Omit<VaultLookup, 'locate' | 'twins'> {
    const index = this.#parts.index()
    return {
      load: path => this.#load(path),
      pageFolder: (area, agent, category) =>
        `${area === 'local' ? `${LOCAL_FOLDER}/` : ''}${index.folderOf(agent) ?? agent}/${category}`,
      pages: folder => index.filesIn(folder).map(file => ({ path: file.path, bytes: file.size })),
      countInPages: folder => index.countInMonthPages(folder),
    }
  }

  /** The hash of the text of this file that was loaded last. null: there was no file. */
  loadedAs(path: string): string | null | undefined {
    return this.#loadedAs.get(path)
  }

  #load(path: string): VaultFile {
    const bytes = this.#parts.folder.read(path)
    this.#loadedAs.set(path, bytes === undefined ? null : contentHash(bytes))
    const file = parseVaultFile(bytes ?? new Uint8Array(), ownerOf(path))
    const known = () => this.#parts.index().inFile(path)
    const settled = settleTyped(file, { known, isTaken: () => false, dateOf: () => undefined })
    if (!this.#parts.index().twinPaths().includes(path)) return settled
    return withKnownAliases(settled, known())
  }

  startIds(): void {
    this.#lastIdMs = Math.max(this.#lastIdMs, this.#parts.index().lastIdMs())
    this.#issued = new Set()
  }

  lastIdMs(): number {
    return this.#lastIdMs
  }

  /** By the clock, or by the date of an entry: entries of the same minute keep their order. */
  newId(dateMs?: number): string {
    const { index, nowMs, makeId } = this.#parts
    for (;;) {
      let id: string
      if (dateMs === undefined) {
        id = makeId(nowMs(), this.#lastIdMs)
        this.#lastIdMs = timeOfId(id) ?? this.#lastIdMs
      } else {
        const sameMinute = this.#lastDatedMs >= dateMs && this.#lastDatedMs < dateMs + ONE_MINUTE_MS
        id = makeId(dateMs, sameMinute ? this.#lastDatedMs : 0)
        this.#lastDatedMs = timeOfId(id) ?? dateMs
      }
      if (this.#issued.has(id) || index().find(id) !== undefined) continue
      this.#issued.add(id)
      return id
    }
  }
}

interface ObserveInput {
  readonly read: readonly ReadFile[]
  readonly gone: readonly string[]
  readonly mayWrite: boolean
  readonly explained: readonly EntryChange[]
}

type IndexedObservation = ReturnType<typeof observeChanges> & {
  readonly read: readonly ReadFile[]
  readonly files: ReadonlyMap<string, VaultFile>
  readonly rewritten: ReadonlySet<string>
  readonly problems: ReadonlyMap<string, readonly Problem[]>
  /** By file: its entries of which the copy in another file counts. */
  readonly twins: ReadonlyMap<string, readonly string[]>
}
