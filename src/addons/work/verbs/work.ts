import * as v from 'valibot'
import { TASK_STATES, type WorkTask } from '../../../kernel/model/task.ts'
import { count, defineOperation, flag, text } from '../../../verbs/operation.ts'
import type { WorkPorts } from '../decide/work-board.ts'
import { getTask } from '../working.ts'
import {
  detailSchema,
  graphSchema,
  graphView,
  taskDetail,
  taskSchema,
  taskView,
  waitField,
} from './work-schema.ts'

const DAY_MS = 86_400_000
const DEFAULT_PRUNE_DAYS = 30

export const workOperation = defineOperation({
  name: 'work',
  group: 'Work board',
  agent: 'reads',
  route: { at: 'GET /api/work', access: 'read' },
  summary: 'Show the work board: graphs of tasks that agents share, with their states',
  positionals: [],
  input: v.object({}),
  output: v.object({ graphs: v.pipe(v.array(graphSchema), v.description('Newest first')) }),
  examples: [{ command: 'cairn work', does: 'every graph, with its tasks counted' }],
  run: async memory => ({ graphs: (await memory.work.graphs()).map(graphView) }),
})

export const workListOperation = defineOperation({
  name: 'work list',
  group: 'Work board',
  agent: 'reads',
  route: { name: 'workTasks', at: 'GET /api/work/tasks', access: 'read' },
  summary: 'Show tasks of the work board',
  description:
    'With --state ready: claimable tasks in the order of claims. Otherwise the newest graph first, in the order of its tasks.',
  positionals: [],
  input: v.object({
    graph: v.optional(text('Only this graph')),
    state: v.optional(
      v.pipe(
        v.picklist(TASK_STATES, `one of ${TASK_STATES.join(', ')}`),
        v.description('Only tasks in this state'),
      ),
    ),
    kind: v.optional(text('Only this kind')),
    agent: v.optional(text('Only tasks that this agent may claim')),
    limit: v.optional(count('Maximum number (default 100)', 2_000)),
    offset: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.description('Number of tasks to skip')),
    ),
  }),
  output: v.object({
    tasks: v.array(taskSchema),
    total: v.number(),
    now: v.pipe(v.number(), v.description('By the clock of the board; milliseconds since 1970')),
  }),
  examples: [
    { command: 'cairn work list --state ready', does: 'claimable tasks' },
    { command: 'cairn work list --graph release', does: 'a whole graph' },
  ],
  async run(memory, { state, limit = 100, offset = 0, graph, kind, agent }) {
    const { tasks, total, nowMs } = await memory.work.list({
      limit,
      offset,
      ...(state !== undefined && { states: [state] }),
      ...(graph !== undefined && { graph }),
      ...(kind !== undefined && { kind }),
      ...(agent !== undefined && { agent }),
    })
    const others = await othersOf(memory, tasks)
    return { tasks: tasks.map(task => taskView(task, others)), total, now: nowMs }
  },
})

export const workShowOperation = defineOperation({
  name: 'work show',
  group: 'Work board',
  agent: 'reads',
  route: { at: 'GET /api/work/tasks/:task', access: 'read' },
  summary: 'Show a task: its brief, attempts, result, dependencies and dependents',
  positionals: ['task'],
  input: v.object({ task: text('The id of the task') }),
  output: detailSchema,
  examples: [{ command: 'cairn work show release.parser', does: 'details of one task' }],
  async run(memory, { task: id }) {
    const task = await getTask(memory, id)
    return taskDetail(task, await memory.work.find(task.after), await memory.work.dependents(id))
  },
})

export const workWaitOperation = defineOperation({
  name: 'work wait',
  group: 'Work board',
  agent: 'reads',
  route: { at: 'POST /api/work/wait', access: 'read' },
  summary: 'Wait until a graph has ended, and show the result',
  description:
    'A graph has ended when nothing is ready or running, and waiting tasks wait for failed or cancelled ones. After the timeout `over` is false: wait again.',
  positionals: ['graph'],
  input: v.object({ graph: text('The graph'), wait: waitField }),
  output: v.object({
    ...graphSchema.entries,
    over: v.boolean(),
    stopped: v.pipe(v.array(taskSchema), v.description('What failed')),
  }),
  examples: [{ command: 'cairn work wait release --wait 60', does: 'until it ends, at most a minute' }],
  async run(memory, { graph, wait = 0 }, { staying }) {
    const gone = wait > 0 ? staying?.() : undefined
    const { row, isOver } = await memory.work.waitFor(graph, {
      waitMs: wait * 1_000,
      ...(gone !== undefined && { gone }),
    })
    const { tasks } = await memory.work.list({ graph, states: ['failed'], limit: 100, offset: 0 })
    const others = await othersOf(memory, tasks)
    return { ...graphView(row), over: isOver, stopped: tasks.map(task => taskView(task, others)) }
  },
})

export const workPruneOperation = defineOperation({
  name: 'work prune',
  group: 'Work board',
  agent: 'free',
  route: { at: 'POST /api/work/prune', access: 'write' },
  summary: 'Remove old graphs from the work board',
  description:
    'Never removes a graph with unfinished tasks, or one that a task of another graph still needs. Nothing is removed automatically; entries stay in the memory.',
  positionals: [],
  input: v.object({
    days: v.optional(
      v.pipe(
        v.number(),
        v.minValue(0, 'at least 0'),
        v.maxValue(36_500, 'at most 36500'),
        v.description(`Minimum age in days since its end (default ${DEFAULT_PRUNE_DAYS})`),
      ),
    ),
    dryRun: v.optional(flag('Show what would be removed')),
  }),
  output: v.object({
    removed: v.array(graphSchema),
    kept: v.pipe(
      v.array(v.object({ graph: v.string(), neededBy: v.string() })),
      v.readonly(),
      v.description('Old enough, but still needed by a task'),
    ),
    dryRun: v.boolean(),
  }),
  examples: [{ command: 'cairn work prune --days 7 --dry-run', does: 'graphs that ended a week ago' }],
  async run(memory, { days = DEFAULT_PRUNE_DAYS, dryRun = false }) {
    const { removed, kept } = await memory.work.prune({ olderThanMs: days * DAY_MS, isDryRun: dryRun })
    return { removed: removed.map(graphView), kept, dryRun }
  },
})

/** The dependencies of the tasks, to report which of them failed. */
export async function othersOf(
  memory: WorkPorts,
  tasks: readonly WorkTask[],
): Promise<ReadonlyMap<string, WorkTask>> {
  const ids = new Set(tasks.filter(({ waitsFor }) => waitsFor > 0).flatMap(({ after }) => after))
  return ids.size === 0 ? new Map() : memory.work.find([...ids])
}
