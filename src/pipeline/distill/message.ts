import type { Category, Kind } from '../../model/category.ts'

/** One turn of a conversation, as a host hands it over. */
export interface Message {
  /** `user`, `agent` (or `assistant`), `tool`, `system`; any other name is taken for an agent's. */
  readonly role: 'user' | 'agent' | 'tool' | 'system' | (string & {})
  readonly text: string
  /** Between agents, or of the host itself: never distilled. */
  readonly internal?: boolean
  readonly at?: string
}

/** One thing that a conversation leaves behind: what promotion decides about. */
export interface Finding {
  /** Stands for itself, at most 500 characters, the reason with the decision. */
  readonly text: string
  /** Index of the message it comes from, from 0. */
  readonly message: number
  readonly kind: Kind
  readonly category: Category
  readonly importance: number
  readonly confidence: number
  readonly files: readonly string[]
  readonly tags: readonly string[]
  /** The user asked for it: `#remember`. */
  readonly wanted?: true
  readonly fingerprint: string
}

export type Speaker = 'user' | 'agent' | 'tool' | 'system'

const SPEAKERS: Readonly<Record<string, Speaker>> = {
  user: 'user',
  human: 'user',
  person: 'user',
  tool: 'tool',
  tool_result: 'tool',
  function: 'tool',
  command: 'tool',
  system: 'system',
  developer: 'system',
}

export function speakerOf(role: string): Speaker {
  const name = role.toLowerCase()
  return Object.hasOwn(SPEAKERS, name) ? (SPEAKERS[name] ?? 'agent') : 'agent'
}
