import type { JudgedAnchor } from '../../features/freshness/decide/judged-anchor.ts'
import type { AnchorIndex } from '../../features/freshness/decide/ports.ts'
import { checkedRow } from '../sql/stored-value.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOfRow } from './entry-rows.ts'
import type { SqliteIndex } from './sqlite-index.ts'

export function sqliteAnchors(index: () => SqliteIndex): AnchorIndex {
  return {
    async anchored(ids) {
      const rows = index()
        .statement(
          'SELECT id FROM entry WHERE anchors IS NOT NULL AND id IN (SELECT value FROM json_each(?))',
        )
        .all(JSON.stringify(ids)) as { id: string }[]
      return rows.map(({ id }) => id)
    },

    async allAnchored() {
      const rows = index()
        .statement(
          `SELECT ${ENTRY_COLUMNS} FROM entry e WHERE e.anchors IS NOT NULL ORDER BY e.order_ms DESC, e.id DESC`,
        )
        .all() as EntryRow[]
      return rows.map(entryOfRow)
    },

    async countUnanchored() {
      const row = index()
        .statement("SELECT count(*) AS n FROM entry WHERE anchors IS NULL AND files <> ''")
        .get() as { n: number }
      return row.n
    },

    async judged(ids) {
      const rows = index()
        .statement('SELECT * FROM judged_anchor WHERE id IN (SELECT value FROM json_each(?))')
        .all(JSON.stringify(ids)) as JudgedRow[]
      return rows.map(judgedOfRow)
    },

    async keep(judged) {
      if (judged.length === 0) return
      index().ifWritable(() =>
        index().transaction(() => {
          for (const { id, file, print, outcome, path, stamp, checkedMs } of judged) {
            index()
              .statement('INSERT OR REPLACE INTO judged_anchor VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
              .run(id, file, print, outcome, path, stamp.size, stamp.mtimeMs, stamp.inode, checkedMs)
          }
        }),
      )
    },
  }
}

interface JudgedRow {
  readonly id: string
  readonly file: string
  readonly print: string
  readonly outcome: JudgedAnchor['outcome']
  readonly path: string
  readonly size: number
  readonly mtime_ms: number
  readonly inode: number
  readonly checked_ms: number
}

function judgedOfRow(judged: JudgedRow): JudgedAnchor {
  const { id, file, print, outcome, path, ...row } = checkedRow(judged)
  return {
    id,
    file,
    print,
    outcome,
    path,
    stamp: { size: row.size, mtimeMs: row.mtime_ms, inode: row.inode },
    checkedMs: row.checked_ms,
  }
}
