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
 * Keeps conversations, checkpoints and what became of sessions; decides nothing. What it is handed is free of secrets already.
 *
 *   conversations/{agent}/{session}.jsonl   while it grows: a line a message (docs/format/sessions.md)
 *   conversations/{agent}/{session}.json    once closed (seed A)
 *   .vault/checkpoints/{agent}/{session}.json
 *   sessions/{session}.memory.json
 */
export interface SessionFiles {
  /**
   * Begins a conversation; one that is there already is found, is open again, and takes over a chat id or model that is named anew.
   */
  start(head: SessionHead): Promise<{ readonly head: SessionHead; readonly isNew: boolean }>
  /** Adds messages at the end. Throws `session_not_found` when it was never begun. */
  append(
    key: SessionKey,
    messages: readonly Message[],
    numbering?: MessageNumbering,
  ): Promise<AppendedMessages>
  /**
   * Puts the whole text of the last message in its place: it was stored while it was still being written. False, and nothing is changed,
   * when the last message is not the beginning of this one, or lies in the document of a closed conversation.
   */
  growLast(key: SessionKey, whole: Message): Promise<boolean>
  /** `ending` waits for nobody: the process is about to die. */
  setState(key: SessionKey, state: 'open' | 'asleep' | 'ending', at: string): Promise<void>
  /** Every agent's conversation of a session. */
  conversationsOf(session: string): Promise<readonly SessionHead[]>
  read(key: SessionKey): Promise<Conversation | undefined>
  /** The last messages that are not internal, at most `most`, from a bounded part of the end: the same work whatever the size. */
  readEnd(key: SessionKey, most: number): Promise<ConversationEnd | undefined>
  /** Copies a conversation under another head. Throws `session_not_found`, or `session_exists` when there is one of that name. */
  fork(from: SessionKey, head: SessionHead): Promise<{ readonly count: number }>
  /**
   * Writes a conversation as closed, with `messages` in place of what it held and `trimmed` older ones in the archive, all in all. False, and
   * nothing is changed, when it does not hold `expected` messages any more: somebody has added some. What could not be read of it is kept beside.
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
  /** What is in `sessions/`, or of one session, with a stamp of each file, so that a cache can tell what it has not read yet. */
  memoryStamps(only?: string): Promise<readonly { readonly session: string; readonly stamp: string }[]>
}

export interface SessionQuery {
  readonly limit: number
  readonly offset?: number
  readonly agent?: string
  readonly state?: SessionState
}

/**
 * Which messages of the host's own count these are: one that is kept already is left out. `aside`: they are not in that count (tool runs
 * that a hook reported). Without it they follow those that are there.
 */
export type MessageNumbering =
  | { readonly kind: 'numbered'; readonly numbers: readonly number[] }
  | { readonly kind: 'aside' }

export interface AppendedMessages {
  /** How many messages the conversation has had, those in the archive included. */
  readonly count: number
  readonly added: number
  /** The place of the first one that was added, in the same count. */
  readonly first: number
  /** What the host's count stands at: hand over what follows. */
  readonly seen: number
}
