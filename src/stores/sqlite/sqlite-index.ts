import { statSync } from 'node:fs'
import type { Entry } from '../../kernel/model/entry.ts'
import { timeOfId } from '../../kernel/model/entry-id.ts'
import { parseVaultPath } from '../../kernel/model/vault-layout.ts'
import type {
  EntryIndex,
  IndexedEntry,
  IndexedFile,
  IndexUpdate,
  LocatedEntry,
  SettledJournal,
} from '../../kernel/vault/entry-index.ts'
import type { EntryCounters, ListOptions, VaultCounts } from '../../kernel/vault/ports.ts'
import type { VaultSnapshot } from '../../kernel/vault/vault-snapshot.ts'
import { packAnchoring, packList } from '../sql/entry-fields.ts'
import { DamagedRow, storedJson } from '../sql/stored-value.ts'
import { checkIndex } from './check-index.ts'
import {
  rollBack,
  SQLITE,
  type SqliteDatabase,
  type SqliteStatement,
  type SqliteValue,
  sqliteErrorCode,
} from './driver.ts'
import {
  awaitComparison,
  COMPARED_COLUMNS,
  COUNTER_COLUMNS,
  type ComparedRow,
  type CounterRow,
  countAccesses,
  countersOfRow,
  ENTRY_COLUMNS,
  type EntryRow,
  entryOfRow,
  type FileRow,
  fileOfRow,
  forgetComparison,
  noteArrival,
  packContent,
  putConnections,
  removeConnections,
} from './entry-rows.ts'
import { conditionOf } from './filter-sql.ts'
import { areMany, removeEntries } from './remove-entries.ts'
import { INDEX_VERSION } from './schema.ts'
import { type Collection, ENTRIES_COLLECTION, putText, removeText, TokenCounts } from './text-rows.ts'
import { CountedVault, EntryStamp } from './vault-counts.ts'
import { awaitVector, ForgottenVectors } from './vector-queue.ts'

/** No space, no permission, or another writer. */
const CANNOT_WRITE_NOW: ReadonlySet<number> = new Set([SQLITE.BUSY, SQLITE.FULL, SQLITE.READONLY])

export class SqliteIndex implements EntryIndex {
  readonly version = INDEX_VERSION
  readonly #statements = new Map<string, SqliteStatement>()
  readonly #entryStamp = new EntryStamp(this)
  readonly #counted = new CountedVault(this, this.#entryStamp)

  // In one driver the statements do not keep the database alive: this object does.
  constructor(
    readonly database: SqliteDatabase,
    readonly location: string,
  ) {}

  statement(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  files(): ReadonlyMap<string, IndexedFile> {
    const rows = this.statement('SELECT * FROM file').all() as FileRow[]
    return new Map(rows.map(row => [row.path, fileOfRow(row)]))
  }

  file(path: string): IndexedFile | undefined {
    const row = this.statement('SELECT * FROM file WHERE path = ?').get(path) as FileRow | undefined
    return row && fileOfRow(row)
  }

  filesIn(folder: string): IndexedFile[] {
    const rows = this.statement('SELECT * FROM file WHERE path > ? AND path < ?').all(...insideOf(folder))
    return (rows as FileRow[]).map(fileOfRow)
  }

  folderOf(agent: string): string | undefined {
    const sql = 'SELECT path FROM file WHERE agent = ? LIMIT 1'
    const row = this.statement(sql).get(agent) as { path: string } | undefined
    return row && parseVaultPath(row.path)?.folder
  }

  survey(): VaultSnapshot | undefined {
    const survey = this.#meta('survey')
    return survey === undefined ? undefined : storedJson('the survey of the files', survey)
  }

  revision(): number {
    return (this.statement('PRAGMA data_version').get() as { data_version: number }).data_version
  }

  keepSurvey(survey: VaultSnapshot, revision: number): void {
    this.keepNote('survey', survey, revision)
  }

  /** Saves work for the next reader, if the index is still at this revision and writable. */
  keepNote(key: 'survey' | 'doc_survey', note: object, revision: number): void {
    this.ifWritable(() =>
      this.transaction(() => {
        if (this.revision() === revision) this.#putMeta(key, JSON.stringify(note))
      }),
    )
  }

  keepChecked(files: readonly IndexedFile[]): void {
    this.ifWritable(() => this.apply({ files }))
  }

  /** For optional writes of a reader, which also works if the index cannot be written. */
  ifWritable(write: () => void): void {
    try {
      write()
    } catch (error) {
      if (!CANNOT_WRITE_NOW.has(sqliteErrorCode(error) ?? 0)) throw error
    }
  }

  settled(): SettledJournal | undefined {
    const bytes = this.#count('settled_bytes')
    return bytes === undefined ? undefined : { bytes, records: this.#count('settled_records') ?? 0 }
  }

  lastIdMs(): number {
    return this.#count('last_id_ms') ?? 0
  }

  find(id: string): LocatedEntry | undefined {
    const row = this.statement(`SELECT ${ENTRY_COLUMNS} FROM entry e WHERE e.id = ?`).get(id) as
      | EntryRow
      | undefined
    return row && located(row)
  }

  findMany(ids: readonly string[]): (LocatedEntry & EntryCounters)[] {
    const rows = this.statement(
      `SELECT ${ENTRY_COLUMNS}, ${COUNTER_COLUMNS} FROM entry e LEFT JOIN access a ON a.id = e.id
       WHERE e.id IN (SELECT value FROM json_each(?))`,
    ).all(JSON.stringify(ids)) as (EntryRow & CounterRow)[]
    return rows.map(row => ({ ...located(row), ...countersOfRow(row) }))
  }

  pathsOf(ids: readonly string[]): ReadonlyMap<string, string> {
    const rows = this.statement(
      'SELECT id, path FROM entry WHERE id IN (SELECT value FROM json_each(?))',
    ).all(JSON.stringify(ids)) as { id: string; path: string }[]
    return new Map(rows.map(({ id, path }) => [id, path]))
  }

  inFile(path: string): LocatedEntry[] {
    const rows = this.statement(`SELECT ${ENTRY_COLUMNS} FROM entry e WHERE e.path = ?`).all(
      path,
    ) as EntryRow[]
    return rows.map(located)
  }

  twinsOf(ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
    const rows = this.statement(
      'SELECT id, path FROM twin WHERE id IN (SELECT value FROM json_each(?)) ORDER BY path',
    ).all(JSON.stringify(ids)) as { id: string; path: string }[]
    const paths = new Map<string, string[]>()
    for (const { id, path } of rows) paths.set(id, [...(paths.get(id) ?? []), path])
    return paths
  }

  twinPaths(): readonly string[] {
    const rows = this.statement('SELECT DISTINCT path FROM twin').all() as { path: string }[]
    return rows.map(({ path }) => path)
  }

  findByFingerprint(fingerprint: string): LocatedEntry[] {
    const rows = this.statement(`SELECT ${ENTRY_COLUMNS} FROM entry e WHERE e.fingerprint = ?`).all(
      fingerprint,
    )
    return (rows as EntryRow[]).map(located)
  }

  list(
    { filter, limit, offset }: ListOptions,
    collection: Collection = ENTRIES_COLLECTION,
  ): { entries: Entry[]; total: number } {
    const { sql, values } = conditionOf(filter)
    const rows = this.statement(
      `SELECT ${ENTRY_COLUMNS} FROM ${collection}entry e WHERE 1${sql} ORDER BY e.order_ms DESC, e.id DESC LIMIT ? OFFSET ?`,
    ).all(...values, limit, offset) as EntryRow[]
    const whole = offset === 0 && rows.length < limit
    const total = whole
      ? rows.length
      : (
          this.statement(`SELECT count(*) AS n FROM ${collection}entry e WHERE 1${sql}`).get(...values) as {
            n: number
          }
        ).n
    return { entries: rows.map(entryOfRow), total }
  }

  counts(): VaultCounts {
    return this.#counted.counts()
  }

  /** Changes when the entries change. */
  entryStamp(): string {
    return this.#entryStamp.read()
  }

  countInMonthPages(folder: string): number {
    const sql = `SELECT count(*) AS n FROM entry
      WHERE path > ? AND path < ? AND path GLOB '*/[0-9][0-9][0-9][0-9]-[0-9][0-9].*'`
    return (this.statement(sql).get(...insideOf(folder)) as { n: number }).n
  }

  apply(update: IndexUpdate): void {
    this.#entryStamp.note()
    this.transaction(() => {
      const counts = new TokenCounts()
      const vectors = new ForgottenVectors(this)
      const removes = update.removes ?? []
      const all = removes.length === 0 ? 0 : this.#total()
      if (areMany(removes.length, all)) removeEntries(this, removes, { all, counts, vectors })
      else for (const id of removes) this.#remove(id, counts, vectors)
      for (const upsert of update.upserts ?? []) {
        this.#upsert(upsert, counts, vectors)
        if (update.nowMs !== undefined) noteArrival(this, upsert.entry.id, update.nowMs)
      }
      for (const move of update.moves ?? []) {
        this.statement('UPDATE entry SET path = ? WHERE id = ?').run(move.path, move.id)
      }
      for (const path of update.removedFiles ?? []) {
        this.statement('DELETE FROM file WHERE path = ?').run(path)
        this.#putTwins(path, [])
      }
      for (const file of update.files ?? []) this.#putFile(file)
      if (update.files?.length || update.removedFiles?.length) this.#removeMeta('survey')
      counts.writeTo(this)
      vectors.write()
      if (update.settled !== undefined) {
        this.#putMeta('settled_bytes', update.settled.bytes)
        this.#putMeta('settled_records', update.settled.records)
      }
      if (update.lastIdMs !== undefined) this.#putMeta('last_id_ms', update.lastIdMs)
    })
  }

  recordAccess(ids: readonly string[], nowMs: number): void {
    this.ifWritable(() =>
      this.transaction(() => {
        for (const id of ids) {
          this.statement(
            `INSERT INTO access (id, count, last_ms) VALUES (?, 1, ?)
             ON CONFLICT (id) DO UPDATE SET count = count + 1, last_ms = excluded.last_ms, unused = 0`,
          ).run(id, nowMs)
        }
        countAccesses(this, ids.length)
      }),
    )
  }

  check({ countsWords = true }: { readonly countsWords?: boolean } = {}): void {
    checkIndex(this.database, countsWords)
  }

  compact(): void {
    this.transaction(() => {
      for (const table of ['fulltext', 'doc_fulltext'])
        this.database.exec(`INSERT INTO ${table} (${table}) VALUES ('optimize')`)
    })
    this.database.exec('VACUUM')
    this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  bytes(): number {
    if (this.location === ':memory:') return 0
    return [this.location, `${this.location}-wal`].reduce(
      (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
  }

  close(): void {
    this.#statements.clear()
    this.database.close()
  }

  transaction(work: () => void): void {
    this.database.exec('BEGIN IMMEDIATE')
    try {
      work()
      this.database.exec('COMMIT')
    } catch (error) {
      rollBack(this.database)
      throw error
    }
  }

  #putTwins(path: string, ids: readonly string[]): void {
    this.statement('DELETE FROM twin WHERE path = ?').run(path)
    for (const id of ids) this.statement('INSERT OR IGNORE INTO twin (id, path) VALUES (?, ?)').run(id, path)
  }

  #upsert(upsert: IndexedEntry, counts: TokenCounts, vectors: ForgottenVectors): void {
    const { entry, path, text, fingerprint } = upsert
    const known = this.statement(`SELECT ${COMPARED_COLUMNS} FROM entry WHERE id = ?`).get(entry.id) as
      | ComparedRow
      | undefined
    const isEmbedded = known !== undefined && vectors.keep(known, upsert)
    if (known !== undefined) this.#removeText(known.key, counts)
    if (known !== undefined) this.statement('DELETE FROM judged_anchor WHERE id = ?').run(entry.id)
    const { lastInsertRowid } = this.statement(
      `INSERT INTO entry (key, id, order_ms, agent, category, kind, status, origin, date, updated, importance,
         confidence, session, tags, files, extra, anchors, fingerprint, path, content)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET agent = excluded.agent, category = excluded.category, kind = excluded.kind,
         status = excluded.status, origin = excluded.origin, date = excluded.date, updated = excluded.updated,
         importance = excluded.importance, confidence = excluded.confidence, session = excluded.session,
         tags = excluded.tags, files = excluded.files, extra = excluded.extra, anchors = excluded.anchors, fingerprint = excluded.fingerprint,
         path = excluded.path, content = excluded.content`,
    ).run(...valuesOf(known?.key ?? null, entry, fingerprint, path))
    const key = known?.key ?? Number(lastInsertRowid)
    putText(this, ENTRIES_COLLECTION, { key, text, counts })
    putConnections(this, key, upsert.connections)
    if (!isEmbedded) awaitVector(this, key)
    awaitComparison(this, key, { before: known, now: upsert })
  }

  #remove(id: string, counts: TokenCounts, vectors: ForgottenVectors): void {
    const known = this.statement('SELECT key FROM entry WHERE id = ?').get(id) as { key: number } | undefined
    if (known === undefined) return
    this.#removeText(known.key, counts)
    vectors.forget(known.key)
    forgetComparison(this, known.key)
    this.statement('DELETE FROM entry WHERE key = ?').run(known.key)
    this.statement('DELETE FROM judged_anchor WHERE id = ?').run(id)
  }

  #removeText(key: number, counts: TokenCounts): void {
    if (removeText(this, ENTRIES_COLLECTION, key, counts)) removeConnections(this, key)
  }

  #putFile(file: IndexedFile): void {
    this.statement(
      `INSERT OR REPLACE INTO file (path, agent, category, size, mtime_ms, inode, checked_ms, hash, problems)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      file.path,
      file.agent,
      file.category,
      file.size,
      file.mtimeMs,
      file.inode,
      file.checkedMs,
      file.hash,
      file.problems.length === 0 ? null : JSON.stringify(file.problems),
    )
    if (file.twins !== undefined) this.#putTwins(file.path, file.twins)
  }

  #total(): number {
    return (this.statement('SELECT count(*) AS n FROM entry').get() as { n: number }).n
  }

  #meta(key: string): unknown {
    return (this.statement('SELECT value FROM meta WHERE key = ?').get(key) as { value: unknown } | undefined)
      ?.value
  }

  #count(key: string): number | undefined {
    const value = this.#meta(key)
    if (value === undefined) return undefined
    if (typeof value !== 'number' || !(value >= 0 && value <= MAX_COUNT))
      throw new DamagedRow(`the number "${key}"`)
    return value
  }

  #removeMeta(key: string): void {
    this.statement('DELETE FROM meta WHERE key = ?').run(key)
  }

  #putMeta(key: string, value: SqliteValue): void {
    this.statement('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value)
  }
}

/** The time in an id has 48 bits, and a journal is shorter. */
const MAX_COUNT = 2 ** 48

/** Every path in a folder is between these: `0` is the character after `/`. */
function insideOf(folder: string): [string, string] {
  return [`${folder}/`, `${folder}0`]
}

function located(row: EntryRow): LocatedEntry {
  return { entry: entryOfRow(row), path: row.path }
}

function valuesOf(key: number | null, entry: Entry, fingerprint: string, path: string): SqliteValue[] {
  return [
    key,
    entry.id,
    timeOfId(entry.id) ?? timeOfDate(entry.date),
    entry.agent,
    entry.category,
    entry.kind,
    entry.status,
    entry.origin,
    entry.date,
    entry.updated ?? null,
    entry.importance,
    entry.confidence ?? null,
    entry.session ?? null,
    packList(entry.tags),
    packList(entry.files),
    entry.extra === undefined ? null : JSON.stringify(entry.extra),
    packAnchoring(entry),
    fingerprint,
    path,
    packContent(entry.content),
  ]
}

/** Ids of other tools have no time: such an entry is ordered by its date. */
function timeOfDate(date: string): number {
  const ms = Date.parse(date.includes('T') ? `${date}Z` : date)
  return Number.isNaN(ms) ? 0 : ms
}
