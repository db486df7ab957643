import { partsOfRecord } from '../../features/overview/decide/memory-parts.ts'
import { configProblems, readConfig } from '../../kernel/model/config.ts'
import type { Actor, Entry } from '../../kernel/model/entry.ts'
import { newEntryId } from '../../kernel/model/entry-id.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { EntryChange, JournaledChange, JournalRecord } from '../../kernel/model/journal.ts'
import type { Degradation, Problem } from '../../kernel/model/search.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import { safeActor } from '../../kernel/text/redaction/safe-names.ts'
import { DOCUMENTS } from '../../kernel/vault/documents.ts'
import { indexedEntry } from '../../kernel/vault/indexed-entry.ts'
import { asJournaled, decidedOn, documentsAfter } from '../../kernel/vault/journaled-change.ts'
import type {
  DocumentName,
  JournalQuery,
  JsonObject,
  ListOptions,
  Mutation,
  RestorableEntry,
  Store,
  StoreHealth,
  StoreView,
  VaultCounts,
} from '../../kernel/vault/ports.ts'
import { checkRows, rebuildRows } from './check-rows.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOfRow } from './entry-row.ts'
import { type EntriesWritten, writeEntries, writeJournal } from './entry-writer.ts'
import { readText } from './memory-blobs.ts'
import { SCHEMA_VERSION } from './migrate.ts'
import { announce } from './postgres-changes.ts'
import { countVault } from './postgres-overview.ts'
import { listEntries } from './postgres-search.ts'
import { glanceAt, IdMaker, lockProject, type ProjectRow, saveProject } from './project-row.ts'
import type { SqlConnection } from './sql-pool.ts'
import { inOneGo } from './sql-pool.ts'
import type { Tenant } from './tenant.ts'

/** Records of the journal read in one batch. */
const JOURNAL_PAGE = 100

interface PostgresStoreParts {
  readonly tenant: Tenant
  readonly clock: Clock
  /** Called when a read finds entries that wait for comparison. */
  readonly onBehind?: (() => void) | undefined
}

/**
 * The rows are the truth. A write is one transaction that locks the project's row: lock, decide, journal, entries with everything derived
 * from them, commit.
 */
export class PostgresStore implements Store {
  readonly #tenant: Tenant
  readonly #clock: Clock
  readonly #onBehind: (() => void) | undefined
  #notes: Degradation[] = []
  readonly #documents = new Map<DocumentName, { readonly revision: number; readonly document: JsonObject }>()

  constructor({ tenant, clock, onBehind }: PostgresStoreParts) {
    this.#tenant = tenant
    this.#clock = clock
    this.#onBehind = onBehind
  }

  async refresh(): Promise<void> {
    // A database has no changes from outside.
  }

  reading<T>(work: () => Promise<T>): Promise<T> {
    return this.#tenant.reading(work)
  }

  findEntry(id: string): Promise<Entry | undefined> {
    return findEntry(this.#tenant, id)
  }

  listEntries(options: ListOptions): Promise<{ entries: Entry[]; total: number }> {
    return listEntries(this.#tenant, options)
  }

  counts(): Promise<VaultCounts> {
    return countVault(this.#tenant)
  }

  async write(
    by: Actor,
    decide: (view: StoreView) => Promise<Mutation | null>,
  ): Promise<JournalRecord | null> {
    return this.#locked(async (project, connection) => {
      const ids = new IdMaker(project, this.#clock)
      const mutation = await decide(this.#view(ids))
      if (mutation === null || mutation.changes.length === 0) return null
      const record = this.#recordOf(by, mutation)
      await this.#writeDocuments(record.changes, mutation)
      await this.#writeTexts(mutation)
      const { after, written } = await this.#writeEntries(record, project)
      const asked = inOneGo([
        written,
        writeJournal(this.#tenant, [{ number: after.revision, record }]),
        saveProject(this.#tenant, {
          ...after,
          last_id_ms: ids.lastMs,
          last_dated_ms: ids.lastDatedMs,
        }),
        announce(this.#tenant, partsOfRecord(record)),
      ])
      connection.endsHere?.()
      await asked
      return record
    })
  }

  exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    return this.#locked(async () => work())
  }

  async *readJournal({ limit, entryId }: JournalQuery): AsyncIterable<JournalRecord> {
    let left = limit ?? Number.POSITIVE_INFINITY
    let before = Number.MAX_SAFE_INTEGER
    while (left > 0) {
      const page = Math.min(left, JOURNAL_PAGE)
      const rows = await this.#tenant.query<{ number: number; packed: string }>(
        entryId === undefined
          ? 'SELECT j.number, j.packed FROM journal j WHERE j.project = $1 AND j.number < $2 ORDER BY j.number DESC LIMIT $3'
          : `SELECT j.number, j.packed FROM journal_subject s JOIN journal j ON j.project = $1 AND j.number = s.number
             WHERE s.project = $1 AND s.number < $2 AND s.subject = $4 ORDER BY s.number DESC LIMIT $3`,
        ...(entryId === undefined ? [before, page] : [before, page, entryId]),
      )
      for (const { packed } of rows) yield JSON.parse(packed) as JournalRecord
      if (rows.length < page) return
      left -= rows.length
      before = rows.at(-1)?.number ?? 0
    }
  }

  /** Parsed once for each revision of the project: every search needs both. */
  readDocument(name: DocumentName): Promise<JsonObject> {
    return this.reading(async () => {
      const { revision, is_compared } = await glanceAt(this.#tenant)
      if (!is_compared) this.#onBehind?.()
      const known = this.#documents.get(name)
      if (known?.revision === revision) return known.document
      const document = await readDocument(this.#tenant, name)
      this.#documents.set(name, { revision, document })
      return document
    })
  }

  async recordAccess(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await this.#tenant.transaction(async () => {
      // In one order, so that two calls that fetch the same entries cannot deadlock.
      await this.#tenant.query(
        `INSERT INTO access AS a (project, id, count, last_ms)
         SELECT $1, r.id, r.n, $3 FROM (SELECT u.id, count(*)::int AS n FROM unnest($2::text[]) AS u(id) GROUP BY u.id ORDER BY u.id) r
         ON CONFLICT (project, id) DO UPDATE SET count = a.count + excluded.count, last_ms = excluded.last_ms, unused = 0`,
        ids,
        this.#clock.nowMs(),
      )
      await this.#tenant.query(
        'UPDATE project p SET accesses_since_upkeep = p.accesses_since_upkeep + $2 WHERE p.project = $1',
        ids.length,
      )
    })
  }

  async health(): Promise<StoreHealth> {
    const [last] = await this.#tenant.query<{ packed: string }>(
      'SELECT j.packed FROM journal j WHERE j.project = $1 ORDER BY j.number DESC LIMIT 1',
    )
    const size = await this.#tenant.one<{ entries: number; journal: number }>(
      `SELECT (SELECT coalesce(sum(octet_length(e.content)), 0)::bigint FROM entry e WHERE e.project = $1) AS entries,
              (SELECT coalesce(sum(octet_length(j.packed)), 0)::bigint FROM journal j WHERE j.project = $1) AS journal`,
    )
    const record = last && (JSON.parse(last.packed) as JournalRecord)
    return {
      readOnly: await this.readOnly(),
      degraded: this.takeDegraded(),
      problems: configProblems(await this.readDocument('config.json')),
      index: { mode: 'postgres', bytes: size?.entries ?? 0, version: SCHEMA_VERSION },
      journal: {
        bytes: size?.journal ?? 0,
        last: record && { id: record.id, at: record.at, action: record.action },
      },
    }
  }

  async readOnly(): Promise<StoreHealth['readOnly']> {
    return undefined
  }

  takeDegraded(): readonly Degradation[] {
    const taken = this.#notes
    this.#notes = []
    return taken
  }

  check(): Promise<Problem[]> {
    return checkRows(this.#tenant)
  }

  rebuildIndex(): Promise<{ entries: number }> {
    return this.#locked(() => rebuildRows(this.#tenant))
  }

  /** Only an explicit request rebuilds the index of a database. */
  takeIndexRebuilt(): boolean {
    return false
  }

  async compactIndex(): Promise<void> {
    // The server's own vacuum does that.
  }

  /** There are no files to roll over. */
  async rollOver(): Promise<number> {
    return 0
  }

  async close(): Promise<void> {
    // The caller that opened the pool closes it.
  }

  async #locked<T>(work: (project: ProjectRow, connection: SqlConnection) => Promise<T>): Promise<T> {
    return this.#tenant.transaction(async connection => {
      // The timeout may be slightly out of date: reading it first would cost a round trip for every write.
      const known = this.#documents.get('config.json')?.document
      const config = readConfig(known ?? (await this.readDocument('config.json')))
      const [, project] = await inOneGo([
        connection.run(`SET LOCAL lock_timeout = ${config['lock.timeoutMs']}`),
        lockProject(this.#tenant),
      ])
      return work(project, connection)
    })
  }

  #view(ids: IdMaker): StoreView {
    const tenant = this.#tenant
    return {
      findEntry: id => findEntry(tenant, id),
      findDuplicate: async (fingerprint, agents) => {
        const row = await tenant.one<EntryRow>(
          `SELECT ${ENTRY_COLUMNS} FROM entry e
           WHERE e.project = $1 AND e.fingerprint = $2 AND e.agent = ANY ($3::text[]) ORDER BY array_position($3::text[], e.agent), e.key LIMIT 1`,
          fingerprint,
          agents,
        )
        return row && entryOfRow(row)
      },
      newId: dateMs => ids.make(dateMs),
      readDocument: name => readDocument(tenant, name),
      readFile: path => readText(tenant, path),
      findRestorable: async wanted => {
        const rows = await tenant.query<
          EntryRow & { fingerprint: string; count: number | null; last_ms: number | null }
        >(
          `SELECT ${ENTRY_COLUMNS}, e.fingerprint, a.count, a.last_ms FROM entry e
             LEFT JOIN access a ON a.project = $1 AND a.id = e.id WHERE e.project = $1 AND e.id = ANY ($2::text[])`,
          wanted,
        )
        return new Map(
          rows.map((row): [string, RestorableEntry] => [
            row.id,
            {
              entry: entryOfRow(row),
              fingerprint: row.fingerprint,
              accessCount: row.count ?? 0,
              ...(row.last_ms !== null && { lastAccessMs: row.last_ms }),
            },
          ]),
        )
      },
    }
  }

  #recordOf(by: Actor, mutation: Mutation): JournalRecord {
    const nowMs = this.#clock.nowMs()
    return {
      id: newEntryId({ nowMs, lastMs: 0, random: bound => this.#clock.random(bound) }),
      at: new Date(nowMs).toISOString(),
      action: mutation.action,
      by: safeActor(by),
      changes: mutation.changes.map(change => asJournaled(change, textHash)),
      ...(mutation.undoes !== undefined && { undoes: mutation.undoes }),
      ...(mutation.batch !== undefined && { batch: mutation.batch }),
    }
  }

  async #writeDocuments(changes: readonly JournaledChange[], mutation: Mutation): Promise<void> {
    const { documents, refused } = documentsAfter(changes, name => decidedOn(mutation, name))
    if (refused > 0) throw new Error('two changes of one mutation touch the same place of a document')
    for (const [name, document] of documents)
      await this.#tenant.query(
        `INSERT INTO document (project, name, body) VALUES ($1, $2, $3)
         ON CONFLICT (project, name) DO UPDATE SET body = excluded.body`,
        name,
        JSON.stringify(document),
      )
  }

  async #writeTexts({ changes }: Mutation): Promise<void> {
    for (const change of changes) {
      if (change.type !== 'file' || change.before === change.after) continue
      if (((await readText(this.#tenant, change.path)) ?? null) !== change.before)
        throw new CairnError({
          code: 'file_changed',
          message: `${change.path} was changed by another process; nothing was written.`,
          hint: 'Check the file, then try again.',
        })
      if (change.after === null)
        await this.#tenant.query('DELETE FROM text_file f WHERE f.project = $1 AND f.path = $2', change.path)
      else
        await this.#tenant.query(
          `INSERT INTO text_file (project, path, body) VALUES ($1, $2, $3)
           ON CONFLICT (project, path) DO UPDATE SET body = excluded.body`,
          change.path,
          change.after,
        )
    }
  }

  async #writeEntries(record: JournalRecord, project: ProjectRow): Promise<EntriesWritten> {
    const changes = netChanges(record.changes.filter(change => change.type === 'entry'))
    if (changes.length === 0)
      return { after: { ...project, revision: project.revision + 1 }, written: Promise.resolve() }
    return writeEntries(this.#tenant, project, {
      upserts: changes.flatMap(({ after }) => (after === null ? [] : [indexedEntry(after, '')])),
      removes: changes.flatMap(({ before, after }) => (after === null && before !== null ? [before.id] : [])),
      fresh: new Set(
        changes.flatMap(({ before, after }) => (before === null && after !== null ? [after.id] : [])),
      ),
      nowMs: this.#clock.nowMs(),
    })
  }
}

/** One change for each entry, from before the first to after the last. Moves between files do not exist in a database. */
function netChanges(changes: readonly EntryChange[]): EntryChange[] {
  const netById = new Map<string, EntryChange>()
  for (const change of changes) {
    const id = (change.after ?? change.before)?.id
    if (id === undefined || (change.after !== null && change.from !== undefined)) continue
    const { before } = netById.get(id) ?? change
    netById.set(id, { ...change, before })
  }
  return [...netById.values()]
}

async function findEntry(tenant: Tenant, id: string): Promise<Entry | undefined> {
  const row = await tenant.one<EntryRow>(
    `SELECT ${ENTRY_COLUMNS} FROM entry e WHERE e.project = $1 AND e.id = $2`,
    id,
  )
  return row && entryOfRow(row)
}

async function readDocument(tenant: Tenant, name: DocumentName): Promise<JsonObject> {
  const row = await tenant.one<{ body: string }>(
    'SELECT d.body FROM document d WHERE d.project = $1 AND d.name = $2',
    name,
  )
  return row === undefined ? DOCUMENTS[name].empty : (JSON.parse(row.body) as JsonObject)
}
