import { type SessionQuestion, sessionQuestion } from '../features/agent-saves/ask-agent.ts'
import type { ConflictPorts } from '../features/conflicts/decide/ports.ts'
import {
  type ClosedSession,
  closeSession,
  type PickedUp,
  pickUpSessions,
} from '../features/learning/closing.ts'
import type { ClosingPorts, ModelPorts } from '../features/learning/decide/ports.ts'
import { type RefinedSession, refineSession } from '../features/learning/refining.ts'
import type { DocumentPorts } from '../features/search/decide/ports.ts'
import { agentMeant, sessionKey } from '../features/sessions/session-ids.ts'
import {
  type AppendReport,
  appendMessages,
  checkpointSession,
  endSession,
  type ForkedSession,
  forkSession,
  listSessions,
  type NewSession,
  type Recovery,
  type ResumedSession,
  type RunReport,
  recordRuns,
  recoverSession,
  resumeSession,
  type SleptSession,
  type StartedSession,
  sleepSession,
  startSession,
} from '../features/sessions/sessions.ts'
import type { Memory } from '../kernel/memory.ts'
import type { Message, ToolRun } from '../kernel/model/message.ts'
import type { Problem } from '../kernel/model/search.ts'
import type {
  Checkpoint,
  Conversation,
  SessionHead,
  SessionOverview,
  SessionState,
} from '../kernel/model/session.ts'

export type { SessionQuestion } from '../features/agent-saves/ask-agent.ts'

/** A session by its id; the agent is the one that opened the memory unless it is named. */
export type SessionName = string | { readonly session: string; readonly agent?: string | undefined }

export interface MemorySessions {
  /** Starts a session, or opens an existing one. An id is generated if none is given. */
  start(options?: NewSession): Promise<StartedSession>
  /** Adds messages, without private parts and secrets. `at`: the number of the first one in your own count, so that none is stored twice. */
  append(session: SessionName, messages: readonly Message[], options?: { at?: number }): Promise<AppendReport>
  /** Adds tool runs; significant ones become events. */
  record(session: SessionName, runs: readonly ToolRun[]): Promise<RunReport>
  /** Saves the last messages. Throws `session_not_found`. */
  checkpoint(session: SessionName): Promise<Checkpoint>
  /** Where to resume: the checkpoint of a session, or the agent's newest; `reason` says why there is none. */
  recover(options?: { session?: string; agent?: string }): Promise<Recovery>
  /** Suspends it with a handoff. Throws `session_not_found`. */
  sleep(session: SessionName, options?: { summary?: string }): Promise<SleptSession>
  /** The fast path for a process that is about to end; another process closes the session later. Throws `session_not_found`. */
  end(session: SessionName): Promise<{ readonly state: SessionState }>
  /**
   * Distils the whole session: statements of a person and findings with enough evidence become candidate entries, the rest waits for
   * review; leaves a handoff. Repeating it changes nothing. Throws `session_not_found`.
   */
  close(session: string, options?: { dryRun?: boolean }): Promise<ClosedSession>
  /** Refines a closed session with the configured and allowed model; `degraded` says why not. Throws `session_not_found`. */
  refine(session: string): Promise<RefinedSession>
  /** Closes sessions that were left open. */
  pickUp(options?: { most?: number }): Promise<PickedUp>
  /** Copies every agent's conversation. Throws `session_not_found`, `session_exists`. */
  fork(session: string, options?: { as?: string }): Promise<ForkedSession>
  /** Opens it again, for one agent or all of its agents. Throws `session_not_found`. */
  resume(session: SessionName): Promise<ResumedSession>
  /** The most recently active first. */
  list(options?: { agent?: string; state?: SessionState; limit?: number; offset?: number }): Promise<{
    readonly sessions: readonly SessionOverview[]
    readonly total: number
    readonly problems: readonly Problem[]
  }>
  /** One conversation, or undefined. */
  get(session: SessionName): Promise<Conversation | undefined>
  /** The question for its agent, and whether it is worth asking. Throws `session_not_found`. */
  question(session: SessionName): Promise<SessionQuestion>
  /** Every agent's conversation of a session. */
  conversations(session: string): Promise<readonly SessionHead[]>
}

const SHOWN = 20

export function memorySessions(
  memory: Memory & ClosingPorts & DocumentPorts & ModelPorts & ConflictPorts,
): MemorySessions {
  const keyOf = (name: SessionName) => sessionKey(memory, typeof name === 'string' ? { session: name } : name)
  return {
    start: options => startSession(memory, options),
    append: async (name, messages, options) => appendMessages(memory, await keyOf(name), messages, options),
    record: async (name, runs) => recordRuns(memory, await keyOf(name), runs),
    checkpoint: async name => checkpointSession(memory, await keyOf(name)),
    recover: async (options = {}) =>
      recoverSession(memory, await agentMeant(memory, options), options.session),
    sleep: async (name, options) => sleepSession(memory, await keyOf(name), options),
    end: async name => endSession(memory, await keyOf(name)),
    close: (session, { dryRun = false } = {}) => closeSession(memory, session, { isTrial: dryRun }),
    refine: session => refineSession(memory, session),
    pickUp: options => pickUpSessions(memory, options),
    fork: (session, options) => forkSession(memory, { session }, options),
    resume: name => resumeSession(memory, typeof name === 'string' ? { session: name } : name),
    list: ({ limit = SHOWN, ...options } = {}) => listSessions(memory, { limit, ...options }),
    get: async name => memory.sessions.read(await keyOf(name)),
    question: async name => sessionQuestion(memory, await keyOf(name)),
    conversations: session => memory.sessions.conversationsOf(session),
  }
}
