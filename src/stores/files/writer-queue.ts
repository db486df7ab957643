import type { Clock } from '../../kernel/system/clock.ts'
import { type Disk, errnoOf } from '../../kernel/system/disk.ts'
import { isProcessAlive, ownProcessId } from '../../kernel/system/live-process.ts'
import type { WriterQueue } from '../../kernel/vault/ports.ts'

/** A process that waits renews its ticket more often than this. */
const TICKET_LASTS_MS = 1_000
const RENEW_AFTER_MS = 200
const TIME_DIGITS = 15
const NO_BYTES = new Uint8Array()
const ONE_BYTE = new Uint8Array([0x2e])

/** One empty file for each waiting process, named by the time it came: `000001790000000000-4711-83`. */
export function writerQueue(folder: string, disk: Disk, clock: Clock): WriterQueue {
  let own: string | undefined
  let renewedMs = 0

  const isAbandoned = (name: string): boolean => {
    if (!isProcessAlive(Number(name.split('-')[1]))) return true
    const stamp = disk.stamp(`${folder}/${name}`)
    return stamp === undefined || clock.nowMs() - stamp.mtimeMs > TICKET_LASTS_MS
  }

  return {
    countAhead() {
      const names = (disk.listFolder(folder) ?? []).map(({ name }) => name)
      const ahead = names.filter(name => own === undefined || name < own)
      return ahead.filter(name => {
        if (!isAbandoned(name)) return true
        disk.remove(`${folder}/${name}`)
        return false
      }).length
    },

    wait() {
      const nowMs = clock.nowMs()
      const isNew = own === undefined
      if (!isNew && nowMs - renewedMs < RENEW_AFTER_MS) return
      own ??= `${String(nowMs).padStart(TIME_DIGITS, '0')}-${ownProcessId()}-${clock.random(1_000_000)}`
      renewedMs = nowMs
      try {
        if (isNew && disk.isFolder(folder) !== true) disk.makeFolder(folder)
        disk.appendSoon(`${folder}/${own}`, isNew ? NO_BYTES : ONE_BYTE)
      } catch (error) {
        // On a full or read-only disk the lock reports the error, or is taken out of order.
        if (errnoOf(error) === undefined) throw error
      }
    },

    leave() {
      if (own === undefined) return
      disk.remove(`${folder}/${own}`)
      own = undefined
    },
  }
}
