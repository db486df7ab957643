import type { LinkPorts } from '../../addons/link/decide/ports.ts'
import { isAutomaticSyncDue } from '../../addons/link/sync-when-due.ts'
import type { ConflictPorts } from '../../features/conflicts/decide/ports.ts'
import { compareEntries } from '../../features/conflicts/find-conflicts.ts'
import { pickUpSessions } from '../../features/learning/closing.ts'
import type { ClosingPorts, ModelPorts } from '../../features/learning/decide/ports.ts'
import type { DocumentPorts } from '../../features/search/decide/ports.ts'
import { embedWaiting } from '../../features/search/meaning.ts'
import { isRecallDue, recallWhenDue } from '../../features/state/auto-recall.ts'
import type { StatePorts } from '../../features/state/decide/ports.ts'
import type { UpkeepPorts } from '../../features/upkeep/decide/ports.ts'
import { compactWhenDue } from '../../features/upkeep/upkeep.ts'
import type { Memory } from '../../kernel/memory.ts'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import { startCommand } from '../../kernel/system/start-command.ts'

/** A worker ends soon, even if there is more work: the next one continues. */
const MAX_PICKED_UP = 5
const MAX_VECTORS = 64
const MAX_MS = 4_000
const MAX_UPKEEP_ENTRIES = 1_000

type Note = (event: string, error: unknown) => void

/**
 * Does the work that is due, in a background process; there is no daemon for it. Each step is independent: a failure is recorded and does
 * not stop the others.
 */
export async function doDueWork(
  memory: Memory &
    ClosingPorts &
    DocumentPorts &
    ModelPorts &
    ConflictPorts &
    UpkeepPorts &
    StatePorts &
    LinkPorts,
  note: Note,
  hasBegun: boolean,
): Promise<void> {
  const soon = () => memory.clock.nowMs() + MAX_MS
  const step = async (event: string, work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      note(event, error)
    }
  }
  // A hook has no time to read many files; it starts a worker for them.
  await step('index', () => memory.store.refresh())
  // Sessions that were never closed are closed when the next one begins.
  if (hasBegun) await step('pick-up', () => pickUpSessions(memory, { most: MAX_PICKED_UP }))
  await step('vectors', () =>
    embedWaiting(memory, { limit: MAX_VECTORS, deadlineMs: soon(), documents: true }),
  )
  const endMs = soon()
  await step('conflicts', () =>
    compareEntries(memory, () => memory.clock.nowMs() >= endMs, { limit: MAX_VECTORS }),
  )
  await step('upkeep', () => compactWhenDue(memory, { deadlineMs: soon(), mostEntries: MAX_UPKEEP_ENTRIES }))
  const isAllowed = async () => (await memory.model.standing()).kind === 'allowed'
  await step('recall', async () => {
    const isModel = (await memory.config())['automation.provider'] === 'model'
    if (!isModel || !(await isAllowed())) return recallWhenDue(memory)
    // A model is slow; the next turn must not wait for it.
    if (await isRecallDue(memory))
      await startCommand([
        '--root',
        memoryFolderOf(memory).root,
        'recall',
        '--provider',
        'model',
        '--section',
        'all',
        '--source',
        'all',
        '--state-only',
      ])
    return undefined
  })
  await step('sync', async () => {
    // A network is slow; the next turn must not wait for it.
    if (await isAutomaticSyncDue(memory)) await startCommand(['--root', memoryFolderOf(memory).root, 'sync'])
  })
  await step('refine', async () => {
    if (await isAllowed()) await startCommand(['--root', memoryFolderOf(memory).root, 'session', 'refine'])
  })
}
