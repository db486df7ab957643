import type { Finding } from './prompt-brief.ts'

/** What the end of one conversation says, as it is told to the other agents of its session. */
export interface BridgedConversation {
  /** Below `conversations/`, without an ending. */
  readonly name: string
  /** Of its files when it was read. */
  readonly stamp: string
  readonly findings: readonly Finding[]
}

/** Spares a prompt the distilling: a conversation is read again only when its files have another stamp. Keeps the last few. */
export interface BridgeCache {
  find(names: readonly string[]): Promise<readonly BridgedConversation[]>
  keep(conversations: readonly BridgedConversation[]): Promise<void>
}
