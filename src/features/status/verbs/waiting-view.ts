import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import type { ConflictPorts } from '../../conflicts/decide/ports.ts'
import { openConflicts } from '../../conflicts/resolve-conflicts.ts'
import { sessionsLeft } from '../../learning/closing.ts'
import type { LearningPorts } from '../../learning/decide/ports.ts'
import { countProposals } from '../../learning/review-queue.ts'
import type { ReviewPorts } from '../../review/decide/ports.ts'
import type { SearchPorts } from '../../search/decide/ports.ts'
import type { SessionPorts } from '../../sessions/decide/ports.ts'
import type { UpkeepPorts } from '../../upkeep/decide/ports.ts'
import { countUpgrade } from '../../upkeep/upgrade.ts'

/** What waits for somebody: for `status` and for `doctor`. */
export const waitingSchema = v.object({
  review: v.pipe(v.number(), v.description('Candidates and suggestions that `cairn review` lists')),
  conflicts: v.pipe(v.number(), v.description('Pairs of entries that nobody has decided about')),
  sessionsLeft: v.pipe(v.number(), v.description('Sessions that nobody closed and nobody uses any more')),
  upgrade: v.pipe(v.number(), v.description('Entries of version 0.1.0 that `cairn migrate` would change')),
})

export type Waiting = v.InferOutput<typeof waitingSchema>

/** Counts only: of a closed session nothing is opened. */
export async function waitingView(
  memory: Memory & SearchPorts & SessionPorts & LearningPorts & ConflictPorts & UpkeepPorts & ReviewPorts,
): Promise<Waiting> {
  return {
    review: await countProposals(memory),
    conflicts: (await openConflicts(memory)).length,
    sessionsLeft: (await sessionsLeft(memory)).length,
    upgrade: await countUpgrade(memory),
  }
}
