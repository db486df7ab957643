import type { Entry } from '../../kernel/model/entry.ts'
import type { StateChange } from './decide/link-state.ts'
import {
  type Agreed,
  type Arrival,
  type Incoming,
  isUnclear,
  KNOWS_NOTHING,
  type Knowledge,
  planIncoming,
} from './decide/plan-incoming.ts'
import type { SharedDocument } from './decide/protocol.ts'
import { mergeShared } from './decide/shared-documents.ts'
import { printOfEntry } from './decide/shared-entry.ts'
import { isSoundDocument } from './decide/sound-document.ts'
import { isSound } from './decide/sound-entry.ts'
import { type Sides, textOf } from './sides.ts'

export interface ReceivedChanges {
  readonly received: number
  /** Of the received entries: removed here, as on the hub. */
  readonly removed: number
  readonly merged: number
  /** The entry of the hub, and the entry that the local version is stored as. */
  readonly conflicts: readonly { readonly id: string; readonly kept: string }[]
  /** Edited on one side and removed on the other. */
  readonly revived: readonly { readonly id: string; readonly side: 'ours' | 'theirs' }[]
  /** Entries that cannot be stored here, and why. */
  readonly withheld: readonly NotTaken[]
  readonly record: string | null
}

export interface NotTaken {
  readonly id: string
  readonly why: 'not_shared' | 'unsound' | 'secret_there'
}

/**
 * Applies the changes of the hub and records the agreement. Decisions are made on the current entries under the lock; if the process is
 * killed before the last step, the next sync finds both sides equal.
 */
export async function takeIn(
  sides: Sides,
  incoming: readonly Incoming[],
  after: StateChange,
): Promise<ReceivedChanges> {
  const { local, state, print } = sides
  if (incoming.length === 0) {
    state.keep(after)
    return { received: 0, removed: 0, merged: 0, conflicts: [], revived: [], withheld: [], record: null }
  }
  const all = [...new Map(incoming.map(one => [one.id, one])).values()]
  const unfit = await findUnfit(sides, all)
  const latest = all.filter(({ id }) => !unfit.has(id))
  const agreed = state.agreed(latest.map(({ id }) => id))
  const knowledge = await learn(sides, latest, agreed)
  let tally = newTally()
  const record = await local.write(async view => {
    tally = newTally()
    for (const one of latest) {
      const ours = await view.find(one.id)
      const arrival = planIncoming({
        ours,
        incoming: one,
        agreed: agreed.get(one.id),
        knowledge: knowledge(one.id, ours),
        print,
      })
      tally.add(one, arrival, () => view.newId())
    }
    return tally.changes.length === 0 ? null : { entries: tally.changes, documents: [] }
  })
  state.keep({
    ...after,
    // Versions that continue from the agreed one are to be sent, even without a local write.
    settledAt: null,
    agreed: [
      ...(after.agreed ?? []),
      ...latest.map(
        one => [one.id, tally.withheld.includes(one.id) ? undefined : agreementOn(one, sides)] as const,
      ),
      ...[...unfit.keys()].map(id => [id, undefined] as const),
    ],
  })
  const { received, removed, merged, conflicts, revived } = tally
  const withheld = [
    ...[...unfit].map(([id, why]) => ({ id, why })),
    ...tally.withheld.map(id => ({ id, why: 'not_shared' as const })),
  ]
  return { received, removed, merged, conflicts, revived, withheld, record }
}

/** Invalid entries, and entries with a secret that the hub should have rejected: nothing of them is written or processed further. */
async function findUnfit(
  { holdsSecret }: Sides,
  incoming: readonly Incoming[],
): Promise<ReadonlyMap<string, 'unsound' | 'secret_there'>> {
  const unfit = new Map<string, 'unsound' | 'secret_there'>()
  for (const { id, entry } of incoming) {
    if (entry === null) continue
    if (!isSound(entry) || entry.id !== id) unfit.set(id, 'unsound')
    // Each on its own: a private block from one entry to the next would hide the text between.
    else if (await holdsSecret(textOf(entry))) unfit.set(id, 'secret_there')
  }
  return unfit
}

function agreementOn({ entry, revision }: Incoming, { print }: Pick<Sides, 'print'>): Agreed {
  return { entry, revision, print: entry === null ? null : printOfEntry(entry, print) }
}

/**
 * Asks the histories of both sides, only if needed. The hub answers about the version in the question: it cannot know a version written
 * here in the meantime. A version that continues from the hub's still does.
 */
async function learn(
  { hub, local, print }: Sides,
  incoming: readonly Incoming[],
  agreed: ReadonlyMap<string, Agreed>,
): Promise<(id: string, ours: Entry | undefined) => Knowledge> {
  const ours = await local.find(incoming.map(({ id }) => id))
  const printOr = (entry: Entry | undefined) => (entry === undefined ? null : printOfEntry(entry, print))
  const unclear = incoming.filter(one =>
    isUnclear({ ours: ours.get(one.id), incoming: one, agreed: agreed.get(one.id), print }),
  )
  if (unclear.length === 0) return () => KNOWS_NOTHING
  const here = await local.hadSince(
    unclear.flatMap(({ id, entry }) =>
      entry === null ? [] : [{ id, print: printOfEntry(entry, print), agreed: agreed.get(id)?.print }],
    ),
  )
  // A new entry that was never here needs no answer of the hub.
  const asked = unclear.filter(({ id }) => ours.has(id) || here.has(id))
  const answers =
    asked.length === 0
      ? []
      : await hub.versions(
          asked.map(({ id }) => ({
            id,
            print: printOr(ours.get(id)),
            after: agreed.get(id)?.revision ?? 0,
          })),
        )
  const there = new Set(asked.filter((_, at) => answers[at] === true).map(({ id }) => id))
  return (id, now) => ({
    oursIsKnownThere: there.has(id) && printOr(now) === printOr(ours.get(id)),
    theirsIsKnownHere: here.has(id),
  })
}

interface Tally {
  readonly changes: { readonly before: Entry | null; readonly after: Entry | null }[]
  received: number
  removed: number
  merged: number
  readonly conflicts: { readonly id: string; readonly kept: string }[]
  readonly revived: { readonly id: string; readonly side: 'ours' | 'theirs' }[]
  readonly withheld: string[]
  add(incoming: Incoming, arrival: Arrival, newId: () => string): void
}

function newTally(): Tally {
  return {
    changes: [],
    received: 0,
    removed: 0,
    merged: 0,
    conflicts: [],
    revived: [],
    withheld: [],
    add({ id }, arrival, newId) {
      switch (arrival.does) {
        case 'agree':
          return
        case 'take':
          this.received++
          if (arrival.after === null) this.removed++
          this.changes.push({ before: arrival.before ?? null, after: arrival.after })
          return
        case 'merge':
          this.merged++
          this.changes.push({ before: arrival.before, after: arrival.after })
          return
        case 'both': {
          const kept = { id: newId(), ...arrival.kept }
          this.conflicts.push({ id, kept: kept.id })
          this.changes.push({ before: arrival.before, after: arrival.after }, { before: null, after: kept })
          return
        }
        case 'revive':
          this.revived.push({ id, side: arrival.side })
          if (arrival.side === 'theirs') this.changes.push({ before: null, after: arrival.after })
          return
        case 'withhold':
          this.withheld.push(id)
          return
      }
    },
  }
}

export interface DocumentsTaken {
  /** Documents that changed here. */
  readonly received: number
  /** Places that both sides changed. */
  readonly settled: readonly string[]
  readonly withheld: readonly NotTaken[]
}

/** Applies the documents of the hub and records the agreement. */
export async function takeDocuments(
  { local, state, holdsSecret }: Sides,
  given: readonly { readonly name: SharedDocument; readonly body: string | null }[],
  after: StateChange,
): Promise<DocumentsTaken> {
  const settled: string[] = []
  let received = 0
  const withheld: NotTaken[] = []
  const theirs: { readonly name: SharedDocument; readonly body: string | null }[] = []
  for (const { name, body } of given)
    if (!isSoundDocument(name, body)) withheld.push({ id: name, why: 'unsound' })
    else if (body !== null && (await holdsSecret(body))) withheld.push({ id: name, why: 'secret_there' })
    else theirs.push({ name, body })
  if (theirs.length > 0) {
    const agreed = state.documents()
    await local.write(async view => {
      settled.length = 0
      const documents: { name: SharedDocument; body: string | null }[] = []
      for (const { name, body } of theirs) {
        const ours = await view.document(name)
        const merged = mergeShared(name, { base: agreed[name], ours, theirs: body })
        settled.push(...merged.settled)
        if (merged.body !== ours) documents.push({ name, body: merged.body })
      }
      received = documents.length
      return documents.length === 0 ? null : { entries: [], documents }
    })
  }
  if (theirs.length > 0 || Object.keys(after).length > 0)
    state.keep({
      ...after,
      ...(theirs.length > 0 && { settledAt: null }),
      documents: theirs.map(({ name, body }) => [name, body] as const),
    })
  return { received, settled, withheld }
}
