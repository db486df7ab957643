import * as v from 'valibot'
import { TASK_STATES } from '../../../kernel/model/task.ts'
import { outline } from '../../../verbs/agent-text.ts'
import { defineTool } from '../../../verbs/ready-tool.ts'
import { workListOperation, workShowOperation, workWaitOperation } from './work.ts'
import { workTasksOperation } from './work-add.ts'
import {
  workBeatOperation,
  workCancelOperation,
  workClaimOperation,
  workDoneOperation,
  workFailOperation,
  workRetryOperation,
} from './work-do.ts'
import { newTaskSchema } from './work-schema.ts'

/** Most sessions share no work: the tools are offered once a task exists. */
const WORK = { unlisted: [], needs: 'work' } as const

const { graph, tasks } = workTasksOperation.input.entries
const { name, title, brief, kind, after, priority, entries, files } = newTaskSchema.entries
const claim = workClaimOperation.input.entries
const done = workDoneOperation.input.entries

export const workAddTool = defineTool({
  ...WORK,
  name: 'work_add',
  title: 'Add work',
  description: 'Add tasks for other agents to the work board; after: dependencies.',
  effect: 'writes',
  example: '{ "tasks": [{ "name": "a", "title": "Build" }, { "title": "Test", "after": ["a"] }] }',
  input: v.strictObject({
    graph,
    tasks: v.array(v.strictObject({ name, title, brief, kind, after, priority, entries, files })),
  }) satisfies v.GenericSchema<unknown, { tasks: v.InferInput<typeof tasks> }>,
  run: async (memory, given) => outline(await workTasksOperation.run(memory, given, {})),
})

export const workClaimTool = defineTool({
  ...WORK,
  name: 'work_claim',
  title: 'Take work',
  description: 'Take the next task, with its context and a lease; then work_report.',
  effect: 'writes',
  example: '{ "wait": 30 }',
  input: v.strictObject({ graph: claim.graph, kind: claim.kind, seconds: claim.seconds, wait: claim.wait }),
  async run(memory, given, _options, context = {}) {
    const { claimed } = await workClaimOperation.run(memory, given, context)
    return outline(claimed ?? { claimed: 'No task is ready.' })
  },
})

export const workReportTool = defineTool({
  ...WORK,
  name: 'work_report',
  title: 'Report work',
  description: 'For your claimed task: beat (at least every few minutes), done or fail, with text.',
  effect: 'writes',
  example: '{ "lease": "release.build.1.9f3a", "action": "done", "text": "Built." }',
  input: v.strictObject({
    lease: done.lease,
    action: v.picklist(['beat', 'done', 'fail'], 'beat, done or fail'),
    text: v.optional(v.string()),
    share: workBeatOperation.input.entries.share,
    remember: done.remember,
    entries: done.entries,
    files: done.files,
    final: workFailOperation.input.entries.final,
  }),
  async run(memory, { lease, action, text, share, final, ...found }) {
    if (action === 'beat')
      return outline(await workBeatOperation.run(memory, { lease, note: text, share }, {}))
    if (action === 'fail') {
      const error = text ?? 'No reason was given.'
      return outline(await workFailOperation.run(memory, { lease, error, final }, {}))
    }
    return outline(await workDoneOperation.run(memory, { lease, result: text, ...found }, {}))
  },
})

export const workStatusTool = defineTool({
  ...WORK,
  name: 'work_status',
  title: 'Look at work',
  description: 'Tasks of the work board: list, show one, wait for a graph, cancel, retry.',
  effect: 'removes',
  example: '{ "action": "wait", "graph": "release", "wait": 60 }',
  input: v.strictObject({
    action: v.optional(
      v.picklist(['list', 'show', 'wait', 'cancel', 'retry'], 'list, show, wait, cancel or retry'),
    ),
    graph: v.optional(v.string()),
    task: v.optional(v.string()),
    state: v.optional(v.picklist(TASK_STATES)),
    wait: claim.wait,
    why: v.optional(v.string()),
  }),
  async run(memory, { action = 'list', graph: of, task, state, wait, why }, _options, context = {}) {
    if (action === 'show') return outline(await workShowOperation.run(memory, { task: task ?? '' }, {}))
    if (action === 'retry') return outline(await workRetryOperation.run(memory, { task: task ?? '' }, {}))
    if (action === 'cancel')
      return outline(await workCancelOperation.run(memory, { task, graph: of, why }, {}))
    if (action === 'wait')
      return outline(await workWaitOperation.run(memory, { graph: of ?? '', wait }, context))
    const { tasks: found, total } = await workListOperation.run(memory, { graph: of, state, limit: 50 }, {})
    return outline({ total, tasks: found.map(row) })
  },
})

function row({
  id,
  state,
  title: what,
  waitsFor,
  blockedBy,
  worker,
  progress,
  failure,
}: {
  readonly id: string
  readonly state: string
  readonly title: string
  readonly waitsFor: readonly string[]
  readonly blockedBy: readonly string[]
  readonly worker?: string
  readonly progress?: { readonly note: string }
  readonly failure?: string
}): string {
  const notes = [
    ...(worker === undefined ? [] : [worker]),
    ...(progress === undefined ? [] : [progress.note]),
    ...(blockedBy.length > 0
      ? [`blocked by ${blockedBy.join(', ')}`]
      : waitsFor.length > 0
        ? [`after ${waitsFor.join(', ')}`]
        : []),
    ...(failure === undefined ? [] : [failure.slice(0, 200)]),
  ]
  return `${id} ${state}: ${what}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`
}
