import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import { TASK_LIMITS } from '../../../kernel/model/task.ts'
import { readBoundedInput } from '../../../kernel/system/standard-input.ts'
import { defineOperation, text } from '../../../verbs/operation.ts'
import { addTasks } from '../working.ts'
import { addedSchema, newTask, newTaskSchema, taskFields } from './work-schema.ts'

/** A graph of the most tasks with long briefs. */
const STANDARD_INPUT = { maxBytes: 64 * 1024 * 1024, withinMs: 10_000 }

const graphField = v.optional(
  text('The graph it belongs to; a new one is begun unless it is there (default: a new name)'),
)

export const workAddOperation = defineOperation({
  name: 'work add',
  group: 'Work board',
  agent: 'free',
  summary: 'Put a task on the work board',
  description:
    'Agents take tasks from the board with `cairn work claim`: those that wait for nothing, by priority and then by age. Adding the same task again changes nothing.',
  positionals: ['title'],
  input: v.object({
    title: text('What is to be done, in a line'),
    graph: graphField,
    name: v.optional(text('Its name in the graph (default: a number)')),
    ...taskFields,
  }),
  output: addedSchema,
  examples: [
    { command: 'cairn work add "Write the parser" --graph release --name parser', does: 'a task of a graph' },
    {
      command: 'cairn work add "Test the parser" --graph release --after parser --kind test --attempts 5',
      does: 'one that waits for it, for workers that test',
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
    v.description(`1 to ${TASK_LIMITS.tasksAtOnce} tasks; what they are to come after may be among them`),
  ),
})

/** Many tasks that wait for each other: all are added, or none. Over HTTP, MCP and the library; at a terminal it is `work plan`. */
export const workTasksOperation = defineOperation({
  name: 'work tasks',
  agent: 'free',
  route: { name: 'workAdd', at: 'POST /api/work/tasks', access: 'write' },
  summary: 'Put tasks on the work board that wait for each other',
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
  summary: 'Put a whole graph of tasks on the work board',
  description:
    'The file says {"graph": …, "tasks": [{"name", "title", "brief", "kind", "agent", "priority", "after", "entries", "files", "attempts", "backoff", "finalCodes"}]}; of a task only the title is needed. All are added, or none; what is there already and says the same is left as it is.',
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
    message: `This is no graph of tasks: ${why}.`,
    hint: 'For example: {"graph": "release", "tasks": [{"name": "a", "title": "Build"}, {"title": "Test", "after": ["a"]}]}',
  })
}

function noFile(file: string): never {
  throw new CairnError({
    code: 'file_not_found',
    message: `There is no file ${file.slice(0, 120)} in the project.`,
    hint: 'Name a file relative to the project, or give - and write it to standard input.',
  })
}
