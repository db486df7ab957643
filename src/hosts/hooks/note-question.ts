import { openQuestion } from '../../features/agent-saves/ask-agent.ts'
import type { AskPorts } from '../../features/agent-saves/decide/ports.ts'
import { isAttended } from '../../features/agent-saves/decide/question-text.ts'
import type { FullSearchPorts } from '../../features/search/decide/ports.ts'
import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import { rootOf } from '../../kernel/memory-place.ts'
import type { Message } from '../../kernel/model/message.ts'
import { automationVariables } from '../../kernel/system/environment.ts'
import type { HookQueueLine } from './decide/queue-line.ts'
import { hasRememberTool } from './host-tool.ts'
import { agentOfEvent } from './session-of-event.ts'
import { transcriptBeginning } from './transcript-beginning.ts'

const MAX_MESSAGES = 2_000
const OWN_TOOL = /\bcairn\W*_*remember$/i

/**
 * After a turn was stored: saves the question for the session's agent, so that the next prompt only reads a mark. No question is saved for
 * sub-agents, headless runs, CI, and agents without a tool to answer with.
 */
export async function noteQuestion(
  memory: Memory & FullSearchPorts & SessionPorts & AskPorts,
  lines: readonly HookQueueLine[],
): Promise<void> {
  const own = lines.filter(({ agent }) => agent === undefined)
  const last = own.findLast(({ purpose }) => purpose === 'turn-end' || purpose === 'end')
  if (last === undefined || (await memory.config()).agentSaves === 'off') return
  const { session, host, at } = last
  for (const { run, at: savedAt } of own)
    if (run?.ok !== false && OWN_TOOL.test(run?.tool ?? '')) await memory.asks.noteSaved(session, savedAt)
  if (await memory.asks.isAsked(session)) return
  const hasEnded = last.purpose === 'end'
  const known = await memory.asks.findDue(session)
  const transcript = own.findLast(line => line.transcript !== undefined)?.transcript
  if (isAttended(host, automationVariables(), transcriptBeginning(transcript)) === false) return
  if (known === undefined && !hasRememberTool(host, rootOf(memory) ?? '')) return
  const agent = await agentOfEvent(memory, {})
  const question = await openQuestion(memory, await unsavedMessages(memory, session, agent), {
    ...(memory.actor.agent !== undefined && { agent: memory.actor.agent }),
  })
  if (question.reasons.length === 0) return
  await memory.asks.saveDue(session, { at, host, hasEnded, ...question })
}

/** The messages since the agent saved last. */
export async function unsavedMessages(
  memory: SessionPorts & AskPorts,
  session: string,
  agent: string,
): Promise<readonly Message[]> {
  const savedAt = (await memory.asks.savedAt(session)) ?? ''
  const messages = (await memory.sessions.readEnd({ session, agent }, MAX_MESSAGES))?.messages ?? []
  return messages.filter(({ at = '' }) => savedAt === '' || at > savedAt)
}
