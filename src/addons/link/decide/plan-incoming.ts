import { mergeEntry } from '../../../features/git-merge/decide/merge-entry.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import { isShared, type Print, printOfEntry, VERSION_OF } from './shared-entry.ts'

/** An entry as the hub has it now, already validated (`isSound`). */
export interface Incoming {
  readonly id: string
  /** null: it was removed on the hub. */
  readonly entry: Entry | null
  /** The revision of the hub in which it changed. */
  readonly revision: number
}

/** The version of an entry that both sides last agreed on. null: both had none. */
export interface Agreed {
  readonly print: string | null
  readonly entry: Entry | null
  /** The revision of the hub at the agreement. */
  readonly revision: number
}

/** The histories of both sides, if both changed the entry: one version may be based on the other. */
export interface Knowledge {
  /** The hub had our version since the last agreement, and continued from it. */
  readonly oursIsKnownThere: boolean
  /** We had the version of the hub since the last agreement, and continued from it. */
  readonly theirsIsKnownHere: boolean
}

export const KNOWS_NOTHING: Knowledge = { oursIsKnownThere: false, theirsIsKnownHere: false }

/**
 * What is to happen here. After all of them the hub's version is the agreed one: what still differs here is sent.
 *
 *   agree    both have the same, or ours goes on from theirs
 *   take     the entry becomes what the hub has; null: it goes
 *   merge    both changed it, each another part
 *   both     both say something else: the hub's keeps its id, ours stays as an entry of its own
 *   revive   edited on one side and removed on the other: the edit stays, or comes back
 *   withhold it cannot stand here: it is, or would be, in the vault that is not shared
 */
export type Arrival =
  | { readonly does: 'agree' }
  | { readonly does: 'take'; readonly before: Entry | undefined; readonly after: Entry | null }
  | { readonly does: 'merge'; readonly before: Entry; readonly after: Entry }
  | { readonly does: 'both'; readonly before: Entry; readonly after: Entry; readonly kept: Omit<Entry, 'id'> }
  | { readonly does: 'revive'; readonly side: 'ours' | 'theirs'; readonly after: Entry }
  | { readonly does: 'withhold' }

interface Sides {
  readonly ours: Entry | undefined
  readonly incoming: Incoming
  /** undefined: there was no agreement, or it is no longer known. */
  readonly agreed: Agreed | undefined
  readonly knowledge: Knowledge
  readonly print: Print
}

/** Whether the histories are needed: both sides changed the entry, differently. */
export function isUnclear({ ours, incoming, agreed, print }: Omit<Sides, 'knowledge'>): boolean {
  if (ours !== undefined && !isShared(ours)) return false
  const our = printOr(ours, print)
  const their = printOr(incoming.entry ?? undefined, print)
  const was = agreed?.print ?? null
  return our !== their && (agreed === undefined || (their !== was && our !== was))
}

/** Three-way merge from the agreed version. Clocks are not used: two machines have two. */
export function planIncoming({ ours, incoming, agreed, knowledge, print }: Sides): Arrival {
  const theirs = incoming.entry ?? undefined
  if (ours !== undefined && !isShared(ours)) return { does: theirs === undefined ? 'agree' : 'withhold' }
  if (theirs !== undefined && !isShared(theirs)) return { does: 'withhold' }
  const our = printOr(ours, print)
  const their = printOr(theirs, print)
  const was = agreed?.print ?? null
  if (our === their || (agreed !== undefined && their === was)) return { does: 'agree' }
  const take = { does: 'take', before: ours, after: theirs ?? null } as const
  if (agreed !== undefined && our === was) return take
  if (theirs === undefined || ours === undefined)
    return oneIsGone({ ours, theirs, take, wasAgreed: agreed !== undefined, knowledge })
  if (knowledge.oursIsKnownThere) return take
  if (knowledge.theirsIsKnownHere) return { does: 'agree' }
  return bothChanged(agreed?.entry ?? undefined, ours, theirs, take, print)
}

function oneIsGone({
  ours,
  theirs,
  take,
  wasAgreed,
  knowledge,
}: {
  readonly ours: Entry | undefined
  readonly theirs: Entry | undefined
  readonly take: Arrival
  readonly wasAgreed: boolean
  readonly knowledge: Knowledge
}): Arrival {
  if (ours !== undefined)
    return knowledge.oursIsKnownThere ? take : { does: 'revive', side: 'ours', after: ours }
  if (theirs === undefined || knowledge.theirsIsKnownHere) return { does: 'agree' }
  return wasAgreed ? { does: 'revive', side: 'theirs', after: theirs } : take
}

function bothChanged(
  base: Entry | undefined,
  ours: Entry,
  theirs: Entry,
  take: Arrival,
  print: Print,
): Arrival {
  const merged = mergeEntry(base, ours, theirs, { byClock: false })
  if (merged.kind === 'conflict') {
    const { id, ...kept } = ours
    return {
      does: 'both',
      before: ours,
      after: theirs,
      kept: { ...kept, extra: { ...kept.extra, [VERSION_OF]: id } },
    }
  }
  const isMovedHere = base !== undefined && placeOf(base) === placeOf(theirs)
  const { agent, category } = isMovedHere ? ours : theirs
  const after = { ...merged.entry, agent, category }
  return printOfEntry(after, print) === printOfEntry(theirs, print)
    ? take
    : { does: 'merge', before: ours, after }
}

function placeOf({ agent, category }: Entry): string {
  return `${agent}/${category}`
}

function printOr(entry: Entry | undefined, print: Print): string | null {
  return entry === undefined ? null : printOfEntry(entry, print)
}
