import type { BriefLog, BriefTotals, Latencies, LoggedBrief } from '../../features/brief/decide/ports.ts'
import type { Tenant } from './tenant.ts'

const MAX_BRIEFS = 200
/** Sessions whose context is remembered; older ones are long closed. */
const MAX_SESSIONS = 100
/** A marker among the injected ids of a session; it is not an id. */
const START_BRIEF_SENT = 'start brief'

export function postgresBriefs(tenant: Tenant): BriefLog {
  return {
    async record(brief, sessionKey, latencies) {
      await tenant.transaction(async () => {
        await tenant.query(
          `INSERT INTO given_brief (project, id, packed) VALUES ($1, $2, $3)
           ON CONFLICT (project, id) DO UPDATE SET packed = excluded.packed`,
          brief.id,
          JSON.stringify(brief),
        )
        await tenant.query(
          `DELETE FROM given_brief b WHERE b.project = $1 AND b.id <
             (SELECT k.id FROM given_brief k WHERE k.project = $1 ORDER BY k.id DESC OFFSET $2 LIMIT 1)`,
          MAX_BRIEFS - 1,
        )
        await tenant.query(
          `INSERT INTO brief_totals AS t (project, briefs, silent, tokens) VALUES ($1, 1, $2, $3)
           ON CONFLICT (project) DO UPDATE SET briefs = t.briefs + 1, silent = t.silent + excluded.silent, tokens = t.tokens + excluded.tokens`,
          brief.included.length === 0 ? 1 : 0,
          brief.tokens,
        )
        if (latencies !== undefined) await putLatencies(tenant, latencies)
        if (sessionKey === undefined) return
        const told = brief.included.flatMap(({ id }) => id ?? [])
        // Once per session; using the entry resets it to 0.
        await tenant.query(
          `UPDATE access a SET unused = a.unused + 1 WHERE a.project = $1 AND a.id = ANY ($3::text[])
             AND NOT EXISTS (SELECT 1 FROM sent s WHERE s.project = $1 AND s.session = $2 AND s.id = a.id)`,
          sessionKey,
          told,
        )
        await tenant.query(
          `INSERT INTO sent (project, session, id, brief) SELECT $1, $2, r.id, $4 FROM unnest($3::text[]) AS r(id)
           ON CONFLICT (project, session, id) DO UPDATE SET brief = excluded.brief`,
          sessionKey,
          [...new Set(brief.kind === 'start' ? [START_BRIEF_SENT, ...told] : told)],
          brief.id,
        )
        await tenant.query(
          `DELETE FROM sent s WHERE s.project = $1 AND s.session NOT IN
             (SELECT k.session FROM sent k WHERE k.project = $1 GROUP BY k.session ORDER BY max(k.brief) DESC LIMIT $2)`,
          MAX_SESSIONS,
        )
      })
    },

    async list(limit) {
      const rows = await tenant.query<{ packed: string }>(
        'SELECT b.packed FROM given_brief b WHERE b.project = $1 ORDER BY b.id DESC LIMIT $2',
        limit,
      )
      return rows.map(({ packed }) => JSON.parse(packed) as LoggedBrief)
    },

    async find(id) {
      const row = await tenant.one<{ packed: string }>(
        'SELECT b.packed FROM given_brief b WHERE b.project = $1 AND b.id = $2',
        id,
      )
      return row && (JSON.parse(row.packed) as LoggedBrief)
    },

    async totals() {
      const row = await tenant.one<BriefTotals>(
        'SELECT t.briefs, t.silent, t.tokens FROM brief_totals t WHERE t.project = $1',
      )
      return row ?? { briefs: 0, silent: 0, tokens: 0 }
    },

    async sentIn(session) {
      const rows = await tenant.query<{ id: string }>(
        'SELECT s.id FROM sent s WHERE s.project = $1 AND s.session = $2 AND s.id <> $3',
        session,
        START_BRIEF_SENT,
      )
      return new Set(rows.map(({ id }) => id))
    },

    async hasStartBrief(session) {
      const rows = await tenant.query(
        'SELECT 1 FROM sent s WHERE s.project = $1 AND s.session = $2 AND s.id = $3',
        session,
        START_BRIEF_SENT,
      )
      return rows.length > 0
    },

    async forgetSent(session) {
      await tenant.query('DELETE FROM sent s WHERE s.project = $1 AND s.session = $2', session)
    },

    async latencies() {
      const row = await tenant.one<{ samples: string; state: string }>(
        'SELECT l.samples, l.state FROM latency l WHERE l.project = $1',
      )
      return { samplesMs: row === undefined ? [] : (JSON.parse(row.samples) as number[]), state: row?.state }
    },

    putLatencies: (samplesMs, state) => putLatencies(tenant, { samplesMs, state }),

    async accesses(ids) {
      const rows = await tenant.query<{ id: string; count: number; last_ms: number }>(
        'SELECT a.id, a.count, a.last_ms FROM access a WHERE a.project = $1 AND a.id = ANY ($2::text[])',
        ids,
      )
      return new Map(
        rows.map(({ id, count, last_ms }) => [id, { accessCount: count, lastAccessMs: last_ms }]),
      )
    },

    async totalAccesses() {
      const row = await tenant.one<{ n: number }>(
        'SELECT coalesce(sum(a.count), 0)::float8 AS n FROM access a WHERE a.project = $1',
      )
      return row?.n ?? 0
    },
  }
}

async function putLatencies(tenant: Tenant, { samplesMs, state }: Latencies): Promise<void> {
  await tenant.query(
    `INSERT INTO latency (project, samples, state) VALUES ($1, $2, $3)
     ON CONFLICT (project) DO UPDATE SET samples = excluded.samples, state = excluded.state`,
    JSON.stringify(samplesMs.map(ms => Math.round(ms * 10) / 10)),
    state,
  )
}
