import type { HostId } from '../../../kernel/model/host.ts'
import type { ToolRun } from '../../../kernel/model/message.ts'
import type { HookPurpose } from './hook-purpose.ts'
import type { MemoryCommand } from './memory-command.ts'

/** What a host tells at one of its moments, in our words. Whatever it does not tell is absent: no field of a payload is relied on. */
export interface HookEvent {
  readonly host: HostId
  /** As the host names the moment. */
  readonly name: string
  readonly purpose: HookPurpose
  /** The host's own id. Without one nothing is captured, and nothing counts as told. */
  readonly session?: string
  /** Where the agent works. */
  readonly cwd?: string
  /** How a session began. */
  readonly source?: StartSource
  /** What a person asked; absent too where a prompt is not a person's. */
  readonly prompt?: string
  /** A slash command of ours, where this host can be answered instead of its model. */
  readonly command?: MemoryCommand
  /** Files that the person has open or named to the host. */
  readonly files?: readonly string[]
  readonly run?: ToolRun
  /** What that run wrote, where it is an edit of a file of a memory and the host tells it. */
  readonly written?: string
  /** The host's id of that run: its transcript may tell how it ended. */
  readonly callId?: string
  /** The last thing the agent said in this turn. */
  readonly answer?: string
  /** The sub-agent that this is about. */
  readonly agent?: SubAgent
  /** The file in which the host keeps the conversation, or that of the sub-agent. */
  readonly transcript?: string
  readonly model?: string
  /** Tokens left in the model's context. */
  readonly remainingContext?: number
  /** The turn goes on because a hook asked for it at its end: nothing is asked again. */
  readonly isStopActive?: boolean
  /** A compaction that the person asked for. */
  readonly isManual?: boolean
}

/**
 *   new       nothing was told in it yet
 *   resume    the context of before is there again
 *   compact   the context was folded: what was told is gone
 *   clear     the context was thrown away
 */
export type StartSource = 'new' | 'resume' | 'compact' | 'clear'

export interface SubAgent {
  /** What kind of agent it is: several of one kind share what they know. */
  readonly kind: string
  /** This one, where the host tells it apart. */
  readonly id?: string
}
