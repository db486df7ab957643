import { HOST_IDS, type HostId } from './host.ts'
import type { Degradation } from './search.ts'

/** Its program was not seen to answer one prompt without a screen and to continue a chat. */
const WITHOUT_PROGRAM = 'copilot'
export type AgentHost = Exclude<HostId, typeof WITHOUT_PROGRAM>
/** The hosts whose own program can run commands. */
export const AGENT_HOSTS: readonly AgentHost[] = HOST_IDS.filter(host => host !== WITHOUT_PROGRAM)

export function isAgentHost(name: string): name is AgentHost {
  return (AGENT_HOSTS as readonly string[]).includes(name)
}

export interface AgentUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** US dollars, if the host reports it. */
  readonly costUsd?: number
}

/** A request of a user to an agent. */
export interface AgentCommand {
  readonly agent: string
  readonly command: string
  /** Absent: the host of the chat, or the only enabled host. */
  readonly host?: AgentHost | undefined
  /** The host's id of the chat to continue. */
  readonly chat?: string | undefined
  /** The session whose chat continues. */
  readonly session?: string | undefined
  readonly model?: string | undefined
  /** The role of the agent, instead of the one in the project's files. */
  readonly persona?: string | undefined
}

/** Events while an agent works, in this order: chat, brief, then text, tool and remark as they come, then done or error. */
export type AgentEvent =
  | {
      readonly event: 'chat'
      readonly data: {
        readonly session: string
        /** Sent again once the host has named it. */
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
  /** Other output of the host, apart from its answer. */
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
  /** The user stopped it: the text is what was written until then. */
  readonly isStopped: boolean
}
