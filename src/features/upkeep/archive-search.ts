import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import type { Degradation, Hit } from '../../kernel/model/search.ts'
import { utcMinute } from '../../kernel/text/dates.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import { scanEntries } from '../search/decide/scan-entries.ts'
import type { UpkeepPorts } from './decide/ports.ts'

export interface ArchivedHit extends Hit {
  /** The batch that holds it. */
  readonly archived: string
}

/** What the archive alone has: an entry that is in the vault again is found there. Streamed, so its size does not matter. */
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
    // The newest batch comes first; an older copy of the same entry is not a second one.
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

/** So many of the best may have been restored, and still as many are shown as were asked for. */
const MAX_RETURNED = 200
