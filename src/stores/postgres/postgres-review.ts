import type { ReviewIndex } from '../../features/review/decide/ports.ts'
import type { Category } from '../../kernel/model/category.ts'
import type { Origin, Status } from '../../kernel/model/entry.ts'
import type { Tenant } from './tenant.ts'

/** Enough text to recognise an entry. */
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
  readonly text: string
  readonly bytes: number
  readonly fingerprint: string
  readonly count: number | null
  readonly last_ms: number | null
}

export function postgresReview(tenant: Tenant): ReviewIndex {
  return {
    async entries() {
      const rows = await tenant.query<ReviewRow>(
        `SELECT e.id, e.agent, e.category, e.kind, e.status, e.origin, e.date, e.updated, e.fingerprint,
           left(e.content, ${TEXT_CHARACTERS}) AS text, octet_length(e.content) AS bytes, a.count, a.last_ms
         FROM entry e LEFT JOIN access a ON a.project = $1 AND a.id = e.id
         WHERE e.project = $1 ORDER BY e.order_ms DESC, e.id DESC`,
      )
      return rows.map(({ count, last_ms, updated, ...row }) => ({
        ...row,
        // The file that the entry would be in: a review names entries by it.
        path: `${row.agent}/${row.category}.md`,
        category: row.category as Category,
        status: row.status as Status,
        origin: row.origin as Origin,
        ...(updated !== null && { updated }),
        accessCount: count ?? 0,
        ...(last_ms !== null && { lastAccessMs: last_ms }),
      }))
    },
  }
}
