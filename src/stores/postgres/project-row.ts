import type { SearchStatistics } from '../../features/search/decide/ports.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Tenant } from './tenant.ts'

export interface ProjectRow {
  readonly last_id_ms: number
  readonly last_dated_ms: number
  readonly next_key: number
  readonly revision: number
  readonly statistics: string
}

const COLUMNS = 'p.last_id_ms, p.last_dated_ms, p.next_key, p.revision, p.statistics'

/** Locked until the transaction ends: whoever changes something of a project holds this row. */
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

/** Where there is none, somebody has removed the project while it was open here. */
export function foundProject<Row>(row: Row | undefined): Row {
  if (row !== undefined) return row
  throw new CairnError({
    code: 'project_not_found',
    message: 'This project was removed from the hub.',
    hint: '`cairn hub projects` lists those that are there; a backup brings one back.',
  })
}
