import * as v from 'valibot'
import type { Engine } from '../../../engine-parts.ts'
import { openConflicts } from '../../conflicts/settle-conflicts.ts'
import { sessionsLeft } from '../../learning/closing.ts'
import { countProposals } from '../../learning/review-queue.ts'
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
export async function waitingView(engine: Engine): Promise<Waiting> {
  return {
    review: await countProposals(engine),
    conflicts: (await openConflicts(engine)).length,
    sessionsLeft: (await sessionsLeft(engine)).length,
    upgrade: await countUpgrade(engine),
  }
}
