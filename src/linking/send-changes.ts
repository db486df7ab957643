import type { Entry } from '../model/entry.ts'
import { mergeEntry } from '../pipeline/merge/merge-entry.ts'
import type { StateChange } from '../pipeline/sync/link-state.ts'
import type { Agreed, Incoming } from '../pipeline/sync/plan-incoming.ts'
import type { PushedEntry } from '../pipeline/sync/plan-push.ts'
import {
  type Push,
  type PushAnswer,
  type PushedDocument,
  readCursor,
  SHARED_DOCUMENTS,
  writeCursor,
} from '../pipeline/sync/protocol.ts'
import { isShared, printOfEntry, twinKey } from '../pipeline/sync/shared-entry.ts'
import { type Sides, textOf } from './sides.ts'
import { takeDocuments } from './take-documents.ts'
import { type NotTaken, type TakenIn, takeIn } from './take-in.ts'

/** A request stays well below what a server takes in one body, and one write of the hub below a second. */
const MOST_PUSHED = 1_000
const MOST_PUSHED_CHARACTERS = 500_000
/** Above both of these, what is gone here is not removed there by itself: a branch may be checked out, or a folder be gone. */
const MOST_GONE = 10
const MOST_GONE_SHARE = 0.2

export interface Outgoing {
  /** Ids that are other than what was agreed. */
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  /** Documents that are. */
  readonly documents: readonly PushedDocument[]
  readonly held: { readonly gone: number; readonly of: number } | null
}

export interface Sent {
  readonly sent: number
  /** Of the documents, which are not counted among those. */
  readonly documents: number
  readonly taken: readonly TakenIn[]
  readonly settled: readonly string[]
  /** Why these did not leave, or were not taken. */
  readonly withheld: readonly NotSent[]
}

interface NotSent {
  readonly id: string
  readonly why: 'secret' | 'refused' | NotTaken['why']
}

/** What waits here to be sent. */
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
  // Pages shift while others write: what was not seen is looked for once more.
  const standing = await local.find(gone)
  const removed = gone.filter(id => {
    const entry = standing.get(id)
    return entry === undefined || !isShared(entry)
  })
  const of = [...prints.values()].filter(was => was !== null).length
  const isHeld = !allowRemovals && removed.length > MOST_GONE && removed.length > of * MOST_GONE_SHARE
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

/** Sends it in pushes that are answered one by one: whatever was answered is agreed, and killed in between the rest is found again. */
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
  const withheld: NotSent[] = []
  const taken: TakenIn[] = []
  const settled: string[] = []
  let sent = 0
  let documentsSent = 0
  let done = 0
  const send = async (entries: readonly PushedEntry[], documents: readonly PushedDocument[]) => {
    if (entries.length === 0 && documents.length === 0) return
    const push: Push = { id: sides.newPushId(), identity, batch, entries, documents }
    sides.state.keep({ pending: push })
    const heard = await hear(sides, push, await sides.hub.push(push))
    taken.push(...heard.taken)
    settled.push(...heard.settled)
    withheld.push(...heard.withheld)
    sent += heard.sent
    documentsSent += heard.documents
    done += entries.length
    onProgress?.(done, total)
  }
  const documents: PushedDocument[] = []
  for (const document of outgoing.documents)
    if (document.body !== null && (await sides.holdsSecret(document.body)))
      withheld.push({ id: document.name, why: 'secret' })
    else documents.push(document)
  await send([], documents)
  const changed = await withoutTwins(sides, outgoing.changed)
  const all = [...changed, ...outgoing.removed]
  const prints = sides.state.prints()
  const formerly = await sides.local.formerly(all.map(id => ({ id, agreed: prints.get(id) })))
  for (const ids of chunks(all, MOST_PUSHED)) {
    const { entries, secret } = await pushed(sides, ids, formerly)
    withheld.push(...secret.map(id => ({ id, why: 'secret' as const })))
    for (const part of bySize(entries)) await send(part, [])
  }
  return { sent, documents: documentsSent, taken, settled, withheld }
}

/** A push whose answer was not heard: what it was answered counts; one that did not arrive never will. */
export async function resume(sides: Sides, identity: string): Promise<Sent | undefined> {
  const { state, hub } = sides
  const pending = state.pending()
  if (pending === undefined) return undefined
  const answer = pending.identity === identity ? await hub.giveUp(pending.id) : undefined
  if (answer !== undefined) return hear(sides, pending, answer)
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
    // An answer about what was not asked is none.
    if (!sentById.has(id)) continue
    const entry = sentById.get(id) ?? null
    const { revision } = answer
    if (outcome.outcome === 'refused') withheld.push({ id, why: 'refused' })
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
    // Nothing came between: what was just sent need not be fetched again.
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
  }
}

function isTaken(outcome: PushAnswer['documents'][number]['outcome']): boolean {
  return outcome === 'accepted' || outcome === 'already'
}

async function pushed(
  { local, state, print, holdsSecret }: Sides,
  ids: readonly string[],
  versionsById: ReadonlyMap<string, readonly string[]>,
): Promise<{ entries: PushedEntry[]; secret: string[] }> {
  const standing = await local.find(ids)
  const agreed = state.agreed(ids)
  const entries: PushedEntry[] = []
  const secret: string[] = []
  for (const id of ids) {
    const found = standing.get(id)
    const entry = found !== undefined && isShared(found) ? found : null
    if (entry !== null && (await holdsSecret(textOf(entry)))) {
      secret.push(id)
      continue
    }
    const own = entry === null ? null : printOfEntry(entry, print)
    const formerly = versionsById.get(id)?.filter(version => version !== own) ?? []
    entries.push({
      id,
      expected: agreed.get(id)?.print ?? null,
      entry,
      ...(formerly.length > 0 && { formerly }),
    })
  }
  return { entries, secret }
}

/** What was written here and there in the same words is one entry, the hub's: ours goes into it. The answer is what is left to send. */
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
  for (const ids of chunks([...fresh], MOST_PUSHED))
    for (const [id, entry] of await local.find(ids)) {
      const twin = isShared(entry) ? sharedByKey.get(print(twinKey(entry))) : undefined
      if (twin !== undefined) twins.set(id, twin)
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

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}

function bySize(entries: readonly PushedEntry[]): PushedEntry[][] {
  const parts: PushedEntry[][] = []
  let part: PushedEntry[] = []
  let characters = 0
  for (const each of entries) {
    const own = JSON.stringify(each).length
    if (part.length > 0 && characters + own > MOST_PUSHED_CHARACTERS) {
      parts.push(part)
      part = []
      characters = 0
    }
    part.push(each)
    characters += own
  }
  if (part.length > 0) parts.push(part)
  return parts
}
