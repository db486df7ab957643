import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { asStorageError, errnoOf } from '../../kernel/system/disk.ts'
import type { ObsidianLink } from './decide/obsidian-vault.ts'
import type { NotePorts, ObsidianPorts } from './decide/ports.ts'
import { newestRecord } from './linked-vault.ts'
import { type SyncReport, syncObsidian } from './sync-notes.ts'

export interface WatchOptions {
  /** Called after every sync that changed or reported something. */
  readonly onSync?: (report: SyncReport) => void
  /** Called once for each new failure; the sync is tried again at the next change. */
  readonly onFailure?: (failure: CairnError) => void
  /** The minimum interval between checks; longer if a check is slow. */
  readonly everyMs?: number
  /** Whether the watch keeps the process alive. */
  readonly keepsAlive?: boolean
}

export interface ObsidianWatch {
  /** Waits for the current sync to finish. */
  stop(): Promise<void>
}

const EVERY_MS = 2_000
/** How long nothing must change; Obsidian saves every two seconds while the user types. */
const QUIET_MS = 1_500
const MAX_QUIET_CHECKS = 10
/** The interval between checks is this many times the duration of one, within limits. */
const LOOKS_APART = 50
const MAX_APART = 5
const SLICE_MS = 200

/**
 * Syncs whenever one side changed, until it is stopped. It polls the states of files, because change events get lost on network disks, in
 * containers and in folders that a sync tool writes.
 */
export function watchObsidian(memory: Memory & NotePorts, options: WatchOptions = {}): ObsidianWatch {
  const { everyMs = EVERY_MS } = options
  let isStopped = false
  const wakers: (() => void)[] = []
  const stopped = new Promise<void>(resolve => wakers.push(resolve))
  const pause = async (ms: number) => {
    // In a process that stays alive, the wait is split so that it ends soon after stopping.
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
  let reported: string | undefined

  const look = async (): Promise<void> => {
    const link = await memory.obsidian.link()
    if (link === undefined) return
    let stamp = await stampNow(link)
    if (stamp === synced) return
    for (let looks = 0; looks < MAX_QUIET_CHECKS && synced !== undefined; looks++) {
      await pause(QUIET_MS)
      if (isStopped) return
      const next = await stampNow(link)
      if (next === stamp) break
      stamp = next
    }
    // The state before the sync: changes during the sync, including its own, are checked once more. After a failure it is tried again
    // only when something changes.
    synced = stamp
    const report = await syncObsidian(memory)
    reported = undefined
    if (report.went.length > 0 || report.problems.length > 0) options.onSync?.(report)
  }

  const run = async () => {
    while (!isStopped) {
      try {
        await look()
      } catch (error) {
        const failure = asFailure(error)
        if (failure.message !== reported) options.onFailure?.(failure)
        reported = failure.message
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

/** The state of the notes and the last change of the memory. */
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
