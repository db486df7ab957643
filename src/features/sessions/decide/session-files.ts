import type { Message } from '../../../kernel/model/message.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import type {
  Checkpoint,
  Conversation,
  ConversationEnd,
  SessionHead,
  SessionKey,
  SessionMemory,
  SessionOverview,
  SessionState,
} from '../../../kernel/model/session.ts'

/**
 * Stores conversations, checkpoints and the results of closed sessions. Decides nothing; its input contains no secrets.
 *
 *   conversations/{agent}/{session}.jsonl   while it grows: one line per message (docs/format/sessions.md)
 *   conversations/{agent}/{session}.json    once closed (seed A)
 *   .vault/checkpoints/{agent}/{session}.json
 *   sessions/{session}.memory.json
 */
export interface SessionFiles {
  /** Starts a conversation. An existing one is opened again and gets a new chat id or model if one is given. */
  start(head: SessionHead): Promise<{ readonly head: SessionHead; readonly isNew: boolean }>
  /** Adds messages at the end. Throws `session_not_found` if it was never started. */
  append(
    key: SessionKey,
    messages: readonly Message[],
    numbering?: MessageNumbering,
  ): Promise<AppendedMessages>
  /**
   * Replaces the last message, which was stored unfinished, by its whole text. Returns false without a change if the last message is not
   * the beginning of this one, or is in the document of a closed conversation.
   */
  growLast(key: SessionKey, whole: Message): Promise<boolean>
  /** `ending` waits for no lock: the process is about to die. */
  setState(key: SessionKey, state: 'open' | 'asleep' | 'ending', at: string): Promise<void>
  /** Every agent's conversation of a session. */
  conversationsOf(session: string): Promise<readonly SessionHead[]>
  read(key: SessionKey): Promise<Conversation | undefined>
  /** The last messages that are not internal, at most `most`, from a bounded part of the end: the cost does not depend on the size. */
  readEnd(key: SessionKey, most: number): Promise<ConversationEnd | undefined>
  /** Copies a conversation under another head. Throws `session_not_found`, or `session_exists` if the new id is taken. */
  fork(from: SessionKey, head: SessionHead): Promise<{ readonly count: number }>
  /**
   * Writes a conversation as closed, with `messages` as its content and `trimmed` older ones in the archive in total. Returns false without
   * a change if it no longer has `expected` messages, because another process added some. Unreadable lines are stored next to it.
   */
  settle(
    key: SessionKey,
    closed: { readonly messages: readonly Message[]; readonly trimmed: number; readonly expected: number },
  ): Promise<boolean>
  /** Newest activity first. */
  list(options: SessionQuery): Promise<{
    readonly sessions: readonly SessionOverview[]
    readonly total: number
    readonly problems: readonly Problem[]
  }>
  /** Conversations that are not closed. */
  unclosed(): Promise<
    readonly (SessionKey & { readonly state: 'open' | 'asleep' | 'ending'; readonly activeAt: string })[]
  >

  saveCheckpoint(checkpoint: Checkpoint): Promise<void>
  /** Of this session, or the agent's newest. A damaged one is a problem, not an absence. */
  findCheckpoint(
    agent: string,
    session?: string,
  ): Promise<{ readonly checkpoint: Checkpoint | undefined; readonly problems: readonly Problem[] }>
  listCheckpoints(): Promise<{
    readonly checkpoints: readonly {
      readonly key: SessionKey
      readonly path: string
      readonly savedAt: number
    }[]
    /** `path` relative to `.memory/`. */
    readonly damaged: readonly Problem[]
  }>
  removeCheckpoint(key: SessionKey): Promise<void>

  saveMemory(memory: SessionMemory): Promise<void>
  findMemory(session: string): Promise<SessionMemory | undefined>
  /** The files in `sessions/`, or of one session, with their stamps, so that a cache knows which to read. */
  memoryStamps(only?: string): Promise<readonly { readonly session: string; readonly stamp: string }[]>
}

interface SessionQuery {
  readonly limit: number
  readonly offset?: number
  readonly agent?: string
  readonly state?: SessionState
}

/**
 * The positions of these messages in the host's own count, so that stored ones are skipped. `aside`: they are not in that count (tool
 * runs that a hook reported). Without it they follow the existing ones.
 */
export type MessageNumbering =
  | { readonly kind: 'numbered'; readonly numbers: readonly number[] }
  | { readonly kind: 'aside' }

export interface AppendedMessages {
  /** How many messages the conversation has had, including archived ones. */
  readonly count: number
  readonly added: number
  /** The position of the first added message, in the same count. */
  readonly first: number
  /** The current value of the host's count: send the messages that follow. */
  readonly seen: number
}
