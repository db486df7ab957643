import type { PushedEntry } from './decide/plan-push.ts'
import type { PushedDocument } from './decide/protocol.ts'
import { bytesOf, isShared, isTooLarge, MAX_ENTRY_BYTES, printOfEntry } from './decide/shared-entry.ts'
import { type Sides, textOf } from './sides.ts'

/** A request stays below the MiB that a server takes in one body, and one write of the hub below a second. */
const MAX_PUSHED = 1_000
const MAX_PUSHED_BYTES = MAX_ENTRY_BYTES
const MAX_DOCUMENT_BYTES = 1_000_000
/** So many entries are read at once. */
const AT_ONCE = 1_000

/** What stays here, and why. */
export interface NotPushed {
  readonly id: string
  readonly why: 'secret' | 'too_large'
}

/** Entries as they stand here now, in pushes that are as full as they may be. Each is made when it is asked for; in the end it says what stays. */
export async function* preparePushes(
  { local, state, print, holdsSecret }: Sides,
  ids: readonly string[],
): AsyncGenerator<readonly PushedEntry[], readonly NotPushed[]> {
  const prints = state.prints()
  const versionsById = await local.formerly(ids.map(id => ({ id, agreed: prints.get(id) })))
  const stays: NotPushed[] = []
  let part: PushedEntry[] = []
  let bytes = 0
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const asked = ids.slice(start, start + AT_ONCE)
    const standing = await local.find(asked)
    for (const id of asked) {
      const found = standing.get(id)
      const entry = found !== undefined && isShared(found) ? found : null
      if (entry !== null && isTooLarge(entry)) {
        stays.push({ id, why: 'too_large' })
        continue
      }
      if (entry !== null && (await holdsSecret(textOf(entry)))) {
        stays.push({ id, why: 'secret' })
        continue
      }
      const own = entry === null ? null : printOfEntry(entry, print)
      const formerly = versionsById.get(id)?.filter(version => version !== own) ?? []
      const pushed = {
        id,
        expected: prints.get(id) ?? null,
        entry,
        ...(formerly.length > 0 && { formerly }),
      }
      const ownBytes = bytesOf(pushed)
      const isFull = part.length === MAX_PUSHED || bytes + ownBytes > MAX_PUSHED_BYTES
      if (isFull && part.length > 0) {
        yield part
        part = []
        bytes = 0
      }
      part.push(pushed)
      bytes += ownBytes
    }
  }
  if (part.length > 0) yield part
  return stays
}

/** undefined: it may leave. */
export async function whyDocumentStays(
  document: PushedDocument,
  { holdsSecret }: Sides,
): Promise<NotPushed['why'] | undefined> {
  if (bytesOf(document) > MAX_DOCUMENT_BYTES) return 'too_large'
  return document.body !== null && (await holdsSecret(document.body)) ? 'secret' : undefined
}
