import { CairnError } from '../../../kernel/model/errors.ts'
import { DEFAULT_RETRY, type RetryPolicy, TASK_LIMITS, type WorkTask } from '../../../kernel/model/task.ts'
import { begin } from './transitions.ts'

/** A task in the input. */
export interface NewTask {
  /** Its name in the graph; default: a number. */
  readonly name?: string
  readonly title: string
  readonly brief?: string
  readonly kind?: string
  readonly agent?: string
  readonly priority?: number
  /** Names of the same graph, or whole ids of others. */
  readonly after?: readonly string[]
  readonly entries?: readonly string[]
  readonly files?: readonly string[]
  readonly retry?: Partial<RetryPolicy>
}

interface GraphPlan {
  readonly added: readonly WorkTask[]
  /** Tasks that exist with the same content: adding a task again is safe. */
  readonly already: readonly string[]
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/
const MAX_PRIORITY = 1_000

export function taskId(graph: string, name: string): string {
  return name.includes('.') ? name : `${graph}.${name}`
}

/** Every task with its id, and every task that it refers to: needed before the graph can be planned. */
export function namedTasks(
  graph: string,
  tasks: readonly NewTask[],
  free: number,
): readonly [NewTask, string][] {
  if (!NAME.test(graph)) throw badName('graph', graph)
  if (tasks.length === 0 || tasks.length > TASK_LIMITS.tasksAtOnce)
    throw invalid(
      `${tasks.length} tasks in one call are not allowed.`,
      `Give 1 to ${TASK_LIMITS.tasksAtOnce} tasks in one call; you can add more to the graph later.`,
    )
  let number = free
  return tasks.map(task => {
    const name = task.name ?? String(++number)
    if (!NAME.test(name)) throw badName('task', name)
    return [task, taskId(graph, name)]
  })
}

export function planGraph(
  graph: string,
  named: readonly (readonly [NewTask, string])[],
  known: ReadonlyMap<string, WorkTask>,
  { nowMs, by, firstPlace }: { readonly nowMs: number; readonly by?: string; readonly firstPlace: number },
): GraphPlan {
  const added = new Map<string, WorkTask>()
  const already: string[] = []
  for (const [asked, id] of named) {
    if (added.has(id)) throw invalid(`${id} occurs twice.`, 'Give every task of a graph a unique name.')
    const task = checkedTask(graph, id, asked, { nowMs, by, place: firstPlace + added.size })
    const there = known.get(id)
    if (there === undefined) added.set(id, task)
    else if (saysTheSame(there, task)) already.push(id)
    else
      throw new CairnError({
        code: 'task_state_conflict',
        message: `A different task ${id} already exists.`,
        hint: `Choose another name; \`cairn work show ${id}\` shows the existing task.`,
        details: { task: id },
      })
  }
  refuseCycles(added)
  return { added: [...added.values()].map(task => withCount(task, added, known, nowMs)), already }
}

function checkedTask(
  graph: string,
  id: string,
  asked: NewTask,
  { nowMs, by, place }: { readonly nowMs: number; readonly by: string | undefined; readonly place: number },
): WorkTask {
  const title = asked.title.trim()
  if (title === '') throw invalid(`${id} has no title.`, 'Describe the work in a few words.')
  bounded(id, 'title', title, TASK_LIMITS.titleCharacters)
  bounded(id, 'brief', asked.brief ?? '', TASK_LIMITS.briefCharacters)
  const kind = asked.kind ?? 'task'
  if (!NAME.test(kind)) throw badName('kind', kind)
  const priority = asked.priority ?? 0
  if (!Number.isInteger(priority) || Math.abs(priority) > MAX_PRIORITY)
    throw invalid(
      `${id}: the priority ${priority} is out of range.`,
      `A whole number from -${MAX_PRIORITY} to ${MAX_PRIORITY}.`,
    )
  const after = [...new Set((asked.after ?? []).map(name => taskId(graph, name)))]
  const entries = [...new Set(asked.entries ?? [])]
  const files = [...new Set(asked.files ?? [])]
  for (const names of [after, entries, files])
    if (names.length > TASK_LIMITS.namesPerTask)
      throw invalid(
        `${id} lists ${names.length} names of one kind.`,
        `At most ${TASK_LIMITS.namesPerTask}: add a task in between that combines several.`,
      )
  for (const name of [...entries, ...files])
    bounded(id, 'name of an entry or file', name, TASK_LIMITS.pathCharacters)
  if (asked.agent !== undefined) bounded(id, 'name of the agent', asked.agent, TASK_LIMITS.nameCharacters)
  return {
    id,
    graph,
    title,
    brief: asked.brief ?? '',
    kind,
    ...(asked.agent !== undefined && { agent: asked.agent }),
    priority,
    after,
    entries,
    files,
    retry: checkedPolicy(id, { ...DEFAULT_RETRY, ...asked.retry }),
    ...(by !== undefined && { by }),
    createdMs: nowMs,
    place,
    waitsFor: 0,
    leases: 0,
    tries: 0,
    attempts: [],
    standing: { state: 'waiting' },
  }
}

function checkedPolicy(id: string, policy: RetryPolicy): RetryPolicy {
  const { attempts, backoffMs } = policy
  const isSound =
    Number.isInteger(attempts) &&
    attempts >= 1 &&
    attempts <= 100 &&
    backoffMs >= 0 &&
    backoffMs <= 86_400_000
  if (isSound) return policy
  throw invalid(
    `${id}: invalid attempts (${attempts}) or pause (${backoffMs} ms).`,
    '1 to 100 attempts, and pauses of at most a day.',
  )
}

function withCount(
  task: WorkTask,
  added: ReadonlyMap<string, WorkTask>,
  known: ReadonlyMap<string, WorkTask>,
  nowMs: number,
): WorkTask {
  let waitsFor = 0
  for (const id of task.after) {
    const other = added.get(id) ?? known.get(id)
    if (other === undefined)
      throw new CairnError({
        code: 'task_not_found',
        message: `${task.id} depends on ${id}, which does not exist.`,
        hint: 'Add both together, or the other one first. `cairn work list` shows the existing tasks.',
        details: { task: id },
      })
    if (other.standing.state === 'cancelled')
      throw new CairnError({
        code: 'task_state_conflict',
        message: `${task.id} depends on ${id}, which was cancelled.`,
        hint: `\`cairn work retry ${id}\` opens it again.`,
        details: { task: id, state: 'cancelled' },
      })
    if (other.standing.state !== 'done') waitsFor++
  }
  return { ...task, waitsFor, standing: begin(waitsFor, nowMs) }
}

/** Existing tasks never wait for new ones, so a cycle can only be among the new tasks. */
function refuseCycles(added: ReadonlyMap<string, WorkTask>): void {
  const seen = new Map<string, 'open' | 'closed'>()
  for (const first of added.keys()) {
    const path: { readonly id: string; next: number }[] = []
    const enter = (id: string) => {
      if (!added.has(id) || seen.get(id) === 'closed') return
      if (seen.get(id) === 'open') throw cycle([...path.map(step => step.id), id])
      seen.set(id, 'open')
      path.push({ id, next: 0 })
    }
    enter(first)
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const next = added.get(step.id)?.after[step.next++]
      if (next !== undefined) enter(next)
      else {
        seen.set(step.id, 'closed')
        path.pop()
      }
    }
  }
}

function cycle(path: readonly string[]): CairnError {
  const last = path.at(-1) ?? ''
  const round = path.slice(path.indexOf(last))
  return new CairnError({
    code: 'invalid_input',
    message: `These tasks wait for each other: ${round.slice(0, 8).join(' → ')}.`,
    hint: 'Remove one of these from `after`.',
    details: { cycle: round },
  })
}

function saysTheSame(there: WorkTask, asked: WorkTask): boolean {
  const said = ({ title, brief, kind, agent, after, entries, files, priority, retry }: WorkTask) =>
    JSON.stringify([title, brief, kind, agent, after, entries, files, priority, retry])
  return said(there) === said(asked)
}

function bounded(id: string, what: string, text: string, most: number): void {
  if (text.length <= most) return
  throw new CairnError({
    code: 'content_too_long',
    message: `${id}: the ${what} has ${text.length} characters; the maximum is ${most}.`,
    hint: 'Put the rest into a file or an entry, and name it in `files` or `entries`.',
  })
}

function badName(what: string, name: string): CairnError {
  return invalid(
    `"${name.slice(0, 80)}" is not a valid name of a ${what}.`,
    'Up to 60 letters, digits, - and _.',
  )
}

function invalid(message: string, hint: string): CairnError {
  return new CairnError({ code: 'invalid_input', message, hint })
}
