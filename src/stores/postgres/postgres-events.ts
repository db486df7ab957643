import { damagedLine, type EventLog, parseEvent } from '../../features/sessions/decide/event-log.ts'
import type { MemoryEvent } from '../../kernel/model/event.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { announce } from './postgres-changes.ts'
import { lockProject } from './project-row.ts'
import type { Tenant } from './tenant.ts'

const PAGE = 500

interface EventRow {
  readonly key: number
  readonly place: number
  readonly packed: string
}

/**
 * One row for each event, ordered by `place`; restoring an event from the archive moves those behind it. A row that cannot be parsed,
 * perhaps written by a newer Cairn, is reported like a damaged line.
 */
export function postgresEvents(tenant: Tenant): EventLog {
  return {
    async append(events) {
      if (events.length === 0) return []
      return tenant.transaction(async () => {
        await lockProject(tenant)
        const fresh = await unknown(events)
        await insert(fresh)
        if (fresh.length > 0) await announce(tenant, ['state'])
        return fresh
      })
    },

    async *read(onProblem) {
      let line = 0
      for (let after = { place: -1, key: 0 }; ; ) {
        const rows = await tenant.query<EventRow>(
          `SELECT v.key, v.place, v.packed FROM event v WHERE v.project = $1 AND (v.place, v.key) > ($2, $3)
           ORDER BY v.place, v.key LIMIT ${PAGE}`,
          after.place,
          after.key,
        )
        for (const { packed } of rows) {
          line++
          const event = parseEvent(packed)
          if (event !== undefined) yield event
          else onProblem?.(damagedLine(packed, line))
        }
        const last = rows.at(-1)
        if (last === undefined || rows.length < PAGE) return
        after = last
      }
    },

    async newest(limit) {
      const events: MemoryEvent[] = []
      const problems: Problem[] = []
      let before = { place: Number.MAX_SAFE_INTEGER, key: 0 }
      while (events.length < limit) {
        const rows = await tenant.query<EventRow>(
          `SELECT v.key, v.place, v.packed FROM event v WHERE v.project = $1 AND (v.place, v.key) < ($2, $3)
           ORDER BY v.place DESC, v.key DESC LIMIT $4`,
          before.place,
          before.key,
          Math.min(PAGE, limit - events.length),
        )
        for (const row of rows) {
          const event = parseEvent(row.packed)
          if (event === undefined) problems.push(damagedLine(row.packed, await lineOf(row)))
          else events.push(event)
        }
        const last = rows.at(-1)
        if (last === undefined) break
        before = last
      }
      return { events, problems }
    },

    async count() {
      const row = await tenant.one<{ n: number }>(
        'SELECT count(*)::int AS n FROM event v WHERE v.project = $1',
      )
      return row?.n ?? 0
    },

    async remove(ids) {
      if (ids.size === 0) return
      await tenant.transaction(async () => {
        await tenant.query('DELETE FROM event v WHERE v.project = $1 AND v.id = ANY ($2::text[])', [...ids])
        await announce(tenant, ['state'])
      })
    },

    putBack: events =>
      tenant.transaction(async () => {
        await lockProject(tenant)
        const back = await unknown(events)
        if (back.length === 0) return back
        await insertByDate([...back].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1)))
        await announce(tenant, ['state'])
        return back
      }),
  }

  /** Events whose hash is not in the log, each once. */
  async function unknown(events: readonly MemoryEvent[]): Promise<MemoryEvent[]> {
    const byHash = new Map<string, MemoryEvent>()
    for (const event of events) if (!byHash.has(event.contentHash)) byHash.set(event.contentHash, event)
    const rows = await tenant.query<{ hash: string }>(
      'SELECT v.hash FROM event v WHERE v.project = $1 AND v.hash = ANY ($2::text[])',
      [...byHash.keys()],
    )
    for (const { hash } of rows) byHash.delete(hash)
    return [...byHash.values()]
  }

  async function ends(): Promise<{ key: number; place: number }> {
    const row = await tenant.one<{ key: number; place: number }>(
      `SELECT coalesce(max(v.key), 0)::bigint AS key, coalesce(max(v.place), 0)::bigint AS place FROM event v WHERE v.project = $1`,
    )
    return row ?? { key: 0, place: 0 }
  }

  async function insert(events: readonly MemoryEvent[], placeOf?: (at: number) => number): Promise<void> {
    if (events.length === 0) return
    const { key, place } = await ends()
    await tenant.query(
      `INSERT INTO event (project, key, place, id, hash, packed)
       SELECT $1, r.key, r.place, r.id, r.hash, r.packed
       FROM json_to_recordset($2::json) AS r(key bigint, place bigint, id text, hash text, packed text)
       RETURNING key`,
      JSON.stringify(
        events.map((event, at) => ({
          key: key + 1 + at,
          place: placeOf === undefined ? place + 1 + at : placeOf(at),
          id: event.id,
          hash: event.contentHash,
          packed: JSON.stringify(event),
        })),
      ),
    )
  }

  /** Inserts before the first younger event; events behind it move by the number of inserted ones. */
  async function insertByDate(events: readonly MemoryEvent[]): Promise<void> {
    const rows = await tenant.query<EventRow>(
      'SELECT v.key, v.place, v.packed FROM event v WHERE v.project = $1 ORDER BY v.place, v.key',
    )
    const places: number[] = []
    const moved: { key: number; place: number }[] = []
    let next = 0
    let place = 0
    const putUntil = (at: string) => {
      for (; next < events.length && (events[next]?.createdAt ?? '') < at; next++) places.push(++place)
    }
    for (const { key, packed } of rows) {
      const event = parseEvent(packed)
      if (event !== undefined) putUntil(event.createdAt)
      moved.push({ key, place: ++place })
    }
    putUntil('\uffff')
    await tenant.query(
      `UPDATE event v SET place = r.place FROM json_to_recordset($2::json) AS r(key bigint, place bigint)
       WHERE v.project = $1 AND v.key = r.key`,
      JSON.stringify(moved),
    )
    await insert(events, at => places[at] ?? 0)
  }

  async function lineOf({ place, key }: EventRow): Promise<number> {
    const row = await tenant.one<{ n: number }>(
      'SELECT count(*)::int AS n FROM event v WHERE v.project = $1 AND (v.place, v.key) <= ($2, $3)',
      place,
      key,
    )
    return row?.n ?? 0
  }
}
