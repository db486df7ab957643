import * as v from 'valibot'
import type { Composed } from '../compose.ts'
import { PLAN_STATUSES } from '../model/workspace.ts'
import { renderLearnings, renderOverviews, renderPlans } from '../workspaces/answers-as-yaml.ts'
import { retrieveLearningsOperation, retrieveOverviewOperation, retrievePlansOperation } from './retrieve.ts'

/** One of the seed's tools for agents: its parameters as the seed has them, and its answer as YAML. */
export interface WorkspaceTool<Input extends v.GenericSchema = v.GenericSchema> {
  readonly name: string
  readonly description: string
  readonly input: Input
  run(engine: Composed, input: v.InferOutput<Input>): Promise<string>
}

const scopeSchema = v.object({
  workspace: v.pipe(v.string(), v.description('Required, for example devtools')),
  domain: v.optional(v.pipe(v.string(), v.description('For example common'))),
  repository: v.optional(v.pipe(v.string(), v.description('For example metan'))),
})
const limitSchema = v.optional(
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1),
    v.maxValue(1_000),
    v.description('How many at most (default 50)'),
  ),
)
const wordsSchema = v.array(v.string())

function defineTool<Input extends v.GenericSchema>(tool: WorkspaceTool<Input>): WorkspaceTool<Input> {
  return tool
}

export const retrievePlansTool = defineTool({
  name: 'retrieve_plans',
  description: `${retrievePlansOperation.summary}. ${retrievePlansOperation.description}`,
  input: v.object({
    scope: scopeSchema,
    filters: v.optional(
      v.object({ status: v.optional(v.array(v.picklist(PLAN_STATUSES))), tags: v.optional(wordsSchema) }),
    ),
    limit: limitSchema,
  }),
  run: async (engine, { scope, filters = {}, limit }) =>
    renderPlans(await retrievePlansOperation.run(engine, { ...scope, ...filters, limit }, {})),
})

export const retrieveOverviewTool = defineTool({
  name: 'retrieve_overview',
  description: `${retrieveOverviewOperation.summary}. ${retrieveOverviewOperation.description}`,
  input: v.object({ scope: scopeSchema, limit: limitSchema }),
  run: async (engine, { scope, limit }) =>
    renderOverviews(await retrieveOverviewOperation.run(engine, { ...scope, limit }, {})),
})

export const retrieveLearningsTool = defineTool({
  name: 'retrieve_learnings',
  description: `${retrieveLearningsOperation.summary}. ${retrieveLearningsOperation.description}`,
  input: v.object({
    scope: scopeSchema,
    filters: v.optional(v.object({ tags: v.optional(wordsSchema), category: v.optional(v.string()) })),
    limit: limitSchema,
  }),
  run: async (engine, { scope, filters = {}, limit }) =>
    renderLearnings(await retrieveLearningsOperation.run(engine, { ...scope, ...filters, limit }, {})),
})
