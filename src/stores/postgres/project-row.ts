import type { SearchStatistics } from '../../features/search/decide/ports.ts'
import { newEntryId, timeOfId } from '../../kernel/model/entry-id.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import type { Tenant } from './tenant.ts'

export interface ProjectRow {
  readonly last_id_ms: number
  readonly last_dated_ms: number
  readonly next_key: number
  readonly revision: number
  readonly statistics: string
}

const COLUMNS = 'p.last_id_ms, p.last_dated_ms, p.next_key, p.revision, p.statistics'

/** Locked until the transaction ends: every write to a project takes this lock. */
export async function lockProject(tenant: Tenant): Promise<ProjectRow> {
  return foundProject(
    await tenant.one<ProjectRow>(`SELECT ${COLUMNS} FROM project p WHERE p.project = $1 FOR UPDATE`),
  )
}

export async function saveProject(
  tenant: Tenant,
  { last_id_ms, last_dated_ms, next_key, revision, statistics }: ProjectRow,
): Promise<void> {
  await tenant.query(
    'UPDATE project p SET last_id_ms = $2, last_dated_ms = $3, next_key = $4, revision = $5, statistics = $6 WHERE p.project = $1',
    last_id_ms,
    last_dated_ms,
    next_key,
    revision,
    statistics,
  )
}

export function parseStatistics(packed: string): SearchStatistics {
  const known = JSON.parse(packed) as Partial<SearchStatistics>
  return {
    documentCount: known.documentCount ?? 0,
    totalLength: known.totalLength ?? { body: 0, tags: 0, files: 0, kind: 0, date: 0 },
    documentsByLanguage: known.documentsByLanguage ?? {},
  }
}

/** Without a row, the project was removed while it was open here. */
function foundProject<Row>(row: Row | undefined): Row {
  if (row !== undefined) return row
  throw new CairnError({
    code: 'project_not_found',
    message: 'This project was removed from the hub.',
    hint: '`cairn hub projects` lists the existing ones; `cairn hub backup restore` restores one from a backup.',
  })
}

/** What nearly every request needs first, in one row. */
interface Glance {
  readonly revision: number
  readonly statistics: string
  /** Of the vectors. */
  readonly model: string | null
  readonly count: number
  readonly waiting: number
  /** Whether all entries were compared with their neighbours. */
  readonly is_compared: boolean
  /** Changes whenever a vector is added or removed: every write to `meaning` updates this row too. */
  readonly vectors_stamp: string | null
  /** Whether the database has a table for pgvector's operators. */
  readonly has_near: boolean
}

/** Queried once in a reading. */
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

const ONE_MINUTE_MS = 60_000

/**
 * Ids never repeat and never go back, even if the clock of one of several servers does: the last ones are in the project's row. The last
 * by date too: otherwise two entries of one minute could share a time, and a session would lose the order by which neighbours are found.
 */
export class IdMaker {
  lastMs: number
  lastDatedMs: number
  readonly #issued = new Set<string>()
  readonly #clock: Clock

  constructor({ last_id_ms, last_dated_ms }: Pick<ProjectRow, 'last_id_ms' | 'last_dated_ms'>, clock: Clock) {
    this.lastMs = last_id_ms
    this.lastDatedMs = last_dated_ms
    this.#clock = clock
  }

  /** From the clock, or from an entry's date: entries of the same minute then stay in their order of arrival. */
  make(dateMs?: number): string {
    for (;;) {
      const id = dateMs === undefined ? this.#byClock() : this.#byDate(dateMs)
      if (this.#issued.has(id)) continue
      this.#issued.add(id)
      return id
    }
  }

  #byClock(): string {
    const id = this.#newId(this.#clock.nowMs(), this.lastMs)
    this.lastMs = timeOfId(id) ?? this.lastMs
    return id
  }

  #byDate(dateMs: number): string {
    const isSameMinute = this.lastDatedMs >= dateMs && this.lastDatedMs < dateMs + ONE_MINUTE_MS
    const id = this.#newId(dateMs, isSameMinute ? this.lastDatedMs : 0)
    this.lastDatedMs = timeOfId(id) ?? dateMs
    return id
  }

  #newId(nowMs: number, lastMs: number): string {
    return newEntryId({ nowMs, lastMs, random: bound => this.#clock.random(bound) })
  }
}
