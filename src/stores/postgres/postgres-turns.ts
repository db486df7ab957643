import { randomUUID } from 'node:crypto'
import { type BackgroundTurns, TURN_MS } from '../../features/upkeep/decide/ports.ts'
import type { Tenant } from './tenant.ts'

/** Uses the clock of the database, which all servers share; no connection stays open meanwhile. */
export function postgresTurns(tenant: Tenant): BackgroundTurns {
  const holder = randomUUID()
  return {
    async take(work) {
      const rows = await tenant.query(
        `INSERT INTO turn AS t (project, work, holder, until) VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond')
         ON CONFLICT (project, work) DO UPDATE SET holder = excluded.holder, until = excluded.until
           WHERE t.holder = excluded.holder OR t.until < now()
         RETURNING 1`,
        work,
        holder,
        TURN_MS,
      )
      return rows.length > 0
    },

    async end(work) {
      await tenant.query(
        'DELETE FROM turn t WHERE t.project = $1 AND t.work = $2 AND t.holder = $3',
        work,
        holder,
      )
    },
  }
}
