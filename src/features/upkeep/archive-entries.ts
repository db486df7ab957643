import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import type { Degradation, Hit } from '../../kernel/model/search.ts'
import { utcMinute } from '../../kernel/text/dates.ts'
import type { JsonObject, RestorableEntry, StoreView } from '../../kernel/vault/ports.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import { scanEntries } from '../search/decide/scan-entries.ts'
import type { ArchivedEntry, BatchManifest } from './decide/archive.ts'
import { isSame, type SeenEntry, seenOf } from './decide/plan-compaction.ts'
import type { UpkeepPorts } from './decide/ports.ts'

interface EntryToArchive {
  readonly id: string
  /** Its state when its removal was planned. */
  readonly seen: SeenEntry
  /** Stored with it in the archive. */
  readonly reason: unknown
}

interface ArchivedEntries {
  readonly ids: ReadonlySet<string>
  /** undefined: no entry was archived. */
  readonly batch?: string
  readonly record?: string
}

/**
 * Archives entries in one batch and then removes them in one mutation, which `cairn undo` reverts. Skips entries that changed since they
 * were seen, and entries for which `mayGo` returns false.
 */
export async function archiveEntries(
  memory: Memory & UpkeepPorts,
  wanted: readonly EntryToArchive[],
  mayGo: (id: string, curation: JsonObject) => boolean = () => true,
): Promise<ArchivedEntries> {
  let batch: BatchManifest | undefined
  let ids = new Set<string>()
  const record = await memory.store.write(memory.actor, async view => {
    // The mutation is retried because a file changed: entries archived by the first attempt are still in the vault.
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

/** Any change since shows that the entry is still in use. */
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

interface ArchivedHit extends Hit {
  /** The batch that contains it. */
  readonly archived: string
}

/** Searches entries that exist only in the archive; restored ones are found in the vault. Streamed, so its size does not matter. */
export async function searchArchive(
  memory: Memory & SearchPorts & UpkeepPorts,
  query: string,
  { matches, limit }: { matches: (entry: Entry) => boolean; limit: number },
): Promise<{ hits: ArchivedHit[]; degraded: Degradation[] }> {
  await memory.store.refresh()
  const degraded: Degradation[] = []
  const seen = new Set<string>()
  const scan = scanEntries<{ readonly entry: Entry; readonly batch: string }>({
    query,
    aliases: await memory.aliases(),
    now: utcMinute(memory.clock.nowMs()),
  })
  const found = memory.archive.entries(({ code, message }) => degraded.push({ code, message }))
  for await (const { batch, item } of found) {
    // The newest batch comes first, so older copies of an entry are skipped.
    if (seen.has(item.entry.id) || !matches(item.entry)) continue
    seen.add(item.entry.id)
    scan.take({ entry: item.entry, batch })
  }
  const best = scan.finish(limit + MAX_RETURNED)
  const standing = await memory.search.loadEntries(best.map(({ entry }) => entry.id))
  const hits = best
    .filter(({ entry }) => !standing.has(entry.id))
    .slice(0, limit)
    .map(({ entry, batch, score, snippet }) => ({
      id: entry.id,
      score,
      snippet: snippet.text,
      matches: snippet.matches,
      entry,
      archived: batch,
    }))
  return { hits, degraded: [...degraded, ...memory.store.takeDegraded()] }
}

/** Fetches more than were requested, because some of them may have been restored. */
const MAX_RETURNED = 200
