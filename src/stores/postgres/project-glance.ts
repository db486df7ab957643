import { foundProject } from './project-row.ts'
import type { Tenant } from './tenant.ts'

/** What nearly every question needs first, in one row. */
export interface Glance {
  readonly revision: number
  readonly statistics: string
  /** Of the vectors. */
  readonly model: string | null
  readonly count: number
  readonly waiting: number
  /** Whether all entries were compared with their neighbours. */
  readonly is_compared: boolean
  /** Another whenever a vector has come or gone: whoever changes `meaning` writes this row too. */
  readonly vectors_stamp: string | null
  /** Whether the database has a table for pgvector's operators. */
  readonly has_near: boolean
}

/** Asked once in a reading. */
export function glanceAt(tenant: Tenant): Promise<Glance> {
  return tenant.once('glance', async () => {
    const row = await tenant.one<Glance>(
      `SELECT p.revision, p.statistics, t.model, coalesce(t.count, 0) AS count, t.xmin::text AS vectors_stamp,
         (SELECT count(*)::int FROM unembedded u WHERE u.project = $1) AS waiting,
         NOT EXISTS (SELECT 1 FROM uncompared u WHERE u.project = $1) AS is_compared,
         to_regclass('meaning_near') IS NOT NULL AS has_near
       FROM project p LEFT JOIN meaning_totals t ON t.project = $1 WHERE p.project = $1`,
    )
    return foundProject(row)
  })
}
