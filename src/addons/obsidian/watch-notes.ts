import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { asStorageError, errnoOf } from '../../kernel/system/disk.ts'
import type { ObsidianLink } from './decide/obsidian-vault.ts'
import type { NotePorts, ObsidianPorts } from './decide/ports.ts'
import { newestRecord } from './linked-vault.ts'
import { type SyncReport, syncObsidian } from './sync-notes.ts'

export interface WatchOptions {
  /** After every sync that carried something over, or found something to say. */
  readonly onSync?: (report: SyncReport) => void
  /** Told once for each that is new; it is tried again when something changes. */
  readonly onFailure?: (failure: CairnError) => void
  /** How often is looked, at least; a look that takes long is taken more seldom. */
  readonly everyMs?: number
  /** Whether the process is kept alive by it. */
  readonly keepsAlive?: boolean
}

export interface ObsidianWatch {
  /** Lets the sync at hand be finished. */
  stop(): Promise<void>
}

const EVERY_MS = 2_000
/** Nobody has typed for so long: Obsidian saves every two seconds while somebody does. */
const QUIET_MS = 1_500
const MAX_QUIET_LOOKS = 10
/** Between two looks passes so many times as long as one takes, within bounds. */
const LOOKS_APART = 50
const MAX_APART = 5
const SLICE_MS = 200

/**
 * Syncs when either side changed, until it is told to stop. It looks at stamps of files, over and over: what a system tells of changes by
 * itself gets lost on network disks, in containers and in folders that a sync tool writes.
 */
export function watchObsidian(memory: Memory & NotePorts, options: WatchOptions = {}): ObsidianWatch {
  const { everyMs = EVERY_MS } = options
  let isStopped = false
  const wakers: (() => void)[] = []
  const stopped = new Promise<void>(resolve => wakers.push(resolve))
  const pause = async (ms: number) => {
    // A timer that keeps the process alive is not waited for when it is to end.
    for (let leftMs = ms; options.keepsAlive === true && leftMs > 0 && !isStopped; leftMs -= SLICE_MS)
      await memory.clock.sleep(Math.min(leftMs, SLICE_MS))
    if (options.keepsAlive === true) return
    const alarm = memory.clock.alarm(ms)
    await Promise.race([alarm.passed, stopped])
    alarm.cancel()
  }
  let lookMs = 0
  const stampNow = async (link: ObsidianLink) => {
    const beganMs = memory.clock.nowMs()
    const stamp = await stampOf(memory, link)
    lookMs = Math.max(0, memory.clock.nowMs() - beganMs)
    return stamp
  }
  let synced: string | undefined
  let told: string | undefined

  const look = async (): Promise<void> => {
    const link = await memory.obsidian.link()
    if (link === undefined) return
    let stamp = await stampNow(link)
    if (stamp === synced) return
    for (let looks = 0; looks < MAX_QUIET_LOOKS && synced !== undefined; looks++) {
      await pause(QUIET_MS)
      if (isStopped) return
      const next = await stampNow(link)
      if (next === stamp) break
      stamp = next
    }
    // As it was before: what somebody saves while the sync runs, and the sync's own writing, are looked at once more. Whatever becomes of
    // it, it is tried again when something changes, and not before.
    synced = stamp
    const report = await syncObsidian(memory)
    told = undefined
    if (report.went.length > 0 || report.problems.length > 0) options.onSync?.(report)
  }

  const run = async () => {
    while (!isStopped) {
      try {
        await look()
      } catch (error) {
        const failure = asFailure(error)
        if (failure.message !== told) options.onFailure?.(failure)
        told = failure.message
      }
      await pause(Math.max(everyMs, Math.min(lookMs * LOOKS_APART, MAX_APART * everyMs)))
    }
  }
  const running = run()
  return {
    async stop() {
      isStopped = true
      for (const wake of wakers) wake()
      await running
    },
  }
}

/** The notes, and what was last written to the memory. */
async function stampOf(memory: Memory & ObsidianPorts, link: ObsidianLink): Promise<string> {
  await memory.store.refresh()
  const last = await newestRecord(memory)
  const look = await memory.obsidian.look(link)
  const notes = look === 'there' ? await memory.obsidian.stamp(link) : look
  return [link.vault, link.folder, last, notes].join('\n')
}

function asFailure(error: unknown): CairnError {
  if (error instanceof CairnError) return error
  if (errnoOf(error) !== undefined) return asStorageError(error, 'The Obsidian vault')
  throw error
}
