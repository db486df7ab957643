import type { AgentCommand, AgentEvent, AgentHost } from '../../../kernel/model/agent-run.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import type { SessionKey, SessionState } from '../../../kernel/model/session.ts'

/** Runs agents through their hosts' own programs, and stores their messages. */
export interface AgentPipeline {
  hosts(): Promise<readonly AgentHostState[]>
  /** From now on commands may be run with this host here. Throws `agent_host_failed` when its program is not there. */
  enable(host: AgentHost): Promise<AgentHostState>
  /** false: it was not enabled. */
  disable(host: AgentHost): Promise<boolean>
  /**
   * Begins a run: the command is stored, and the program started. It continues to its end with or without a listener.
   * Throws `agent_host_off`, `agent_busy`, `not_trusted`, `not_initialised`, `invalid_input`.
   */
  begin(command: AgentCommand): Promise<BegunRun>
  /** Ends a run of this process; false: nothing of that session runs here. */
  stop(session: string): Promise<boolean>
  chats(query: { readonly agent?: string | undefined; readonly limit: number }): Promise<{
    readonly chats: readonly AgentChat[]
    readonly problems: readonly Problem[]
  }>
  /** Ends all runs. */
  close(): Promise<void>
}

export interface AgentHostState {
  readonly host: AgentHost
  readonly name: string
  /** Where its program is; undefined: not on the PATH, or only inside the project. */
  readonly program?: string
  readonly isEnabled: boolean
  /** The enabled program differs from the installed one. */
  readonly isChanged: boolean
  /** UTC, to the minute. */
  readonly since?: string
  readonly version?: string
  /** What is run for a new chat, the prompt on its standard input. */
  readonly command: readonly string[]
}

export interface BegunRun {
  readonly session: string
  readonly agent: string
  readonly host: AgentHost
  readonly isResumed: boolean
  /** From the first one on. The run continues when the listener leaves. */
  readonly events: AsyncIterable<AgentEvent>
}

interface AgentChat {
  readonly session: string
  readonly agent: string
  readonly host: string
  readonly chat: string
  readonly state: SessionState
  readonly activeAt: string
  readonly messages: number
  readonly doing?: string
  readonly isRunning: boolean
}

/** Which hosts this user enabled for this project on this machine. */
export interface AgentAllowances {
  enabled(): ReadonlyMap<AgentHost, { readonly program: string; readonly since: string }>
  enable(host: AgentHost, program: string): void
  disable(host: AgentHost): boolean
}

/** The current runs, one file for each session. The file of a killed process contains the answer so far. Redacted. */
export interface AgentRunFiles {
  /** False: another process has an agent of this session at work. */
  claim(key: SessionKey, draft?: string): Promise<boolean>
  /** Text that is not in a conversation yet; also shows that the run is alive. */
  keepDraft(key: SessionKey, draft: string): Promise<void>
  release(key: SessionKey): Promise<void>
  list(): Promise<readonly AgentRunMark[]>
}

export interface AgentRunMark extends SessionKey {
  readonly pid: number
  readonly startedAt: string
  readonly draft: string
  /** Its process exists and was active recently. */
  readonly isAlive: boolean
}
