import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { AGENTS_OWN } from '../../../verbs/agent-rules.ts'
import {
  AFTER_STORING,
  defineOperation,
  degradedSchema,
  entrySchema,
  entryTags,
  flag,
  proposedSchema,
  recordSchema,
  text,
} from '../../../verbs/operation.ts'
import { isOwnEntry, proposeChange } from '../../agent-saves/propose-change.ts'
import type { FullSearchPorts } from '../../search/decide/ports.ts'
import { changeEntry, remember } from '../write-entries.ts'
import { findTarget } from './target.ts'

/** `- [ ] text` or `- [x] text`, on a line of its own. */
const CHECKBOX = /^(\s*[-*] \[)([ xX])(\] )(.*)$/
const MAX_TASKS = 10_000

const taskSchema = v.object({
  id: v.pipe(v.string(), v.description('The entry; with `:2` for its second checkbox')),
  agent: v.string(),
  text: v.string(),
  done: v.boolean(),
  date: v.string(),
})
type Task = v.InferOutput<typeof taskSchema>

/** Every checkbox of an entry of `tasks.md`. An entry that a person wrote may have several. */
export function tasksOf(entry: Entry): Task[] {
  const tasks: Task[] = []
  for (const line of entry.content.split(/\r?\n/)) {
    const box = CHECKBOX.exec(line)
    if (box === null) continue
    const number = tasks.length + 1
    tasks.push({
      id: number === 1 ? entry.id : `${entry.id}:${number}`,
      agent: entry.agent,
      text: box[4] ?? '',
      done: box[2] !== ' ',
      date: entry.date,
    })
  }
  return tasks
}

/** The content with its nth checkbox ticked or cleared; every other byte stays. */
function tickTask(content: string, number: number, done: boolean): string {
  let seen = 0
  return content
    .split('\n')
    .map(line => {
      if (!CHECKBOX.test(line) || ++seen !== number) return line
      return line.replace(
        CHECKBOX,
        (_, before: string, _mark: string, after: string, rest: string) =>
          `${before}${done ? 'x' : ' '}${after}${rest}`,
      )
    })
    .join('\n')
}

export const taskAddOperation = defineOperation({
  name: 'task add',
  group: 'Remember',
  agent: 'candidate',
  after: [...AFTER_STORING, 'recall'],
  route: { at: 'POST /api/tasks', access: 'write' },
  tool: {
    name: 'tasks',
    action: 'add',
    answer: async () => (await import('../present-to-agents.ts')).taskRows,
  },
  summary: 'Add an open task',
  positionals: ['text'],
  input: v.object({
    text: text('The task'),
    agent: v.optional(text('Whose task it is (default: vault.defaultAgent)')),
    tags: v.optional(entryTags('Tags, besides the #words in the text')),
  }),
  output: v.object({
    entry: entrySchema,
    duplicate: v.boolean(),
    record: recordSchema,
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn task add "Rotate the signing key before June"', does: 'an open task' }],
  async run(memory, { text: words, agent, tags }, { isAgent }) {
    if (words.replace(CHECKBOX, '$4').trim() === '') throw emptyTask()
    const content = CHECKBOX.test(words) ? words : `- [ ] ${words.trim()}`
    const [result] = await remember(memory, [
      {
        content,
        category: 'tasks',
        agent: agent ?? memory.actor.agent,
        tags,
        ...(isAgent === true && { ...AGENTS_OWN, session: memory.actor.session }),
      },
    ])
    if (result === undefined) throw new Error('one task in, one answer out')
    const { entry, duplicate, record } = result
    return { entry, duplicate, record, degraded: memory.store.takeDegraded() }
  },
})

export const taskDoneOperation = defineOperation({
  name: 'task done',
  group: 'Remember',
  agent: 'own',
  after: ['upkeep', 'recall'],
  route: { at: 'POST /api/tasks/:target/done', access: 'write' },
  tool: {
    name: 'tasks',
    action: 'done',
    answer: async () => (await import('../present-to-agents.ts')).taskRows,
  },
  summary: 'Tick a task off, or open it again',
  positionals: ['target'],
  input: v.object({
    target: text('The id (`id:2` for the second checkbox of an entry), or words that only one task fits'),
    reopen: v.optional(flag('Open it again')),
  }),
  output: v.object({
    task: taskSchema,
    record: recordSchema,
    proposed: proposedSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn task done "signing key"', does: 'by words' },
    { command: 'cairn task done --reopen 1773679871839-k3f9', does: 'open it again' },
  ],
  async run(memory, { target, reopen }, { isAgent }) {
    const done = reopen !== true
    const { entry: found, number } = await findTask(memory, target, done)
    const { id } = found
    if (isAgent === true && !isOwnEntry(found)) {
      const content = tickTask(found.content, number, done)
      const task = tasksOf(found)[number - 1]
      if (task === undefined) throw noTask(target)
      if (content === found.content) return { task, record: null, degraded: memory.store.takeDegraded() }
      const asked = { action: 'edit', fields: { content } } as const
      const { id: proposed, record } = await proposeChange(memory, found, asked)
      return { task, proposed, record, degraded: memory.store.takeDegraded() }
    }
    const { after, record } = await changeEntry(memory, id, 'update', entry => {
      const content = tickTask(entry.content, number, done)
      if (content === entry.content) return entry
      return { ...entry, content, updated: new Date(memory.clock.nowMs()).toISOString().slice(0, 19) }
    })
    const task = after === null ? undefined : tasksOf(after)[number - 1]
    if (task === undefined) throw noTask(target)
    return { task, record: record?.id ?? null, degraded: memory.store.takeDegraded() }
  },
})

export const taskListOperation = defineOperation({
  name: 'task list',
  group: 'Remember',
  agent: 'reads',
  route: { at: 'GET /api/tasks', access: 'read' },
  tool: {
    name: 'tasks',
    action: 'list',
    title: 'Tasks',
    description: 'Open tasks of the project: list, add (text), done (target: id). Not your own to-do list.',
    fields: { text: '', target: '' },
    effect: 'writes',
    answer: async () => (await import('../present-to-agents.ts')).taskRows,
  },
  summary: 'Show open tasks',
  positionals: [],
  input: v.object({
    agent: v.optional(text('Only this agent')),
    all: v.optional(flag('Finished tasks as well')),
  }),
  output: v.object({ tasks: v.array(taskSchema), degraded: degradedSchema }),
  examples: [{ command: 'cairn task list', does: 'open tasks' }],
  async run(memory, { agent, all }) {
    const filter = { category: 'tasks' as const, ...(agent !== undefined && { agent }) }
    const { entries } = await memory.store.listEntries({ filter, limit: MAX_TASKS, offset: 0 })
    const tasks = entries.flatMap(tasksOf).filter(task => all === true || !task.done)
    return { tasks, degraded: memory.store.takeDegraded() }
  },
})

async function findTask(
  memory: Memory & FullSearchPorts,
  target: string,
  done: boolean,
): Promise<{ readonly entry: Entry; readonly number: number }> {
  const numbered = /^(.+):(\d+)$/.exec(target.trim())
  const id = numbered?.[1] ?? target
  const entry = await findTarget(memory, id, { category: 'tasks' })
  const tasks = tasksOf(entry)
  if (tasks.length === 0) throw noTask(target)
  if (numbered !== null) return { entry, number: Number(numbered[2]) }
  const open = tasks.findIndex(task => task.done !== done)
  return { entry, number: (open === -1 ? 0 : open) + 1 }
}

function noTask(target: string): CairnError {
  return new CairnError({
    code: 'entry_not_found',
    message: `"${target.slice(0, 80)}" is not a task.`,
    hint: '`cairn task list --all` shows the tasks with their ids.',
  })
}

function emptyTask(): CairnError {
  return new CairnError({
    code: 'content_empty',
    message: 'The task is empty.',
    hint: 'For example: cairn task add "Rotate the signing key before June"',
  })
}
