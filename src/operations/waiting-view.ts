import * as v from 'valibot'
import { openConflicts } from '../conflicts/settle-conflicts.ts'
import type { Engine } from '../engine-parts.ts'
import { sessionsLeft } from '../learning/closing.ts'
import { reviewQueue } from '../learning/reviewing.ts'
import { CairnError } from '../model/errors.ts'

/** What waits for somebody: for `status` and for `doctor`. */
export const waitingSchema = v.object({
  review: v.pipe(v.number(), v.description('What the machine proposes and nobody has judged')),
  conflicts: v.pipe(v.number(), v.description('Pairs of entries that nobody has decided about')),
  sessionsLeft: v.pipe(v.number(), v.description('Sessions that nobody closed and nobody uses any more')),
})

export type Waiting = v.InferOutput<typeof waitingSchema>

/** Counts only: no conversation is read, and of a session that was read in before, nothing. */
export async function waitingView(engine: Engine): Promise<Waiting> {
  return {
    review: await countProposals(engine),
    conflicts: (await openConflicts(engine)).length,
    sessionsLeft: (await sessionsLeft(engine)).length,
  }
}

/** One memory of a session that cannot be read is told as a problem; what was read in before still counts. */
async function countProposals(engine: Engine): Promise<number> {
  try {
    return (await reviewQueue(engine, { limit: 0 })).total
  } catch (error) {
    if (!(error instanceof CairnError) || error.code !== 'document_damaged') throw error
    const candidates = await engine.store.listEntries({
      filter: { status: 'candidate' },
      limit: 0,
      offset: 0,
    })
    return candidates.total + (await engine.findings.pending({ limit: 0, offset: 0 })).total
  }
}
