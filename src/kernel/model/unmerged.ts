import type { Entry } from './entry.ts'

export const CONFLICT_SIDES = ['ours', 'theirs'] as const
/** Of a git conflict. */
export type ConflictSide = (typeof CONFLICT_SIDES)[number]

/** The key in `extra` that says which side of a git conflict an entry was read from. It is never written to a file. */
export const UNMERGED = 'unmerged'

/** undefined: the entry is not in a conflict. */
export function unmergedSideOf({ extra }: Pick<Entry, 'extra'>): ConflictSide | undefined {
  return CONFLICT_SIDES.find(side => side === extra?.[UNMERGED])
}

/** The warning about an entry until a person resolves the conflict in its file. */
export function unmergedNote(side: ConflictSide): string {
  return `unmerged: ${side === 'ours' ? 'our' : 'their'} side of a git conflict`
}
