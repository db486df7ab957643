import * as v from 'valibot'
import { workListOperation, workShowOperation, workWaitOperation } from '../../addons/work/verbs/work.ts'
import { workTasksOperation } from '../../addons/work/verbs/work-add.ts'
import {
  workBeatOperation,
  workCancelOperation,
  workClaimOperation,
  workDoneOperation,
  workFailOperation,
  workRetryOperation,
} from '../../addons/work/verbs/work-do.ts'
import { newTaskSchema } from '../../addons/work/verbs/work-schema.ts'
import type { WorkspaceTool } from '../../addons/workspaces/verbs/workspace-tools.ts'
import type { Composed } from '../../compose/composed.ts'
import { TASK_STATES } from '../../kernel/model/task.ts'
import type { OperationContext } from '../../verbs/operation.ts'
import { outline } from './outline.ts'

/** What a call does is a verb's; here it is which of the verb's fields are offered, and that its answer becomes text. */
function defineTool<Input extends v.GenericSchema>(
  name: string,
  input: Input,
  run: (memory: Composed, given: v.InferOutput<Input>, context: OperationContext) => Promise<object>,
): WorkspaceTool {
  const tool: WorkspaceTool<Input> = {
    name,
    description: '',
    input,
    run: async (memory, given, _, context = {}) => outline(await run(memory, given, context)),
  }
  return tool as unknown as WorkspaceTool
}

const { graph, tasks } = workTasksOperation.input.entries
const { name, title, brief, kind, after, priority, entries, files } = newTaskSchema.entries
const claim = workClaimOperation.input.entries
const done = workDoneOperation.input.entries

export const workAddTool = defineTool(
  'work_add',
  v.strictObject({
    graph,
    tasks: v.array(v.strictObject({ name, title, brief, kind, after, priority, entries, files })),
  }) satisfies v.GenericSchema<unknown, { tasks: v.InferInput<typeof tasks> }>,
  (memory, given) => workTasksOperation.run(memory, given, {}),
)

export const workClaimTool = defineTool(
  'work_claim',
  v.strictObject({ graph: claim.graph, kind: claim.kind, seconds: claim.seconds, wait: claim.wait }),
  async (memory, given, context) => {
    const { claimed } = await workClaimOperation.run(memory, given, context)
    return claimed ?? { claimed: 'No task is ready.' }
  },
)

export const workReportTool = defineTool(
  'work_report',
  v.strictObject({
    lease: done.lease,
    action: v.picklist(['beat', 'done', 'fail'], 'beat, done or fail'),
    text: v.optional(v.string()),
    share: workBeatOperation.input.entries.share,
    remember: done.remember,
    entries: done.entries,
    files: done.files,
    final: workFailOperation.input.entries.final,
  }),
  async (memory, { lease, action, text, share, final, ...found }) => {
    if (action === 'beat') return workBeatOperation.run(memory, { lease, note: text, share }, {})
    if (action === 'fail')
      return workFailOperation.run(memory, { lease, error: text ?? 'No reason was given.', final }, {})
    return workDoneOperation.run(memory, { lease, result: text, ...found }, {})
  },
)

export const workStatusTool = defineTool(
  'work_status',
  v.strictObject({
    action: v.optional(
      v.picklist(['list', 'show', 'wait', 'cancel', 'retry'], 'list, show, wait, cancel or retry'),
    ),
    graph: v.optional(v.string()),
    task: v.optional(v.string()),
    state: v.optional(v.picklist(TASK_STATES)),
    wait: claim.wait,
    why: v.optional(v.string()),
  }),
  async (memory, { action = 'list', graph: of, task, state, wait, why }, context) => {
    if (action === 'show') return workShowOperation.run(memory, { task: task ?? '' }, {})
    if (action === 'retry') return workRetryOperation.run(memory, { task: task ?? '' }, {})
    if (action === 'cancel') return workCancelOperation.run(memory, { task, graph: of, why }, {})
    if (action === 'wait') return workWaitOperation.run(memory, { graph: of ?? '', wait }, context)
    const { tasks: found, total } = await workListOperation.run(memory, { graph: of, state, limit: 50 }, {})
    return { total, tasks: found.map(row) }
  },
)

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
