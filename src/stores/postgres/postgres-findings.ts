import type { FindingIndex, KnownFinding } from '../../features/learning/decide/ports.ts'
import { lockProject } from './project-row.ts'
import type { Tenant } from './tenant.ts'

interface FindingRow {
  readonly packed: string
}

const knownOf = ({ packed }: FindingRow) => JSON.parse(packed) as KnownFinding

export function postgresFindings(tenant: Tenant): FindingIndex {
  const forget = async (sessions: readonly string[]): Promise<void> => {
    await tenant.query(
      'DELETE FROM finding f WHERE f.project = $1 AND f.session = ANY ($2::text[])',
      sessions,
    )
    await tenant.query(
      'DELETE FROM session_read r WHERE r.project = $1 AND r.session = ANY ($2::text[])',
      sessions,
    )
  }
  const findWhere = async (condition: string, value: string): Promise<KnownFinding | undefined> => {
    const row = await tenant.one<FindingRow>(
      `SELECT f.packed FROM finding f WHERE f.project = $1 AND ${condition} ORDER BY f.key LIMIT 1`,
      value,
    )
    return row && knownOf(row)
  }

  return {
    async stamps() {
      const rows = await tenant.query<{ session: string; stamp: string }>(
        'SELECT r.session, r.stamp FROM session_read r WHERE r.project = $1',
      )
      return new Map(rows.map(({ session, stamp }) => [session, stamp]))
    },

    async put({ memory, stamp, root }) {
      await tenant.transaction(async () => {
        // Two concurrent reads of the same session would count its findings twice.
        await lockProject(tenant)
        const { sessionId: session, agentId, finalizedAt, summary } = memory
        await forget([session])
        await tenant.query(
          'INSERT INTO session_read (project, session, stamp, root, agent, finalized_ms, summary) VALUES ($1, $2, $3, $4, $5, $6, $7)',
          session,
          stamp,
          root,
          agentId,
          finalizedAt,
          summary === '' ? '' : JSON.stringify(summary),
        )
        const last = await tenant.one<{ key: number }>(
          'SELECT coalesce(max(f.key), 0)::bigint AS key FROM finding f WHERE f.project = $1',
        )
        const firstKey = (last?.key ?? 0) + 1
        await tenant.query(
          `INSERT INTO finding (project, key, id, session, fingerprint, promoted, entry, finalized_ms, packed)
           SELECT $1, r.key, r.id, $3, r.fingerprint, r.promoted, r.entry, $4, r.packed
           FROM json_to_recordset($2::json) AS r(key bigint, id text, fingerprint text, promoted boolean, entry text, packed text)
           RETURNING key`,
          JSON.stringify(
            memory.findings.map((finding, at) => ({
              key: firstKey + at,
              id: finding.id,
              fingerprint: finding.fingerprint,
              promoted: finding.promotedToProjectMemory,
              entry: finding.promotedEntryId ?? null,
              packed: JSON.stringify({
                ...finding,
                session,
                root,
                agent: finding.agent ?? agentId,
                finalizedAt,
              } satisfies KnownFinding),
            })),
          ),
          session,
          finalizedAt,
        )
      })
    },

    async drop(sessions) {
      await tenant.transaction(async () => {
        await lockProject(tenant)
        await forget(sessions)
      })
    },

    async findSame(fingerprint, limit) {
      const rows = await tenant.query<FindingRow>(
        'SELECT f.packed FROM finding f WHERE f.project = $1 AND f.fingerprint = $2 ORDER BY f.key DESC LIMIT $3',
        fingerprint,
        limit,
      )
      return rows.map(knownOf)
    },

    async pending({ limit, offset }) {
      const count = await tenant.one<{ total: number }>(
        'SELECT count(*)::int AS total FROM finding f WHERE f.project = $1 AND NOT f.promoted',
      )
      const rows = await tenant.query<FindingRow>(
        `SELECT f.packed FROM finding f WHERE f.project = $1 AND NOT f.promoted
         ORDER BY f.finalized_ms DESC, f.key LIMIT $2 OFFSET $3`,
        Math.min(limit, Number.MAX_SAFE_INTEGER),
        offset,
      )
      return { findings: rows.map(knownOf), total: count?.total ?? 0 }
    },

    async rootOf(session) {
      const row = await tenant.one<{ root: string }>(
        'SELECT r.root FROM session_read r WHERE r.project = $1 AND r.session = $2',
        session,
      )
      return row?.root
    },

    findByEntry: entry => findWhere('f.entry = $2', entry),
    find: id => findWhere('f.id = $2', id),
  }
}
