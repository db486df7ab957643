import type { Category, Kind } from './category.ts'
import type { Speaker } from './message.ts'

/** One thing that a conversation leaves behind: what promotion decides about. */
export interface Finding {
  /** Stands for itself, at most 500 characters, the reason with the decision. What the user wanted is free Markdown, at most 16,000. */
  readonly text: string
  /** Index of the message it comes from, from 0. */
  readonly message: number
  /** Who said it. */
  readonly speaker: Speaker
  readonly kind: Kind
  readonly category: Category
  readonly importance: number
  readonly confidence: number
  readonly files: readonly string[]
  readonly tags: readonly string[]
  /** The user asked for it: `#remember`, "Remember that …". */
  readonly wanted?: true
  /** Why it looks like an instruction to the agent that reads it: it stays a suggestion, with this reason. */
  readonly quarantine?: string
  readonly fingerprint: string
}
