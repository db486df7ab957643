import type { JournaledChange, JournalRecord } from '../../kernel/model/journal.ts'
import { ANALYSED_CHARACTERS } from '../../kernel/text/analyse.ts'
import { findLinks, linkTitleOf } from '../../kernel/text/links.ts'
import type { IndexedEntry, IndexedText } from '../../kernel/vault/entry-index.ts'
import { packList } from '../sql/entry-fields.ts'
import {
  isTiedAsBefore,
  type KeyedConnections,
  type KnownTies,
  putConnections,
  removeConnections,
} from './connection-rows.ts'
import { contentOfRow, ENTRY_COLUMNS, type EntryRow, rowOfEntry } from './entry-row.ts'
import type { ProjectRow } from './project-row.ts'
import { inOneGo } from './sql-pool.ts'
import type { Tenant } from './tenant.ts'
import { TextChanges } from './text-rows.ts'
import { forgetVectors } from './vector-rows.ts'

interface NumberedRecord {
  /** The revision numbers the records: each write has its own. */
  readonly number: number
  readonly record: JournalRecord
}

export async function writeJournal(tenant: Tenant, records: readonly NumberedRecord[]): Promise<void> {
  const subjects = records.flatMap(({ number, record }) =>
    [...new Set(record.changes.map(subjectOf))].map(subject => ({ subject, number })),
  )
  await inOneGo([
    tenant.query(
      `INSERT INTO journal (project, number, id, packed)
       SELECT $1, r.* FROM unnest($2::bigint[], $3::text[], $4::text[]) AS r(number, id, packed)
       RETURNING number`,
      records.map(({ number }) => number),
      records.map(({ record }) => record.id),
      records.map(({ record }) => JSON.stringify(record)),
    ),
    tenant.query(
      `INSERT INTO journal_subject (project, subject, number)
       SELECT $1, r.* FROM unnest($2::text[], $3::bigint[]) AS r(subject, number)
       ON CONFLICT DO NOTHING`,
      subjects.map(({ subject }) => subject),
      subjects.map(({ number }) => number),
    ),
  ])
}

function subjectOf(change: JournaledChange): string {
  if (change.type === 'document') return change.name
  if (change.type === 'file') return change.path
  return (change.after ?? change.before)?.id ?? ''
}

type KnownRow = EntryRow & { readonly fingerprint: string } & Omit<
    IndexedText,
    'tags' | 'files' | 'kind' | 'date'
  > & {
    readonly tag_tokens: string
    readonly file_tokens: string
    readonly kind_tokens: string
    readonly date_tokens: string
    readonly about: string | null
  }

interface EntryUpdate {
  readonly upserts: readonly IndexedEntry[]
  readonly removes: readonly string[]
  /** Upserts known to be new to the project: they need no lookup. */
  readonly fresh?: ReadonlySet<string>
  /** The last use of a new entry is its arrival here, however old its date is. */
  readonly nowMs: number
}

export interface EntriesWritten {
  /** The row to save with this write. */
  readonly after: ProjectRow
  /** Sent without waiting: later statements follow it on the same connection. */
  readonly written: Promise<unknown>
}

const RECORD = `r(key int, id text, order_ms bigint, agent text, category text, kind text, status text, origin text, date text, updated text,
  importance double precision, confidence double precision, session text, tags text, files text, extra text, anchors text, fingerprint text,
  content text, raw text)`

/** Under the lock of the project: writes entries with everything derived from them. Returns the new row of the project. */
export async function writeEntries(
  tenant: Tenant,
  project: ProjectRow,
  { upserts, removes, fresh, nowMs }: EntryUpdate,
): Promise<EntriesWritten> {
  const asked = [...upserts.map(({ entry }) => entry.id), ...removes].filter(id => fresh?.has(id) !== true)
  const known = asked.length === 0 ? new Map<string, KnownRow>() : await knownRows(tenant, asked)
  const revision = project.revision + 1
  let nextKey = project.next_key
  const keyed = upserts.map(upsert => ({ ...upsert, key: known.get(upsert.entry.id)?.key ?? nextKey++ }))
  const texts = new TextChanges()
  for (const row of known.values()) texts.remove({ key: row.key, text: textOf(row) })
  for (const { key, text } of keyed) texts.add({ key, text })
  const ties = tieChanges([...known.values()], keyed)

  const unembedded = keyed.filter(upsert => !isEmbeddedAs(known.get(upsert.entry.id), upsert))
  const keepsVector = new Set(keyed.map(({ key }) => key))
  for (const { key } of unembedded) keepsVector.delete(key)
  const forgotten = Array.from(known.values(), ({ key }) => key).filter(key => !keepsVector.has(key))
  if (forgotten.length > 0) await forgetVectors(tenant, forgotten)
  // None of these depends on another's result: they are sent without waiting and run in this order.
  const written = inOneGo([
    ...(ties.gone.length > 0 ? [removeConnections(tenant, ties.gone)] : []),
    ...removeRows(
      tenant,
      removes.flatMap(id => known.get(id) ?? []),
      revision,
    ),
    ...putRows(tenant, keyed, { revision, nowMs, known }),
    ...(unembedded.length > 0 ? [awaitVectors(tenant, unembedded)] : []),
    ...(ties.come.length > 0 ? [putConnections(tenant, ties.come)] : []),
    texts.write(tenant),
  ])
  const statistics = texts.statisticsAfter(project.statistics)
  return { after: { ...project, revision, next_key: nextKey, statistics }, written }
}

function putRows(
  tenant: Tenant,
  keyed: readonly (IndexedEntry & { readonly key: number })[],
  given: {
    readonly revision: number
    readonly nowMs: number
    readonly known: ReadonlyMap<string, KnownRow>
  },
): Promise<unknown>[] {
  if (keyed.length === 0) return []
  const newIds = keyed.map(({ entry }) => entry.id).filter(id => !given.known.has(id))
  return [
    tenant.query(
      `INSERT INTO entry AS e (project, key, id, order_ms, agent, category, kind, status, origin, date, updated, importance, confidence,
         session, tags, files, extra, anchors, fingerprint, content, raw, revision)
       SELECT $1, r.key, r.id, r.order_ms, r.agent, r.category, r.kind, r.status, r.origin, r.date, r.updated, r.importance, r.confidence,
         r.session, r.tags, r.files, r.extra, r.anchors, r.fingerprint, r.content, decode(r.raw, 'hex'), $3
       FROM json_to_recordset($2::json) AS ${RECORD}
       ON CONFLICT (project, key) DO UPDATE SET agent = excluded.agent, category = excluded.category, kind = excluded.kind,
         status = excluded.status, origin = excluded.origin, date = excluded.date, updated = excluded.updated,
         importance = excluded.importance, confidence = excluded.confidence, session = excluded.session, tags = excluded.tags,
         files = excluded.files, extra = excluded.extra, anchors = excluded.anchors, fingerprint = excluded.fingerprint,
         content = excluded.content, raw = excluded.raw, revision = excluded.revision`,
      JSON.stringify(keyed.map(({ key, entry, fingerprint }) => rowOfEntry(key, entry, fingerprint))),
      given.revision,
    ),
    ...(newIds.length === 0
      ? []
      : [
          tenant.query('DELETE FROM removed r WHERE r.project = $1 AND r.id = ANY ($2::text[])', newIds),
          tenant.query(
            `INSERT INTO access (project, id, count, last_ms) SELECT $1, r.id, 0, $3 FROM unnest($2::text[]) AS r(id)
             ON CONFLICT (project, id) DO NOTHING`,
            newIds,
            given.nowMs,
          ),
        ]),
    ...awaitComparison(
      tenant,
      keyed.filter(upsert => !saysTheSame(given.known.get(upsert.entry.id), upsert)).map(({ key }) => key),
    ),
  ]
}

function awaitVectors(tenant: Tenant, keyed: readonly { readonly key: number }[]): Promise<unknown> {
  return tenant.query(
    'INSERT INTO unembedded (project, key) SELECT $1, r.key FROM unnest($2::int[]) AS r(key) ON CONFLICT DO NOTHING',
    keyed.map(({ key }) => key),
  )
}

async function knownRows(tenant: Tenant, ids: readonly string[]): Promise<Map<string, KnownRow>> {
  const rows = await tenant.query<KnownRow>(
    `SELECT ${ENTRY_COLUMNS}, e.fingerprint, a.language, a.body, a.tags AS tag_tokens, a.files AS file_tokens, a.kind AS kind_tokens,
       a.date AS date_tokens, b.packed AS about
     FROM entry e JOIN analysed a ON a.project = $1 AND a.key = e.key LEFT JOIN about b ON b.project = $1 AND b.key = e.key
     WHERE e.project = $1 AND e.id = ANY ($2::text[])`,
    ids,
  )
  return new Map(rows.map(row => [row.id, row]))
}

function textOf(row: KnownRow): IndexedText {
  return {
    language: row.language,
    body: row.body,
    tags: row.tag_tokens,
    files: row.file_tokens,
    kind: row.kind_tokens,
    date: row.date_tokens,
  }
}

/** Most edits change no connection of an entry, and then none is written. */
function tieChanges(
  rows: readonly KnownRow[],
  keyed: readonly KeyedConnections[],
): { readonly gone: KnownTies[]; readonly come: KeyedConnections[] } {
  const comeByKey = new Map(keyed.map(each => [each.key, each]))
  const gone: KnownTies[] = []
  for (const row of rows) {
    const known = tiesOf(row)
    const come = comeByKey.get(row.key)
    if (come !== undefined && isTiedAsBefore(known, come.connections)) comeByKey.delete(row.key)
    else gone.push(known)
  }
  return { gone, come: [...comeByKey.values()] }
}

function tiesOf(row: KnownRow): KnownTies {
  const content = contentOfRow(row).slice(0, ANALYSED_CHARACTERS)
  return { key: row.key, title: linkTitleOf(content), links: findLinks(content), about: row.about }
}

function removeRows(tenant: Tenant, rows: readonly KnownRow[], revision: number): Promise<unknown>[] {
  if (rows.length === 0) return []
  const keys = rows.map(({ key }) => key)
  return [
    ...awaitComparison(tenant, keys),
    tenant.query('DELETE FROM uncompared u WHERE u.project = $1 AND u.key = ANY ($2::int[])', keys),
    tenant.query('DELETE FROM unembedded u WHERE u.project = $1 AND u.key = ANY ($2::int[])', keys),
    tenant.query('DELETE FROM entry e WHERE e.project = $1 AND e.key = ANY ($2::int[])', keys),
    tenant.query(
      `INSERT INTO removed (project, id, revision) SELECT $1, r.id, $3 FROM unnest($2::text[]) AS r(id)
       ON CONFLICT (project, id) DO UPDATE SET revision = excluded.revision`,
      rows.map(({ id }) => id),
      revision,
    ),
  ]
}

/** An entry with new content is compared with its neighbours again, and its conflict pairs are no longer valid. */
function awaitComparison(tenant: Tenant, keys: readonly number[]): Promise<unknown>[] {
  if (keys.length === 0) return []
  return [
    tenant.query(
      'DELETE FROM conflict c WHERE c.project = $1 AND (c.older = ANY ($2::int[]) OR c.newer = ANY ($2::int[]))',
      keys,
    ),
    tenant.query(
      'INSERT INTO uncompared (project, key) SELECT $1, r.key FROM unnest($2::int[]) AS r(key) ON CONFLICT DO NOTHING',
      keys,
    ),
  ]
}

/** A vector is made from these three fields: pinning or confirming an entry does not change it. */
function isEmbeddedAs(before: KnownRow | undefined, { entry, fingerprint }: IndexedEntry): boolean {
  return (
    before !== undefined &&
    before.fingerprint === fingerprint &&
    before.tags === packList(entry.tags) &&
    before.files === packList(entry.files)
  )
}

/** The status counts: a candidate may not retire an entry, a confirmed entry may. */
function saysTheSame(before: KnownRow | undefined, { entry, fingerprint }: IndexedEntry): boolean {
  return (
    before !== undefined &&
    before.fingerprint === fingerprint &&
    before.agent === entry.agent &&
    before.kind === entry.kind &&
    before.status === entry.status &&
    before.date === entry.date &&
    before.tags === packList(entry.tags) &&
    before.files === packList(entry.files)
  )
}
