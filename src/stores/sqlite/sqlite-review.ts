import type { ReviewIndex } from '../../features/review/decide/ports.ts'
import type { Category } from '../../kernel/model/category.ts'
import type { Origin, Status } from '../../kernel/model/entry.ts'
import { checkedRow, storedJson } from '../sql/stored-value.ts'
import type { SqliteIndex } from './sqlite-index.ts'

/** Enough of an entry to recognise it. */
const TEXT_CHARACTERS = 400

interface ReviewRow {
  readonly id: string
  readonly agent: string
  readonly category: string
  readonly kind: string
  readonly status: string
  readonly origin: string
  readonly date: string
  readonly updated: string | null
  readonly path: string
  /** Bytes if the text has a NUL. */
  readonly text: string | Uint8Array
  readonly bytes: number
  readonly fingerprint: string
  readonly count: number | null
  readonly last_ms: number | null
  readonly copies: string
}

export function sqliteReview(indexNow: () => SqliteIndex): ReviewIndex {
  return {
    async entries() {
      const rows = indexNow()
        .statement(
          `SELECT e.id, e.agent, e.category, e.kind, e.status, e.origin, e.date, e.updated, e.path, e.fingerprint,
             substr(e.content, 1, ${TEXT_CHARACTERS}) AS text, length(CAST(e.content AS BLOB)) AS bytes, a.count, a.last_ms,
             (SELECT json_group_array(t.path) FROM twin t WHERE t.id = e.id AND t.path <> e.path) AS copies
           FROM entry e LEFT JOIN access a ON a.id = e.id ORDER BY e.order_ms DESC, e.id DESC`,
        )
        .all() as ReviewRow[]
      return rows.map(checkedRow).map(({ count, last_ms, updated, text, copies, ...row }) => ({
        ...row,
        category: row.category as Category,
        status: row.status as Status,
        origin: row.origin as Origin,
        ...(updated !== null && { updated }),
        text: typeof text === 'string' ? text : new TextDecoder().decode(text),
        ...(copies !== '[]' && { copies: storedJson<string[]>('a list of files', copies) }),
        accessCount: count ?? 0,
        ...(last_ms !== null && { lastAccessMs: last_ms }),
      }))
    },
  }
}
