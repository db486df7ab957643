import type { UpkeepIndex } from '../../features/upkeep/decide/ports.ts'
import { isPage, isTrackedPath } from '../../kernel/model/vault-layout.ts'
import { CAPTURED_COLUMNS, type CapturedRow, capturedOfRow } from '../sql/entry-fields.ts'
import { isDamaged } from './driver.ts'
import { accessesSinceUpkeep, forgetAccessesSinceUpkeep } from './entry-rows.ts'
import type { SqliteIndex } from './sqlite-index.ts'

export function sqliteUpkeep(indexNow: () => SqliteIndex): UpkeepIndex {
  const one = <Row>(sql: string) => indexNow().statement(sql).get() as Row | undefined

  return {
    async captured() {
      const rows = indexNow()
        .statement(
          `SELECT ${CAPTURED_COLUMNS}, e.path
           FROM entry e LEFT JOIN access a ON a.id = e.id WHERE e.origin <> 'person'`,
        )
        .all() as (CapturedRow & { readonly path: string })[]
      return rows.map(row => ({ ...capturedOfRow(row), ...trackedIn(row.path) }))
    },

    async headFiles() {
      const files = indexNow()
        .statement(
          `SELECT path, count(*) AS entries FROM entry
           WHERE path NOT LIKE '%/%/%' OR (path LIKE 'local/%' AND path NOT LIKE '%/%/%/%')
           GROUP BY path ORDER BY path`,
        )
        .all() as { path: string; entries: number }[]
      return files.filter(({ path }) => !isPage(path)).map(file => ({ ...file, ...trackedIn(file.path) }))
    },

    accessesSinceUpkeep: async () => accessesSinceUpkeep(indexNow()),

    async oldestMs() {
      const sql = 'SELECT order_ms FROM entry ORDER BY order_ms LIMIT 1'
      return one<{ order_ms: number }>(sql)?.order_ms
    },

    async madeSince(momentsMs) {
      const count = indexNow().statement('SELECT count(*) AS entries FROM entry WHERE order_ms >= ?')
      return momentsMs.map(ms => (count.get(ms) as { entries: number }).entries)
    },

    async findDamage({ countsWords }) {
      try {
        indexNow().check({ countsWords })
        return undefined
      } catch (error) {
        // Other errors (no space, another writer) are not damage.
        if (!isDamaged(error)) throw error
        return (error as Error).message
      }
    },

    async slack() {
      const pageBytes = one<{ page_size: number }>('PRAGMA page_size')?.page_size ?? 0
      const pages = one<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0
      const free = one<{ freelist_count: number }>('PRAGMA freelist_count')?.freelist_count ?? 0
      return { bytes: pages * pageBytes, freeBytes: free * pageBytes }
    },

    async raiseAccess(items) {
      const index = indexNow()
      index.transaction(() => {
        for (const { id, accessCount, lastAccessMs } of items) {
          if (accessCount === 0) continue
          index
            .statement(
              `INSERT INTO access (id, count, last_ms) VALUES (?, ?, ?)
               ON CONFLICT (id) DO UPDATE SET count = max(count, excluded.count), last_ms = max(last_ms, excluded.last_ms)`,
            )
            .run(id, accessCount, lastAccessMs ?? 0)
        }
      })
    },

    async cachedFacts() {
      const rows = indexNow().statement('SELECT path, stamp, facts FROM looked_at').all() as {
        path: string
        stamp: string
        facts: string
      }[]
      return new Map(rows.map(({ path, stamp, facts }) => [path, { stamp, facts }]))
    },

    async saveFacts(files) {
      const index = indexNow()
      index.transaction(() => {
        index.statement('DELETE FROM looked_at').run()
        for (const [path, { stamp, facts }] of files) {
          index
            .statement('INSERT INTO looked_at (path, stamp, facts) VALUES (?, ?, ?)')
            .run(path, stamp, facts)
        }
      })
    },

    async settle(goneBeforeMs) {
      const index = indexNow()
      index.transaction(() => {
        forgetAccessesSinceUpkeep(index)
        index
          .statement('DELETE FROM access WHERE last_ms < ? AND id NOT IN (SELECT id FROM entry)')
          .run(goneBeforeMs)
      })
    },
  }
}

function trackedIn(path: string): { readonly isTracked?: true } {
  return isTrackedPath(path) ? { isTracked: true } : {}
}
