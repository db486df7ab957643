import { mergeEntry } from '../../features/git-merge/decide/merge-entry.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { StateChange } from './decide/link-state.ts'
import type { Agreed, Incoming } from './decide/plan-incoming.ts'
import type { PushedEntry } from './decide/plan-push.ts'
import {
  type Push,
  type PushAnswer,
  type PushedDocument,
  readCursor,
  writeCursor,
} from './decide/protocol.ts'
import {
  bytesOf,
  isShared,
  isTooLarge,
  MAX_ENTRY_BYTES,
  printOfEntry,
  twinKey,
} from './decide/shared-entry.ts'
import type { Outgoing } from './find-outgoing.ts'
import { type Sides, textOf } from './sides.ts'
import { type NotTaken, type ReceivedChanges, takeDocuments, takeIn } from './take-in.ts'

/** Entries read into memory in one batch. */
const ENTRIES_PER_READ = 1_000

/** Merges local entries into entries of the hub with the same text. Returns the ids that are still to be sent. */
async function withoutTwins(
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
  for (let start = 0; start < changed.length; start += ENTRIES_PER_READ) {
    const ids = changed.slice(start, start + ENTRIES_PER_READ).filter(id => fresh.has(id))
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

/** A request stays below the 1 MiB body limit of a server, and one write of the hub below a second. */
const MAX_PUSHED = 1_000
const MAX_PUSHED_BYTES = MAX_ENTRY_BYTES
const MAX_DOCUMENT_BYTES = 1_000_000
/** Entries that are not sent, and why. */
interface NotPushed {
  readonly id: string
  readonly why: 'secret' | 'too_large'
}

/** Full pushes of current entries. Each is built when it is requested; the return value lists the entries that are not sent. */
async function* preparePushes(
  { local, state, print, holdsSecret }: Sides,
  ids: readonly string[],
): AsyncGenerator<readonly PushedEntry[], readonly NotPushed[]> {
  const prints = state.prints()
  const versionsById = await local.formerly(ids.map(id => ({ id, agreed: prints.get(id) })))
  const stays: NotPushed[] = []
  let part: PushedEntry[] = []
  let bytes = 0
  for (let start = 0; start < ids.length; start += ENTRIES_PER_READ) {
    const asked = ids.slice(start, start + ENTRIES_PER_READ)
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

/** undefined: it may be sent. */
async function whyDocumentStays(
  document: PushedDocument,
  { holdsSecret }: Sides,
): Promise<NotPushed['why'] | undefined> {
  if (bytesOf(document) > MAX_DOCUMENT_BYTES) return 'too_large'
  return document.body !== null && (await holdsSecret(document.body)) ? 'secret' : undefined
}

export interface Sent {
  readonly sent: number
  /** Number of documents, which are not counted among the entries. */
  readonly documents: number
  readonly taken: readonly ReceivedChanges[]
  readonly settled: readonly string[]
  /** Why these were not sent or not accepted. */
  readonly withheld: readonly NotSent[]
  /** The token may only read: nothing more was sent. */
  readonly isReadOnly: boolean
}

export interface NotSent {
  readonly id: string
  readonly why: 'refused' | NotPushed['why'] | NotTaken['why']
}

/** Sends pushes one by one: every answered push is agreed, and after an interruption the rest is found again. */
export async function sendChanges(
  sides: Sides,
  outgoing: Outgoing,
  {
    identity,
    batch,
    onProgress,
  }: {
    readonly identity: string
    readonly batch: string
    readonly onProgress?: (done: number, total: number) => void
  },
): Promise<Sent> {
  const total = outgoing.changed.length + outgoing.removed.length
  const sum = newSum()
  let done = 0
  const push = async (entries: readonly PushedEntry[], documents: readonly PushedDocument[]) => {
    const sent: Push = { id: sides.newPushId(), identity, batch, entries, documents }
    sides.state.keep({ pending: sent })
    return { sent, answer: await unlessReadOnly(() => sides.hub.push(sent)) }
  }
  /** Whether another round makes sense. */
  const settle = async ({ sent, answer }: Awaited<ReturnType<typeof push>>) => {
    if (answer === 'read only') {
      sides.state.keep({ pending: null })
      sum.isReadOnly = true
      return false
    }
    sum.add(await hear(sides, sent, answer))
    done += sent.entries.length
    onProgress?.(done, total)
    return true
  }
  // Each document in its own push: it may fill a request.
  for (const document of outgoing.documents) {
    const why = await whyDocumentStays(document, sides)
    if (why !== undefined) sum.withheld.push({ id: document.name, why })
    else if (!(await settle(await push([], [document])))) return sum
  }
  const changed = await withoutTwins(sides, outgoing.changed)
  const parts = preparePushes(sides, [...changed, ...outgoing.removed])
  let part = await parts.next()
  while (part.done !== true) {
    // Build the next push while the hub works on this one.
    const [pushed, following] = await both(push(part.value, []), parts.next())
    if (!(await settle(pushed))) return sum
    part = following
  }
  sum.withheld.push(...part.value)
  return sum
}

/** Awaits both even if one fails: nothing may continue after the sync has ended. */
async function both<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other])
  return Promise.all([one, other])
}

async function unlessReadOnly<T>(ask: () => Promise<T>): Promise<T | 'read only'> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof CairnError && error.code === 'scope_missing') return 'read only'
    throw error
  }
}

/**
 * Resolves a push without an answer: a stored answer counts; a push that has not arrived is now rejected. With a read-only token the hub
 * answers neither, and comparing entries shows the result.
 */
export async function resume(sides: Sides, identity: string): Promise<Sent | undefined> {
  const { state, hub } = sides
  const pending = state.pending()
  if (pending === undefined) return undefined
  const answer =
    pending.identity === identity ? await unlessReadOnly(() => hub.giveUp(pending.id)) : undefined
  if (answer !== undefined && answer !== 'read only') return hear(sides, pending, answer)
  state.keep({ pending: null })
  return undefined
}

async function hear(sides: Sides, push: Push, answer: PushAnswer): Promise<Sent> {
  const sentById = new Map(push.entries.map(each => [each.id, each.entry]))
  const agreed: [string, Agreed][] = []
  const incoming: Incoming[] = []
  const withheld: NotSent[] = []
  for (const outcome of answer.entries) {
    const { id } = outcome
    // An answer about entries that were not sent is ignored.
    if (!sentById.has(id)) continue
    const entry = sentById.get(id) ?? null
    const { revision } = answer
    if (outcome.outcome === 'refused')
      withheld.push({ id, why: outcome.reason === 'too_large' ? 'too_large' : 'refused' })
    else if (outcome.outcome === 'conflict') incoming.push({ id, entry: outcome.entry, revision })
    else
      agreed.push([id, { entry, revision, print: entry === null ? null : printOfEntry(entry, sides.print) }])
  }
  const bodies = push.documents.flatMap(({ name, body }) =>
    answer.documents.some(each => each.name === name && isTaken(each.outcome)) ? [[name, body] as const] : [],
  )
  withheld.push(
    ...answer.documents.flatMap(({ name, outcome }) =>
      outcome === 'refused' ? [{ id: name, why: 'refused' as const }] : [],
    ),
  )
  const cursor = sides.state.cursor()
  const place = cursor === null ? undefined : readCursor(cursor)
  const isNext = place !== undefined && place.id === undefined && place.revision === answer.before
  const change: StateChange = {
    pending: null,
    agreed,
    documents: bodies,
    // No write came between: the sent entries need not be fetched again.
    ...(isNext && { cursor: writeCursor({ revision: answer.revision }) }),
  }
  const taken = await takeIn(sides, incoming, change)
  const documents = await takeDocuments(
    sides,
    answer.documents.flatMap(each =>
      each.outcome === 'conflict' ? [{ name: each.name, body: each.body }] : [],
    ),
    {},
  )
  return {
    sent: agreed.length,
    documents: bodies.length,
    taken: [taken],
    settled: documents.settled,
    withheld: [...withheld, ...documents.withheld],
    isReadOnly: false,
  }
}

function isTaken(outcome: PushAnswer['documents'][number]['outcome']): boolean {
  return outcome === 'accepted' || outcome === 'already'
}

function newSum() {
  return {
    sent: 0,
    documents: 0,
    taken: [] as ReceivedChanges[],
    settled: [] as string[],
    withheld: [] as NotSent[],
    isReadOnly: false,
    add({ sent, documents, taken, settled, withheld }: Sent) {
      this.sent += sent
      this.documents += documents
      this.taken.push(...taken)
      this.settled.push(...settled)
      this.withheld.push(...withheld)
    },
  }
}
