import type { HostId } from '../../../kernel/model/host.ts'
import type { ToolRun } from '../../../kernel/model/message.ts'
import type { MemoryCommand } from './memory-command.ts'

/**
 * What Cairn does at an event of a host, whatever the host calls that event.
 *
 *   start         a session begins, is resumed, or continues after its context was compacted: the start brief
 *   prompt        the user asks something: the brief for it
 *   agent-start   a sub-agent begins: its brief
 *   tool          a tool was run: an event, and the warnings about the files it touched where that is enabled
 *   compact       the host is about to compact its context: a checkpoint, and what was injected counts as gone
 *   turn-end      the agent has answered: the conversation is saved
 *   agent-end     a sub-agent has answered: its findings are saved
 *   end           the session is over: it is closed
 */
export const HOOK_PURPOSES = [
  'start',
  'prompt',
  'agent-start',
  'tool',
  'compact',
  'turn-end',
  'agent-end',
  'end',
] as const
export type HookPurpose = (typeof HOOK_PURPOSES)[number]

/** One event at which a host calls `cairn hook <host> <event>`. */
export interface HostHook {
  /** The host's name for it. */
  readonly event: string
  readonly purpose: HookPurpose
  /** Limits the hook to these tools, or to these ways a session starts, where the host supports that. */
  readonly matcher?: string
  /** The host's own timeout. Our deadline is shorter. */
  readonly timeoutSeconds: number
}

/** What a host reports at one of its events, in our words. Whatever the host does not report is absent: no field of a payload is relied on. */
export interface HookEvent {
  readonly host: HostId
  /** The host's name for the event. */
  readonly name: string
  readonly purpose: HookPurpose
  /** The host's own id. Without one nothing is captured, and nothing counts as injected. */
  readonly session?: string
  /** Where the agent works. */
  readonly cwd?: string
  /** How a session began. */
  readonly source?: StartSource
  /** What the user asked; also absent where a prompt does not come from a user. */
  readonly prompt?: string
  /** A slash command of ours, where the hook of this host can answer it in place of the model. */
  readonly command?: MemoryCommand
  /** Files that the user has open or named to the host. */
  readonly files?: readonly string[]
  readonly run?: ToolRun
  /** What that run wrote, where it edited a file of a memory and the host reports the text. */
  readonly written?: string
  /** The host's id of that run: its transcript may say how the run ended. */
  readonly callId?: string
  /** The last message of the agent in this turn. */
  readonly answer?: string
  /** The sub-agent that this is about. */
  readonly agent?: SubAgent
  /** The file in which the host stores the conversation, or that of the sub-agent. */
  readonly transcript?: string
  readonly model?: string
  /** Tokens left in the model's context. */
  readonly remainingContext?: number
  /** The turn continues because a hook asked for it at its end: no second question. */
  readonly isStopActive?: boolean
  /** The user asked for this compaction. */
  readonly isManual?: boolean
}

/**
 *   new       nothing was injected into it yet
 *   resume    the earlier context is restored
 *   compact   the context was summarised: what was injected is gone
 *   clear     the context was discarded
 */
export type StartSource = 'new' | 'resume' | 'compact' | 'clear'

export interface SubAgent {
  /** What kind of agent it is: several of one kind share a memory. */
  readonly kind: string
  /** This one, where the host gives it an id. */
  readonly id?: string
}
