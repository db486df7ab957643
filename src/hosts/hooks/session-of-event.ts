import type { Memory } from '../../kernel/memory.ts'
import { suggestAgentId } from '../../kernel/model/agent-id.ts'
import type { SubAgent } from './decide/hook-event.ts'

/**
 * The agent of an event: that of the session, or one that it started. Sub-agents of one kind share an id and its memory; none of them gets
 * the name of the agent that it works for.
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
