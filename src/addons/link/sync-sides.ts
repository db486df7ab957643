import { CairnError } from '../../kernel/model/errors.ts'
import { feedFollower } from './decide/follow-feed.ts'
import { readCursor, SHARED_DOCUMENTS, type SharedDocument } from './decide/protocol.ts'
import { findOutgoing, type Outgoing } from './find-outgoing.ts'
import { type NotSent, resume, type Sent, sendChanges } from './send-changes.ts'
import type { Sides } from './sides.ts'
import { type DocumentsTaken, type ReceivedChanges, takeDocuments, takeIn } from './take-in.ts'

export interface SyncTotals {
  readonly sent: number
  readonly received: number
  /** Of the received entries: removed here. */
  readonly removed: number
  readonly merged: number
  /** Shared documents sent or received: not counted among the entries. */
  readonly documents: number
  readonly conflicts: ReceivedChanges['conflicts']
  readonly revived: ReceivedChanges['revived']
  /** Documents that both sides changed in the same place, with the value that counts. */
  readonly settled: readonly string[]
  readonly withheld: readonly NotSent[]
  readonly held: Outgoing['held']
  /** The token may only read: local changes were not sent. */
  readonly isReadOnly: boolean
  /** For `undo`. */
  readonly records: readonly string[]
  /** Something is left: others write faster than this sends. */
  readonly isRestless: boolean
}

export interface SideSyncOptions {
  readonly identity: string
  /** Of the records on the hub. */
  readonly batch: string
  readonly allowRemovals?: boolean
  readonly onProgress?: (done: number, total: number | undefined, what: string) => void
}

const PAGE = 2_000
/** Each round after the first handles changes made during the one before. */
const MAX_ROUNDS = 8

/**
 *   resume ▶ pull ▶ take in ▶ … ▶ find what is other here ▶ push ▶ hear ▶ … ▶ again, until nothing is left
 *
 * Every step leaves both sides so that the next sync, whoever does it and whatever was cut short, sees what is left to do.
 */
export async function syncSides(sides: Sides, options: SideSyncOptions): Promise<SyncTotals> {
  const sum = newSum()
  const { state, local } = sides
  const resumed = await resume(sides, options.identity)
  if (resumed !== undefined) sum.addSent(resumed)
  let isRestless = true
  for (let round = 1; round <= MAX_ROUNDS && isRestless; round++) {
    await pullAll(sides, options, sum)
    const record = await local.lastRecord()
    if (record !== null && state.settledAt() === record) {
      isRestless = false
      break
    }
    const outgoing = await findOutgoing(sides, options)
    sum.held = outgoing.held
    isRestless = outgoing.changed.length + outgoing.removed.length + outgoing.documents.length > 0
    if (isRestless) {
      const sent = await sendChanges(sides, outgoing, {
        identity: options.identity,
        batch: options.batch,
        onProgress: (done, total) => options.onProgress?.(done, total, 'entries sent'),
      })
      sum.addSent(sent)
      // Entries that are not sent would be found again in every round.
      const isStuck =
        sent.sent === 0 &&
        sent.taken.every(
          ({ conflicts, received, merged, revived }) =>
            conflicts.length + received + merged + revived.length === 0,
        )
      const isWithheld = sent.withheld.length > 0 || sent.taken.some(({ withheld }) => withheld.length > 0)
      if ((isStuck && isWithheld) || sent.isReadOnly) isRestless = false
      // Every change was accepted and there were no other writes: a full comparison is not needed.
      const isSettled =
        outgoing.held === null &&
        sent.withheld.length + sent.settled.length === 0 &&
        sent.sent === outgoing.changed.length + outgoing.removed.length &&
        sent.documents === outgoing.documents.length
      if (isSettled && (await local.lastRecord()) === record) state.keep({ settledAt: record })
    } else if (outgoing.held === null) state.keep({ settledAt: record })
  }
  return sum.totals(isRestless)
}

async function pullAll(sides: Sides, { identity, onProgress }: SideSyncOptions, sum: Sum): Promise<void> {
  const { state, hub, print } = sides
  const follow = feedFollower()
  let isAnew = false
  for (let done = 0; ; ) {
    const known = state.documents()
    const cursor = state.cursor()
    const page = await hub.pull({
      cursor,
      limit: PAGE,
      documents: Object.fromEntries(
        SHARED_DOCUMENTS.map(name => [name, known[name] === null ? null : print(known[name])]),
      ) as Record<SharedDocument, string | null>,
    })
    if (page.identity !== identity) throw anotherHub()
    const place = cursor === null ? undefined : readCursor(cursor)
    if (place !== undefined && place.revision > page.revision) {
      // The hub was restored from a backup older than the agreement: nothing agreed counts.
      if (isAnew) throw anotherHub()
      isAnew = true
      state.keep({ anew: true })
      continue
    }
    follow(cursor, page)
    if (page.entries.length > 0) sum.addTaken(await takeIn(sides, page.entries, { cursor: page.cursor }))
    sum.addDocuments(await takeDocuments(sides, page.documents, { cursor: page.cursor }))
    done += page.entries.length
    if (page.entries.length > 0) onProgress?.(done, undefined, 'entries received')
    if (page.isLast) return
  }
}

export function anotherHub(): CairnError {
  return new CairnError({
    code: 'hub_refused',
    message:
      'The address of the link belongs to another hub or project than the one that was linked, or to a restored backup of it.',
    hint: 'Nothing was sent. `cairn link <hub-url>` links this one: both sides are then compared, without duplicates or losses.',
  })
}

interface Sum {
  held: Outgoing['held']
  addTaken(taken: ReceivedChanges): void
  addSent(sent: Sent): void
  addDocuments(taken: DocumentsTaken): void
  totals(isRestless: boolean): SyncTotals
}

function newSum(): Sum {
  let [sent, received, removed, merged, documents] = [0, 0, 0, 0, 0]
  const conflicts: { id: string; kept: string }[] = []
  const revived: { id: string; side: 'ours' | 'theirs' }[] = []
  const settled: string[] = []
  const withheld = new Map<string, NotSent['why']>()
  let isReadOnly = false
  const records: string[] = []
  return {
    held: null,
    addTaken(taken) {
      received += taken.received
      removed += taken.removed
      merged += taken.merged
      conflicts.push(...taken.conflicts)
      revived.push(...taken.revived)
      for (const { id, why } of taken.withheld) withheld.set(id, why)
      if (taken.record !== null) records.push(taken.record)
    },
    addSent(heard) {
      sent += heard.sent
      documents += heard.documents
      for (const { id, why } of heard.withheld) withheld.set(id, why)
      settled.push(...heard.settled)
      isReadOnly ||= heard.isReadOnly
      for (const taken of heard.taken) this.addTaken(taken)
    },
    addDocuments(taken) {
      documents += taken.received
      settled.push(...taken.settled)
      for (const { id, why } of taken.withheld) withheld.set(id, why)
    },
    totals(isRestless) {
      return {
        sent,
        received,
        removed,
        merged,
        documents,
        conflicts,
        revived,
        settled,
        withheld: [...withheld].map(([id, why]) => ({ id, why })),
        held: this.held,
        isReadOnly,
        records,
        isRestless,
      }
    },
  }
}
