import type * as v from 'valibot'
import type { WorkspaceTool } from '../../addons/workspaces/verbs/workspace-tools.ts'
import type { Composed } from '../../compose/composed.ts'
import { VERBS } from '../../verbs/all.ts'
import type { Operation } from '../../verbs/operation.ts'
import { foundEverywhere, metBefore } from './across-answers.ts'
import {
  forgotten,
  foundEntries,
  oneEntry,
  pinnedEntry,
  saidOfEntry,
  savedEntries,
  skillRows,
  taskRows,
  toldText,
} from './answers.ts'

/**
 * What agents can call: one row a tool. Everything a tool takes and checks is its operation's; the row says which of its fields are
 * offered, in few words, since every agent reads all of this in every session.
 */
type Verbs = Readonly<Record<string, () => Promise<Operation>>>

export interface ToolRow {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Which verb it is; with several, the input `action` chooses, by default the first. */
  readonly verbs: Verbs
  /** The fields of its verbs that are offered, each with a word to it or none. */
  readonly fields: Readonly<Record<string, string>>
  /** Accepted, and not listed. */
  readonly unlisted?: readonly string[]
  readonly effect: 'reads' | 'writes' | 'removes'
  /** The same call a second time changes nothing more. */
  readonly isIdempotent?: boolean
  /** Fields that are set unless told. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** Fields that follow from who asks. */
  readonly asAgent?: (agent: string) => Readonly<Record<string, unknown>>
  /** Where it would have nothing to say it is not offered; absent: it always has. */
  readonly isOffered?: (memory: Composed) => Promise<boolean>
  /** The answer as text, in neutral characters. */
  readonly answer: (output: never, action: string) => string
}

type AnswersOf<Verb> = Verb extends () => Promise<Operation<infer _Input, infer Output>>
  ? v.InferOutput<Output>
  : never

/** A row whose `answer` takes what its verbs answer. */
export function toolRow<const Own extends Verbs>(
  row: Omit<ToolRow, 'verbs' | 'answer'> & {
    readonly verbs: Own
    readonly answer: (output: AnswersOf<Own[keyof Own]>, action: string) => string
  },
): ToolRow {
  return row
}

/** A tool that is more than a verb: its own input, and a text that is its answer as it stands. */
export interface ReadyRow {
  readonly name: string
  readonly title?: string
  readonly description: string
  /** Accepted, and not listed: every word is read in every session. */
  readonly unlisted: readonly string[]
  readonly effect: ToolRow['effect']
  /** Loaded where there are workspaces. */
  readonly tool: () => Promise<WorkspaceTool>
  /** Where it would have nothing to say it is not offered. */
  readonly isOffered: (memory: Composed, hasAllTools: boolean) => Promise<boolean>
  /** A call that it takes, for whoever made one that it does not. */
  readonly example: string
}

const workspaceTools = () => import('../../addons/workspaces/verbs/workspace-tools.ts')
const hasOtherProjects = (memory: Composed) => memory.across.hasOthers()
const hasWorkspaces = async (memory: Composed) => (await memory.documents()).exists()
const SCOPE_EXAMPLE = '{ "scope": { "workspace": "devtools" } }'
const workTools = () => import('./work-tools.ts')
/** Most sessions share no work with others, and pay nothing for it: once there is a task, everybody sees the tools. */
const hasWork = async (memory: Composed, hasAllTools: boolean) => hasAllTools || memory.work.exists()

/** The seed's three tools, with its parameters and its YAML; and those of the work board. */
export const READY_TOOLS: readonly ReadyRow[] = [
  {
    name: 'retrieve_plans',
    description: 'What was done and is planned in a workspace.',
    unlisted: ['limit'],
    effect: 'reads',
    tool: async () => (await workspaceTools()).retrievePlansTool as WorkspaceTool,
    isOffered: hasWorkspaces,
    example: SCOPE_EXAMPLE,
  },
  {
    name: 'retrieve_overview',
    description: 'What a workspace, domain or repository is about.',
    unlisted: ['limit'],
    effect: 'reads',
    tool: async () => (await workspaceTools()).retrieveOverviewTool as WorkspaceTool,
    isOffered: hasWorkspaces,
    example: SCOPE_EXAMPLE,
  },
  {
    name: 'retrieve_learnings',
    description: 'Decisions and lessons of a workspace.',
    unlisted: ['limit'],
    effect: 'reads',
    tool: async () => (await workspaceTools()).retrieveLearningsTool as WorkspaceTool,
    isOffered: hasWorkspaces,
    example: SCOPE_EXAMPLE,
  },
  {
    name: 'work_add',
    title: 'Add work',
    description: 'Put tasks for other agents on the work board; after: what each waits for.',
    unlisted: [],
    effect: 'writes',
    tool: async () => (await workTools()).workAddTool,
    isOffered: hasWork,
    example: '{ "tasks": [{ "name": "a", "title": "Build" }, { "title": "Test", "after": ["a"] }] }',
  },
  {
    name: 'work_claim',
    title: 'Take work',
    description: 'Take the next task, with its context and a lease; then work_report.',
    unlisted: [],
    effect: 'writes',
    tool: async () => (await workTools()).workClaimTool,
    isOffered: hasWork,
    example: '{ "wait": 30 }',
  },
  {
    name: 'work_report',
    title: 'Report work',
    description: 'On a task you took: beat (at least every few minutes), done or fail, with text.',
    unlisted: [],
    effect: 'writes',
    tool: async () => (await workTools()).workReportTool,
    isOffered: hasWork,
    example: '{ "lease": "release.build.1.9f3a", "action": "done", "text": "Built." }',
  },
  {
    name: 'work_status',
    title: 'Look at work',
    description: 'Tasks of the work board: list, show one, wait for a graph, cancel, retry.',
    unlisted: [],
    effect: 'removes',
    tool: async () => (await workTools()).workStatusTool,
    isOffered: hasWork,
    example: '{ "action": "wait", "graph": "release", "wait": 60 }',
  },
]

export const TOOLS: readonly ToolRow[] = [
  toolRow({
    name: 'search',
    title: 'Search memory',
    description: 'Search memory before you decide or debug; then get. cold: transcripts.',
    verbs: { search: VERBS.search },
    fields: { query: '', kind: '', file: '', limit: '', cold: '' },
    effect: 'reads',
    asAgent: agent => ({ reader: agent }),
    answer: foundEntries,
  }),
  toolRow({
    name: 'everywhere',
    title: 'All projects',
    description: "Search the user's other projects too.",
    verbs: { everywhere: VERBS.everywhere },
    fields: { query: '' },
    effect: 'reads',
    asAgent: agent => ({ reader: agent }),
    isOffered: hasOtherProjects,
    answer: foundEverywhere,
  }),
  toolRow({
    name: 'met',
    title: 'Met before?',
    description: 'Who met this error or decision, in any project.',
    verbs: { met: VERBS.met },
    fields: { text: '' },
    effect: 'reads',
    asAgent: agent => ({ reader: agent }),
    isOffered: hasOtherProjects,
    answer: metBefore,
  }),
  toolRow({
    name: 'get',
    title: 'Entry',
    description: 'One entry in full, by id.',
    verbs: { get: VERBS.show },
    fields: { target: '' },
    effect: 'reads',
    answer: oneEntry,
  }),
  toolRow({
    name: 'brief',
    title: 'Brief',
    description: 'What memory has for a prompt, or for a new session.',
    verbs: { brief: VERBS.brief },
    fields: { prompt: '', files: '' },
    effect: 'reads',
    asAgent: agent => ({ agent }),
    answer: toldText,
  }),
  toolRow({
    name: 'remember',
    title: 'Remember',
    description:
      "Save what would make a later session act differently: rules and corrections in the user's words, outside facts, proven causes, rejected alternatives. Not what the code or diff shows, not guesses, not progress. Returns ids, refusals, and similar entries: supersede one instead of adding.",
    verbs: {
      remember: async () => (await import('../../features/agent-saves/verbs/save.ts')).saveEntriesOperation,
    },
    fields: {
      entries:
        'At most 5. statement: one fact, naming its subject; why: reason or evidence; kind: preference, decision, lesson, warning, error; files: it is about; supersedes: id it replaces',
      handoff: 'Asked / verified / claimed, unverified / left',
      private: 'Keep out of git',
    },
    unlisted: ['content', 'kind', 'tags', 'files'],
    effect: 'writes',
    answer: savedEntries,
  }),
  toolRow({
    name: 'forget',
    title: 'Forget',
    description: 'Remove a wrong entry.',
    verbs: { forget: VERBS.forget },
    fields: { target: '' },
    effect: 'removes',
    isIdempotent: true,
    answer: forgotten,
  }),
  toolRow({
    name: 'pin',
    title: 'Pin',
    description: 'Inject an entry into every brief; off unpins.',
    verbs: { pin: VERBS.pin },
    fields: { target: '', off: '' },
    effect: 'writes',
    isIdempotent: true,
    // For a person it is a switch; an agent that pins twice means it.
    defaults: { off: false },
    answer: pinnedEntry,
  }),
  toolRow({
    name: 'feedback',
    title: 'Feedback',
    description: 'Say that an entry helped or misled.',
    verbs: { feedback: VERBS.feedback },
    fields: { target: '', saying: '' },
    effect: 'writes',
    answer: saidOfEntry,
  }),
  toolRow({
    name: 'tasks',
    title: 'Tasks',
    description: 'Open tasks of the project: list, add (text), done (target: id). Not your own to-do list.',
    verbs: { list: VERBS['task list'], add: VERBS['task add'], done: VERBS['task done'] },
    fields: { text: '', target: '' },
    effect: 'writes',
    answer: taskRows,
  }),
  toolRow({
    name: 'skills',
    title: 'Skills',
    description: 'List skills, or save how something is done.',
    verbs: { list: VERBS['skill list'], save: VERBS['skill save'] },
    fields: {
      name: '',
      description: '',
      body: '',
      workspace: '',
      domain: '',
      replace: '',
    },
    effect: 'writes',
    answer: skillRows,
  }),
]
