/**
 * Work that nobody waits for, among all servers of a memory: whoever has the turn does it. A turn that is not ended is over by itself after a
 * while, so that one that died leaves its work to the next.
 */
export interface BackgroundTurns {
  /** False: another has it. Taken again by its holder, it lasts as long again. */
  take(work: BackgroundWork): Promise<boolean>
  /** Nothing where it is another's by now. */
  end(work: BackgroundWork): Promise<void>
}

export type BackgroundWork = 'vectors' | 'recall'

/** Longer than a batch takes. */
export const TURN_MS = 60_000
