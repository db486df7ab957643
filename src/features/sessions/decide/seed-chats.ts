import { suggestAgentId } from '../../../kernel/model/agent-id.ts'

/** Seed A, section 2: the chat in which each agent continues in its host. Relative to the project. */
export const SEED_CHATS_FILE = 'docs/chat-sessions.json'
/** A longer file is something else. */
export const MAX_SEED_CHATS_BYTES = 262_144

const CHAT_ID = /^[\w.:@/+=-]{1,200}$/

/** `{ "dev": "chat_def456" }` by agent. Values that are not chat ids are left out. */
export function parseSeedChats(text: string): ReadonlyMap<string, string> {
  const chats = new Map<string, string>()
  for (const [name, chat] of Object.entries(objectIn(text)))
    if (typeof chat === 'string' && CHAT_ID.test(chat)) chats.set(suggestAgentId(name), chat)
  return chats
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return {}
  }
}
