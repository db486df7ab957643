import { unpackVector } from '../../features/search/decide/vectors.ts'
import { indexedEntry } from '../../kernel/vault/indexed-entry.ts'
import { LOOKED_UP } from './check-rows.ts'
import { putConnections } from './connection-rows.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOfRow } from './entry-row.ts'
import type { Tenant } from './tenant.ts'
import { TextChanges } from './text-rows.ts'
import { added, hasNear, putTotals, readTotals } from './vector-rows.ts'

/** Entries that are analysed, or vectors that are summed up, at once. */
const PAGE = 1_000

const FROM_TEXT = ['analysed', 'posting', 'term', 'title', 'link', 'about', 'entity_use', 'conflict'] as const

/**
 * Under the lock of the project: makes anew what follows from the entries, and takes away what is of none. The entries and their revisions stay
 * as they are, so that nobody who syncs is told of a change. Vectors of entries are kept; every comparison waits again.
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

/** A vector that is kept in one of its two places only is made again. */
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
  // The sum of the vectors as they came is more exact than of what is kept of them.
  if (kept.count !== count) await putTotals(tenant, { ...kept, count, sum })
}
