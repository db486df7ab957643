import { type Config, readConfig } from '../../kernel/model/config.ts'
import type { Actor, Entry } from '../../kernel/model/entry.ts'
import { newEntryId } from '../../kernel/model/entry-id.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Change, EntryChange, EntryPlace, JournalRecord } from '../../kernel/model/journal.ts'
import type { NoticeCode } from '../../kernel/model/notice-codes.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import { asStorageError } from '../../kernel/system/disk.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { safeActor } from '../../kernel/text/redaction/safe-names.ts'
import { documentInConflict, newerVault } from '../../kernel/vault/documents.ts'
import type { EntryIndex, LocatedEntry } from '../../kernel/vault/entry-index.ts'
import { placeFinder } from '../../kernel/vault/entry-place.ts'
import { indexedEntry } from '../../kernel/vault/indexed-entry.ts'
import { asJournaled, decidedOn, documentsAfter } from '../../kernel/vault/journaled-change.ts'
import { sameEntry } from '../../kernel/vault/observe.ts'
import { type FilePlan, planFiles, staysInFile, usualPath } from '../../kernel/vault/plan-files.ts'
import type {
  DocumentName,
  JsonObject,
  Mutation,
  RestorableEntry,
  StoreView,
} from '../../kernel/vault/ports.ts'
import type { VaultFile } from '../../kernel/vault/vault-file.ts'
import { ChangedMeanwhile, leftUntouched } from '../../kernel/vault/vault-folder.ts'
import type { EmbeddedParts } from './embedded-parts.ts'
import {
  type Application,
  entryChanges,
  idOf,
  leavingEntry,
  noDocument,
  textWrites,
  unfinishedRecord,
  unfinishedWrites,
} from './entry-changes.ts'
import { isCurrent, isFileCurrent } from './freshness.ts'
import { folderMarks, missingIgnore } from './git-files.ts'
import { IndexOutdated, interrupted, keepsChanging, MAX_TRIES, storing } from './store-errors.ts'
import { VaultAbsorber } from './vault-absorber.ts'

interface CommitterParts<Index extends EntryIndex> extends EmbeddedParts<Index> {
  readonly index: () => Index
  readonly document: (name: DocumentName) => JsonObject
  /** Whether ids may be added to files and observations journaled. */
  readonly writable: () => boolean
  readonly note: (code: NoticeCode, message: string) => void
}

/**
 * The writing half of the store, loaded only by a process that writes or finds changes. Every method runs under the writer lock, except
 * `absorb` in a read-only folder.
 */
export class VaultCommitter<Index extends EntryIndex> {
  readonly #parts: CommitterParts<Index>
  readonly #absorber: VaultAbsorber
  /** The index was not updated before this write: a file may have an entry that it does not know. */
  #mayBeBehind = false
  /** Files that the current decision has read. */
  #lookedAt = new Map<string, VaultFile>()

  constructor(parts: CommitterParts<Index>) {
    this.#parts = parts
    this.#absorber = new VaultAbsorber({
      folder: parts.folder,
      journal: parts.journal,
      index: parts.index,
      nowMs: () => parts.clock.nowMs(),
      makeId: (nowMs, lastMs) => newEntryId({ nowMs, lastMs, random: bound => parts.clock.random(bound) }),
      redact: text => this.#redact(text),
      onProgress: parts.onProgress,
      note: parts.note,
    })
  }

  #redact(text: string) {
    return redact(text, redactionOptions(readConfig(this.#parts.document('config.json'))))
  }

  /** Updates the index from the files without changing them. */
  absorb(): void {
    this.#absorber.absorb({ explainedBy: [], mayWrite: false })
    const bytes = this.#parts.journal.bytes()
    if (this.#parts.index().settled()?.bytes !== bytes)
      this.#parts.index().apply({ settled: { bytes, records: 0 } })
  }

  compare(): Problem[] {
    return this.#absorber.compare()
  }

  /**
   * Under the lock, before a write: finishes the write of a dead process. Only reads check every file for outside changes, so that the cost
   * of a write does not grow with the vault; the files of this write are checked.
   */
  finishJournal(): void {
    this.#mayBeBehind = this.#parts.index().settled()?.bytes === this.#parts.journal.bytes()
    if (!this.#mayBeBehind) this.catchUp()
  }

  /** Works on the index as it is. If a file of this work differs from the index, it indexes all changes and starts again. */
  async onCurrentFiles<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof IndexOutdated)) throw error
        if (tries === MAX_TRIES) throw keepsChanging(error.path)
        this.catchUp()
      } finally {
        this.#mayBeBehind = false
        this.#lookedAt = new Map()
      }
    }
  }

  #requireCurrent(path: string): void {
    const { folder } = this.#parts
    if (!isFileCurrent(path, this.#parts.index().file(path), folder)) throw new IndexOutdated(path)
  }

  /** Requires that the loaded text is the indexed one: compared by hash, since a person may just have saved the file. */
  #requireLoaded(path: string): void {
    if ((this.#absorber.loadedAs(path) ?? undefined) !== this.#parts.index().file(path)?.hash)
      throw new IndexOutdated(path)
  }

  /** Under the lock: finishes the write of a dead process, then indexes outside changes. */
  catchUp(): void {
    for (let tries = 1; ; tries++) {
      try {
        this.#catchUpOnce()
        return
      } catch (error) {
        if (!(error instanceof ChangedMeanwhile || error instanceof IndexOutdated)) throw error
        if (tries === MAX_TRIES) throw keepsChanging(error.path)
      }
    }
  }

  #catchUpOnce(): void {
    this.#mayBeBehind = false
    this.#lookedAt = new Map()
    const { journal, folder, clock } = this.#parts
    const index = this.#parts.index()
    if (isCurrent({ index, folder, journal, nowMs: clock.nowMs() })) return
    const settled = index.settled()
    const { records, end } = journal.readFrom(
      settled === undefined || settled.bytes > journal.bytes() ? 0 : settled.bytes,
    )
    // A line without an end belongs to a process that died before it changed anything.
    if (journal.bytes() > end) journal.truncate(end)
    // A fresh index has no unfinished writes: the files are the truth.
    const unfinished =
      settled === undefined || settled.bytes > end ? [] : records.filter(({ action }) => action !== 'observe')
    this.#absorber.absorb({ explainedBy: unfinished, mayWrite: this.#parts.writable() })
    const half = unfinishedRecord(unfinished, records)
    if (half !== undefined) this.#redo(half)
    const bytes = journal.bytes()
    if (index.settled()?.bytes !== bytes) index.apply({ settled: { bytes, records: journal.count() } })
  }

  /** Applies changes to entries that are still as before; entries that were written, or changed since, stay. */
  #redo(record: JournalRecord): void {
    const index = this.#parts.index()
    const pending = entryChanges(record).filter(({ before, after, from }) => {
      const current = index.find((after ?? before)?.id ?? '')?.entry
      // A moved entry is always as before: the plan checks where it is.
      return sameEntry(current, before) && (from !== undefined || !sameEntry(current, after))
    })
    const before = new Map<DocumentName, JsonObject>()
    const documentBefore = (name: DocumentName) => {
      const known = before.get(name) ?? this.#parts.document(name)
      before.set(name, known)
      return known
    }
    const after = documentsAfter(record.changes, documentBefore).documents
    const documents = new Map([...after].filter(each => this.#conflictedIn(each) === undefined))
    const plan = this.#planFiles(pending, readConfig(this.#parts.document('config.json')), {
      record: record.batch ?? record.id,
    })
    const texts = unfinishedWrites(record.changes, this.#parts.projectTexts)
    const isUndo = record.undoes !== undefined
    this.#applyToFiles({ plan, changes: pending, documents, documentBefore, texts, isUndo })
  }

  commit(by: Actor, mutation: Mutation, config: Config): JournalRecord {
    const { journal, clock } = this.#parts
    const record: JournalRecord = {
      id: this.#newRecordId(),
      at: new Date(clock.nowMs()).toISOString(),
      action: mutation.action,
      by: safeActor(by),
      changes: this.#withPlaces(mutation.changes, config).map(change => asJournaled(change, textHash)),
      ...(mutation.undoes !== undefined && { undoes: mutation.undoes }),
      ...(mutation.batch !== undefined && { batch: mutation.batch }),
    }
    const settled = this.#parts.index().settled()
    const plan = this.#planFiles(entryChanges(record), config, { record: record.batch ?? record.id })
    const { documents, refused } = documentsAfter(record.changes, name => decidedOn(mutation, name))
    if (refused > 0) throw new Error('two changes of one mutation touch the same place of a document')
    for (const name of documents.keys()) this.#refuseNewer(name)
    const [inConflict] = [...documents].flatMap(each => this.#conflictedIn(each) ?? [])
    if (inConflict !== undefined) throw documentInConflict(inConflict)
    const texts = textWrites(mutation.changes, this.#parts.projectTexts)
    const { before, after } = storing(() => journal.append(record))
    try {
      this.#applyToFiles({
        plan,
        changes: entryChanges(record),
        documents,
        documentBefore: name => decidedOn(mutation, name),
        texts,
        settled: { bytes: after, records: (settled?.records ?? 0) + 1 },
        isUndo: mutation.undoes !== undefined,
      })
    } catch (error) {
      if (error instanceof ChangedMeanwhile && !error.untouched) {
        // The change is in the journal: its missing parts are applied to the current files.
        this.catchUp()
        return record
      }
      if (!leftUntouched(error)) throw interrupted(error)
      journal.truncate(before)
      if (error instanceof ChangedMeanwhile) throw new IndexOutdated(error.path)
      throw asStorageError(error instanceof CairnError ? error : (error as Error).cause, 'the memory')
    }
    this.#rotateWhenDue(config)
    return record
  }

  #refuseNewer(name: DocumentName): void {
    const loaded = this.#parts.documents.load(name)
    if (loaded.kind === 'newer') throw newerVault(`.memory/${loaded.file ?? name}`, loaded.version ?? 0)
  }

  /** An entry that leaves an unusual file is journaled with that file, so that undo brings it back there. */
  #withPlaces(changes: readonly Change[], config: Config): readonly Change[] {
    const shared = config['vault.share']
    const leaving = changes.flatMap(change => (change.type === 'entry' ? (leavingEntry(change) ?? []) : []))
    if (leaving.length === 0) return changes
    const lookup = this.#absorber.lookup()
    const paths = this.#parts.index().pathsOf(leaving.map(({ id }) => id))
    const placeOf = placeFinder(path => lookup.load(path))
    const standing = (id: string, path: string) => this.#cleanPlace(placeOf(id, path))
    return changes.map(change => {
      const entry = change.type === 'entry' ? leavingEntry(change) : undefined
      const path = entry && paths.get(entry.id)
      if (change.type !== 'entry' || entry === undefined || path === undefined) return change
      if (change.after === null) {
        const place = path === usualPath(entry, lookup, shared) ? undefined : standing(entry.id, path)
        return place === undefined ? change : { ...change, place }
      }
      const stays =
        change.place === undefined
          ? staysInFile(entry, change.after, path, shared)
          : change.place.path === path
      const left = stays ? undefined : standing(entry.id, path)
      return left === undefined ? change : { ...change, left }
    })
  }

  #conflictedIn([name, document]: readonly [DocumentName, JsonObject]): string | undefined {
    return this.#parts.documents.findConflicted(name, document)
  }

  #planFiles(
    changes: readonly EntryChange[],
    config: Config,
    { record = '', full = [] }: { readonly record?: string; readonly full?: readonly string[] },
  ): FilePlan {
    const index = this.#parts.index()
    const lookup = this.#absorber.lookup()
    const ids = changes.flatMap(({ before }) => before?.id ?? [])
    const paths = index.pathsOf(ids)
    const twins = index.twinsOf(ids)
    return planFiles(
      changes,
      {
        ...lookup,
        locate: id => paths.get(id),
        twins: id => twins.get(id) ?? [],
        pageFolder: (area, agent, category) => {
          // The folder may just have been created with other letter case.
          if (this.#mayBeBehind && index.folderOf(agent) === undefined) throw new IndexOutdated(agent)
          return lookup.pageFolder(area, agent, category)
        },
        load: path => {
          const file = this.#lookedAt.get(path) ?? lookup.load(path)
          this.#requireLoaded(path)
          return file
        },
      },
      {
        maxEntriesPerFile: config['vault.maxEntriesPerFile'],
        keepEntries: config['vault.keepEntries'],
        pageBytes: config['vault.pageBytes'],
        shared: config['vault.share'],
        importLabel: record.replace(/^.*-/, ''),
        now: new Date(this.#parts.clock.nowMs()).toISOString(),
      },
      full,
    )
  }

  #applyToFiles({
    plan,
    changes,
    documents,
    documentBefore,
    texts,
    settled,
    isUndo = false,
  }: Application): void {
    const index = this.#parts.index()
    const documentWrites = [...documents].flatMap(([name, document]) =>
      this.#parts.documents.writes(name, document, documentBefore(name)),
    )
    if (texts.length > 0) this.#parts.projectTexts.write(texts)
    try {
      const planned = plan.writes.map(write => ({ ...write, replaces: this.#absorber.loadedAs(write.path) }))
      const writes = [...documentWrites, ...planned]
      const { folder } = this.#parts
      const filesIn = (name: string) => index.filesIn(name).map(({ path }) => path)
      // An undo removes only files that were not there before.
      const marks = isUndo ? [] : folderMarks(plan.writes, folder, filesIn)
      folder.write([...missingIgnore(writes, folder), ...writes, ...marks])
    } catch (error) {
      // The project's files are changed already: this write did not leave everything unchanged.
      if (texts.length === 0) throw error
      if (error instanceof ChangedMeanwhile) throw new ChangedMeanwhile(error.path, false)
      throw new Error('after other files were written', { cause: error })
    }
    const written = new Set(plan.writes.map(({ path }) => path))
    const twins = index.twinsOf(changes.flatMap(change => idOf(change) ?? []))
    // The copy in another file may count now: that file is read again.
    const stale = [...new Set([...twins.values()].flat())].flatMap(path => {
      const file = written.has(path) ? undefined : index.file(path)
      return file === undefined ? [] : [{ ...file, size: -1, hash: '' }]
    })
    try {
      index.apply({
        files: [...this.#absorber.describe(plan.writes, plan.files, changes), ...stale],
        removedFiles: plan.writes.filter(write => write.bytes === null).map(write => write.path),
        removes: changes.filter(change => change.after === null).map(change => change.before?.id ?? ''),
        upserts: changes.flatMap(({ after, from }) =>
          after === null || from !== undefined
            ? []
            : [indexedEntry(after, plan.pathById.get(after.id) ?? '')],
        ),
        moves: plan.moves,
        lastIdMs: this.#absorber.lastIdMs(),
        nowMs: this.#parts.clock.nowMs(),
        ...(settled && { settled }),
      })
    } catch (error) {
      // The change is in the files: the next reader finds the index behind or damaged, and repairs it.
      this.#parts.note(
        'index_behind',
        `The index could not be updated now (${String(error)}); the next call catches up.`,
      )
    }
  }

  #rotateWhenDue(config: Config): void {
    const index = this.#parts.index()
    const settled = index.settled()
    if (settled === undefined) return
    if (settled.records <= config['journal.maxRecords'] && settled.bytes <= config['journal.maxBytes']) return
    storing(() => this.#parts.journal.rotate(this.#parts.clock.nowMs()))
    index.apply({ settled: { bytes: 0, records: 0 } })
  }

  /** What a decision may read, from now until the commit. */
  view(): StoreView {
    this.#absorber.startIds()
    const index = this.#parts.index()
    const checked = new Set<string>()
    const lookedAt = new Map<string, VaultFile>()
    this.#lookedAt = lookedAt
    // Once per file: the commit checks the files that it writes again.
    const requireCurrent = (path: string) => {
      if (!checked.has(path)) this.#requireCurrent(path)
      checked.add(path)
    }
    const placeOf = placeFinder(path => {
      const file = this.#absorber.lookup().load(path)
      this.#requireLoaded(path)
      lookedAt.set(path, file)
      return file
    })
    const current = (located: LocatedEntry): Entry => {
      requireCurrent(located.path)
      return located.entry
    }
    return {
      findEntry: async id => {
        const found = index.find(id)
        // A person may just have typed it into a file.
        if (found === undefined && this.#mayBeBehind) throw new IndexOutdated(id)
        return found && current(found)
      },
      findDuplicate: async (print, agents) => {
        const found = index.findByFingerprint(print)
        const located = agents
          .map(agent => found.find(({ entry }) => entry.agent === agent))
          .find(match => match !== undefined)
        return located && current(located)
      },
      newId: dateMs => this.#absorber.newId(dateMs),
      readDocument: async name => this.#parts.document(name),
      readFile: async path => this.#parts.projectTexts.read(path),
      findRestorable: async ids => {
        const standing = new Map<string, RestorableEntry>()
        for (const { entry, path, ...counters } of index.findMany(ids)) {
          const place = this.#cleanPlace(placeOf(entry.id, path))
          standing.set(entry.id, { entry: current({ entry, path }), ...(place && { place }), ...counters })
        }
        const missing = ids.find(id => !standing.has(id))
        if (missing !== undefined && this.#mayBeBehind) throw new IndexOutdated(missing)
        return standing
      },
    }
  }

  /** A secret in the file must not reach the journal or the archive. */
  #cleanPlace(place: EntryPlace | undefined): EntryPlace | undefined {
    if (place?.text === undefined) return place
    const { text, ...rest } = place
    return this.#redact(text).redacted.length === 0 ? place : rest
  }

  /** Files that a person filled: the excess entries go to pages, as after a write. */
  rollOver(heads: readonly string[], config: Config): number {
    try {
      const plan = this.#planFiles([], config, { full: heads })
      this.#applyToFiles({ plan, changes: [], documents: new Map(), documentBefore: noDocument, texts: [] })
      return plan.moves.length
    } catch (error) {
      if (error instanceof ChangedMeanwhile || error instanceof IndexOutdated) throw keepsChanging(error.path)
      throw asStorageError(leftUntouched(error) ? (error as Error).cause : error, 'The memory folder')
    }
  }

  #newRecordId(): string {
    return newEntryId({
      nowMs: this.#parts.clock.nowMs(),
      lastMs: 0,
      random: bound => this.#parts.clock.random(bound),
    })
  }
}
