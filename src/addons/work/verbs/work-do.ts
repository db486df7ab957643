import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import { defineOperation, entrySchema, flag, list, share, text } from '../../../verbs/operation.ts'
import { beat, cancelTasks, claimTask, failTask, finishTask } from '../working.ts'
import { othersOf } from './work.ts'
import {
  contextSchema,
  detailSchema,
  leaseField,
  leaseSecondsField,
  taskDetail,
  taskSchema,
  taskView,
  waitField,
} from './work-schema.ts'

const idsSchema = v.pipe(
  v.array(v.string()),
  v.readonly(),
  v.description('What can be claimed now because of it'),
)

export const workClaimOperation = defineOperation({
  name: 'work claim',
  group: 'Work board',
  agent: 'free',
  route: { at: 'POST /api/work/claim', access: 'write' },
  summary: 'Claim the next task from the work board, with its context',
  description:
    'It is yours until its lease expires: send heartbeats in time (`cairn work beat`), then report `cairn work done` or `cairn work fail`, with the lease. After the lease expires, another worker can claim it.',
  positionals: ['task'],
  input: v.object({
    task: v.optional(text('Only this task')),
    kind: v.optional(list('Only tasks of these kinds')),
    graph: v.optional(text('Only tasks of this graph')),
    agent: v.optional(
      text('The agent that claims it; also gets tasks for this agent only (default: CAIRN_AGENT)'),
    ),
    worker: v.optional(text('A name for this worker, shown to people (default: the agent)')),
    seconds: leaseSecondsField,
    wait: waitField,
  }),
  output: v.object({
    claimed: v.pipe(
      v.nullable(
        v.object({
          lease: v.pipe(v.string(), v.description('Needed to report on the task')),
          leaseUntil: v.number(),
          task: detailSchema,
          context: contextSchema,
        }),
      ),
      v.description('null: no task was ready in time'),
    ),
  }),
  examples: [
    { command: 'cairn work claim --wait 30 --json', does: 'the next task, waiting up to half a minute' },
    { command: 'cairn work claim --kind test --worker tester-2', does: 'only tests' },
  ],
  async run(memory, { task, kind, graph, agent, worker, seconds, wait = 0 }, { staying }) {
    const gone = wait > 0 ? staying?.() : undefined
    const given = await claimTask(memory, {
      ...(task !== undefined && { task }),
      ...(kind !== undefined && { kinds: kind }),
      ...(graph !== undefined && { graph }),
      ...(agent !== undefined && { agent }),
      ...(worker !== undefined && { worker }),
      ...(seconds !== undefined && { leaseMs: seconds * 1_000 }),
      waitMs: wait * 1_000,
      ...(gone !== undefined && { gone }),
    })
    if (given === undefined) return { claimed: null }
    const before = await memory.work.find(given.task.after)
    const next = await memory.work.dependents(given.task.id)
    const { lease, untilMs, context } = given
    return { claimed: { lease, leaseUntil: untilMs, task: taskDetail(given.task, before, next), context } }
  },
})

export const workBeatOperation = defineOperation({
  name: 'work beat',
  group: 'Work board',
  agent: 'free',
  route: { at: 'POST /api/work/beat', access: 'write' },
  summary: 'Send a heartbeat for your task, with its progress',
  description: 'If `cancelled` is true, stop working on it.',
  positionals: ['lease', 'note'],
  input: v.object({
    lease: leaseField,
    note: v.optional(text('Progress in one line')),
    share: v.optional(share('Share that is done, from 0 to 1')),
    seconds: leaseSecondsField,
  }),
  output: v.object({
    task: v.string(),
    cancelled: v.boolean(),
    why: v.exactOptional(v.string()),
    leaseUntil: v.exactOptional(v.number()),
  }),
  examples: [
    {
      command: 'cairn work beat release.parser.1.9f3a "12 of 40 files" --share 0.3',
      does: 'extends the lease',
    },
  ],
  async run(memory, { lease, note, share: part, seconds }) {
    const told = await beat(memory, lease, {
      note,
      share: part,
      ...(seconds !== undefined && { leaseMs: seconds * 1_000 }),
    })
    return told.kind === 'cancelled'
      ? { task: told.task, cancelled: true, why: told.why }
      : { task: told.task, cancelled: false, leaseUntil: told.untilMs }
  },
})

export const workDoneOperation = defineOperation({
  name: 'work done',
  group: 'Work board',
  agent: 'candidate',
  route: { at: 'POST /api/work/done', access: 'write' },
  summary: 'Finish a task with its result',
  description:
    'Dependent tasks get the result and its entries. A task accepts one result; repeating it with the same lease gets the first answer.',
  positionals: ['lease', 'result'],
  input: v.object({
    lease: leaseField,
    result: v.optional(text('The result')),
    remember: v.optional(text('Also store this in the memory')),
    entries: v.optional(list('Ids of entries that were stored during the work')),
    files: v.optional(list('Files that were created or changed')),
  }),
  output: v.object({
    task: taskSchema,
    freed: idsSchema,
    repeated: v.pipe(v.boolean(), v.description('Whether it was accepted before')),
    entry: v.pipe(v.nullable(entrySchema), v.description('What was remembered')),
  }),
  examples: [
    {
      command:
        'cairn work done release.parser.1.9f3a "Done in src/parser.ts" --remember "The parser is recursive."',
      does: 'its result, and something to remember',
    },
  ],
  async run(memory, { lease, result = '', remember, entries, files }) {
    const { task, freed, isRepeated, entry } = await finishTask(memory, lease, {
      result,
      remember,
      entries,
      files,
    })
    return { task: taskView(task, new Map()), freed, repeated: isRepeated, entry }
  },
})

export const workFailOperation = defineOperation({
  name: 'work fail',
  group: 'Work board',
  agent: 'free',
  route: { at: 'POST /api/work/fail', access: 'write' },
  summary: 'Report that a task failed; it is retried up to its number of attempts',
  positionals: ['lease', 'error'],
  input: v.object({
    lease: leaseField,
    error: text('The error, for the next worker'),
    code: v.optional(text('A code, for the task’s list of final ones')),
    final: v.optional(flag('Do not retry')),
  }),
  output: v.object({ task: taskSchema, repeated: v.boolean() }),
  examples: [
    { command: 'cairn work fail release.parser.1.9f3a "The grammar is ambiguous" --final', does: 'for good' },
  ],
  async run(memory, { lease, error, code, final }) {
    const { task, isRepeated } = await failTask(memory, lease, { error, code, final })
    return { task: taskView(task, new Map()), repeated: isRepeated }
  },
})

export const workCancelOperation = defineOperation({
  name: 'work cancel',
  group: 'Work board',
  agent: 'free',
  route: { at: 'POST /api/work/cancel', access: 'write' },
  summary: 'Cancel a task and all its dependents, or a whole graph',
  description: 'Their workers learn it from the next heartbeat. `cairn work retry` reopens them.',
  positionals: ['task'],
  input: v.object({
    task: v.optional(text('The id of the task')),
    graph: v.optional(text('All of this graph instead')),
    why: v.optional(text('The reason, for its worker')),
  }),
  output: v.object({
    cancelled: v.pipe(v.array(taskSchema), v.description('Tasks cancelled by this call')),
  }),
  examples: [
    { command: 'cairn work cancel release.parser --why "We take a library"', does: 'and its dependents' },
    { command: 'cairn work cancel --graph release', does: 'all of it' },
  ],
  async run(memory, { task, graph, why }) {
    const stopped = await cancelTasks(memory, whatOf(task, graph), why)
    const others = await othersOf(memory, stopped)
    return { cancelled: stopped.map(each => taskView(each, others)) }
  },
})

export const workRetryOperation = defineOperation({
  name: 'work retry',
  group: 'Work board',
  agent: 'free',
  route: { at: 'POST /api/work/retry', access: 'write' },
  summary: 'Reopen a failed or cancelled task, and the tasks cancelled with it',
  positionals: ['task'],
  input: v.object({ task: text('The id of the task') }),
  output: v.object({ opened: v.array(taskSchema) }),
  examples: [{ command: 'cairn work retry release.parser', does: 'with all its attempts' }],
  async run(memory, { task }) {
    const opened = await memory.work.retry(task)
    const others = await othersOf(memory, opened)
    return { opened: opened.map(each => taskView(each, others)) }
  },
})

function whatOf(task: string | undefined, graph: string | undefined): { task: string } | { graph: string } {
  if (task !== undefined && graph === undefined) return { task }
  if (graph !== undefined && task === undefined) return { graph }
  throw new CairnError({
    code: 'invalid_input',
    message: task === undefined ? 'Give a task or a graph.' : 'A task or a graph, not both.',
    hint: 'For example: cairn work cancel release.parser',
  })
}
