import type { AnchorIndex } from '../../features/freshness/decide/ports.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOfRow } from './entry-row.ts'
import type { Tenant } from './tenant.ts'

/** The anchors that entries brought along. A hub has no files to compare them with. */
export function postgresAnchors(
  tenant: Tenant,
): Pick<AnchorIndex, 'anchored' | 'allAnchored' | 'countUnanchored'> {
  return {
    async anchored(ids) {
      const rows = await tenant.query<{ id: string }>(
        'SELECT e.id FROM entry e WHERE e.project = $1 AND e.anchors IS NOT NULL AND e.id = ANY ($2::text[])',
        ids,
      )
      return rows.map(({ id }) => id)
    },

    async allAnchored() {
      const rows = await tenant.query<EntryRow>(
        `SELECT ${ENTRY_COLUMNS} FROM entry e WHERE e.project = $1 AND e.anchors IS NOT NULL ORDER BY e.order_ms DESC, e.id DESC`,
      )
      return rows.map(entryOfRow)
    },

    async countUnanchored() {
      const row = await tenant.one<{ n: number }>(
        "SELECT count(*)::int AS n FROM entry e WHERE e.project = $1 AND e.anchors IS NULL AND e.files <> ''",
      )
      return row?.n ?? 0
    },
  }
}
