import type { MeaningPorts } from '../../features/search/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { CairnError } from '../../kernel/model/errors.ts'
import type { NotePorts } from './decide/ports.ts'
import type { ObsidianWatch } from './watch-notes.ts'

/** In a server, a note does not have to be synced within a second. */
const EVERY_MS = 5_000
const LOOK_FOR_LINK_MS = 30_000

/** Syncs the notes of a linked vault while a server has the memory open. Without a link it only reads one small file now and then. */
export function watchWhenLinked(memory: Memory & MeaningPorts & NotePorts): ObsidianWatch {
  let watch: ObsidianWatch | undefined
  let alarm: { cancel(): void } | undefined
  let isStopped = false
  let looking: Promise<void> = Promise.resolve()
  const report = ({ message }: CairnError) =>
    memory.semantics.note({ code: 'obsidian_not_synced', message: `Notes were not synced: ${message}` })
  const look = async () => {
    if (isStopped || (await memory.obsidian.link()) === undefined) return
    const { watchObsidian } = await import('./watch-notes.ts')
    // It may have been stopped while the code was loading.
    if (!isStopped) watch = watchObsidian(memory, { everyMs: EVERY_MS, onFailure: report })
  }
  const later = (ms: number) => {
    const next = memory.clock.alarm(ms)
    alarm = next
    void next.passed.then(() => {
      if (isStopped || alarm !== next) return
      looking = look().catch(error =>
        memory.semantics.note({
          code: 'obsidian_not_synced',
          message: `Notes are not watched: ${String(error)}`,
        }),
      )
      void looking.then(() => {
        if (watch === undefined && !isStopped) later(LOOK_FOR_LINK_MS)
      })
    })
  }
  // The server's own requests come first.
  later(EVERY_MS)
  return {
    async stop() {
      isStopped = true
      alarm?.cancel()
      await looking
      await watch?.stop()
    },
  }
}
