import { HOST_IDS, type HostId } from './host.ts'
import type { Degradation } from './search.ts'

/** Its program was not seen to answer one prompt without a screen and to continue a chat. */
const WITHOUT_PROGRAM = 'copilot'
export type AgentHost = Exclude<HostId, typeof WITHOUT_PROGRAM>
/** The hosts whose own program runs commands. */
export const AGENT_HOSTS: readonly AgentHost[] = HOST_IDS.filter(host => host !== WITHOUT_PROGRAM)

export function isAgentHost(name: string): name is AgentHost {
  return (AGENT_HOSTS as readonly string[]).includes(name)
}

export interface AgentUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** US dollars, where the host tells. */
  readonly costUsd?: number
}

/** What somebody asks an agent to do. */
export interface AgentCommand {
  readonly agent: string
  readonly command: string
  /** Absent: that of the chat, or the only one that is enabled. */
  readonly host?: AgentHost | undefined
  /** What the host calls the chat that goes on. */
  readonly chat?: string | undefined
  /** The session it belongs to; its chat goes on. */
  readonly session?: string | undefined
  readonly model?: string | undefined
  /** The role of the agent, in place of what the project's files say. */
  readonly persona?: string | undefined
}

/** What is told while an agent works, in this order: chat, brief, then text, tool and remark as they come, then done or error. */
export type AgentEvent =
  | {
      readonly event: 'chat'
      readonly data: {
        readonly session: string
        /** Told again once the host has named it. */
        readonly chatId?: string
        readonly host: AgentHost
        readonly agentId: string
        readonly isResumed: boolean
      }
    }
  | {
      readonly event: 'brief'
      readonly data: {
        readonly tokens: number
        readonly items: readonly { readonly id?: string; readonly tier: string; readonly tokens: number }[]
        readonly persona: string | null
        readonly degraded: readonly Degradation[]
      }
    }
  | { readonly event: 'text'; readonly data: { readonly text: string } }
  | { readonly event: 'tool'; readonly data: { readonly name: string; readonly input?: string } }
  /** What the host printed beside its answer. */
  | { readonly event: 'remark'; readonly data: { readonly text: string } }
  | { readonly event: 'done'; readonly data: AgentAnswer }
  | {
      readonly event: 'error'
      readonly data: { readonly code: string; readonly message: string; readonly hint: string }
    }

export interface AgentAnswer {
  readonly text: string
  readonly chatId: string | null
  readonly session: string
  readonly usage?: AgentUsage
  /** Somebody stopped it: the text is what was said until then. */
  readonly isStopped: boolean
}
