import type { Memory } from '../../kernel/memory.ts'
import { suggestAgentId } from '../../kernel/model/agent-id.ts'
import type { SubAgent } from './decide/hook-event.ts'

/**
 * Whose words these are: the agent of the session, or one that it started. Sub-agents of one kind share an id, and with it what they
 * know; none of them takes the name of the agent that they work for.
 */
export async function agentOfEvent(
  memory: Memory,
  { agent }: { readonly agent?: SubAgent | undefined },
): Promise<string> {
  const own = (memory.actor.agent ?? (await memory.config())['vault.defaultAgent']).toLowerCase()
  if (agent === undefined) return own
  const id = suggestAgentId(agent.kind)
  return id === own || id === 'shared' || id === 'private' ? `sub-${id}` : id
}
