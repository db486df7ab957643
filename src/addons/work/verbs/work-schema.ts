import * as v from 'valibot'
import { TASK_STATES, type WorkTask } from '../../../kernel/model/task.ts'
import { entrySchema, list, text } from '../../../verbs/operation.ts'
import type { NewTask } from '../decide/plan-graph.ts'
import type { GraphRow } from '../decide/work-table.ts'
import type { HandOver } from '../hand-over.ts'

/** A call that waits is answered within a minute, and repeated by the client. */
const MAX_WAIT_SECONDS = 60

const whole = (description: string, least: number, most: number) =>
  v.pipe(
    v.number('a whole number'),
    v.integer('a whole number'),
    v.minValue(least, `at least ${least}`),
    v.maxValue(most, `at most ${most}`),
    v.description(description),
  )

export const waitField = v.optional(
  whole(`Timeout in seconds (default 0, at most ${MAX_WAIT_SECONDS})`, 0, MAX_WAIT_SECONDS),
)
export const leaseSecondsField = v.optional(
  whole('Duration of the lease in seconds without a heartbeat (default 600)', 1, 86_400),
)
export const leaseField = text('The lease from the claim')

/** The fields of one task in the input. */
export const taskFields = {
  kind: v.optional(text('The kind of work; workers can filter by it (default task)')),
  agent: v.optional(text('Only this agent may claim it')),
  priority: v.optional(whole('Higher comes first (default 0)', -1_000, 1_000)),
  after: v.optional(list('Tasks that must be done first: names of the same graph, or ids')),
  brief: v.optional(text('Instructions for the worker')),
  entries: v.optional(list('Ids of entries to hand over with it')),
  files: v.optional(list('Files it is about')),
  attempts: v.optional(whole('Maximum number of attempts (default 3)', 1, 100)),
  backoff: v.optional(
    whole('Seconds before the second attempt, doubled for each further one (default 5)', 0, 86_400),
  ),
  finalCodes: v.optional(list('Error codes after which it is not retried')),
}

export const newTaskSchema = v.strictObject({
  name: v.optional(text('Its name in the graph (default: a number)')),
  title: text('The work in one line'),
  ...taskFields,
})

export function newTask({
  name,
  title,
  kind,
  agent,
  priority,
  after,
  brief,
  entries,
  files,
  attempts,
  backoff,
  finalCodes,
}: v.InferOutput<typeof newTaskSchema>): NewTask {
  return {
    title,
    ...(name !== undefined && { name }),
    ...(kind !== undefined && { kind }),
    ...(agent !== undefined && { agent }),
    ...(priority !== undefined && { priority }),
    ...(after !== undefined && { after }),
    ...(brief !== undefined && { brief }),
    ...(entries !== undefined && { entries }),
    ...(files !== undefined && { files }),
    retry: {
      ...(attempts !== undefined && { attempts }),
      ...(backoff !== undefined && { backoffMs: backoff * 1_000 }),
      ...(finalCodes !== undefined && { finalCodes }),
    },
  }
}

export const addedSchema = v.object({
  graph: v.string(),
  added: v.pipe(v.array(v.string()), v.readonly()),
  already: v.pipe(v.array(v.string()), v.readonly(), v.description('Existing tasks with the same content')),
  redacted: v.pipe(
    v.array(v.object({ type: v.string(), field: v.string(), line: v.number(), column: v.number() })),
    v.readonly(),
  ),
})

const moment = (description: string) =>
  v.pipe(v.number(), v.description(`${description}; milliseconds since 1970`))

export const taskSchema = v.object({
  id: v.string(),
  graph: v.string(),
  title: v.string(),
  kind: v.string(),
  state: v.picklist(TASK_STATES),
  agent: v.exactOptional(v.string()),
  priority: v.number(),
  after: v.pipe(v.array(v.string()), v.readonly()),
  waitsFor: v.pipe(v.array(v.string()), v.readonly(), v.description('Dependencies that are not done')),
  blockedBy: v.pipe(
    v.array(v.string()),
    v.readonly(),
    v.description('Of those, failed or cancelled ones: it waits until one is retried or it is cancelled'),
  ),
  worker: v.exactOptional(v.string()),
  leaseUntil: v.exactOptional(moment('When the lease expires')),
  readyFrom: v.exactOptional(moment('Earliest time of a claim')),
  progress: v.exactOptional(
    v.object({ note: v.string(), share: v.exactOptional(v.number()), at: moment('When it was reported') }),
  ),
  tries: v.pipe(v.number(), v.description('Attempts so far')),
  attempts: v.pipe(v.number(), v.description('Maximum number')),
  by: v.exactOptional(v.string()),
  createdAt: moment('When it was added'),
  endedAt: v.exactOptional(moment('When it was done, failed or cancelled')),
  why: v.exactOptional(v.pipe(v.string(), v.description('Why it was cancelled'))),
  failure: v.exactOptional(v.pipe(v.string(), v.description('The error of its last attempt'))),
})
export type TaskView = v.InferOutput<typeof taskSchema>

export function taskView(task: WorkTask, others: ReadonlyMap<string, WorkTask>): TaskView {
  const { standing, progress } = task
  const stateOf = (id: string) => others.get(id)?.standing.state
  const waitsFor = task.waitsFor === 0 ? [] : task.after.filter(id => stateOf(id) !== 'done')
  const failure = task.attempts.at(-1)?.failure
  return {
    id: task.id,
    graph: task.graph,
    title: task.title,
    kind: task.kind,
    state: standing.state,
    ...(task.agent !== undefined && { agent: task.agent }),
    priority: task.priority,
    after: task.after,
    waitsFor,
    blockedBy: waitsFor.filter(id => stateOf(id) === 'failed' || stateOf(id) === 'cancelled'),
    ...(standing.state === 'running' && {
      worker: standing.lease.worker,
      leaseUntil: standing.lease.untilMs,
    }),
    ...(standing.state === 'ready' && { readyFrom: standing.fromMs }),
    ...(progress !== undefined && {
      progress: {
        note: progress.note,
        ...(progress.share !== undefined && { share: progress.share }),
        at: progress.atMs,
      },
    }),
    tries: task.tries,
    attempts: task.retry.attempts,
    ...(task.by !== undefined && { by: task.by }),
    createdAt: task.createdMs,
    ...('atMs' in standing && { endedAt: standing.atMs }),
    ...(standing.state === 'cancelled' && { why: standing.why }),
    ...(failure !== undefined && standing.state !== 'done' && { failure: failure.message }),
  }
}

const nearSchema = v.object({ id: v.string(), title: v.string(), state: v.picklist(TASK_STATES) })

export const detailSchema = v.object({
  ...taskSchema.entries,
  brief: v.string(),
  entries: v.pipe(v.array(v.string()), v.readonly()),
  files: v.pipe(v.array(v.string()), v.readonly()),
  backoffMs: v.number(),
  finalCodes: v.pipe(v.array(v.string()), v.readonly()),
  before: v.pipe(v.array(nearSchema), v.readonly(), v.description('Its dependencies')),
  next: v.pipe(v.array(nearSchema), v.readonly(), v.description('Its dependents')),
  history: v.pipe(
    v.array(
      v.object({
        number: v.pipe(v.number(), v.description('Of its lease')),
        worker: v.string(),
        since: moment('When it was claimed'),
        end: moment('When it ended'),
        outcome: v.picklist(['done', 'failed', 'expired', 'cancelled']),
        code: v.exactOptional(v.string()),
        message: v.exactOptional(v.string()),
      }),
    ),
    v.readonly(),
    v.description('Its last attempts, oldest first'),
  ),
  result: v.exactOptional(
    v.object({
      text: v.string(),
      entries: v.pipe(v.array(v.string()), v.readonly(), v.description('Stored during the work')),
      files: v.pipe(v.array(v.string()), v.readonly()),
    }),
  ),
})
export type TaskDetail = v.InferOutput<typeof detailSchema>

export function taskDetail(
  task: WorkTask,
  others: ReadonlyMap<string, WorkTask>,
  next: readonly WorkTask[],
): TaskDetail {
  const near = ({ id, title, standing }: WorkTask) => ({ id, title, state: standing.state })
  const { standing } = task
  return {
    ...taskView(task, others),
    brief: task.brief,
    entries: task.entries,
    files: task.files,
    backoffMs: task.retry.backoffMs,
    finalCodes: task.retry.finalCodes,
    before: task.after.flatMap(id => others.get(id) ?? []).map(near),
    next: next.map(near),
    // Without the tokens: a token allows reporting for its worker.
    history: task.attempts.map(({ number, worker, sinceMs, endMs, outcome, failure }) => ({
      number,
      worker,
      since: sinceMs,
      end: endMs,
      outcome,
      ...(failure !== undefined && {
        message: failure.message,
        ...(failure.code !== undefined && { code: failure.code }),
      }),
    })),
    ...(standing.state === 'done' && { result: standing.result }),
  }
}

export const graphSchema = v.object({
  graph: v.string(),
  tasks: v.object(
    Object.fromEntries(TASK_STATES.map(state => [state, v.number()])) as Record<
      (typeof TASK_STATES)[number],
      v.NumberSchema<undefined>
    >,
  ),
  createdAt: moment('When it was created'),
  endedAt: v.exactOptional(moment('When its last task ended')),
})

export function graphView({ graph, tasks, createdMs, endedMs }: GraphRow): v.InferOutput<typeof graphSchema> {
  return { graph, tasks, createdAt: createdMs, ...(endedMs !== undefined && { endedAt: endedMs }) }
}

export const contextSchema = v.object({
  entries: v.pipe(
    v.array(entrySchema),
    v.readonly(),
    v.description('Named by the task, or stored by its dependencies'),
  ),
  missing: v.pipe(
    v.array(v.string()),
    v.readonly(),
    v.description('Named, but missing or not readable by you'),
  ),
  files: v.pipe(v.array(v.string()), v.readonly()),
  results: v.pipe(
    v.array(v.object({ task: v.string(), title: v.string(), text: v.string(), isCut: v.boolean() })),
    v.readonly(),
    v.description('Results of its dependencies'),
  ),
}) satisfies v.GenericSchema<unknown, HandOver>
