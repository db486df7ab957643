import type { Category, Kind } from './category.ts'
import type { Speaker } from './message.ts'

/** One finding of a conversation: promotion decides about it. */
export interface Finding {
  /**
   * Understandable on its own, at most 500 characters, with the reason of a decision. What the user asked to remember is free Markdown,
   * at most 16,000.
   */
  readonly text: string
  /** Index of the message that it comes from, from 0. */
  readonly message: number
  /** The author of that message. */
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
