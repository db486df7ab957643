import type { AskPorts } from '../../features/agent-saves/decide/ports.ts'
import { saveOne } from '../../features/agent-saves/save-entries.ts'
import type { FreshnessPorts } from '../../features/freshness/decide/ports.ts'
import type { SearchPorts } from '../../features/search/decide/ports.ts'
import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { TASK_LIMITS, type WorkTask } from '../../kernel/model/task.ts'
import { withoutSecret } from '../../kernel/text/redaction/safe-names.ts'
import { type RemovedSecret, redactedFields } from '../workspaces/redacted-fields.ts'
import type { NewTask } from './decide/plan-graph.ts'
import { taskOfLease, wrongState } from './decide/transitions.ts'
import type { AddedTasks, ClaimedTask, EndedTask, Heartbeat, WorkPorts } from './decide/work-board.ts'
import type { ReadyFilter } from './decide/work-table.ts'
import { type HandOver, handOver } from './hand-over.ts'
import { noTask } from './work-board.ts'

/** An agent may think for minutes without output. */
const DEFAULT_LEASE_MS = 600_000

/** Adds tasks to a graph, or begins one. Redacted, like all stored text. */
export async function addTasks(
  memory: Memory & WorkPorts,
  graph: string | undefined,
  tasks: readonly NewTask[],
): Promise<AddedTasks & { readonly redacted: readonly RemovedSecret[] }> {
  const redacted: RemovedSecret[] = []
  const freed: NewTask[] = []
  const by = memory.actor.agent ?? memory.actor.principal
  // Names are looked up literally, so a name that looks like a secret is refused. So are codes, which are compared.
  if (graph !== undefined) withoutSecret('graph', graph)
  if (by !== undefined) withoutSecret('agent', by)
  for (const task of tasks) {
    refuseSecretNames(task)
    const { title, brief, files } = task
    const free = await redactedFields(memory, { title, brief, files })
    redacted.push(...free.redacted)
    freed.push({
      ...task,
      title: free.fields.title,
      ...(free.fields.brief !== undefined && { brief: free.fields.brief }),
      ...(free.fields.files !== undefined && { files: free.fields.files }),
    })
  }
  const name = graph ?? `work-${memory.clock.nowMs().toString(36)}`
  return { ...(await memory.work.add(name, freed, by)), redacted }
}

function refuseSecretNames({ name, kind, agent, after, entries, retry }: NewTask): void {
  const names = {
    ...{ name: [name], kind: [kind], agent: [agent] },
    ...{ 'name of a task': after, 'id of an entry': entries, code: retry?.finalCodes },
  }
  for (const [field, values] of Object.entries(names))
    for (const value of values ?? []) if (value !== undefined) withoutSecret(field, value)
}

interface AskedWork extends ReadyFilter {
  readonly worker?: string
  readonly leaseMs?: number
  readonly waitMs?: number
  /** Aborted when the caller is gone. */
  readonly gone?: AbortSignal
}

interface GivenWork extends ClaimedTask {
  readonly context: HandOver
}

/** A task with its context. */
export async function claimTask(
  memory: Memory & WorkPorts,
  asked: AskedWork,
): Promise<GivenWork | undefined> {
  const agent = asked.agent ?? memory.actor.agent
  const { fields } = await redactedFields(memory, { worker: workerName(memory.actor, asked.worker ?? agent) })
  const claimed = await memory.work.claim({
    ...asked,
    worker: fields.worker.slice(0, TASK_LIMITS.nameCharacters),
    leaseMs: asked.leaseMs ?? DEFAULT_LEASE_MS,
    waitMs: asked.waitMs ?? 0,
    ...(agent !== undefined && { agent }),
  })
  return claimed && { ...claimed, context: await handOver(memory, claimed.task, agent) }
}

/** On a hub it begins with the principal of the token: a worker can choose a suffix, but not impersonate another. */
function workerName({ principal, host }: Memory['actor'], named: string | undefined): string {
  if (principal === undefined) return named ?? host
  return named === undefined || named === principal ? principal : `${principal}/${named}`
}

export async function beat(
  memory: Memory & WorkPorts,
  lease: string,
  {
    note,
    share,
    leaseMs,
  }: {
    readonly note?: string | undefined
    readonly share?: number | undefined
    readonly leaseMs?: number | undefined
  },
): Promise<Heartbeat> {
  const { fields } = await redactedFields(memory, { note })
  const told = fields.note ?? (share === undefined ? undefined : '')
  return memory.work.heartbeat(lease, {
    ...(leaseMs !== undefined && { leaseMs }),
    ...(told !== undefined && {
      progress: { note: told.slice(0, TASK_LIMITS.noteCharacters), ...(share !== undefined && { share }) },
    }),
  })
}

interface TaskOutcome {
  readonly result: string
  /** Stored as an entry of the memory, which dependents of this task receive. */
  readonly remember?: string | undefined
  /** Entries that were remembered during the work. */
  readonly entries?: readonly string[] | undefined
  readonly files?: readonly string[] | undefined
}

export async function finishTask(
  memory: Memory & SearchPorts & SessionPorts & FreshnessPorts & AskPorts & WorkPorts,
  lease: string,
  found: TaskOutcome,
): Promise<EndedTask & { readonly entry: Entry | null; readonly redacted: readonly RemovedSecret[] }> {
  bounded('result', found.result, TASK_LIMITS.resultCharacters)
  for (const names of [found.entries ?? [], found.files ?? []]) {
    if (names.length > TASK_LIMITS.namesPerTask) throw tooMany(names.length)
    for (const name of names) bounded('name of an entry or file', name, TASK_LIMITS.pathCharacters)
  }
  const { fields, redacted } = await redactedFields(memory, {
    result: found.result,
    files: found.files ?? [],
    entries: found.entries ?? [],
  })
  const task = await taskFor(memory, lease)
  const isRepeated = task.standing.state === 'done' && task.standing.token === lease
  // Nothing is stored for a worker whose result is rejected.
  const entry = found.remember === undefined || isRepeated ? null : await keep(memory, lease, task, found)
  const entries = [...new Set([...fields.entries, ...(entry === null ? [] : [entry.id])])]
  const ended = await memory.work.finish(lease, { text: fields.result, entries, files: fields.files })
  return { ...ended, entry, redacted }
}

export async function failTask(
  memory: Memory & WorkPorts,
  lease: string,
  {
    error,
    code,
    final = false,
  }: { readonly error: string; readonly code?: string | undefined; readonly final?: boolean | undefined },
): Promise<EndedTask> {
  const { fields } = await redactedFields(memory, { error, code })
  const message = fields.error.slice(0, TASK_LIMITS.failureCharacters)
  return memory.work.fail(lease, {
    message,
    isFinal: final,
    ...(fields.code !== undefined && { code: fields.code.slice(0, TASK_LIMITS.nameCharacters) }),
  })
}

export async function cancelTasks(
  memory: Memory & WorkPorts,
  what: { readonly task: string } | { readonly graph: string },
  why: string | undefined,
): Promise<readonly WorkTask[]> {
  const { fields } = await redactedFields(memory, { why: why ?? '' })
  return memory.work.cancel(what, fields.why.slice(0, TASK_LIMITS.noteCharacters))
}

export async function getTask(memory: WorkPorts, id: string): Promise<WorkTask> {
  const task = (await memory.work.find([id])).get(id)
  if (task === undefined) throw noTask(id)
  return task
}

async function taskFor(memory: WorkPorts, lease: string): Promise<WorkTask> {
  return getTask(memory, taskOfLease(lease))
}

async function keep(
  memory: Memory & SearchPorts & SessionPorts & FreshnessPorts & AskPorts & WorkPorts,
  lease: string,
  task: WorkTask,
  { remember: content, files }: TaskOutcome,
): Promise<Entry> {
  const standing = await memory.work.heartbeat(lease)
  if (standing.kind === 'cancelled')
    throw wrongState(task, 'be finished', `It was cancelled: ${standing.why}. Stop.`)
  return saveOne(memory, {
    statement: content ?? '',
    tags: ['work', task.id.replaceAll('.', '-')],
    files: files ?? [],
  })
}

function tooMany(names: number): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `A result has ${names} names of one kind; the maximum is ${TASK_LIMITS.namesPerTask}.`,
    hint: 'List them in a file, and name the file.',
  })
}

function bounded(what: string, text: string, most: number): void {
  if (text.length <= most) return
  throw new CairnError({
    code: 'content_too_long',
    message: `The ${what} has ${text.length} characters; the maximum is ${most}.`,
    hint: 'Put the rest into a file, and name it in `files`.',
  })
}
