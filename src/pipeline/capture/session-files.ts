import type { Message } from '../../model/message.ts'
import type { Problem } from '../../model/search.ts'
import type {
  Checkpoint,
  Conversation,
  SessionHead,
  SessionKey,
  SessionMemory,
  SessionOverview,
} from '../../model/session.ts'

/**
 * Keeps conversations, checkpoints and what became of sessions; decides nothing. What it is handed is free of secrets already.
 *
 *   conversations/{agent}/{session}.jsonl   while it grows: a line a message
 *   conversations/{agent}/{session}.json    once closed (seed A)
 *   .vault/checkpoints/{agent}/{session}.json
 *   sessions/{session}.memory.json
 */
export interface SessionFiles {
  /** Begins a conversation; one that is there already is found, and takes over a chat id or model that is named anew. */
  start(head: SessionHead): Promise<{ readonly head: SessionHead; readonly isNew: boolean }>
  /** Adds messages at the end. Throws `session_not_found` when it was never begun. */
  append(key: SessionKey, messages: readonly Message[]): Promise<{ readonly count: number }>
  setState(key: SessionKey, state: 'open' | 'asleep' | 'ending', at: string): Promise<void>
  /** Every agent's conversation of a session. */
  conversationsOf(session: string): Promise<readonly SessionHead[]>
  read(key: SessionKey): Promise<Conversation | undefined>
  /**
   * Writes a conversation as closed, with `messages` in place of what it held and `trimmed` more in the archive. False, and nothing
   * is changed, when it does not hold `expected` messages any more: somebody has added some.
   */
  settle(
    key: SessionKey,
    closed: { readonly messages: readonly Message[]; readonly trimmed: number; readonly expected: number },
  ): Promise<boolean>
  /** Newest activity first. */
  list(options: { readonly limit: number; readonly offset?: number; readonly agent?: string }): Promise<{
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
  /** What is in `sessions/` with a stamp of each file, so that a cache can tell what it has not read yet. */
  memoryStamps(): Promise<readonly { readonly session: string; readonly stamp: string }[]>
}
