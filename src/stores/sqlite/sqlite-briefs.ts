import type { BriefLog, Latencies, LoggedBrief } from '../../features/brief/decide/ports.ts'
import { storedJson } from '../sql/stored-value.ts'
import type { SqliteIndex } from './sqlite-index.ts'

const MAX_BRIEFS = 200
/** Sessions whose context is stored; older ones are closed. */
const MAX_SESSIONS = 100
/** Stored among the ids that a session received; not an id. */
const START_BRIEF_SENT = 'start brief'

export function sqliteBriefs(index: () => SqliteIndex): BriefLog {
  return {
    async record(brief, sessionKey, latencies) {
      const write = () => {
        index()
          .statement('INSERT OR REPLACE INTO given_brief (id, packed) VALUES (?, ?)')
          .run(brief.id, JSON.stringify(brief))
        index()
          .statement(
            'DELETE FROM given_brief WHERE id NOT IN (SELECT id FROM given_brief ORDER BY id DESC LIMIT ?)',
          )
          .run(MAX_BRIEFS)
        index()
          .statement(
            `INSERT INTO brief_totals (only, briefs, silent, tokens) VALUES (0, 1, ?1, ?2)
             ON CONFLICT (only) DO UPDATE SET briefs = briefs + 1, silent = silent + ?1, tokens = tokens + ?2`,
          )
          .run(brief.included.length === 0 ? 1 : 0, brief.tokens)
        if (latencies !== undefined) putLatencies(index(), latencies)
        if (sessionKey === undefined) return
        const sentIds = brief.included.flatMap(({ id }) => id ?? [])
        for (const id of sentIds) {
          // Once per session; using the entry sets it to 0 again.
          index()
            .statement(
              `UPDATE access SET unused = unused + 1
               WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM sent WHERE session = ?2 AND id = ?1)`,
            )
            .run(id, sessionKey)
        }
        for (const id of brief.kind === 'start' ? [START_BRIEF_SENT, ...sentIds] : sentIds) {
          index()
            .statement('INSERT OR REPLACE INTO sent (session, id, brief) VALUES (?, ?, ?)')
            .run(sessionKey, id, brief.id)
        }
        index()
          .statement(
            `DELETE FROM sent WHERE session NOT IN
               (SELECT session FROM sent GROUP BY session ORDER BY max(brief) DESC LIMIT ?)`,
          )
          .run(MAX_SESSIONS)
      }
      index().ifWritable(() => index().transaction(write))
    },

    async list(limit) {
      const rows = index().statement('SELECT packed FROM given_brief ORDER BY id DESC LIMIT ?').all(limit)
      return (rows as { packed: string }[]).map(row => storedJson<LoggedBrief>('a brief', row.packed))
    },

    async find(id) {
      const row = index().statement('SELECT packed FROM given_brief WHERE id = ?').get(id)
      return row === undefined ? undefined : storedJson('a brief', (row as { packed: string }).packed)
    },

    async totals() {
      const row = index().statement('SELECT briefs, silent, tokens FROM brief_totals').get()
      return (
        (row as { briefs: number; silent: number; tokens: number } | undefined) ?? {
          briefs: 0,
          silent: 0,
          tokens: 0,
        }
      )
    },

    async sentIn(session) {
      const rows = index()
        .statement('SELECT id FROM sent WHERE session = ? AND id <> ?')
        .all(session, START_BRIEF_SENT) as { id: string }[]
      return new Set(rows.map(row => row.id))
    },

    async hasStartBrief(session) {
      const row = index()
        .statement('SELECT 1 FROM sent WHERE session = ? AND id = ?')
        .get(session, START_BRIEF_SENT)
      return row !== undefined
    },

    async forgetSent(session) {
      index().statement('DELETE FROM sent WHERE session = ?').run(session)
    },

    async latencies() {
      const row = index().statement('SELECT samples, state FROM latency').get() as
        | { samples: string; state: string }
        | undefined
      return {
        samplesMs: row === undefined ? [] : storedJson('the time that searches took', row.samples),
        state: row?.state,
      }
    },

    async putLatencies(samplesMs, state) {
      index().ifWritable(() => putLatencies(index(), { samplesMs, state }))
    },

    async accesses(ids) {
      const rows = index()
        .statement('SELECT id, count, last_ms FROM access WHERE id IN (SELECT value FROM json_each(?))')
        .all(JSON.stringify(ids)) as { id: string; count: number; last_ms: number }[]
      return new Map(rows.map(row => [row.id, { accessCount: row.count, lastAccessMs: row.last_ms }]))
    },

    async totalAccesses() {
      return (index().statement('SELECT total(count) AS n FROM access').get() as { n: number }).n
    },
  }
}

function putLatencies(index: SqliteIndex, { samplesMs, state }: Latencies): void {
  index
    .statement('INSERT OR REPLACE INTO latency (only, samples, state) VALUES (0, ?, ?)')
    .run(JSON.stringify(samplesMs.map(ms => Math.round(ms * 10) / 10)), state)
}
