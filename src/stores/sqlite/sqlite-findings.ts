import type { FindingIndex, KnownFinding } from '../../features/learning/decide/ports.ts'
import { storedJson } from '../sql/stored-value.ts'
import type { SqliteIndex } from './sqlite-index.ts'

interface FindingRow {
  readonly packed: string
}

const knownOf = ({ packed }: FindingRow) => storedJson<KnownFinding>('a finding of a session', packed)

export function sqliteFindings(index: () => SqliteIndex): FindingIndex {
  const rootOf = (session: string): string | undefined => {
    const row = index().statement('SELECT root FROM session_read WHERE session = ?').get(session)
    return (row as { root: string } | undefined)?.root
  }
  const forget = (session: string): void => {
    index().statement('DELETE FROM finding WHERE session = ?').run(session)
    index().statement('DELETE FROM session_read WHERE session = ?').run(session)
  }

  return {
    async stamps() {
      const rows = index().statement('SELECT session, stamp FROM session_read').all() as {
        session: string
        stamp: string
      }[]
      return new Map(rows.map(row => [row.session, row.stamp]))
    },

    async put({ memory, stamp, root }) {
      index().transaction(() => {
        const { sessionId: session, agentId, finalizedAt } = memory
        forget(session)
        index()
          .statement(
            'INSERT INTO session_read (session, stamp, root, agent, finalized_ms, summary) VALUES (?, ?, ?, ?, ?, ?)',
          )
          .run(session, stamp, root, agentId, finalizedAt, memory.summary)
        for (const finding of memory.findings) {
          const known: KnownFinding = {
            ...finding,
            session,
            root,
            agent: finding.agent ?? agentId,
            finalizedAt,
          }
          index()
            .statement(
              'INSERT INTO finding (id, session, fingerprint, promoted, entry, finalized_ms, packed) VALUES (?, ?, ?, ?, ?, ?, ?)',
            )
            .run(
              finding.id,
              session,
              finding.fingerprint,
              finding.promotedToProjectMemory ? 1 : 0,
              finding.promotedEntryId ?? null,
              finalizedAt,
              JSON.stringify(known),
            )
        }
      })
    },

    async drop(sessions) {
      index().transaction(() => {
        for (const session of sessions) forget(session)
      })
    },

    async findSame(fingerprint, limit) {
      const rows = index()
        .statement('SELECT packed FROM finding WHERE fingerprint = ? ORDER BY key DESC LIMIT ?')
        .all(fingerprint, limit) as unknown as FindingRow[]
      return rows.map(knownOf)
    },

    async pending({ limit, offset }) {
      const { total } = index()
        .statement('SELECT count(*) AS total FROM finding WHERE promoted = 0')
        .get() as {
        total: number
      }
      const rows = index()
        .statement(
          'SELECT packed FROM finding WHERE promoted = 0 ORDER BY finalized_ms DESC, key LIMIT ? OFFSET ?',
        )
        .all(limit, offset) as unknown as FindingRow[]
      return { findings: rows.map(knownOf), total }
    },

    rootOf: async session => rootOf(session),

    async findByEntry(entry) {
      const row = index()
        .statement('SELECT packed FROM finding WHERE entry = ? ORDER BY key LIMIT 1')
        .get(entry)
      return row === undefined ? undefined : knownOf(row as unknown as FindingRow)
    },

    async find(id) {
      const row = index().statement('SELECT packed FROM finding WHERE id = ?').get(id)
      return row === undefined ? undefined : knownOf(row as unknown as FindingRow)
    },
  }
}
