import type { Composed } from '../../compose.ts'
import {
  retrieveLearningsTool,
  retrieveOverviewTool,
  retrievePlansTool,
  type WorkspaceTool,
} from '../../operations/workspace-tools.ts'
import {
  forgotten,
  foundEntries,
  oneEntry,
  pinnedEntry,
  rememberedEntry,
  skillRows,
  taskRows,
  toldText,
} from './answers.ts'

/**
 * What agents can call: one row a tool. Everything a tool takes and checks is its operation's; the row says which of its fields are
 * offered, in few words, since every agent reads all of this in every session.
 */
export interface ToolRow {
  readonly name: string
  readonly description: string
  /** Which verb it is; with several, the input `action` chooses, the first unless told. */
  readonly verbs: Readonly<Record<string, string>>
  /** The fields of its verbs that are offered, each with a word to it or none. */
  readonly fields: Readonly<Record<string, string>>
  readonly effect: 'reads' | 'writes' | 'removes'
  /** Fields that are set unless told. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** Fields that follow from who asks. */
  readonly asAgent?: (agent: string) => Readonly<Record<string, unknown>>
  /** The answer as text, in neutral characters. */
  readonly answer: (output: never, action: string) => string
}

/** A tool that is more than a verb: its own input, and a text that is its answer as it stands. */
export interface ReadyRow {
  readonly name: string
  readonly description: string
  readonly effect: ToolRow['effect']
  readonly tool: WorkspaceTool
  /** Where it would have nothing to say it is not offered. */
  readonly isOffered: (engine: Composed) => Promise<boolean>
}

const hasWorkspaces = async (engine: Composed) => (await engine.documents()).exists()

/** The seed's three tools, with its parameters and its YAML. */
export const READY_TOOLS: readonly ReadyRow[] = [
  {
    name: retrievePlansTool.name,
    description: 'What was done and is planned in a workspace, as YAML.',
    effect: 'reads',
    tool: retrievePlansTool as WorkspaceTool,
    isOffered: hasWorkspaces,
  },
  {
    name: retrieveOverviewTool.name,
    description: 'What a workspace, domain or repository is about, as YAML.',
    effect: 'reads',
    tool: retrieveOverviewTool as WorkspaceTool,
    isOffered: hasWorkspaces,
  },
  {
    name: retrieveLearningsTool.name,
    description: 'Decisions to respect and lessons learned there, as YAML.',
    effect: 'reads',
    tool: retrieveLearningsTool as WorkspaceTool,
    isOffered: hasWorkspaces,
  },
]

export const TOOLS: readonly ToolRow[] = [
  {
    name: 'search',
    description: 'Search project memory; before you decide or debug.',
    verbs: { search: 'search' },
    fields: { query: 'Words, a question, a path or an error', kind: '', file: '', limit: '' },
    effect: 'reads',
    asAgent: agent => ({ reader: agent }),
    answer: foundEntries,
  },
  {
    name: 'get',
    description: 'One entry in full.',
    verbs: { get: 'show' },
    fields: { target: 'Its id' },
    effect: 'reads',
    answer: oneEntry,
  },
  {
    name: 'brief',
    description: 'What memory has for a task; without a prompt, for a new session.',
    verbs: { brief: 'brief' },
    fields: { prompt: '', files: 'Open files' },
    effect: 'reads',
    asAgent: agent => ({ agent }),
    answer: toldText,
  },
  {
    name: 'remember',
    description: 'Keep a decision, lesson or warning with its reason, for later sessions.',
    verbs: { remember: 'remember' },
    fields: {
      content: '',
      kind: 'decision, lesson, warning, error, preference …',
      tags: '',
      files: 'Files it is about',
      private: 'Not committed',
    },
    effect: 'writes',
    answer: rememberedEntry,
  },
  {
    name: 'forget',
    description: 'Remove a wrong entry; can be undone.',
    verbs: { forget: 'forget' },
    fields: { target: 'Its id' },
    effect: 'removes',
    answer: forgotten,
  },
  {
    name: 'pin',
    description: 'Pin an entry, so that it is always told; off unpins.',
    verbs: { pin: 'pin' },
    fields: { target: 'Its id', off: '' },
    effect: 'writes',
    // For a person it is a switch; an agent that pins twice means it.
    defaults: { off: false },
    answer: pinnedEntry,
  },
  {
    name: 'tasks',
    description: 'List open tasks, add one (text), or tick one off (target).',
    verbs: { list: 'task list', add: 'task add', done: 'task done' },
    fields: { text: '', target: 'Its id' },
    effect: 'writes',
    answer: taskRows,
  },
  {
    name: 'skills',
    description: 'List skills, or save how something is done.',
    verbs: { list: 'skill list', save: 'skill save' },
    fields: {
      name: 'For example release-notes',
      description: 'What it does and when to use it',
      body: 'Steps, in Markdown',
      workspace: '',
      replace: '',
    },
    effect: 'writes',
    answer: skillRows,
  },
]
