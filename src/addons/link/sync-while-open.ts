import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { SyncPorts } from './decide/ports.ts'
import { isAutomaticSyncDue } from './sync-when-due.ts'

const LOOK_EVERY_MS = 60_000

/** Syncs with the hub while a server has the memory open. Without a link it reads one small file a minute. */
export function syncWhileOpen(memory: Memory & SyncPorts): { stop(): Promise<void> } {
  let alarm: { cancel(): void } | undefined
  let isStopped = false
  let working: Promise<void> = Promise.resolve()
  const sync = async () => {
    if (isStopped || !(await isAutomaticSyncDue(memory))) return
    const { syncWithHub } = await import('./sync-with-hub.ts')
    try {
      await syncWithHub(memory, { patienceMs: 0 })
    } catch (error) {
      // The failure is in the log of the link, where `status` and `link` show it.
      if (!(error instanceof CairnError)) throw error
    }
  }
  const later = () => {
    const next = memory.clock.alarm(LOOK_EVERY_MS)
    alarm = next
    void next.passed.then(() => {
      if (isStopped) return
      working = sync().catch(error =>
        memory.semantics.note({
          code: 'hub_not_synced',
          message: `Not synced with the hub: ${String(error)}`,
        }),
      )
      void working.then(later)
    })
  }
  if (!memory.isUserMemory) later()
  return {
    async stop() {
      isStopped = true
      alarm?.cancel()
      await working
    },
  }
}
