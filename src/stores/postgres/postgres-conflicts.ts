import type { ConflictIndex, NamedPair } from '../../features/conflicts/decide/ports.ts'
import type { ConflictPair } from '../../kernel/model/conflict.ts'
import { NAMING_TEXT, PAIR_COLUMNS, PAIR_ORDER, type PairRow, pairOfRow } from '../sql/entry-fields.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOfRow } from './entry-row.ts'
import { announce } from './postgres-changes.ts'
import { lockProject } from './project-row.ts'
import type { Tenant } from './tenant.ts'

export function postgresConflicts(tenant: Tenant): ConflictIndex {
  return {
    async waiting() {
      const row = await tenant.one<{ n: number }>(
        'SELECT count(*)::int AS n FROM uncompared u WHERE u.project = $1',
      )
      return row?.n ?? 0
    },

    async uncompared(limit) {
      const rows = await tenant.query<EntryRow>(
        `SELECT ${ENTRY_COLUMNS} FROM uncompared u JOIN entry e ON e.project = $1 AND e.key = u.key
         WHERE u.project = $1 ORDER BY u.key DESC LIMIT $2`,
        limit,
      )
      return rows.map(entryOfRow)
    },

    async putCompared(compared, pairs) {
      await tenant.transaction(async () => {
        await lockProject(tenant)
        await tenant.query(
          `DELETE FROM uncompared u USING entry e, json_to_recordset($2::json) AS r(id text, said text)
           WHERE u.project = $1 AND e.project = $1 AND e.key = u.key AND e.id = r.id AND e.fingerprint = r.said`,
          JSON.stringify(compared),
        )
        await tenant.query(
          `INSERT INTO conflict (project, older, newer, type, confidence, reason, detected_ms)
           SELECT $1, o.key, n.key, r.type, r.confidence, r.reason, r.detected_ms
           FROM json_to_recordset($2::json) AS r(older text, older_said text, newer text, newer_said text, type text,
               confidence double precision, reason text, detected_ms bigint)
             JOIN entry o ON o.project = $1 AND o.id = r.older AND o.fingerprint = r.older_said
             JOIN entry n ON n.project = $1 AND n.id = r.newer AND n.fingerprint = r.newer_said
           ON CONFLICT (project, older, newer) DO UPDATE SET type = excluded.type, confidence = excluded.confidence,
             reason = excluded.reason, detected_ms = excluded.detected_ms`,
          JSON.stringify(
            lastOfEach(pairs).map(({ older, newer, said, type, confidence, reason, detectedAt }) => ({
              older,
              older_said: said[0],
              newer,
              newer_said: said[1],
              type,
              confidence,
              reason: JSON.stringify(reason),
              detected_ms: detectedAt,
            })),
          ),
        )
        if (pairs.length > 0) await announce(tenant, ['conflicts'])
      })
    },

    async named(older) {
      return older === undefined
        ? tenant.query<NamedPair>(namedSql(false))
        : tenant.query<NamedPair>(namedSql(true), older)
    },

    async pairs(ids) {
      const rows = await (ids === undefined
        ? tenant.query<PairRow>(`${PAIRS_SQL} ${PAIR_ORDER}`)
        : tenant.query<PairRow>(
            `${PAIRS_SQL} AND (o.id = ANY ($2::text[]) OR n.id = ANY ($2::text[])) ${PAIR_ORDER}`,
            ids,
          ))
      return rows.map(pairOfRow)
    },
  }
}

/** If both entries are new, each finds the other: one statement may not write the same pair twice. */
function lastOfEach<Pair extends ConflictPair>(pairs: readonly Pair[]): readonly Pair[] {
  return [...new Map(pairs.map(pair => [`${pair.older} ${pair.newer}`, pair])).values()]
}

/** Each part uses an index (`EVIDENCE_TABLES`). */
function namedSql(isFew: boolean): string {
  const extra = (key: string, code: string) => {
    const value = `substring(n.extra from '"${key}":"([^"]+)"')`
    return `SELECT ${value} AS older, n.id AS newer, '${code}' AS code FROM entry n
      WHERE n.project = $1 AND ${value} ${isFew ? '= ANY ($2::text[])' : 'IS NOT NULL'}`
  }
  return `${extra('supersedes', 'claim')}
    UNION ${extra('version-of', 'versions')}
    UNION SELECT l.target, n.id, 'claim' FROM link l JOIN entry n ON n.project = $1 AND n.key = l.key
      WHERE l.project = $1 AND ${isFew ? 'l.target = ANY ($2::text[]) AND' : ''} ${NAMING_TEXT}`
}

const PAIRS_SQL = `
  SELECT ${PAIR_COLUMNS}
  FROM conflict c JOIN entry o ON o.project = $1 AND o.key = c.older JOIN entry n ON n.project = $1 AND n.key = c.newer
  WHERE c.project = $1`
