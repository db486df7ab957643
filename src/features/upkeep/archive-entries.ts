import type { Memory } from '../../kernel/memory.ts'
import type { JsonObject, RestorableEntry, StoreView } from '../../kernel/vault/ports.ts'
import type { ArchivedEntry, BatchManifest } from './decide/archive.ts'
import { isSame, type SeenEntry, seenOf } from './decide/plan-compaction.ts'
import type { UpkeepPorts } from './decide/ports.ts'

export interface LeavingEntry {
  readonly id: string
  /** How it looked when it was decided that it goes. */
  readonly seen: SeenEntry
  /** Kept with it in the archive. */
  readonly reason: unknown
}

export interface ArchivedEntries {
  readonly ids: ReadonlySet<string>
  /** undefined: nothing left. */
  readonly batch?: string
  readonly record?: string
}

/**
 * Entries leave in one mutation, which `cairn undo` takes back, and are in one batch of the archive before that. One that is not as it was
 * seen stays, and so does one of which `mayGo` says no.
 */
export async function archiveEntries(
  memory: Memory & UpkeepPorts,
  wanted: readonly LeavingEntry[],
  mayGo: (id: string, curation: JsonObject) => boolean = () => true,
): Promise<ArchivedEntries> {
  let batch: BatchManifest | undefined
  let ids = new Set<string>()
  const record = await memory.store.write(memory.actor, async view => {
    // Decided once more because a file had changed: what the first try archived never left.
    if (batch !== undefined) await memory.archive.remove(batch.id)
    batch = undefined
    ids = new Set()
    const curation = await view.readDocument('curation.json')
    const archived: ArchivedEntry[] = []
    const unchanged = await findUnchanged(view, wanted)
    for (const { id, reason } of wanted) {
      const standing = unchanged.get(id)
      if (standing === undefined || ids.has(id) || !mayGo(id, curation)) continue
      ids.add(id)
      const { fingerprint: _, ...leaving } = standing
      archived.push({ ...leaving, reason })
    }
    if (archived.length === 0) return null
    batch = await memory.archive.write({ kind: 'evict', at: nowIso(memory), entries: archived })
    return {
      action: 'evict',
      changes: archived.map(({ entry, place }) => ({
        type: 'entry',
        before: entry,
        after: null,
        ...(place && { place }),
      })),
    }
  })
  return {
    ids,
    ...(batch !== undefined && { batch: (batch as BatchManifest).id }),
    ...(record !== null && { record: record.id }),
  }
}

/** Anything that was done to it since says that somebody still cares. */
async function findUnchanged(
  view: StoreView,
  planned: readonly { readonly id: string; readonly seen: SeenEntry }[],
): Promise<ReadonlyMap<string, RestorableEntry>> {
  const standing = await view.findRestorable(planned.map(({ id }) => id))
  return new Map(
    planned.flatMap(({ id, seen }) => {
      const now = standing.get(id)
      return now !== undefined && isSame(seen, seenNow(now)) ? [[id, now] as const] : []
    }),
  )
}

function seenNow({ entry, ...counters }: RestorableEntry): SeenEntry {
  const { status, updated } = entry
  return seenOf({ ...counters, status, ...(updated !== undefined && { updated }) })
}

function nowIso(memory: Memory): string {
  return new Date(memory.clock.nowMs()).toISOString()
}
