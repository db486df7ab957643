import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import { TASK_LIMITS } from '../../../kernel/model/task.ts'
import { readBoundedInput } from '../../../kernel/system/standard-input.ts'
import { defineOperation, text } from '../../../verbs/operation.ts'
import { addTasks } from '../working.ts'
import { addedSchema, newTask, newTaskSchema, taskFields } from './work-schema.ts'

/** A graph of the maximum number of tasks with long briefs. */
const STANDARD_INPUT = { maxBytes: 64 * 1024 * 1024, withinMs: 10_000 }

const graphField = v.optional(text('Its graph, created if it does not exist (default: a new name)'))

export const workAddOperation = defineOperation({
  name: 'work add',
  group: 'Work board',
  agent: 'free',
  summary: 'Add a task to the work board',
  description:
    'Agents claim ready tasks from the board with `cairn work claim`, by priority and then by age. Adding the same task again changes nothing.',
  positionals: ['title'],
  input: v.object({
    title: text('The work in one line'),
    graph: graphField,
    name: v.optional(text('Its name in the graph (default: a number)')),
    ...taskFields,
  }),
  output: addedSchema,
  examples: [
    { command: 'cairn work add "Write the parser" --graph release --name parser', does: 'a task of a graph' },
    {
      command: 'cairn work add "Test the parser" --graph release --after parser --kind test --attempts 5',
      does: 'a dependent task, for workers that test',
    },
  ],
  async run(memory, { graph, ...task }) {
    return addTasks(memory, graph, [newTask(task)])
  },
})

const planSchema = v.strictObject({
  graph: graphField,
  tasks: v.pipe(
    v.array(newTaskSchema),
    v.description(`1 to ${TASK_LIMITS.tasksAtOnce} tasks, which may depend on each other`),
  ),
})

/** Several tasks that may depend on each other: all are added, or none. Over HTTP, MCP and the library; on the command line it is `work plan`. */
export const workTasksOperation = defineOperation({
  name: 'work tasks',
  agent: 'free',
  route: { name: 'workAdd', at: 'POST /api/work/tasks', access: 'write' },
  summary: 'Add tasks that depend on each other to the work board',
  positionals: [],
  input: v.object(planSchema.entries),
  output: addedSchema,
  examples: [],
  run: (memory, { graph, tasks }) => addTasks(memory, graph, tasks.map(newTask)),
})

export const workPlanOperation = defineOperation({
  name: 'work plan',
  group: 'Work board',
  agent: 'free',
  summary: 'Add a whole graph of tasks to the work board',
  description:
    'The file says {"graph": …, "tasks": [{"name", "title", "brief", "kind", "agent", "priority", "after", "entries", "files", "attempts", "backoff", "finalCodes"}]}; only the title of a task is required. All are added, or none; existing tasks with the same content do not change.',
  positionals: ['file'],
  input: v.object({
    file: text('A JSON file of the project; - reads standard input'),
    graph: v.optional(text('The name of the graph, instead of the one in the file')),
  }),
  output: addedSchema,
  examples: [{ command: 'cairn work plan release.json', does: 'all tasks of the file' }],
  async run(memory, { file, graph }) {
    const given =
      file === '-'
        ? (await readBoundedInput(STANDARD_INPUT)).toString('utf8')
        : ((await memory.projectTexts.read(file)) ?? noFile(file))
    const plan = parsePlan(given)
    return addTasks(memory, graph ?? plan.graph, plan.tasks.map(newTask))
  },
})

function parsePlan(given: string): v.InferOutput<typeof planSchema> {
  const parsed = v.safeParse(planSchema, jsonOf(given))
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw badPlan(`\`${issue.path?.map(({ key }) => String(key)).join('.') ?? 'it'}\`: ${issue.message}`)
}

function jsonOf(given: string): unknown {
  try {
    return JSON.parse(given)
  } catch (error) {
    if (error instanceof SyntaxError) throw badPlan(error.message)
    throw error
  }
}

function badPlan(why: string): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `This is not a graph of tasks: ${why}.`,
    hint: 'For example: {"graph": "release", "tasks": [{"name": "a", "title": "Build"}, {"title": "Test", "after": ["a"]}]}',
  })
}

function noFile(file: string): never {
  throw new CairnError({
    code: 'file_not_found',
    message: `There is no file ${file.slice(0, 120)} in the project.`,
    hint: 'Name a file relative to the project, or give - and pipe it to standard input.',
  })
}
