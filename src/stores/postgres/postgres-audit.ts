import type { HubDirectory } from '../../addons/hub/decide/hub-directory.ts'
import type { AuditRecord, StoredAuditRecord } from '../../kernel/model/hub.ts'
import type { SqlConnection } from './sql-pool.ts'

interface AuditRow {
  readonly number: number
  readonly at_ms: number
  readonly principal: string | null
  readonly token: string | null
  readonly project: string | null
  readonly action: string
  readonly subject: string | null
  readonly outcome: string
}

/** Rows deleted in one statement, so that others can write in between. */
const AT_ONCE = 5_000
/** Neither refusals nor many writes may displace administrative records: those expire by age only. */
const REFUSED = "(outcome <> 'done')"
const USED = "(outcome = 'done' AND action NOT LIKE 'hub %')"
const REFUSED_SHARE = 0.1

/** A record has the number of its project, so that it survives a rename. */
export function auditIn(
  asking: <T>(work: (connection: SqlConnection) => Promise<T>) => Promise<T>,
): Pick<HubDirectory, 'record' | 'audit' | 'forgetAudit'> {
  return {
    record: records =>
      asking(async connection => {
        const column = (of: (record: AuditRecord) => unknown) => records.map(record => of(record) ?? null)
        await connection.query(
          `INSERT INTO audit (at_ms, principal, token, place, action, subject, outcome)
           SELECT u.at, u.principal, u.token, d.project, u.action, u.subject, u.outcome
           FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
             WITH ORDINALITY AS u(at, principal, token, name, action, subject, outcome, at_place)
           LEFT JOIN directory d ON d.name = u.name ORDER BY u.at_place`,
          [
            column(({ atMs }) => atMs),
            column(({ principal }) => principal),
            column(({ token }) => token),
            column(({ project }) => project),
            column(({ action }) => action),
            column(({ subject }) => subject),
            column(({ outcome }) => outcome),
          ],
        )
      }),
    audit: ({ project, principal, sinceMs, outcome, before, limit }) =>
      asking(async connection => {
        const rows = await connection.query<AuditRow>(
          `SELECT a.number, a.at_ms, a.principal, a.token, d.name AS project, a.action, a.subject, a.outcome
           FROM audit a LEFT JOIN directory d ON d.project = a.place
           WHERE ($1::text IS NULL OR a.place = (SELECT project FROM directory WHERE name = $1))
             AND ($2::text IS NULL OR a.principal = $2) AND ($3::bigint IS NULL OR a.at_ms >= $3)
             AND ($4::text IS NULL OR (a.outcome = 'done') = ($4 = 'done')) AND ($5::bigint IS NULL OR a.number < $5)
           ORDER BY a.number DESC LIMIT $6`,
          [project ?? null, principal ?? null, sinceMs ?? null, outcome ?? null, before ?? null, limit],
        )
        return rows.map(recordOf)
      }),
    async forgetAudit(beforeMs, most) {
      for (let gone = 0; ; ) {
        const rows = await asking(connection =>
          connection.query(
            `DELETE FROM audit WHERE number IN (
               SELECT number FROM audit
               WHERE at_ms < $1
                 OR ${REFUSED} AND number <= (SELECT number FROM audit WHERE ${REFUSED} ORDER BY number DESC OFFSET $3 LIMIT 1)
                 OR ${USED} AND number <= (SELECT number FROM audit WHERE ${USED} ORDER BY number DESC OFFSET $2 LIMIT 1)
               ORDER BY number LIMIT ${AT_ONCE}
             ) RETURNING number`,
            [beforeMs, most, Math.ceil(most * REFUSED_SHARE)],
          ),
        )
        gone += rows.length
        if (rows.length < AT_ONCE) return gone
      }
    },
  }
}

function recordOf(row: AuditRow): StoredAuditRecord {
  const { number, at_ms, principal, token, project, action, subject, outcome } = row
  return {
    number,
    atMs: at_ms,
    ...(principal !== null && { principal }),
    ...(token !== null && { token }),
    ...(project !== null && { project }),
    action,
    ...(subject !== null && { subject }),
    outcome,
  }
}
