/** An entry with what speaks for it before any other factor. */
export interface Scored {
  readonly id: string
  /** 0 to 1. */
  readonly score: number
  /** How much of what the question asks for the entry has in words, 0 to 1, its session's context included. */
  readonly words: number
  /** How near it is in meaning, 0 to 1. */
  readonly meaning: number
  /** It has no word of the question itself: its session has, or it is near in meaning. */
  readonly isBorrowed?: true
  /** And it is not near enough in meaning to stand for itself. */
  readonly isBesideMatch?: true
  /** It has no vector yet, so that only its words can be compared. */
  readonly isUnmeasured?: true
  /** Content words that it has in common with the question, and what they are worth: 1 is a word that no other entry has. */
  readonly shared?: { readonly count: number; readonly worth: number }
  /** From the shelf of the workspaces' documents. */
  readonly isDocument?: true
  /** The newer entry that replaces this one; it stands right before it. */
  readonly replacedBy?: string
  /** The older entry whose place this one has taken. */
  readonly replaces?: string
}
