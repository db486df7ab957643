import { askWithContext } from '../../features/agent-saves/ask-agent.ts'
import type { AskPorts } from '../../features/agent-saves/decide/ports.ts'
import type { FullSearchPorts } from '../../features/search/decide/ports.ts'
import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import { automationVariables } from '../../kernel/system/environment.ts'
import type { HookEvent } from './decide/hook-event.ts'
import type { HookPorts } from './decide/ports.ts'
import { asksAtStop, printAnswer, printStopQuestion } from './decide/print-answer.ts'
import { transcriptBeginning } from './transcript-beginning.ts'

/**
 * What a host reads at this event: the context, and the question for its agent where one is due. Called last, when the call can no longer
 * be handed to another bundle: from here on the session counts as asked, whether or not the host reads it.
 */
export async function printWithQuestion(
  memory: Memory & FullSearchPorts & SessionPorts & AskPorts & HookPorts,
  event: HookEvent,
  context: string,
): Promise<string> {
  const { host, name, purpose } = event
  if (purpose === 'turn-end') {
    return (await mayAskAtStop(memory, event))
      ? printStopQuestion(host, name, await (await import('./ask-at-stop.ts')).askAtStop(memory, event))
      : ''
  }
  const question = await askWithContext(memory, event, {
    signs: automationVariables(),
    transcript: () => transcriptBeginning(event.transcript),
    used: context.length,
  })
  return printAnswer(host, name, [context, question].filter(text => text !== '').join('\n\n'))
}

async function mayAskAtStop(memory: Memory, { host, agent, isStopActive }: HookEvent): Promise<boolean> {
  if (!asksAtStop(host) || agent !== undefined || isStopActive === true || automationVariables().isCi)
    return false
  return (await memory.config()).agentSaves === 'stop'
}
