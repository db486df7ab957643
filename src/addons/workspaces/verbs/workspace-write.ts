import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import { LEARNING_KINDS, PLAN_STATUSES, scopeName } from '../../../kernel/model/workspace.ts'
import { defineOperation, list, recordSchema, text } from '../../../verbs/operation.ts'
import { readScope } from '../decide/scope.ts'
import { addPlan, learn, setOverview, setPlan } from '../writing.ts'
import { askedScope, planStatus, removedSchema, scopeFields } from './workspace-fields.ts'

const writtenFields = {
  path: v.pipe(v.string(), v.description('The file, relative to the project')),
  record: recordSchema,
  redacted: removedSchema,
}

export const workspacePlanAddOperation = defineOperation({
  name: 'workspace plan add',
  group: 'Workspaces',
  agent: 'free',
  summary: 'Begin a plan in a workspace',
  positionals: ['name'],
  input: v.object({
    name: text('What the plan is called'),
    description: text('What it is about, in one or two sentences'),
    ...scopeFields,
    status: v.optional(planStatus('How far it is (default new)')),
    tags: v.optional(list('Tags')),
    content: v.optional(text('The plan itself, in Markdown; - reads standard input')),
    created: v.optional(text('When it was made, YYYY-MM-DD (default today)')),
  }),
  output: v.object({ id: v.string(), scope: v.string(), ...writtenFields }),
  examples: [
    {
      command:
        'cairn workspace plan add "Workflow Engine" --scope devtools/common --description "Run task graphs"',
      does: 'a new plan, today',
    },
  ],
  async run(memory, { scope, workspace, domain, repository, ...plan }) {
    const asked = askedScope({ scope, workspace, domain, repository })
    return { scope: scopeName(asked), ...(await addPlan(memory, asked, plan)) }
  },
})

export const workspacePlanSetOperation = defineOperation({
  name: 'workspace plan set',
  group: 'Workspaces',
  agent: 'free',
  summary: "Change a plan's status, tags, name or description",
  description:
    'Changes those fields of its front matter, sets `updated`, and leaves every other byte as it is.',
  positionals: ['target'],
  input: v.object({
    target: text('The plan: its id (260208-workflow-engine), with its scope where two have it, or its path'),
    ...scopeFields,
    status: v.optional(planStatus('How far it is')),
    tags: v.optional(list('Its tags, in place of those it has')),
    name: v.optional(text('What it is called')),
    description: v.optional(text('What it is about')),
  }),
  output: v.object({
    plan: v.object({
      id: v.string(),
      scope: v.string(),
      name: v.string(),
      status: v.exactOptional(v.picklist(PLAN_STATUSES)),
      updated: v.exactOptional(v.string()),
      tags: v.pipe(v.array(v.string()), v.readonly()),
    }),
    changed: v.pipe(
      v.array(v.string()),
      v.readonly(),
      v.description('The fields that say something else now'),
    ),
    ...writtenFields,
  }),
  examples: [
    { command: 'cairn workspace plan set 260208-workflow-engine --status done', does: 'it is done' },
    { command: 'cairn workspace plan set devtools/common/260208-x --tags queue,redis', does: 'its tags' },
  ],
  async run(memory, { target, scope, workspace, domain, repository, status, tags, name, description }) {
    const patch = { status, tags, name, description }
    if (Object.values(patch).every(value => value === undefined))
      throw new CairnError({
        code: 'invalid_input',
        message: 'Nothing was said to change.',
        hint: 'Add --status, --tags, --name or --description.',
      })
    const within = readScope({ scope, workspace, domain, repository })
    const { plan, ...written } = await setPlan(memory, target, patch, within)
    return {
      ...written,
      plan: {
        id: plan.id,
        scope: scopeName(plan.scope),
        name: plan.name,
        ...(plan.status !== undefined && { status: plan.status }),
        ...(plan.updated !== undefined && { updated: plan.updated }),
        tags: plan.tags,
      },
    }
  },
})

export const workspaceOverviewSetOperation = defineOperation({
  name: 'workspace overview set',
  group: 'Workspaces',
  agent: 'free',
  summary: 'Write what a workspace, domain or repository is about; begins it where it is new',
  positionals: ['scope'],
  input: v.object({
    ...scopeFields,
    name: v.optional(text('What it is called')),
    description: v.optional(text('What it is, in one or two sentences: its abstract')),
    tags: v.optional(list('Its tags, in place of those it has')),
    content: v.optional(text('The overview below the front matter, in Markdown; - reads standard input')),
  }),
  output: v.object({
    scope: v.string(),
    isNew: v.pipe(v.boolean(), v.description('True when it had no overview before')),
    ...writtenFields,
  }),
  examples: [
    {
      command:
        'cairn workspace overview set devtools --name DevTools --description "Tools for our developers"',
      does: 'begins a workspace, or says anew what it is',
    },
  ],
  async run(memory, { scope, workspace, domain, repository, ...patch }) {
    if (Object.values(patch).every(value => value === undefined))
      throw new CairnError({
        code: 'invalid_input',
        message: 'Nothing was said to write.',
        hint: 'Add --description, --name, --tags or --content.',
      })
    const asked = askedScope({ scope, workspace, domain, repository })
    return { scope: scopeName(asked), ...(await setOverview(memory, asked, patch)) }
  },
})

export const workspaceLearnOperation = defineOperation({
  name: 'workspace learn',
  group: 'Workspaces',
  agent: 'free',
  summary: 'Add a decision or a lesson to a workspace',
  description:
    'Appends it to decisions.md or lessons.md of the scope. A learning with the same words in this scope or above it is not added again.',
  positionals: ['kind', 'title'],
  input: v.object({
    kind: v.pipe(v.picklist(LEARNING_KINDS, 'decision or lesson'), v.description('decision or lesson')),
    title: text('What was decided or learned, in one line'),
    category: text(
      'For example architecture, tooling, convention, dependency; debugging, performance, configuration',
    ),
    ...scopeFields,
    content: v.optional(text('Why, or what happened and what to do differently; - reads standard input')),
    tags: v.optional(list('Tags')),
    date: v.optional(text('When, YYYY-MM-DD (default today)')),
  }),
  output: v.object({
    learning: v.object({
      kind: v.picklist(LEARNING_KINDS),
      scope: v.string(),
      title: v.string(),
      date: v.exactOptional(v.string()),
      category: v.exactOptional(v.string()),
      tags: v.pipe(v.array(v.string()), v.readonly()),
    }),
    duplicate: v.pipe(
      v.boolean(),
      v.description('True if the same learning exists already; nothing was written'),
    ),
    ...writtenFields,
  }),
  examples: [
    {
      command:
        'cairn workspace learn decision "Chose xstate v5" --scope devtools --category architecture --content "Actor model, strong types"',
      does: 'a decision with its reason',
    },
  ],
  async run(memory, { kind, scope, workspace, domain, repository, ...entry }) {
    const asked = askedScope({ scope, workspace, domain, repository })
    const { learning, ...written } = await learn(memory, asked, kind, entry)
    return {
      ...written,
      learning: {
        kind: learning.kind,
        scope: scopeName(learning.scope),
        title: learning.title,
        ...(learning.date !== undefined && { date: learning.date }),
        ...(learning.category !== undefined && { category: learning.category }),
        tags: learning.tags,
      },
    }
  },
})
