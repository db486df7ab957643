import type { Engine } from '../engine-parts.ts'
import type { Entry } from '../model/entry.ts'
import type { Change } from '../model/journal.ts'
import {
  MAX_SUGGESTIONS,
  planUpgrade,
  trustHistory,
  type UpgradePlan,
} from '../pipeline/upkeep/plan-upgrade.ts'
import { confirmedByPerson } from './upkeep.ts'

/** `status` looks back so many records; `cairn migrate` reads the whole journal. */
const MAX_RECORDS_FOR_COUNT = 2_000

export interface Upgraded {
  readonly plan: UpgradePlan
  /** null: nothing was changed. */
  readonly record: string | null
  /** The archive batch that holds the suggestions over the cap. */
  readonly batch?: string
}

/** What a memory of 0.1.0 needs so that only a person's word counts as confirmed. Changes nothing. */
export async function planUpgradeNow(
  engine: Engine,
  { maxRecords }: { readonly maxRecords?: number } = {},
): Promise<UpgradePlan> {
  await engine.store.refresh()
  const { add, history } = trustHistory()
  const query = maxRecords === undefined ? {} : { limit: maxRecords }
  for await (const record of engine.store.readJournal(query)) add(record)
  const captured = await engine.upkeepIndex.captured()
  const ids = new Set([
    ...history.savedByAgents,
    ...captured.filter(({ origin }) => origin === 'machine').map(({ id }) => id),
  ])
  const entryById = await engine.search.loadEntries([...ids])
  return planUpgrade({
    entries: [...entryById.values()],
    history,
    confirmedByPerson: await confirmedByPerson(engine),
  })
}

/** How many entries wait for `cairn migrate`, as far as the newest journal records show. */
export async function countUpgrade(engine: Engine): Promise<number> {
  const { toAgent, toSuggestion, archive } = await planUpgradeNow(engine, {
    maxRecords: MAX_RECORDS_FOR_COUNT,
  })
  return toAgent.length + toSuggestion.length + archive.length
}

/** One mutation, so that one `cairn undo` takes it back. What it removes is in the archive before. */
export async function upgrade(engine: Engine, { dryRun }: { readonly dryRun: boolean }): Promise<Upgraded> {
  const plan = await planUpgradeNow(engine)
  if (dryRun) return { plan, record: null }
  let batch: string | undefined
  const record = await engine.store.write(engine.actor, async view => {
    // Decided again because a file had changed: what the first attempt archived never left.
    if (batch !== undefined) await engine.archive.remove(batch)
    batch = undefined
    const planned = [...plan.toAgent, ...plan.toSuggestion, ...plan.archive]
    const standing = await view.findStanding(planned.map(({ id }) => id))
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
      const at = new Date(engine.clock.nowMs()).toISOString()
      const entries = leaving.map(({ fingerprint: _, ...each }) => ({
        ...each,
        reason: { code: 'over_limit', mostEntries: MAX_SUGGESTIONS },
      }))
      batch = (await engine.archive.write({ kind: 'evict', at, entries })).id
    }
    return changes.length === 0 ? null : { action: 'update', changes }
  })
  return { plan, record: record?.id ?? null, ...(batch !== undefined && { batch }) }
}
