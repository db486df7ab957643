import { ask, openQuestion } from '../../features/agent-saves/ask-agent.ts'
import type { AskPorts } from '../../features/agent-saves/decide/ports.ts'
import { isAttended } from '../../features/agent-saves/decide/question-text.ts'
import type { FullSearchPorts } from '../../features/search/decide/ports.ts'
import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import { rootOf } from '../../kernel/memory-place.ts'
import type { Message } from '../../kernel/model/message.ts'
import { automationVariables } from '../../kernel/system/environment.ts'
import type { HookEvent } from './decide/hook-event.ts'
import type { HookPorts } from './decide/ports.ts'
import { parseQueueLine } from './decide/queue-line.ts'
import { hasRememberTool } from './host-tool.ts'
import { unsavedMessages } from './note-question.ts'
import { agentOfEvent } from './session-of-event.ts'
import { transcriptBeginning } from './transcript-beginning.ts'

/** The question at the end of this turn; empty: none. It is asked only where a user is known to be present. */
export async function askAtStop(
  memory: Memory & FullSearchPorts & SessionPorts & AskPorts & HookPorts,
  event: HookEvent,
): Promise<string> {
  const { host, session } = event
  if (session === undefined || (await memory.asks.isAsked(session))) return ''
  if (isAttended(host, automationVariables(), transcriptBeginning(event.transcript)) !== true) return ''
  if (!hasRememberTool(host, rootOf(memory) ?? '')) return ''
  const agent = await agentOfEvent(memory, {})
  // The turn that ends is not stored yet: it is in the spool.
  const messages = [
    ...(await unsavedMessages(memory, session, agent)),
    ...(await waitingMessages(memory, session)),
    ...(event.answer === undefined ? [] : [{ role: 'agent', text: event.answer }]),
  ]
  const { reasons, ...due } = await openQuestion(memory, messages, {
    ...(memory.actor.agent !== undefined && { agent: memory.actor.agent }),
  })
  return reasons.length === 0 ? '' : ask(memory, { host, about: session, moment: 'stop', due, used: 0 })
}

async function waitingMessages(memory: AskPorts & HookPorts, session: string): Promise<readonly Message[]> {
  const savedAt = (await memory.asks.savedAt(session)) ?? ''
  return (await memory.hookQueue.peek(session)).flatMap((text): Message[] => {
    const line = parseQueueLine(text)
    if (line === undefined || line.session !== session || line.agent !== undefined || line.at <= savedAt)
      return []
    if (line.run !== undefined) return [{ role: 'tool', text: '', run: line.run, at: line.at }]
    if (line.text === undefined) return []
    return [{ role: line.purpose === 'prompt' ? 'user' : 'agent', text: line.text, at: line.at }]
  })
}
