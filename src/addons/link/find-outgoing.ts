import { type PushedDocument, SHARED_DOCUMENTS } from './decide/protocol.ts'
import { isShared, printOfEntry } from './decide/shared-entry.ts'
import type { Sides } from './sides.ts'

/** Above both of these limits, removals are not sent automatically: the user may have checked out a branch or deleted a folder. */
const MAX_GONE = 10
const MAX_GONE_SHARE = 0.2

export interface Outgoing {
  /** Ids that differ from the agreed version. */
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  /** Documents that differ. */
  readonly documents: readonly PushedDocument[]
  readonly held: { readonly gone: number; readonly of: number } | null
}

/** Local changes to send. */
export async function findOutgoing(
  { local, state, print }: Sides,
  { allowRemovals = false }: { readonly allowRemovals?: boolean } = {},
): Promise<Outgoing> {
  const prints = state.prints()
  const seen = new Set<string>()
  const changed: string[] = []
  for await (const page of local.entries())
    for (const entry of page) {
      if (!isShared(entry)) continue
      seen.add(entry.id)
      if (prints.get(entry.id) !== printOfEntry(entry, print)) changed.push(entry.id)
    }
  const gone = [...prints].flatMap(([id, was]) => (was === null || seen.has(id) ? [] : [id]))
  // Pages shift during concurrent writes: missed entries are looked up again.
  const standing = await local.find(gone)
  const removed = gone.filter(id => {
    const entry = standing.get(id)
    return entry === undefined || !isShared(entry)
  })
  const of = [...prints.values()].filter(was => was !== null).length
  const isHeld = !allowRemovals && removed.length > MAX_GONE && removed.length > of * MAX_GONE_SHARE
  const bodies = await local.documents()
  const agreed = state.documents()
  return {
    changed,
    removed: isHeld ? [] : removed,
    documents: SHARED_DOCUMENTS.filter(name => bodies[name] !== agreed[name]).map(name => ({
      name,
      expected: agreed[name] === null ? null : print(agreed[name]),
      body: bodies[name],
    })),
    held: isHeld ? { gone: removed.length, of } : null,
  }
}
