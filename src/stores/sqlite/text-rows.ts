import type { IndexedText } from '../../kernel/vault/entry-index.ts'
import type { SqliteStatement } from './driver.ts'
import type { Shelf } from './shelf.ts'
import { countTokens, type TokenCounts } from './token-counts.ts'

interface StatementSource {
  statement(sql: string): SqliteStatement
}

/** The words of one entry or document, as they are looked up and counted. */
export function putText(
  index: StatementSource,
  shelf: Shelf,
  { key, text, counts }: { readonly key: number; readonly text: IndexedText; readonly counts: TokenCounts },
): void {
  const fields = [text.body, text.tags, text.files, text.kind, text.date]
  index
    .statement(
      `INSERT INTO ${shelf}analysed (key, language, body, tags, files, kind, date, lengths) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(key, text.language, ...fields, fields.map(countTokens).join(' '))
  index
    .statement(
      `INSERT INTO ${shelf}fulltext (rowid, body, tags, files, kind, date) VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run(key, ...fields)
  counts.add(text, 1)
}

/** False: there were none. */
export function takeOutText(index: StatementSource, shelf: Shelf, key: number, counts: TokenCounts): boolean {
  const text = index
    .statement(`SELECT language, body, tags, files, kind, date FROM ${shelf}analysed WHERE key = ?`)
    .get(key) as IndexedText | undefined
  if (text === undefined) return false
  index
    .statement(
      `INSERT INTO ${shelf}fulltext (${shelf}fulltext, rowid, body, tags, files, kind, date) VALUES ('delete', ?, ?, ?, ?, ?, ?)`,
    )
    .run(key, text.body, text.tags, text.files, text.kind, text.date)
  index.statement(`DELETE FROM ${shelf}analysed WHERE key = ?`).run(key)
  counts.add(text, -1)
  return true
}
