import { rejectionsIn } from '../../features/entries/decide/curation.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { CapturedEntry } from '../../kernel/model/new-entry.ts'
import { provenanceKey, provenanceOf } from '../../kernel/model/provenance.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'

const PAGE = 10_000

/** The entry that this became when it was imported before; null when a person rejected it since. undefined: it is new. */
export type TakenBefore = (entry: CapturedEntry) => string | null | undefined

/**
 * What imports took before, by where it came from and what it said there: an entry that a person reworded is known by this, where its words
 * no longer tell. What a person rejected is not proposed again.
 */
export async function takenBefore(memory: Memory): Promise<TakenBefore> {
  const idByKey = new Map<string, string>()
  for (let offset = 0; ; offset += PAGE) {
    const { entries } = await memory.store.listEntries({ filter: {}, limit: PAGE, offset })
    for (const entry of entries) {
      const key = keyOf(entry)
      if (key !== undefined) idByKey.set(`${entry.agent} ${key}`, entry.id)
    }
    if (entries.length < PAGE) break
  }
  const rejected = new Set(
    rejectionsIn(await memory.store.readDocument('curation.json')).map(each => each.fingerprint),
  )
  return entry => {
    const key = keyOf(entry)
    const id = key === undefined ? undefined : idByKey.get(`${entry.agent} ${key}`)
    if (id !== undefined) return id
    return entry.status === 'candidate' && rejected.has(fingerprint(entry.content)) ? null : undefined
  }
}

function keyOf(entry: Pick<CapturedEntry, 'extra'>): string | undefined {
  const provenance = entry.extra === undefined ? undefined : provenanceOf({ extra: entry.extra })
  return provenance === undefined ? undefined : provenanceKey(provenance)
}
