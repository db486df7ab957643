import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import type { Change } from '../../kernel/model/journal.ts'
import { FORMAT_VERSION } from '../../kernel/model/vault-layout.ts'
import { undoneTracker } from '../../kernel/vault/undo.ts'
import type { ReviewPorts } from '../review/decide/ports.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import type { GitPorts } from '../validate/decide/ports.ts'
import {
  type LayoutPlan,
  MAX_SUGGESTIONS,
  planLayout,
  planUpgrade,
  type Relocation,
  trustHistory,
  type UpgradePlan,
} from './decide/plan-upgrade.ts'
import type { UpkeepPorts } from './decide/ports.ts'
import { confirmedByPerson } from './upkeep.ts'

/** How many records `status` reads; `cairn migrate` reads the whole journal. */
const MAX_RECORDS_FOR_COUNT = 2_000

interface Upgraded {
  readonly plan: UpgradePlan
  readonly layout: LayoutPlan
  /** Tracked files that lose entries. */
  readonly untracked: readonly string[]
  /** null: no change. */
  readonly record: string | null
  /** The archive batch with the suggestions over the cap. */
  readonly batch?: string
}

/** The changes that a memory of 0.1.0 needs so that only a person's confirmation counts. Changes nothing. */
async function planUpgradeNow(
  memory: Memory & SearchPorts & UpkeepPorts,
  { maxRecords }: { readonly maxRecords?: number } = {},
): Promise<UpgradePlan> {
  await memory.store.refresh()
  const { add, history } = trustHistory()
  const query = maxRecords === undefined ? {} : { limit: maxRecords }
  const isUndone = undoneTracker()
  for await (const record of memory.store.readJournal(query)) if (!isUndone(record)) add(record)
  const captured = await memory.upkeepIndex.captured()
  const ids = new Set([
    ...history.savedByAgents,
    ...captured.filter(({ origin }) => origin === 'machine').map(({ id }) => id),
  ])
  const entryById = await memory.search.loadEntries([...ids])
  return planUpgrade({
    entries: [...entryById.values()],
    history,
    confirmedByPerson: await confirmedByPerson(memory),
  })
}

/** The entries that would move. A hub has no files. */
async function planLayoutNow(memory: Memory & SearchPorts & ReviewPorts): Promise<LayoutPlan> {
  if (memory.place.kind === 'hub') return { toLocal: [], toFiles: [], copies: [] }
  const rows = await memory.reviewIndex.entries()
  const pinned = rows.filter(({ status, origin }) => status === 'pinned' && origin !== 'person')
  const known = pinned.length === 0 ? new Map() : await memory.search.loadEntries(pinned.map(({ id }) => id))
  const placed = rows.map(row => ({ ...row, extra: known.get(row.id)?.extra ?? {} }))
  return planLayout(placed, (await memory.config())['vault.share'])
}

/** How many entries `cairn migrate` would change, according to the newest journal records. */
export async function countUpgrade(
  memory: Memory & SearchPorts & UpkeepPorts & ReviewPorts,
): Promise<number> {
  const { toAgent, toSuggestion, archive } = await planUpgradeNow(memory, {
    maxRecords: MAX_RECORDS_FOR_COUNT,
  })
  const ids = [...toAgent, ...toSuggestion, ...archive].map(({ id }) => id)
  // Moves because of another `vault.share` need every entry, so only `cairn migrate` finds them.
  const { version } = await memory.store.readDocument('config.json')
  if (version === FORMAT_VERSION) return ids.length
  const { toLocal, toFiles, copies } = await planLayoutNow(memory)
  return new Set([...ids, ...[...toLocal, ...toFiles, ...copies].map(({ entry }) => entry.id)]).size
}

/** One mutation, so that one `cairn undo` reverts it. Removed entries are archived first. */
export async function upgrade(
  memory: Memory & SearchPorts & UpkeepPorts & ReviewPorts,
  { dryRun }: { readonly dryRun: boolean },
): Promise<Upgraded> {
  const plan = await planUpgradeNow(memory)
  const planned = [...plan.toAgent, ...plan.toSuggestion, ...plan.archive]
  const restatedIds = new Set(planned.map(({ id }) => id))
  const all = await planLayoutNow(memory)
  // A change of status can change the file of an entry.
  const isOther = ({ entry }: Relocation) => !restatedIds.has(entry.id)
  const layout = {
    toLocal: all.toLocal.filter(isOther),
    toFiles: all.toFiles.filter(isOther),
    copies: all.copies.filter(isOther),
  }
  const relocations = [...layout.toLocal, ...layout.toFiles, ...layout.copies]
  const untracked = await trackedAmong(memory, [
    ...relocations.map(({ entry }) => entry.path),
    ...all.toLocal.map(({ entry }) => entry.path),
  ])
  if (dryRun) return { plan, layout, untracked, record: null }
  let batch: string | undefined
  const record = await memory.store.write(memory.actor, async view => {
    // The mutation is retried because a file changed: entries archived by the first attempt are still in the vault.
    if (batch !== undefined) await memory.archive.remove(batch)
    batch = undefined
    const standing = await view.findRestorable([...restatedIds, ...relocations.map(({ entry }) => entry.id)])
    const moved = relocations.flatMap(({ entry: { id, path }, to }): Change[] => {
      const now = standing.get(id)
      if (now?.place?.path !== path && now?.place?.path !== to) return []
      return [{ type: 'entry', before: now.entry, after: now.entry, from: path, place: { path: to } }]
    })
    const unchanged = (entry: Entry) => {
      const now = standing.get(entry.id)
      const isSame =
        now?.entry.status === entry.status &&
        now.entry.origin === entry.origin &&
        now.entry.content === entry.content
      return isSame ? [now] : []
    }
    const restated = (entries: readonly Entry[], origin: Entry['origin']): Change[] =>
      entries.flatMap(unchanged).map(({ entry }) => ({
        type: 'entry',
        before: entry,
        after: { ...entry, origin, status: 'candidate' },
      }))
    const leaving = plan.archive.flatMap(unchanged)
    const changes: Change[] = [
      ...restated(plan.toAgent, 'agent'),
      ...restated(plan.toSuggestion, 'machine'),
      ...leaving.map(
        ({ entry, place }): Change => ({
          type: 'entry',
          before: entry,
          after: null,
          ...(place && { place }),
        }),
      ),
    ]
    if (leaving.length > 0) {
      const at = new Date(memory.clock.nowMs()).toISOString()
      const entries = leaving.map(({ fingerprint: _, ...each }) => ({
        ...each,
        reason: { code: 'over_limit', mostEntries: MAX_SUGGESTIONS },
      }))
      batch = (await memory.archive.write({ kind: 'evict', at, entries })).id
    }
    const config = await view.readDocument('config.json')
    changes.push(...moved)
    if (config.version !== FORMAT_VERSION && memory.place.kind !== 'hub')
      changes.push({
        type: 'document',
        name: 'config.json',
        before: config,
        after: { ...config, version: FORMAT_VERSION },
      })
    return changes.length === 0 ? null : { action: 'update', changes }
  })
  return { plan, layout, untracked, record: record?.id ?? null, ...(batch !== undefined && { batch }) }
}

/** Without git no file is known to be tracked. */
async function trackedAmong(memory: Memory & Partial<GitPorts>, paths: readonly string[]): Promise<string[]> {
  const tracking = await memory.gitTracking?.tracked()
  if (tracking?.kind !== 'read') return []
  const tracked = new Set(tracking.paths)
  return [...new Set(paths)].filter(path => tracked.has(path)).sort()
}
