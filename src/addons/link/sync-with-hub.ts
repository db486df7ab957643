import type { MeaningPorts } from '../../features/search/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { feedFollower } from './decide/follow-feed.ts'
import type { HubAddress, LinkLog } from './decide/link-state.ts'
import type { LinkPorts, SyncPorts } from './decide/ports.ts'
import { findOutgoing } from './find-outgoing.ts'
import { getAddress, PATIENCE_MS, refuseUntrusted } from './link-hub.ts'
import { randomWord, sidesOf } from './sides.ts'
import { anotherHub, type SideSyncOptions, type SyncTotals, syncSides } from './sync-sides.ts'

export interface HubSyncOptions extends Pick<SideSyncOptions, 'allowRemovals' | 'onProgress'> {
  /** Timeout for another running sync. */
  readonly patienceMs?: number
}

export interface HubSync extends SyncTotals {
  readonly address: HubAddress
}

/** Syncs both sides and stores the result for display. */
export async function syncWithHub(
  memory: Memory & SyncPorts,
  options: HubSyncOptions = {},
): Promise<HubSync> {
  refuseUntrusted(memory)
  return memory.hubLink.alone(async () => {
    const address = await getAddress(memory)
    return logged(memory, () => syncAlone(memory, address, options))
  }, options.patienceMs ?? PATIENCE_MS)
}

async function syncAlone(
  memory: Memory & SyncPorts,
  address: HubAddress,
  options: HubSyncOptions,
): Promise<HubSync> {
  const sides = await sidesOf(memory, address)
  try {
    const { identity, nowMs } = await sides.hub.hello()
    if (identity !== address.identity) throw anotherHub()
    const totals = await syncSides(sides, {
      identity,
      batch: `${nowMs}-${randomWord(memory)}`,
      ...(options.allowRemovals !== undefined && { allowRemovals: options.allowRemovals }),
      ...(options.onProgress !== undefined && { onProgress: options.onProgress }),
    })
    return { address, ...totals }
  } finally {
    sides.state.close()
  }
}

interface UnsyncedChanges {
  readonly address: HubAddress
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly documents: readonly string[]
  /** Entries of the hub that differ from the agreed version. */
  readonly incoming: readonly string[]
  readonly held: SyncTotals['held']
}

/** What a sync would transfer; nothing is written on either side. */
export async function lookAtHub(memory: Memory & SyncPorts): Promise<UnsyncedChanges> {
  refuseUntrusted(memory)
  const address = await getAddress(memory)
  const sides = await sidesOf(memory, address)
  try {
    const { identity } = await sides.hub.hello()
    if (identity !== address.identity) throw anotherHub()
    const { changed, removed, documents, held } = await findOutgoing(sides)
    const incoming = new Set<string>()
    const follow = feedFollower()
    for (let cursor = sides.state.cursor(); ; ) {
      const page = await sides.hub.pull({
        cursor,
        limit: LOOK_PAGE,
        documents: { 'curation.json': null, '_project.md': null },
      })
      follow(cursor, page)
      for (const { id } of page.entries) incoming.add(id)
      if (page.isLast)
        return {
          address,
          changed,
          removed,
          documents: documents.map(({ name }) => name),
          incoming: [...incoming],
          held,
        }
      cursor = page.cursor
    }
  } finally {
    sides.state.close()
  }
}

const LOOK_PAGE = 2_000

async function logged(
  memory: Memory & MeaningPorts & LinkPorts,
  work: () => Promise<HubSync>,
): Promise<HubSync> {
  const { hubLink, clock } = memory
  const before = await hubLink.log()
  const attemptedMs = clock.nowMs()
  try {
    const done = await work()
    await hubLink.keepLog({
      attemptedMs,
      syncedMs: clock.nowMs(),
      failures: 0,
      failure: null,
      last: {
        sent: done.sent,
        received: done.received,
        conflicts: done.conflicts.length,
        withheld: done.withheld.length,
        isReadOnly: done.isReadOnly,
      },
    })
    return done
  } catch (error) {
    if (error instanceof CairnError) await keepFailure(memory, afterFailure(error, before, attemptedMs))
    throw error
  }
}

/** If the result cannot be stored either, the first error is reported. */
async function keepFailure({ hubLink, semantics }: MeaningPorts & LinkPorts, log: LinkLog): Promise<void> {
  try {
    await hubLink.keepLog(log)
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    semantics.note({
      code: 'hub_not_synced',
      message: `The result of the sync could not be stored: ${error.message}`,
    })
  }
}

function afterFailure(error: CairnError, before: LinkLog | undefined, attemptedMs: number): LinkLog {
  const { code, message, hint } = error
  return {
    attemptedMs,
    syncedMs: before?.syncedMs ?? null,
    failures: (before?.failures ?? 0) + 1,
    failure: { code, message, hint },
    last: before?.last ?? null,
  }
}
