import type { StampedFacts, UpkeepIndex } from '../../features/upkeep/decide/ports.ts'
import { CAPTURED_COLUMNS, type CapturedRow, capturedOfRow } from '../sql/entry-fields.ts'
import type { Tenant } from './tenant.ts'

export function postgresUpkeep(tenant: Tenant): UpkeepIndex {
  return {
    async captured() {
      const rows = await tenant.query<CapturedRow>(
        `SELECT ${CAPTURED_COLUMNS}
         FROM entry e LEFT JOIN access a ON a.project = $1 AND a.id = e.id WHERE e.project = $1 AND e.origin <> 'person'`,
      )
      return rows.map(capturedOfRow)
    },

    /** There are no files that could grow too long. */
    headFiles: async () => [],

    async accessesSinceUpkeep() {
      const row = await tenant.one<{ n: number }>(
        'SELECT p.accesses_since_upkeep AS n FROM project p WHERE p.project = $1',
      )
      return row?.n ?? 0
    },

    async oldestMs() {
      const row = await tenant.one<{ order_ms: number }>(
        'SELECT e.order_ms FROM entry e WHERE e.project = $1 ORDER BY e.order_ms LIMIT 1',
      )
      return row?.order_ms
    },

    async madeSince(momentsMs) {
      const rows = await tenant.query<{ n: number }>(
        `SELECT (SELECT count(*)::int FROM entry e WHERE e.project = $1 AND e.order_ms >= m.ms) AS n
         FROM unnest($2::bigint[]) WITH ORDINALITY AS m(ms, place) ORDER BY m.place`,
        momentsMs,
      )
      return rows.map(({ n }) => n)
    },

    findDamage: async () => undefined,

    async slack() {
      const row = await tenant.one<{ bytes: number }>(
        'SELECT coalesce(sum(octet_length(e.content)), 0)::bigint AS bytes FROM entry e WHERE e.project = $1',
      )
      return { bytes: row?.bytes ?? 0, freeBytes: 0 }
    },

    async raiseAccess(items) {
      await tenant.query(
        `INSERT INTO access AS a (project, id, count, last_ms)
         SELECT $1, r.id, r.count, r.last_ms FROM json_to_recordset($2::json) AS r(id text, count int, last_ms bigint) ORDER BY r.id
         ON CONFLICT (project, id) DO UPDATE SET count = greatest(a.count, excluded.count), last_ms = greatest(a.last_ms, excluded.last_ms)`,
        JSON.stringify(
          items
            .filter(({ accessCount }) => accessCount > 0)
            .map(({ id, accessCount, lastAccessMs }) => ({
              id,
              count: accessCount,
              last_ms: lastAccessMs ?? 0,
            })),
        ),
      )
    },

    async cachedFacts() {
      const rows = await tenant.query<StampedFacts & { path: string }>(
        'SELECT l.path, l.stamp, l.facts FROM looked_at l WHERE l.project = $1',
      )
      return new Map(rows.map(({ path, stamp, facts }) => [path, { stamp, facts }]))
    },

    async saveFacts(files) {
      await tenant.transaction(async () => {
        await tenant.query('DELETE FROM looked_at l WHERE l.project = $1')
        await tenant.query(
          `INSERT INTO looked_at (project, path, stamp, facts)
           SELECT $1, r.path, r.stamp, r.facts FROM json_to_recordset($2::json) AS r(path text, stamp text, facts text)
           ON CONFLICT DO NOTHING`,
          JSON.stringify(Array.from(files, ([path, { stamp, facts }]) => ({ path, stamp, facts }))),
        )
      })
    },

    async settle(goneBeforeMs) {
      await tenant.transaction(async () => {
        await tenant.query('UPDATE project p SET accesses_since_upkeep = 0 WHERE p.project = $1')
        await tenant.query(
          `DELETE FROM access a WHERE a.project = $1 AND a.last_ms < $2
             AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.project = $1 AND e.id = a.id)`,
          goneBeforeMs,
        )
      })
    },
  }
}
