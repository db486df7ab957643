import type { ConflictIndex, NamedPair } from '../../features/conflicts/decide/ports.ts'
import { NAMING_TEXT, PAIR_COLUMNS, PAIR_ORDER, type PairRow, pairOfRow } from '../sql/entry-fields.ts'
import { checkedRow } from '../sql/stored-value.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOfRow } from './entry-rows.ts'
import type { SqliteIndex } from './sqlite-index.ts'

export function sqliteConflicts(index: () => SqliteIndex): ConflictIndex {
  return {
    async waiting() {
      return (index().statement('SELECT count(*) AS n FROM uncompared').get() as { n: number }).n
    },

    async uncompared(limit) {
      const rows = index()
        .statement(
          `SELECT ${ENTRY_COLUMNS} FROM uncompared u JOIN entry e ON e.key = u.key ORDER BY u.key DESC LIMIT ?`,
        )
        .all(limit) as EntryRow[]
      return rows.map(entryOfRow)
    },

    async putCompared(compared, pairs) {
      index().transaction(() => {
        for (const { id, said } of compared) {
          index()
            .statement(
              'DELETE FROM uncompared WHERE key = (SELECT key FROM entry WHERE id = ? AND fingerprint = ?)',
            )
            .run(id, said)
        }
        for (const { older, newer, said, type, confidence, reason, detectedAt } of pairs) {
          index()
            .statement(
              `INSERT OR REPLACE INTO conflict (older, newer, type, confidence, reason, detected_ms)
               SELECT o.key, n.key, ?5, ?6, ?7, ?8 FROM entry o, entry n
               WHERE o.id = ?1 AND o.fingerprint = ?2 AND n.id = ?3 AND n.fingerprint = ?4`,
            )
            .run(older, said[0], newer, said[1], type, confidence, JSON.stringify(reason), detectedAt)
        }
      })
    },

    async named(older) {
      const rows =
        older === undefined
          ? index().statement(namedSql(false)).all()
          : index().statement(namedSql(true)).all(JSON.stringify(older))
      return (rows as { older: string; newer: string; code: NamedPair['code'] }[]).map(checkedRow)
    },

    async pairs(ids) {
      const rows = (
        ids === undefined
          ? index().statement(`${PAIRS_SQL} ${PAIR_ORDER}`).all()
          : index().statement(PAIRS_OF_SQL).all(JSON.stringify(ids))
      ) as PairRow[]
      return rows.map(pairOfRow)
    },
  }
}

/** Each part uses an index (schema.ts): a brief asks this for every candidate, and most vaults have no such entry. */
function namedSql(isFew: boolean): string {
  const extra = (key: string, code: string) => {
    const value = `json_extract(n.extra, '$."${key}"')`
    return `SELECT ${value} AS older, n.id AS newer, '${code}' AS code FROM entry n
      WHERE n.extra IS NOT NULL AND ${value} ${isFew ? 'IN (SELECT value FROM json_each(?1))' : 'IS NOT NULL'}`
  }
  return `${extra('supersedes', 'claim')}
    UNION ${extra('version-of', 'versions')}
    UNION SELECT l.target, n.id, 'claim' FROM link l JOIN entry n ON n.key = l.key
      WHERE ${isFew ? 'l.target IN (SELECT value FROM json_each(?1)) AND' : ''} ${NAMING_TEXT}`
}

const PAIRS_SQL = `
  SELECT ${PAIR_COLUMNS}
  FROM conflict c JOIN entry o ON o.key = c.older JOIN entry n ON n.key = c.newer`

/** Two lookups by key: most entries have no pair, and a brief must not read them all. */
const PAIRS_OF_SQL = `
  WITH asked AS MATERIALIZED (SELECT e.key FROM json_each(?1) JOIN entry e ON e.id = value)
  ${PAIRS_SQL} WHERE c.older IN asked OR c.newer IN asked ${PAIR_ORDER}`
