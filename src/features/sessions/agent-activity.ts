import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { speakerOf, type ToolRun } from '../../kernel/model/message.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { SessionKey, SessionState } from '../../kernel/model/session.ts'
import type { TaskState, WorkTask } from '../../kernel/model/task.ts'
import { spokenTextOf } from '../learning/decide/spoken-text.ts'
import type { SessionPorts, TaskPorts } from './decide/ports.ts'
import { DOING_CHARACTERS } from './sessions.ts'

/** The tasks that a worker holds on the work board, and the outcome of the ones it finished. */
interface AgentTasks {
  readonly running: readonly RunningTask[]
  /** Newest first. */
  readonly ended: readonly EndedTaskOfAgent[]
}

interface RunningTask {
  readonly id: string
  readonly title: string
  readonly since: string
  readonly progress?: string
}

interface EndedTaskOfAgent {
  readonly id: string
  readonly title: string
  readonly outcome: 'done' | 'failed' | 'expired' | 'cancelled'
  readonly at: string
  /** What it reported: the result, or why it failed. */
  readonly report?: string
}

/** Queried separately, so that many waiting tasks do not hide the assigned ones. A waiting task may have been tried before. */
const LOOKS: readonly (readonly TaskState[])[] = [
  ['running'],
  ['done', 'failed', 'cancelled'],
  ['waiting', 'ready'],
]
/** How many tasks are read per query. */
const LOOKED_AT = 500
const MAX_SHOWN = 5
const REPORT_CHARACTERS = 200

/** By worker. Empty without a work board. */
async function tasksByWorker(memory: TaskPorts): Promise<ReadonlyMap<string, AgentTasks>> {
  if (!(await memory.work.exists())) return new Map()
  const looks = await Promise.all(
    LOOKS.map(states => memory.work.list({ states, limit: LOOKED_AT, offset: 0 })),
  )
  const running = new Map<string, RunningTask[]>()
  const ended = new Map<string, (EndedTaskOfAgent & { readonly atMs: number })[]>()
  for (const task of looks.flatMap(({ tasks }) => tasks)) {
    const { standing } = task
    if (standing.state === 'running') addTo(running, standing.lease.worker, runningTask(task, standing.lease))
    for (const attempt of task.attempts) {
      const report = attempt.failure?.message ?? (attempt.outcome === 'done' ? resultOf(task) : undefined)
      addTo(ended, attempt.worker, {
        id: task.id,
        title: task.title,
        outcome: attempt.outcome,
        at: new Date(attempt.endMs).toISOString(),
        atMs: attempt.endMs,
        ...(report !== undefined && { report: report.slice(0, REPORT_CHARACTERS) }),
      })
    }
  }
  return new Map(
    [...new Set([...running.keys(), ...ended.keys()])].map(worker => [
      worker,
      {
        running: running.get(worker) ?? [],
        ended: (ended.get(worker) ?? [])
          .sort((a, b) => b.atMs - a.atMs)
          .slice(0, MAX_SHOWN)
          .map(({ atMs: _, ...task }) => task),
      },
    ]),
  )
}

function runningTask(
  { id, title, progress }: WorkTask,
  { sinceMs }: { readonly sinceMs: number },
): RunningTask {
  return {
    id,
    title,
    since: new Date(sinceMs).toISOString(),
    ...(progress !== undefined && { progress: progress.note }),
  }
}

function resultOf({ standing }: WorkTask): string | undefined {
  return standing.state === 'done' && standing.result.text !== '' ? standing.result.text : undefined
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  map.set(key, [...(map.get(key) ?? []), value])
}

const HOUR_MS = 3_600_000
/** Older sessions are counted but not opened. */
const SESSIONS_LOOKED_AT = 200
const SESSIONS_READ = 10
const MESSAGES_READ = 50
const MAX_FILES = 20
const MAX_RECENT = 5

export interface AgentActivity {
  readonly agent: string
  /** How many open sessions it has; 0: it is idle. */
  readonly open: number
  /** The newest of them. */
  readonly doing: readonly CurrentWork[]
  readonly done: {
    readonly sessions: number
    /** Its own messages in its newest 200 sessions. */
    readonly messages: number
    readonly entries: number
    readonly lastHandoff?: { readonly id: string; readonly date: string; readonly content: string }
    readonly lastActiveAt?: string
    /** Its newest sessions. */
    readonly recent: readonly {
      readonly session: string
      readonly activeAt: string
      readonly request?: string
    }[]
    /** Files changed in its last sessions, newest first. */
    readonly files: readonly string[]
  }
  /** From the work board; absent: it never claimed a task. */
  readonly tasks?: AgentTasks
}

export interface CurrentWork {
  readonly session: string
  readonly state: SessionState
  readonly host: string
  readonly since: string
  readonly activeAt: string
  readonly messages: number
  readonly request?: string
  readonly lastRun?: Pick<ToolRun, 'tool' | 'command' | 'ok'> & { readonly at?: string }
}

/** One agent, or all with a vault, a session or a task of the work board; of the open sessions of each the newest `limit`. */
export async function agentActivity(
  memory: Memory & SessionPorts & TaskPorts,
  agent?: string,
  { limit = Number.POSITIVE_INFINITY }: { readonly limit?: number } = {},
): Promise<{ readonly agents: readonly AgentActivity[]; readonly problems: readonly Problem[] }> {
  const { byAgent } = await memory.store.counts()
  const known = await memory.sessions.list({ limit: SESSIONS_LOOKED_AT })
  const tasks = await tasksByWorker(memory)
  const names = new Set([
    ...Object.keys(byAgent),
    ...known.sessions.flatMap(({ agents }) => agents),
    ...tasks.keys(),
  ])
  const wanted = agent === undefined ? [...names].sort() : names.has(agent) ? [agent] : []
  const unclosed = await memory.sessions.unclosed()
  const idleMs = (await memory.config())['session.idleHours'] * HOUR_MS
  const agents: AgentActivity[] = []
  for (const name of wanted) {
    const open = unclosed
      .filter(
        one =>
          one.agent === name &&
          one.state === 'open' &&
          memory.clock.nowMs() - Date.parse(one.activeAt) < idleMs,
      )
      .sort((a, b) => (a.activeAt < b.activeAt ? 1 : -1))
    const doing = await Promise.all(open.slice(0, limit).map(key => currentWork(memory, key)))
    const own = tasks.get(name)
    agents.push({
      agent: name,
      open: open.length,
      doing: doing.flatMap(work => work ?? []),
      done: await workDone(memory, name, Object.values(byAgent[name] ?? {})),
      ...(own !== undefined && { tasks: own }),
    })
  }
  return { agents, problems: known.problems }
}

async function currentWork(memory: SessionPorts, key: SessionKey): Promise<CurrentWork | undefined> {
  const end = await memory.sessions.readEnd(key, MESSAGES_READ)
  if (end === undefined) return undefined
  const { head, state, activeAt, count, messages } = end
  const request = messages.flatMap(message =>
    speakerOf(message.role) === 'user' ? (spokenTextOf(message) ?? []) : [],
  )
  const last = messages.findLast(message => message.run !== undefined)
  const { tool, command, ok } = last?.run ?? {}
  const asked = request.at(-1)
  return {
    session: head.session,
    state,
    host: head.host,
    since: head.startedAt,
    activeAt,
    messages: count,
    ...(asked !== undefined && { request: asked.slice(0, DOING_CHARACTERS) }),
    ...(tool !== undefined && {
      lastRun: {
        tool,
        ...(command !== undefined && { command }),
        ...(ok !== undefined && { ok }),
        ...(last?.at !== undefined && { at: last.at }),
      },
    }),
  }
}

async function workDone(
  memory: Memory & SessionPorts,
  agent: string,
  counts: readonly number[],
): Promise<AgentActivity['done']> {
  const { sessions, total } = await memory.sessions.list({ limit: SESSIONS_LOOKED_AT, agent })
  const files = new Set<string>()
  for (const { session } of sessions.slice(0, SESSIONS_READ)) {
    const end = await memory.sessions.readEnd({ session, agent }, MESSAGES_READ)
    for (const { run } of [...(end?.messages ?? [])].reverse())
      if (run?.isEdit === true && run.ok !== false) for (const file of run.files ?? []) files.add(file)
  }
  let messages = 0
  for (const one of sessions) {
    // The runs of a session count for all of its agents.
    const isAlone = one.agents.length === 1
    messages += isAlone
      ? one.messages
      : ((await memory.sessions.readEnd({ session: one.session, agent }, 1))?.count ?? 0)
  }
  const { entries } = await memory.store.listEntries({
    filter: { agent, category: 'handoffs' },
    limit: 1,
    offset: 0,
  })
  const [handoff] = entries as readonly Entry[]
  const activeAt = sessions[0]?.activeAt
  return {
    sessions: total,
    messages,
    entries: counts.reduce((sum, count) => sum + count, 0),
    ...(handoff !== undefined && {
      lastHandoff: { id: handoff.id, date: handoff.date, content: handoff.content },
    }),
    ...(activeAt !== undefined && { lastActiveAt: activeAt }),
    recent: sessions.slice(0, MAX_RECENT).map(({ session, activeAt: at, doing }) => ({
      session,
      activeAt: at,
      ...(doing !== undefined && { request: doing }),
    })),
    files: [...files].slice(0, MAX_FILES),
  }
}
