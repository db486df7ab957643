import { mergeEntry } from '../../features/git-merge/decide/merge-entry.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { isShared, printOfEntry, twinKey } from './decide/shared-entry.ts'
import type { Sides } from './sides.ts'

/** So many entries are held in memory. */
const AT_ONCE = 1_000

/** What was written here and there in the same words is one entry, the hub's: ours goes into it. The answer is what is left to send. */
export async function withoutTwins(
  { local, state, print }: Sides,
  changed: readonly string[],
): Promise<readonly string[]> {
  const prints = state.prints()
  const fresh = new Set(changed.filter(id => !prints.has(id)))
  if (fresh.size === 0 || fresh.size === changed.length + prints.size) return changed
  const sharedByKey = new Map<string, string>()
  for await (const page of local.entries())
    for (const entry of page)
      if (isShared(entry) && typeof prints.get(entry.id) === 'string')
        sharedByKey.set(print(twinKey(entry)), entry.id)
  const twins = new Map<string, string>()
  for (let start = 0; start < changed.length; start += AT_ONCE) {
    const ids = changed.slice(start, start + AT_ONCE).filter(id => fresh.has(id))
    for (const [id, entry] of await local.find(ids)) {
      const twin = isShared(entry) ? sharedByKey.get(print(twinKey(entry))) : undefined
      if (twin !== undefined) twins.set(id, twin)
    }
  }
  if (twins.size === 0) return changed
  await local.write(async view => {
    const after = new Map<string, { before: Entry; after: Entry }>()
    const gone: Entry[] = []
    for (const [id, twin] of twins) {
      const ours = await view.find(id)
      const theirs = after.get(twin)?.after ?? (await view.find(twin))
      if (ours === undefined || theirs === undefined || twinKey(ours) !== twinKey(theirs)) continue
      const merged = mergeEntry(undefined, theirs, ours, { byClock: false })
      if (merged.kind === 'conflict') continue
      const before = after.get(twin)?.before ?? theirs
      after.set(twin, { before, after: { ...merged.entry, id: twin } })
      gone.push(ours)
    }
    const changes = [...after.values()].filter(
      each => printOfEntry(each.before, print) !== printOfEntry(each.after, print),
    )
    return {
      entries: [...changes, ...gone.map(before => ({ before, after: null }))],
      documents: [],
    }
  })
  return [...new Set([...changed.filter(id => !twins.has(id)), ...twins.values()])]
}
