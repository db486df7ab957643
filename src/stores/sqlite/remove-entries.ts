import type { IndexedText } from '../../kernel/vault/entry-index.ts'
import type { StatementSource } from './driver.ts'
import type { TokenCounts } from './text-rows.ts'
import type { ForgottenVectors } from './vector-queue.ts'

/** From this number and this share on, one pass over each table costs less than a lookup for every row. */
const MANY = 200
const SHARE = 0.1

export function areMany(removed: number, all: number): boolean {
  return removed >= MANY && removed >= SHARE * all
}

/** Removes many entries together, in the transaction of the update. */
export function removeEntries(
  index: StatementSource,
  ids: readonly string[],
  { all, counts, vectors }: { all: number; counts: TokenCounts; vectors: ForgottenVectors },
): void {
  const packedIds = JSON.stringify(ids)
  const rows = index
    .statement('SELECT key FROM entry WHERE id IN (SELECT value FROM json_each(?))')
    .all(packedIds) as { readonly key: number }[]
  const keys = JSON.stringify(rows.map(({ key }) => key))
  const removeFrom = (table: string, column = 'key', values = keys) =>
    index.statement(`DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`).run(values)

  // If most entries go, counting and writing the rest again is less work, and leaves nothing to clean up.
  const staysLittle = rows.length > all / 2
  if (!staysLittle) strikeOut(index, keys, counts)
  removeFrom('analysed')
  if (staysLittle) writeAnew(index, counts)
  vectors.forgetMany(keys)
  for (const table of ['title', 'link', 'about', 'entity_use', 'uncompared']) removeFrom(table)
  removeFrom('conflict', 'older')
  removeFrom('conflict', 'newer')
  removeFrom('entry')
  removeFrom('judged_anchor', 'id', packedIds)
}

export const TEXT_COLUMNS = 'language, body, tags, files, kind, date'
export type TextRows = Iterable<IndexedText>

function strikeOut(index: StatementSource, keys: string, counts: TokenCounts): void {
  const gone = 'FROM analysed WHERE key IN (SELECT value FROM json_each(?))'
  for (const text of index.statement(`SELECT ${TEXT_COLUMNS} ${gone}`).iterate(keys) as TextRows)
    counts.add(text, -1)
  index
    .statement(
      `INSERT INTO fulltext (fulltext, rowid, body, tags, files, kind, date)
       SELECT 'delete', key, body, tags, files, kind, date ${gone}`,
    )
    .run(keys)
}

function writeAnew(index: StatementSource, counts: TokenCounts): void {
  index.statement("INSERT INTO fulltext (fulltext) VALUES ('rebuild')").run()
  index.statement('DELETE FROM term').run()
  index.statement("DELETE FROM meta WHERE key = 'statistics'").run()
  for (const text of index.statement(`SELECT ${TEXT_COLUMNS} FROM analysed`).iterate() as TextRows)
    counts.add(text, 1)
}
