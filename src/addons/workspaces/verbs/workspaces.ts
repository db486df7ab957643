import * as v from 'valibot'
import { PLAN_STATUSES } from '../../../kernel/model/workspace.ts'
import { count, defineOperation, flag, problemsSchema, recordSchema } from '../../../verbs/operation.ts'
import { readScope } from '../decide/scope.ts'
import { listWorkspaces } from '../listing.ts'
import { migrateWorkspaces } from '../migrating.ts'
import { scopeFields } from './workspace-fields.ts'

const DEFAULT_LIMIT = 100

export const workspacesOperation = defineOperation({
  name: 'workspaces',
  group: 'Workspaces',
  agent: 'reads',
  route: { at: 'GET /api/workspaces', access: 'read' },
  summary: 'List workspaces, domains and repositories with the documents of each',
  positionals: ['scope'],
  input: v.object({
    ...scopeFields,
    limit: v.optional(count(`How many scopes at most (default ${DEFAULT_LIMIT})`, 1_000)),
  }),
  output: v.object({
    scopes: v.pipe(
      v.array(
        v.object({
          scope: v.string(),
          name: v.exactOptional(v.string()),
          description: v.exactOptional(v.string()),
          plans: v.number(),
          statuses: v.record(v.picklist(PLAN_STATUSES), v.optional(v.number())),
          decisions: v.number(),
          lessons: v.number(),
        }),
      ),
      v.readonly(),
    ),
    total: v.number(),
    problems: v.pipe(problemsSchema, v.description('What is wrong with their files')),
    roots: v.object({ resources: v.string(), learnings: v.string() }),
  }),
  examples: [
    { command: 'cairn workspaces', does: 'all of them, with the problems in their files' },
    { command: 'cairn workspaces devtools', does: 'one, with its domains and repositories' },
  ],
  run: (memory, { limit, ...scope }) =>
    listWorkspaces(memory, { scope: readScope(scope), limit: limit ?? DEFAULT_LIMIT }),
})

export const workspaceMigrateOperation = defineOperation({
  name: 'workspace migrate',
  group: 'Workspaces',
  agent: 'free',
  summary: 'Add what front matter lacks, and fold ABSTRACT.md into OVERVIEW.md',
  description:
    'Plans get name, description, status, created and tags where they are missing, overviews name, description and tags; each says where it comes from. Without --apply it only shows the changes. Existing values never change, and an unreadable file is left alone. `cairn undo` reverts it.',
  positionals: ['scope'],
  input: v.object({ ...scopeFields, apply: v.optional(flag('Write it; without this it is a dry run')) }),
  output: v.object({
    steps: v.array(
      v.object({
        path: v.string(),
        does: v.picklist(['edit', 'create', 'remove']),
        adds: v.pipe(
          v.array(
            v.object({
              field: v.string(),
              value: v.union([v.string(), v.pipe(v.array(v.string()), v.readonly())]),
              from: v.pipe(v.string(), v.description('Where the value comes from')),
            }),
          ),
          v.readonly(),
        ),
        why: v.exactOptional(v.string()),
      }),
    ),
    total: v.pipe(v.number(), v.description('Steps in all; the answer names at most 500')),
    files: v.pipe(v.number(), v.description('Files that were looked at')),
    applied: v.boolean(),
    record: recordSchema,
    problems: problemsSchema,
  }),
  examples: [
    { command: 'cairn workspace migrate', does: 'shows what would change, in every workspace' },
    { command: 'cairn workspace migrate devtools --apply', does: 'changes it, in one workspace' },
  ],
  async run(memory, { apply, ...input }) {
    const migration = await migrateWorkspaces(memory, { scope: readScope(input), apply: apply === true })
    const { steps, isApplied, record, files, problems } = migration
    return {
      steps: steps
        .slice(0, MAX_STEPS)
        .map(({ path, does, adds, why }) => ({ path, does, adds, ...(why !== undefined && { why }) })),
      total: steps.length,
      files,
      applied: isApplied,
      record,
      problems,
    }
  },
})

const MAX_STEPS = 500
