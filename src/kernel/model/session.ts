import type { Category, Kind } from './category.ts'
import type { Message, Speaker } from './message.ts'
import type { UntrustedSource } from './provenance.ts'
import type { Problem } from './search.ts'

/**
 * A session is one sitting of one or more agents with a person; each agent has a conversation of its own.
 *
 * open ──▶ asleep ──▶ open …      suspended with a handoff, to be resumed
 * └────▶ ending ──▶ closed      `ending`: the process had no time; the next process closes it
 *
 * Writing to a closed session opens it again.
 */
export const SESSION_STATES = ['open', 'asleep', 'ending', 'closed'] as const
export type SessionState = (typeof SESSION_STATES)[number]

/** Identifies one conversation. */
export interface SessionKey {
  readonly session: string
  readonly agent: string
}

export interface SessionHead extends SessionKey {
  readonly host: string
  /** UTC ISO. */
  readonly startedAt: string
  /** The session that it was forked from. */
  readonly parent?: string
  /** The host's id of it, to resume it there. */
  readonly chat?: string
  readonly model?: string
  /** The import source that it comes from. */
  readonly source?: string
}

export interface Conversation {
  readonly head: SessionHead
  readonly state: SessionState
  /** UTC ISO: the last message or change of state. */
  readonly activeAt: string
  readonly messages: readonly Message[]
  /** How many older messages upkeep moved to the archive. */
  readonly trimmed: number
  /** Unreadable lines: they are reported, and the others are used. */
  readonly problems: readonly Problem[]
}

/** The last messages of a conversation, without reading all of it. */
export interface ConversationEnd {
  readonly head: SessionHead
  readonly state: SessionState
  readonly activeAt: string
  /** Oldest first. */
  readonly messages: readonly Message[]
  /** How many messages the conversation has had, including archived ones. */
  readonly count: number
}

/** A session as a list shows it, without reading all of it. */
export interface SessionOverview {
  readonly session: string
  readonly state: SessionState
  readonly host: string
  readonly agents: readonly string[]
  readonly startedAt: string
  readonly activeAt: string
  readonly parent?: string
  /** By agent: to resume it in its host. */
  readonly chats: Readonly<Record<string, string>>
  readonly messages: number
  /** The last request of the user, at most 200 characters. */
  readonly doing?: string
  readonly summary?: string
  readonly findings?: number
  readonly promoted?: number
}

/** Seed A, section 2: the last messages, valid for seven days. `.vault/checkpoints/{agent}/{session}.json` */
export interface Checkpoint {
  readonly version: 1
  readonly agentId: string
  readonly sessionId: string
  readonly savedAt: number
  readonly messages: readonly Message[]
  readonly chatId?: string
  readonly modelId?: string
}

/** Seed C, section 4.3. `sessions/{session}.memory.json` */
export interface SessionMemory {
  readonly version: 1
  readonly sessionId: string
  readonly parentSessionId?: string
  readonly agentId: string
  readonly findings: readonly SessionFinding[]
  readonly summary: string
  readonly createdAt: number
  readonly finalizedAt: number
  /** Beyond the seed: how many messages each agent's conversation had when it was distilled, and which model refined it. */
  readonly distilled?: Readonly<Record<string, number>>
  readonly refinedBy?: string
}

export interface SessionFinding {
  readonly id: string
  readonly fingerprint: string
  readonly content: string
  readonly category: Kind
  readonly importance: number
  readonly confidence: number
  readonly filePaths?: readonly string[]
  readonly tags?: readonly string[]
  readonly promotedToProjectMemory: boolean
  readonly promotedEntryId?: string
  /** Beyond the seed: its vault file, which rule or model found it and from what, and why it was or was not promoted. */
  readonly file?: Category
  readonly agent?: string
  readonly speaker?: string
  readonly message?: number
  readonly signals?: readonly string[]
  readonly rejectedBy?: string
  /** Not shown in the review, and why; it can still be accepted. */
  readonly archived?: string
  /** Why it looks like an instruction to an agent. */
  readonly quarantine?: string
  /** Text from outside the project was in the session. */
  readonly untrusted?: UntrustedSource
}

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
