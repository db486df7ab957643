import * as v from 'valibot'
import type { From } from '../features/setup/choose-target.ts'
import type { AgentEvent } from '../kernel/model/agent-run.ts'
import { CATEGORIES } from '../kernel/model/category.ts'
import { MAX_FIELD_LENGTH, MAX_FILES, MAX_TAGS, ORIGINS, STATUSES } from '../kernel/model/entry.ts'
import { CairnError } from '../kernel/model/errors.ts'
import { FRESHNESS_STATES } from '../kernel/model/freshness.ts'
import type { TokenScope } from '../kernel/model/hub.ts'
import type { NoticeCode } from '../kernel/model/notice-codes.ts'
import { DOCUMENT_KINDS, PLAN_STATUSES } from '../kernel/model/workspace.ts'
import type { AgentRuleOf } from './agent-rules.ts'
import type { MemoryIn, RunsIn } from './runs-in.ts'
import type { VerbTool } from './tool.ts'

/** The headings of `cairn help`, in their order. */
export const VERB_GROUPS = [
  'Set up',
  'Remember',
  'Find',
  'Briefs',
  'Workspaces',
  'Sessions',
  'Agents',
  'Work board',
  'Review',
  'Project state',
  'History',
  'Hub',
  'Import, export and sync',
  'Models',
  'Maintenance',
] as const

/**
 * What the command line does after it has printed the answer (surfaces/cli/after-answer.ts):
 *
 *   vectors           makes vectors for new entries and compares these with the others
 *   documentVectors   the same, if the verb found new documents
 *   upkeep            archives and rolls over what is due
 *   project           records where the project is now
 *   recall            folds what happened into the state of the project
 *   refine            starts a model, where one is allowed, on the sessions that were closed
 *   pickUp            closes sessions that were left open
 */
export type AfterAnswer =
  | 'vectors'
  | 'documentVectors'
  | 'upkeep'
  | 'project'
  | 'recall'
  | 'refine'
  | 'pickUp'

/**
 * Who may call a route:
 *
 *   open    every client that reaches the server: it says nothing of the memory
 *   read    every client on this machine
 *   write   it changes something: needs the token
 *   local   as `write`, and never for a request that was forwarded from another machine
 */
export type Access = 'open' | 'read' | 'write' | 'local'

/** A path over HTTP. A `:name` in it is the field of that name. */
export interface VerbRoute {
  /** In the calls of the page and in the OpenAPI document. Absent: the name of the verb, `task add` as `taskAdd`. */
  readonly name?: string
  readonly at: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /api/${string}`
  readonly access: Access
  /** The scope that the route needs on a hub. Absent: as `access` says; a verb that runs in a checkout only is never on a hub. */
  readonly onHub?: TokenScope
  /** Unknown fields are ignored instead of refused. */
  readonly ignoresUnknown?: true
}

/** After a verb that stores entries. */
export const AFTER_STORING = ['vectors', 'upkeep', 'project'] as const satisfies readonly AfterAnswer[]

/**
 * One verb, defined once: the CLI, its help, its completion and the reference pages are made from it, so they cannot
 * drift apart. Other surfaces loop over the same list.
 */
export interface Operation<
  Input extends ObjectSchema = ObjectSchema,
  Output extends v.GenericSchema = v.GenericSchema,
  Runs extends RunsIn = RunsIn,
> {
  /** As typed: `search`, `task add`. */
  readonly name: string
  /** Where `cairn help` lists it. Absent: it is not a verb of the command line. */
  readonly group?: (typeof VERB_GROUPS)[number]
  /** What an agent may do with it (agent-rules.ts). */
  readonly agent: AgentRuleOf
  /** Where it can run; absent: in a checkout and on a hub. Elsewhere the surface refuses it. */
  readonly runs?: Runs
  /** `--user`: it also works on the user's own memory. The others are about a project: its sessions, its files, its state. */
  readonly worksForUser?: true
  readonly after?: readonly AfterAnswer[]
  readonly route?: VerbRoute
  readonly tool?: VerbTool<v.InferOutput<Output>>
  /** Typed without words, the command line runs this verb instead. */
  readonly withoutWords?: string
  readonly summary: string
  readonly description?: string
  /** Input fields given without a flag, in order. The last may take the rest of the line. */
  readonly positionals: readonly string[]
  readonly input: Input
  readonly output: Output
  readonly examples: readonly { readonly command: string; readonly does: string }[]
  /** For a verb that checks, or does many things of which one may fail: the exit code for what its answer says. Absent: 0. */
  exitCode?(output: v.InferOutput<Output>): number
  run(
    memory: MemoryIn<Runs>,
    input: v.InferOutput<Input>,
    context: OperationContext,
  ): Promise<v.InferOutput<Output>>
}

export type ObjectSchema = v.ObjectSchema<v.ObjectEntries, undefined>

export interface OperationContext {
  /** Progress of long work. */
  readonly onProgress?: (done: number, total: number | undefined, what: string) => void
  /**
   * Awaited between the steps of long work, where other requests share the thread, as in a server. Work that no caller waits for stays
   * short there: the server continues it later.
   */
  readonly turn?: () => Promise<void>
  /** The folder of the caller. Absent: the project that the memory was opened for. */
  readonly from?: From
  /** Receives the events of an agent while it works. */
  readonly onAgentEvent?: (event: AgentEvent) => void
  /** For a verb that waits: aborted when its caller is gone. What was reserved for that caller must be released. */
  readonly staying?: () => AbortSignal
  /** Resolves when the user ends a verb that runs until then. */
  readonly untilEnded?: () => Promise<void>
  /** The caller is an agent: it stores candidates, and cannot change what a person wrote. */
  readonly isAgent?: boolean
  /** Records of changes by this caller: without a name, `undo` reverts one of these if there are any. */
  readonly ownRecords?: ReadonlySet<string>
  /** Lets a person edit a text in their editor. Absent: there is none. */
  readonly editText?: (text: string, fileName: string) => Promise<string>
  /** Asks a person. Absent: there is no person to ask. */
  readonly ask?: (question: Question) => Promise<boolean>
}

export interface Question {
  /** The answer of this verb, as it would be. */
  readonly shown?: unknown
  readonly text: string
  readonly isYesByDefault: boolean
  /** What to do where there is no person to ask. */
  readonly hint: string
}

export function defineOperation<
  Input extends ObjectSchema,
  Output extends v.GenericSchema,
  const Runs extends RunsIn = 'both',
>(operation: Operation<Input, Output, Runs>): Operation<Input, Output, Runs> {
  return operation
}

/** Input is parsed once, at the surface. */
export function parseInput<Input extends ObjectSchema>(
  operation: Operation<Input>,
  input: unknown,
): v.InferOutput<Input> {
  const result = v.safeParse(operation.input, input)
  if (result.success) return result.output
  const issue = result.issues[0]
  const field = issue.path?.map(item => String(item.key)).join('.') ?? 'input'
  throw new CairnError({
    code: 'invalid_input',
    message: `${operation.name}: \`${field}\`: ${issue.message}`,
    hint: `\`cairn ${operation.name} --help\` shows what it takes.`,
  })
}

export const text = (description: string) => v.pipe(v.string(), v.description(description))
export const list = (description: string) => v.pipe(v.array(v.string()), v.description(description))
const shortList = (description: string, most: number, what: string) =>
  v.pipe(
    v.array(v.pipe(v.string(), v.maxLength(MAX_FIELD_LENGTH, `at most ${MAX_FIELD_LENGTH} characters`))),
    v.maxLength(most, `at most ${most} ${what}`),
    v.description(description),
  )
/** The tags and files of one entry: what does not fit is refused, not dropped silently. */
export const entryTags = (description: string) => shortList(description, MAX_TAGS, 'tags')
export const entryFiles = (description: string) => shortList(description, MAX_FILES, 'files')
export const flag = (description: string) => v.pipe(v.boolean(), v.description(description))
export const share = (description: string) =>
  v.pipe(
    v.number('a number from 0 to 1'),
    v.minValue(0, 'at least 0'),
    v.maxValue(1, 'at most 1'),
    v.description(description),
  )
export const count = (description: string, most: number) =>
  v.pipe(
    v.number('a whole number'),
    v.integer('a whole number'),
    v.minValue(1, 'at least 1'),
    v.maxValue(most, `at most ${most}`),
    v.description(description),
  )
export const category = (description: string) =>
  v.pipe(v.picklist(CATEGORIES, `one of ${CATEGORIES.join(', ')}`), v.description(description))
export const status = (description: string) =>
  v.pipe(v.picklist(STATUSES, `one of ${STATUSES.join(', ')}`), v.description(description))

/** A database limits the length of a condition. */
const MAX_NAME_LENGTH = 1_000
const MAX_TAGS_ASKED = 200
const nameOf = (description: string) =>
  v.pipe(
    v.string(),
    v.maxLength(MAX_NAME_LENGTH, `at most ${MAX_NAME_LENGTH} characters`),
    v.description(description),
  )

/** The fields that narrow a list or a search. */
export const filterFields = {
  agent: v.optional(text('Only the vault of this agent')),
  reader: v.optional(text('What this agent reads: its own vault, shared and private')),
  category: v.optional(category('Only this vault file: decisions, lessons, tasks, projects or handoffs')),
  kind: v.optional(nameOf('Only this kind, for example warning')),
  tags: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(MAX_NAME_LENGTH, `at most ${MAX_NAME_LENGTH} characters`))),
      v.maxLength(MAX_TAGS_ASKED, `at most ${MAX_TAGS_ASKED} tags`),
      v.description('Only entries with one of these tags'),
    ),
  ),
  status: v.optional(status('Only candidate, confirmed or pinned entries')),
  since: v.optional(text('Only entries dated on or after: 2026-03, 2026-03-16 or 2026-03-16T10:00')),
  until: v.optional(text('Only entries dated on or before')),
  file: v.optional(nameOf('Only entries that name this file or folder')),
}

export const entrySchema = v.object({
  id: v.string(),
  agent: v.string(),
  category: v.picklist(CATEGORIES),
  kind: v.string(),
  status: v.picklist(STATUSES),
  origin: v.picklist(ORIGINS),
  date: v.pipe(v.string(), v.description('UTC, to the minute')),
  updated: v.exactOptional(v.string()),
  content: v.string(),
  tags: v.pipe(v.array(v.string()), v.readonly()),
  files: v.pipe(v.array(v.string()), v.readonly()),
  importance: v.number(),
  confidence: v.exactOptional(v.number()),
  session: v.exactOptional(v.string()),
  anchors: v.exactOptional(
    v.pipe(
      v.array(v.object({ file: v.string(), print: v.string() })),
      v.readonly(),
      v.description('What the files it names said when it was written'),
    ),
  ),
  commit: v.exactOptional(v.pipe(v.string(), v.description('The commit at which the anchors were taken'))),
  extra: v.exactOptional(v.pipe(v.record(v.string(), v.string()), v.readonly())),
})

export const documentSchema = v.pipe(
  v.object({
    id: v.string(),
    kind: v.picklist(DOCUMENT_KINDS),
    scope: v.pipe(v.string(), v.description('workspace, workspace/domain or workspace/domain/repository')),
    path: v.pipe(v.string(), v.description('Relative to the project')),
    line: v.exactOptional(v.number()),
    status: v.exactOptional(v.pipe(v.picklist(PLAN_STATUSES), v.description('Of a plan'))),
  }),
  v.description(
    'Where it is a document of a workspace; the entry is then a view of it, of the agent `workspace`, that cannot be changed',
  ),
)

export const marksSchema = v.pipe(
  v.object({
    supersededBy: v.exactOptional(v.string()),
    newerClaim: v.exactOptional(
      v.pipe(v.string(), v.description('A newer entry that claims to replace this one; not decided yet')),
    ),
    conflictsWith: v.exactOptional(v.object({ id: v.string(), content: v.string() })),
    besideMatch: v.exactOptional(
      v.pipe(
        v.literal(true),
        v.description('It contains no word of the query, but is next to a match of the same session'),
      ),
    ),
  }),
  v.description(
    'Superseded, claimed to be replaced, in conflict, or only next to a match. Absent if none applies',
  ),
)

export const freshnessSchema = v.object({
  state: v.pipe(
    v.picklist(FRESHNESS_STATES),
    v.description('fresh, drifted (a file it names changed a lot) or orphaned (one is gone)'),
  ),
  files: v.pipe(
    v.array(
      v.variant('what', [
        v.object({ file: v.string(), what: v.literal('changed'), to: v.exactOptional(v.string()) }),
        v.object({ file: v.string(), what: v.literal('moved'), to: v.string() }),
        v.object({ file: v.string(), what: v.literal('gone') }),
        v.object({ file: v.string(), what: v.literal('unreadable') }),
      ]),
    ),
    v.readonly(),
    v.description('The files to which something happened'),
  ),
})

/** Files and lines that a person should check. */
/** Any text in the documents, because the list would be repeated with every verb. In our own types it is `NOTICE_CODES`. */
export const noticeCode = v.string() as v.GenericSchema<NoticeCode>

export const problemsSchema = v.pipe(
  v.array(
    v.object({
      code: noticeCode,
      path: v.string(),
      line: v.exactOptional(v.number()),
      entry: v.exactOptional(v.string()),
      message: v.string(),
      hint: v.string(),
    }),
  ),
  v.readonly(),
)

/** In the answer of every verb that changes the memory: a client can undo exactly its own change. */
export const recordSchema = v.pipe(
  v.nullable(v.string()),
  v.description('The journal record for `cairn undo`; null: nothing was changed'),
)

/** In the answer of every verb whose change an agent can only propose. */
export const proposedSchema = v.exactOptional(
  v.pipe(
    v.string(),
    v.description('The change waits for a person to decide; `cairn review accept` with this id applies it'),
  ),
)

export const degradedSchema = v.pipe(
  v.array(v.object({ code: noticeCode, message: v.string() })),
  v.readonly(),
  v.description('What could not be done on the way to this answer'),
)
