import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Degradation, Problem } from '../../kernel/model/search.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import { searchArchive } from '../upkeep/archive-entries.ts'
import type { ArchivedEntry, BatchManifest } from '../upkeep/decide/archive.ts'
import type { UpkeepPorts } from '../upkeep/decide/ports.ts'
import { type ReportedReason, reportedReasonOf } from '../upkeep/decide/reported-reason.ts'

interface ArchiveQuery {
  readonly batch?: string | undefined
  readonly query?: string | undefined
  readonly limit: number
  readonly offset: number
}

interface ShownArchived {
  readonly batch: string
  readonly entry: Entry
  readonly reason?: string
  readonly because?: ReportedReason
  readonly isBack: boolean
}

/** Reads the archive for display. Streamed: only the shown entries are in memory. */
export async function readArchive(
  memory: Memory & SearchPorts & UpkeepPorts,
  asked: ArchiveQuery,
): Promise<{
  readonly batches: Omit<BatchManifest, 'version'>[]
  readonly entries: ShownArchived[]
  readonly total: number
  readonly problems: readonly Problem[]
  readonly degraded: readonly Degradation[]
}> {
  await memory.store.refresh()
  const { batches: manifests, problems } = await memory.archive.list()
  if (asked.batch !== undefined && !manifests.some(({ id }) => id === asked.batch))
    throw batchNotFound(asked.batch)
  const batches = manifests.map(({ version: _, ...batch }) => batch)
  if (asked.query !== undefined && asked.query.trim() !== '')
    return { batches, problems, ...(await found(memory, asked.query, asked)) }
  return { batches, ...(await listed(memory, asked, problems)) }
}

async function found(
  memory: Memory & SearchPorts & UpkeepPorts,
  query: string,
  { batch, limit, offset }: ArchiveQuery,
) {
  const { hits, degraded } = await searchArchive(memory, query, {
    matches: () => true,
    limit: offset + limit,
  })
  const own = hits.filter(({ archived }) => batch === undefined || archived === batch)
  return {
    entries: own
      .slice(offset, offset + limit)
      .map(({ archived, entry }) => ({ batch: archived, entry, isBack: false })),
    total: own.length,
    degraded,
  }
}

async function listed(
  memory: SearchPorts & UpkeepPorts,
  { batch, limit, offset }: ArchiveQuery,
  known: readonly Problem[],
) {
  const problems = [...known]
  const shown: { readonly batch: string; readonly item: ArchivedEntry }[] = []
  let total = 0
  for await (const archived of memory.archive.entries(problem => problems.push(problem))) {
    if (batch !== undefined && archived.batch !== batch) continue
    if (total >= offset && shown.length < limit) shown.push(archived)
    total++
  }
  const standing = await memory.search.loadEntries(shown.map(({ item }) => item.entry.id))
  const entries = shown.map(({ batch: of, item }): ShownArchived => {
    return {
      batch: of,
      entry: item.entry,
      ...reasonOf(item.reason),
      isBack: standing.has(item.entry.id),
    }
  })
  return { entries, total, problems, degraded: [] }
}

function reasonOf(given: unknown): Pick<ShownArchived, 'reason' | 'because'> {
  const [reason, because] = [wordsOf(given), reportedReasonOf(given)]
  return { ...(reason !== undefined && { reason }), ...(because !== undefined && { because }) }
}

/** A plan gives its reason as data: `{ code: 'unused', days: 91 }`. */
function wordsOf(reason: unknown): string | undefined {
  if (typeof reason === 'string') return reason
  if (typeof reason !== 'object' || reason === null) return undefined
  const { code, kind, ...facts } = reason as Record<string, unknown>
  const name = typeof code === 'string' ? code : typeof kind === 'string' ? kind : undefined
  const said = Object.entries(facts).flatMap(([fact, value]) =>
    typeof value === 'number' || typeof value === 'string' ? [`${fact} ${value}`] : [],
  )
  return [...(name === undefined ? [] : [name.replaceAll('_', ' ')]), ...said].join(', ') || undefined
}

function batchNotFound(batch: string): CairnError {
  return new CairnError({
    code: 'batch_not_found',
    message: `The archive has no batch ${batch.slice(0, 80)}.`,
    hint: 'Ask without `batch`: the batches are listed.',
  })
}
