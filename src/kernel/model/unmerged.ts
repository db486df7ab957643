import type { Entry } from './entry.ts'

export const CONFLICT_SIDES = ['ours', 'theirs'] as const
/** Of a git conflict. */
export type ConflictSide = (typeof CONFLICT_SIDES)[number]

/** Under this name `extra` says which side of a git conflict an entry was read from. It is never written to a file. */
export const UNMERGED = 'unmerged'

/** undefined: no conflict runs through the entry. */
export function unmergedSideOf({ extra }: Pick<Entry, 'extra'>): ConflictSide | undefined {
  return CONFLICT_SIDES.find(side => side === extra?.[UNMERGED])
}

/** What is said of an entry until somebody resolves the conflict in its file. */
export function unmergedNote(side: ConflictSide): string {
  return `unmerged: ${side === 'ours' ? 'our' : 'their'} side of a git conflict`
}
