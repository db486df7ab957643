import { tokenHash } from '../../features/search/decide/first-cut.ts'
import { FIELDS } from '../../features/search/decide/rank.ts'
import { unpackVector } from '../../features/search/decide/vectors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { indexedEntry } from '../../kernel/vault/indexed-entry.ts'
import { putConnections } from './connection-rows.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOfRow } from './entry-row.ts'
import { parseStatistics } from './project-row.ts'
import type { Tenant } from './tenant.ts'
import { TextChanges } from './text-rows.ts'
import { added, hasNear, putTotals, readTotals } from './vector-rows.ts'

/** Newest entries whose tokens are recounted. In a larger project only these are checked. */
const MAX_COUNTED = 20_000
/** Tokens whose postings are counted. */
const MAX_TOKENS = 100_000
/** Maximum of faulty rows counted of one kind. */
const MAX_FAULTS = 1_000

/** Tables derived from entries, and the columns with their keys. */
export const LOOKED_UP: readonly (readonly [table: string, ...columns: string[]])[] = [
  ['analysed', 'key'],
  ['title', 'key'],
  ['link', 'key'],
  ['about', 'key'],
  ['entity_use', 'key'],
  ['meaning', 'key'],
  ['unembedded', 'key'],
  ['uncompared', 'key'],
  ['conflict', 'older', 'newer'],
]

/** Compares the derived tables with the entries, and the journal with its numbers. Changes nothing and takes no lock. */
export async function checkRows(tenant: Tenant): Promise<Problem[]> {
  return tenant.transaction(async connection => {
    // One snapshot: another client may write between two statements.
    await connection.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
    return [
      ...(await orphans(tenant)),
      ...(await entriesWithout(tenant)),
      ...(await wrongStatistics(tenant)),
      ...(await wrongFrequencies(tenant)),
      ...(await wrongPostings(tenant)),
      ...(await wrongTotals(tenant)),
      ...(await journalHoles(tenant)),
    ]
  })
}

async function orphans(tenant: Tenant): Promise<Problem[]> {
  const found: Problem[] = []
  for (const [table, ...columns] of LOOKED_UP)
    for (const column of columns) {
      const n = await count(
        tenant,
        `SELECT 1 FROM ${table} t WHERE t.project = $1
           AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.project = $1 AND e.key = t.${column})`,
      )
      if (n > 0) found.push(disagreement(table, `${amount(n)} of entries that do not exist`))
    }
  return found
}

async function entriesWithout(tenant: Tenant): Promise<Problem[]> {
  const words = await count(
    tenant,
    `SELECT 1 FROM entry e WHERE e.project = $1 AND NOT EXISTS (SELECT 1 FROM analysed a WHERE a.project = $1 AND a.key = e.key)`,
  )
  const meaning = await count(
    tenant,
    `SELECT 1 FROM entry e WHERE e.project = $1 AND NOT EXISTS (SELECT 1 FROM meaning v WHERE v.project = $1 AND v.key = e.key)
       AND NOT EXISTS (SELECT 1 FROM unembedded u WHERE u.project = $1 AND u.key = e.key)`,
  )
  return [
    ...(words > 0 ? [disagreement('analysed', `${amount(words)} are missing: search cannot find them`)] : []),
    ...(meaning > 0
      ? [disagreement('meaning', `${amount(meaning)} have no vector and are not queued for one`)]
      : []),
  ]
}

async function wrongStatistics(tenant: Tenant): Promise<Problem[]> {
  const row = await tenant.one<{ statistics: string }>(
    'SELECT p.statistics FROM project p WHERE p.project = $1',
  )
  const kept = parseStatistics(row?.statistics ?? '{}')
  const sums = FIELDS.map(
    (field, at) => `coalesce(sum(split_part(a.lengths, ' ', ${at + 1})::int), 0)::bigint AS "${field}"`,
  )
  const counted = await tenant.one<Record<string, number>>(
    `SELECT count(*)::int AS n, ${sums.join(', ')} FROM analysed a WHERE a.project = $1`,
  )
  const byLanguage = await tenant.query<{ language: string; n: number }>(
    'SELECT a.language, count(*)::int AS n FROM analysed a WHERE a.project = $1 GROUP BY a.language',
  )
  const languages = new Set([
    ...byLanguage.map(({ language }) => language),
    ...Object.keys(kept.documentsByLanguage),
  ])
  const numberByLanguage: Readonly<Record<string, number>> = kept.documentsByLanguage
  const isEqual =
    kept.documentCount === counted?.n &&
    FIELDS.every(field => kept.totalLength[field] === Number(counted?.[field])) &&
    [...languages].every(
      language =>
        (numberByLanguage[language] ?? 0) === (byLanguage.find(row => row.language === language)?.n ?? 0),
    )
  return isEqual
    ? []
    : [
        disagreement(
          'statistics',
          `${kept.documentCount} entries are counted, ${counted?.n ?? 0} have tokens`,
        ),
      ]
}

/** Compares the document frequency of each token with the tokens of the entries. */
async function wrongFrequencies(tenant: Tenant): Promise<Problem[]> {
  const row = await tenant.one<{ n: number }>(
    `WITH looked AS MATERIALIZED (SELECT a.key, concat_ws(' ', ${FIELDS.map(field => `a.${field}`).join(', ')}) AS text
       FROM analysed a WHERE a.project = $1 ORDER BY a.key DESC LIMIT $2),
     counted AS MATERIALIZED (SELECT w.token COLLATE "C" AS token, count(DISTINCT l.key)::int AS df
       FROM looked l CROSS JOIN LATERAL unnest(string_to_array(l.text, ' ')) AS w(token) WHERE w.token <> '' GROUP BY 1),
     size AS (SELECT count(*) < $2 AS is_whole FROM looked),
     wrong AS (
       SELECT 1 FROM counted c CROSS JOIN size s LEFT JOIN term t ON t.project = $1 AND t.token = c.token
         WHERE coalesce(t.df, 0) < c.df OR (s.is_whole AND t.df > c.df)
       UNION ALL
       SELECT 1 FROM term t CROSS JOIN size s WHERE t.project = $1 AND s.is_whole AND NOT EXISTS (SELECT 1 FROM counted c WHERE c.token = t.token))
     SELECT count(*)::int AS n FROM (SELECT 1 FROM wrong LIMIT ${MAX_FAULTS}) f`,
    MAX_COUNTED,
  )
  return row === undefined || row.n === 0 ? [] : [disagreement('term', `${amount(row.n)} have a wrong count`)]
}

/** A token has as many postings as entries; tokens with the same hash share their postings. */
async function wrongPostings(tenant: Tenant): Promise<Problem[]> {
  const terms = await tenant.query<{ token: string; df: number }>(
    'SELECT t.token, t.df FROM term t WHERE t.project = $1 ORDER BY t.token LIMIT $2',
    MAX_TOKENS,
  )
  const boundsByHash = new Map<number, { least: number; most: number }>()
  for (const { token, df } of terms) {
    const hash = tokenHash(token)
    const known = boundsByHash.get(hash)
    boundsByHash.set(hash, { least: Math.max(known?.least ?? 0, df), most: (known?.most ?? 0) + df })
  }
  const isWhole = terms.length < MAX_TOKENS
  const bounds = [...boundsByHash.values()]
  const n = await count(
    tenant,
    `SELECT 1 FROM unnest($2::int[], $3::int[], $4::int[]) AS r(hash, least, most) CROSS JOIN LATERAL (
       SELECT coalesce(sum(cardinality(p.packed)), 0) AS n FROM posting p WHERE p.project = $1 AND p.token = r.hash) f
     WHERE f.n < r.least OR f.n > r.most`,
    [...boundsByHash.keys()],
    bounds.map(({ least }) => least),
    // A token that was not read may have the same hash.
    bounds.map(({ most }) => (isWhole ? most : 2 ** 31 - 1)),
  )
  const stray = isWhole
    ? await count(tenant, 'SELECT 1 FROM posting p WHERE p.project = $1 AND p.token <> ALL ($2::int[])', [
        ...boundsByHash.keys(),
      ])
    : 0
  return n + stray === 0
    ? []
    : [disagreement('posting', `${amount(n + stray)} do not contain the entries of their token`)]
}

async function wrongTotals(tenant: Tenant): Promise<Problem[]> {
  const row = await tenant.one<{ n: number }>('SELECT count(*)::int AS n FROM meaning v WHERE v.project = $1')
  const strayNear = (await hasNear(tenant))
    ? await count(
        tenant,
        `SELECT 1 FROM (SELECT n.key FROM meaning_near n WHERE n.project = $1) n
           FULL JOIN (SELECT v.key FROM meaning v WHERE v.project = $1) v ON v.key = n.key WHERE n.key IS NULL OR v.key IS NULL`,
      )
    : 0
  if (strayNear > 0)
    return [disagreement('meaning', `${amount(strayNear)} vectors are stored in only one of two tables`)]
  const kept = await readTotals(tenant)
  return kept.count === (row?.n ?? 0)
    ? []
    : [disagreement('meaning_totals', `${kept.count} vectors are counted, ${row?.n ?? 0} exist`)]
}

async function journalHoles(tenant: Tenant): Promise<Problem[]> {
  const row = await tenant.one<{ revision: number; n: number; first: number | null; last: number | null }>(
    `SELECT p.revision, j.n, j.first, j.last FROM project p CROSS JOIN
       (SELECT count(*)::int AS n, min(j.number) AS first, max(j.number) AS last FROM journal j WHERE j.project = $1) j WHERE p.project = $1`,
  )
  if (row === undefined || (row.revision === 0 && row.n === 0)) return []
  if (row.last === row.revision && row.n === row.revision - (row.first ?? 0) + 1) return []
  return [
    {
      code: 'journal_line_damaged',
      path: 'journal',
      message: `The journal has ${row.n} records for ${row.revision} writes: some are lost.`,
      hint: 'Lost records cannot be rebuilt from entries. `cairn restore` restores a backup that has them.',
    },
  ]
}

async function count(tenant: Tenant, sql: string, ...values: readonly unknown[]): Promise<number> {
  const row = await tenant.one<{ n: number }>(
    `SELECT count(*)::int AS n FROM (${sql} LIMIT ${MAX_FAULTS}) f`,
    ...values,
  )
  return row?.n ?? 0
}

function amount(n: number): string {
  return n >= MAX_FAULTS ? `${MAX_FAULTS} or more` : String(n)
}

function disagreement(path: string, what: string): Problem {
  return {
    code: 'index_disagrees',
    path,
    message: `The index does not match the entries (${path}: ${what}).`,
    hint: 'Run `cairn doctor --fix` to rebuild the index.',
  }
}

/** Entries analysed, or vectors summed, in one batch. */
const PAGE = 1_000

const FROM_TEXT = ['analysed', 'posting', 'term', 'title', 'link', 'about', 'entity_use', 'conflict'] as const

/**
 * Under the lock of the project: rebuilds the derived rows and deletes those without an entry. Entries and their revisions do not change,
 * so that no synced clone receives a change. Vectors are preserved; all comparisons are queued again.
 */
export async function rebuildRows(tenant: Tenant): Promise<{ entries: number }> {
  for (const table of FROM_TEXT) await tenant.query(`DELETE FROM ${table} t WHERE t.project = $1`)
  for (const [table, ...columns] of LOOKED_UP)
    for (const column of columns)
      await tenant.query(
        `DELETE FROM ${table} t WHERE t.project = $1 AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.project = $1 AND e.key = t.${column})`,
      )
  if (await hasNear(tenant)) await levelNear(tenant)
  let entries = 0
  let statistics = '{}'
  for (let last = 0; ; ) {
    const rows = await tenant.query<EntryRow>(
      `SELECT ${ENTRY_COLUMNS} FROM entry e WHERE e.project = $1 AND e.key > $2 ORDER BY e.key LIMIT ${PAGE}`,
      last,
    )
    const texts = new TextChanges()
    const keyed = rows.map(row => ({ ...indexedEntry(entryOfRow(row), ''), key: row.key }))
    for (const { key, text } of keyed) texts.add({ key, text })
    if (keyed.length > 0) await putConnections(tenant, keyed)
    await texts.write(tenant)
    statistics = texts.statisticsAfter(statistics)
    entries += rows.length
    if (rows.length < PAGE) break
    last = rows.at(-1)?.key ?? last
  }
  await tenant.query('UPDATE project p SET statistics = $2 WHERE p.project = $1', statistics)
  await tenant.query(
    'INSERT INTO uncompared (project, key) SELECT $1, e.key FROM entry e WHERE e.project = $1 ON CONFLICT DO NOTHING',
  )
  await tenant.query(
    `INSERT INTO unembedded (project, key) SELECT $1, e.key FROM entry e
     WHERE e.project = $1 AND NOT EXISTS (SELECT 1 FROM meaning v WHERE v.project = $1 AND v.key = e.key) ON CONFLICT DO NOTHING`,
  )
  await sumVectors(tenant)
  return { entries }
}

/** Restores a vector that is stored in only one of its two tables. */
async function levelNear(tenant: Tenant): Promise<void> {
  await tenant.query(
    'DELETE FROM meaning v WHERE v.project = $1 AND NOT EXISTS (SELECT 1 FROM meaning_near n WHERE n.project = $1 AND n.key = v.key)',
  )
  await tenant.query(
    'DELETE FROM meaning_near n WHERE n.project = $1 AND NOT EXISTS (SELECT 1 FROM meaning v WHERE v.project = $1 AND v.key = n.key)',
  )
}

async function sumVectors(tenant: Tenant): Promise<void> {
  let sum = new Float32Array(0)
  let count = 0
  for (let last = 0; ; ) {
    const rows = await tenant.query<{ key: number; code: Uint8Array }>(
      `SELECT v.key, v.code FROM meaning v WHERE v.project = $1 AND v.key > $2 ORDER BY v.key LIMIT ${PAGE}`,
      last,
    )
    for (const { code } of rows) sum = Float32Array.from(added(sum, unpackVector(Uint8Array.from(code)), 1))
    count += rows.length
    if (rows.length < PAGE) break
    last = rows.at(-1)?.key ?? last
  }
  const kept = await readTotals(tenant)
  // The sum of the original vectors is more exact than the sum of the stored ones.
  if (kept.count !== count) await putTotals(tenant, { ...kept, count, sum })
}
