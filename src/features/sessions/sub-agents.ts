import { speakerOf } from '../../kernel/model/message.ts'
import type { Conversation } from '../../kernel/model/session.ts'

/**
 * Whether a conversation is of an agent that another agent of the session started: nobody asked it anything. What such an agent found
 * belongs to the session; it gets no folder of its own in the vault.
 */
export function isOfSubAgent(one: Conversation, all: readonly Conversation[]): boolean {
  return !isAsked(one) && all.some(isAsked)
}

/** The agent under which something is stored that this conversation showed. */
export function storedUnder(agent: string, all: readonly Conversation[]): string {
  const own = all.find(({ head }) => head.agent === agent)
  if (own === undefined || !isOfSubAgent(own, all)) return agent
  return all.find(isAsked)?.head.agent ?? agent
}

function isAsked({ messages }: Conversation): boolean {
  return messages.some(({ role }) => speakerOf(role) === 'user')
}
