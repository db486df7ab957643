import { isCategory } from '../../model/category.ts'
import type { Entry } from '../../model/entry.ts'
import { timeOfId } from '../../model/entry-id.ts'
import type { EntryChange, JournalRecord } from '../../model/journal.ts'
import type { NoticeCode } from '../../model/notice-codes.ts'
import type { Problem } from '../../model/search.ts'
import type { EntryIndex, IndexedFile, IndexUpdate, LocatedEntry } from '../../pipeline/store/entry-index.ts'
import { indexedEntry } from '../../pipeline/store/indexed-entry.ts'
import type { Journal } from '../../pipeline/store/journal.ts'
import { type Observation, observeChanges, reportSettled, sameEntry } from '../../pipeline/store/observe.ts'
import { type VaultSight, withoutEntries } from '../../pipeline/store/plan-files.ts'
import { assignIds, dropCopies, entriesOf } from '../../pipeline/store/vault-edit.ts'
import { parseVaultFile, renderVaultFile, type VaultFile } from '../../pipeline/store/vault-file.ts'
import type { FileWrite, ScannedFile, VaultFolder } from '../../pipeline/store/vault-folder.ts'
import { contentHash } from '../../system/content-hash.ts'
import { mayHaveChangedUnseen, sameStamp } from '../../system/file-stamp.ts'

/** A first look at a large vault takes the files in batches, so that memory stays bounded. */
const ADOPTED_FILES_AT_ONCE = 64
const ONE_DAY_MS = 86_400_000
const ONE_MINUTE_MS = 60_000

export interface AbsorberParts {
  readonly folder: VaultFolder
  readonly journal: Journal
  readonly index: () => EntryIndex
  readonly nowMs: () => number
  readonly makeId: (nowMs: number, lastMs: number) => string
  /** A secret that somebody typed into a file must not reach the index or the journal. */
  readonly redact: (text: string) => {
    readonly text: string
    readonly redacted: readonly { type: string; line: number }[]
  }
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** Tells whoever reads next. */
  readonly note: (code: NoticeCode, message: string) => void
}

interface AbsorbOptions {
  /** Journaled changes that explain what is found: they are not observations. */
  readonly explainedBy: readonly JournalRecord[]
  /** Whether ids may be added to files and observations journaled. */
  readonly mayWrite: boolean
}

interface ReadFile {
  readonly scanned: ScannedFile
  readonly hash: string
  readonly file: VaultFile
}

/** Looks at the vault files, and brings the index up to what they say. */
export class VaultAbsorber {
  readonly #parts: AbsorberParts
  #lastIdMs = 0
  #lastDatedMs = 0
  #issued = new Set<string>()

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
    else this.#absorbFiles(suspects, gone, { explainedBy, mayWrite })
  }

  /** The first look, or the first after the index was lost. What the journal knows already is no news. */
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

  #absorbFiles(files: readonly ScannedFile[], gone: readonly string[], options: AbsorbOptions): void {
    const index = this.#parts.index()
    const read: ReadFile[] = []
    const unchanged: IndexedFile[] = []
    for (const scanned of files) {
      const bytes = this.#parts.folder.read(scanned.path)
      if (bytes === undefined) continue
      const hash = contentHash(bytes)
      const indexed = index.file(scanned.path)
      if (indexed?.hash === hash)
        unchanged.push({ ...indexed, ...stampOf(scanned), checkedMs: this.#parts.nowMs() })
      else read.push({ scanned, hash, file: parseVaultFile(bytes, scanned) })
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
      return [{ scanned, hash: contentHash(bytes), file: parseVaultFile(bytes, scanned) }]
    })
  }

  /** Decides what the index and the files should become; writes nothing. */
  #indexFiles({ read, gone, mayWrite, explained }: ObserveInput): IndexedObservation {
    const index = this.#parts.index()
    const intended = new Map(explained.map(change => [idOf(change), change.after ?? undefined]))
    const files = new Map(read.map(({ scanned, file }) => [scanned.path, file]))
    const rewritten = new Set<string>()
    const rewrite = (path: string, file: VaultFile) => {
      if (file === files.get(path)) return
      files.set(path, file)
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

    if (mayWrite) {
      for (const [path, file] of files)
        rewrite(path, dropCopies(assignIds(file, entry => this.newId(timeOfDate(entry)))))
    }
    let observation = observe()
    if (mayWrite && observation.clashes.length > 0) {
      for (const { id, path } of observation.clashes) {
        const marked = requireNewId(files.get(path) as VaultFile, id)
        rewrite(
          path,
          assignIds(marked, entry => this.newId(timeOfDate(entry))),
        )
      }
      observation = observe()
    }
    if (mayWrite) {
      for (const { id, path } of observation.twice)
        rewrite(path, withoutEntries(files.get(path) ?? this.#load(path), new Set([id])))
    }
    return { ...observation, read, files, rewritten, problems }
  }

  #writeAndApply(observation: IndexedObservation, update: IndexUpdate): void {
    const { folder, index, nowMs } = this.#parts
    const { files, rewritten, read } = observation
    const writes: FileWrite[] = [...rewritten].map(path => ({
      path,
      bytes: renderVaultFile(files.get(path) as VaultFile),
    }))
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
    ]
    index().apply({
      ...update,
      files: [...(update.files ?? []), ...described],
      upserts: observation.upserts.map(({ entry, path }) => indexedEntry(entry, path)),
      moves: observation.moves,
      removes: observation.removes,
      lastIdMs: this.#lastIdMs,
      nowMs: nowMs(),
    })
  }

  /** The version that goes is on record before it goes: `cairn undo` of it brings it back. */
  #recordSettled(observation: Observation): void {
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

  #safeEntries(path: string, file: VaultFile | undefined, problems: Map<string, Problem[]>): Entry[] {
    if (file === undefined) return []
    const found: Problem[] = []
    const entries = entriesOf(file).map(entry => {
      const { text, redacted } = this.#parts.redact(entry.content)
      for (const { type } of redacted) {
        found.push({
          code: 'secret_in_file',
          path,
          entry: entry.id,
          message: `Entry ${entry.id} in ${path} holds what looks like a secret (${type}). It is kept out of the index and the journal.`,
          hint: `Run \`cairn edit ${entry.id}\` to remove it from the file, and change the secret if it was shared.`,
        })
      }
      return redacted.length === 0 ? entry : { ...entry, content: text }
    })
    problems.set(path, found)
    return entries
  }

  /**
   * What the index should remember of files that were just written. A secret that somebody typed into another entry of
   * the file is still there, and still told.
   */
  describe(
    writes: readonly FileWrite[],
    files: ReadonlyMap<string, VaultFile>,
    changes: readonly EntryChange[],
  ): IndexedFile[] {
    const index = this.#parts.index()
    const changed = new Set(changes.map(idOf))
    return writes.flatMap(write => {
      const standing = (index.file(write.path)?.problems ?? []).filter(
        problem => problem.entry !== undefined && !changed.has(problem.entry),
      )
      return this.#describe(write, files, new Map([[write.path, standing]]))
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

  /** Where the index and the files disagree: nothing, unless something is broken. */
  compare(): Problem[] {
    const index = this.#parts.index()
    const disagreements: Problem[] = []
    let standing = 0
    for (const { scanned, file } of this.#read(this.#parts.folder.scan().files)) {
      for (const entry of this.#safeEntries(scanned.path, file, new Map())) {
        standing++
        if (!sameEntry(index.find(entry.id)?.entry, entry))
          disagreements.push(disagreement(scanned.path, entry.id))
      }
    }
    const { total } = index.counts()
    if (total !== standing && disagreements.length === 0)
      disagreements.push(disagreement('.vault/index.db', `${total} of ${standing}`))
    return disagreements
  }

  sight(): Omit<VaultSight, 'locate'> {
    const index = this.#parts.index()
    return {
      load: path => this.#load(path),
      headPath: (agent, category) => `${index.folderOf(agent) ?? agent}/${category}.md`,
      pages: folder => index.filesIn(folder).map(file => ({ path: file.path, bytes: file.size })),
      countInPages: folder => index.countIn(folder),
    }
  }

  #load(path: string): VaultFile {
    return parseVaultFile(this.#parts.folder.read(path) ?? new Uint8Array(), ownerOf(path))
  }

  startIds(): void {
    this.#lastIdMs = Math.max(this.#lastIdMs, this.#parts.index().lastIdMs())
    this.#issued = new Set()
  }

  lastIdMs(): number {
    return this.#lastIdMs
  }

  /** By the clock, or by an entry's own date: then entries of the same minute keep the order they came in. */
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
}

function problemsOf(
  path: string,
  file: VaultFile,
  found: ReadonlyMap<string, readonly Problem[]>,
): Problem[] {
  return [...file.problems.map(problem => ({ ...problem, path })), ...(found.get(path) ?? [])]
}

/** `Dev/decisions/2026-02.md` belongs to agent `dev`, category `decisions`. */
function ownerOf(path: string): { agent: string; category: LocatedEntry['entry']['category'] } {
  const [agent = '', second = ''] = path.split('/')
  const category = second.replace(/\.md$/, '')
  if (!isCategory(category)) throw new Error(`${path} is not a vault file`)
  return { agent: agent.toLowerCase(), category }
}

function disagreement(path: string, what: string): Problem {
  return {
    code: 'index_disagrees',
    path,
    message: `The index does not say what ${path} says (${what}).`,
    hint: 'Run `cairn doctor --fix` to rebuild the index.',
  }
}

function idOf(change: EntryChange): string | undefined {
  return (change.after ?? change.before)?.id
}

/** The same file with this entry marked as one that needs an id of its own. */
function requireNewId(file: VaultFile, id: string): VaultFile {
  const segments = file.segments.map(segment =>
    segment.type === 'entry' && segment.entry.id === id ? { ...segment, idMissing: true } : segment,
  )
  return { ...file, segments }
}

function stampOf({ size, mtimeMs, inode }: ScannedFile): Pick<ScannedFile, 'size' | 'mtimeMs' | 'inode'> {
  return { size, mtimeMs, inode }
}

function timeOfDate(entry: Entry): number | undefined {
  const ms = Date.parse(entry.date.includes('T') ? `${entry.date}Z` : entry.date)
  return Number.isNaN(ms) ? undefined : ms
}
