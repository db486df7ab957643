import * as v from 'valibot'
import { PLAN_STATUSES } from '../../../kernel/model/workspace.ts'
import { count, defineOperation, list, problemsSchema, text } from '../../../verbs/operation.ts'
import { retrieveLearnings, retrieveOverview, retrievePlans } from '../retrieve.ts'
import { askedScope, metaSchema, planStatuses, scopeFields } from './workspace-fields.ts'

export const DEFAULT_LIMIT = 50
export const MAX = 1_000

const tagsSchema = v.pipe(v.array(v.string()), v.readonly())
const restFields = {
  total: v.pipe(v.number(), v.description('The total; more than are shown if the answer was cut')),
  leftOut: v.pipe(v.number(), v.description('Files that could not be read; problems says why')),
  problems: v.pipe(problemsSchema, v.description('What is wrong, with file, line and the expected form')),
}

export const retrievePlansOperation = defineOperation({
  name: 'retrieve plans',
  group: 'Workspaces',
  agent: 'reads',
  route: { name: 'plans', at: 'GET /api/plans', access: 'read' },
  summary: 'Show finished and planned work of a workspace',
  description:
    'The front matter of every plan in the scope and below it, the latest, in the order in which they were made. A plan that cannot be read is named in `problems`.',
  positionals: ['scope'],
  input: v.object({
    ...scopeFields,
    status: v.optional(planStatuses(`Only these: ${PLAN_STATUSES.join(', ')}`)),
    tags: v.optional(list('Only plans with one of these tags')),
    limit: v.optional(count(`How many at most (default ${DEFAULT_LIMIT})`, MAX)),
  }),
  output: v.object({
    plans: v.pipe(
      v.array(
        v.object({
          name: v.string(),
          description: v.exactOptional(v.string()),
          status: v.exactOptional(v.picklist(PLAN_STATUSES)),
          created: v.exactOptional(v.string()),
          updated: v.exactOptional(v.string()),
          tags: tagsSchema,
          scope: v.string(),
          _meta: metaSchema,
        }),
      ),
      v.readonly(),
    ),
    ...restFields,
  }),
  examples: [
    { command: 'cairn retrieve plans devtools', does: 'of a whole workspace' },
    {
      command: 'cairn retrieve plans devtools/common --status in_progress,partial',
      does: 'open plans of a domain',
    },
  ],
  run: (memory, { status, tags, limit, ...scope }) =>
    retrievePlans(memory, { scope: askedScope(scope), status, tags, limit: limit ?? DEFAULT_LIMIT }),
})

const overviewSchema = v.variant('tier', [
  v.object({ scope: v.string(), tier: v.literal('T1'), content: v.string(), _meta: metaSchema }),
  v.object({
    scope: v.string(),
    tier: v.literal('T0'),
    abstract: v.exactOptional(v.string()),
    _meta: metaSchema,
  }),
])

export const retrieveOverviewOperation = defineOperation({
  name: 'retrieve overview',
  group: 'Workspaces',
  agent: 'reads',
  route: { name: 'overviews', at: 'GET /api/overviews', access: 'read' },
  summary: 'What a workspace, a domain or a repository is about',
  description:
    'The overview of the workspace in full (T1), those of its domains and repositories as abstracts (T0); that of a repository in full when it is asked for.',
  positionals: ['scope'],
  input: v.object({
    ...scopeFields,
    limit: v.optional(count(`How many at most (default ${DEFAULT_LIMIT})`, MAX)),
  }),
  output: v.object({ overviews: v.pipe(v.array(overviewSchema), v.readonly()), ...restFields }),
  examples: [
    { command: 'cairn retrieve overview devtools', does: 'the workspace, and an abstract of each part' },
    { command: 'cairn retrieve overview devtools/common/metan', does: 'one repository in full' },
  ],
  run: (memory, { limit, ...scope }) =>
    retrieveOverview(memory, { scope: askedScope(scope), limit: limit ?? DEFAULT_LIMIT }),
})

const learningSchema = v.object({
  content: v.string(),
  date: v.exactOptional(v.string()),
  category: v.exactOptional(v.string()),
  tags: tagsSchema,
  scope: v.pipe(v.string(), v.description('Where it was decided or learned')),
  _meta: metaSchema,
})

export const retrieveLearningsOperation = defineOperation({
  name: 'retrieve learnings',
  group: 'Workspaces',
  agent: 'reads',
  route: { name: 'learnings', at: 'GET /api/learnings', access: 'read' },
  summary: 'Decisions to respect and lessons learned in a workspace',
  description:
    'Shows the decisions and lessons that apply to the scope: its own, those of the domain and workspace above it, and those below it. Each names its scope.',
  positionals: ['scope'],
  input: v.object({
    ...scopeFields,
    tags: v.optional(list('Only those with one of these tags')),
    category: v.optional(text('Only this category, for example architecture or debugging')),
    limit: v.optional(count(`How many of each at most (default ${DEFAULT_LIMIT})`, MAX)),
  }),
  output: v.object({
    scope: v.string(),
    decisions: v.pipe(v.array(learningSchema), v.readonly()),
    lessons: v.pipe(v.array(learningSchema), v.readonly()),
    ...restFields,
  }),
  examples: [
    { command: 'cairn retrieve learnings devtools/common', does: 'decisions and lessons of a domain' },
    { command: 'cairn retrieve learnings devtools --category debugging --tags pnpm', does: 'narrowed' },
  ],
  run: (memory, { tags, category, limit, ...scope }) =>
    retrieveLearnings(memory, { scope: askedScope(scope), tags, category, limit: limit ?? DEFAULT_LIMIT }),
})
