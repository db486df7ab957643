import * as v from 'valibot'
import type { Composed } from '../../../compose/composed.ts'
import { PLAN_STATUSES } from '../../../kernel/model/workspace.ts'
import type { OperationContext } from '../../../verbs/operation.ts'
import { renderLearnings, renderOverviews, renderPlans } from '../answers-as-yaml.ts'
import { withTexts } from '../clean.ts'
import { type AnswerBounds, retrieveLearnings, retrieveOverview, retrievePlans } from '../retrieve.ts'
import {
  DEFAULT_LIMIT,
  MAX,
  retrieveLearningsOperation,
  retrieveOverviewOperation,
  retrievePlansOperation,
} from './retrieve.ts'
import { askedScope } from './workspace-fields.ts'

/** How an answer is told: what is done to each text before it becomes YAML, and how long the whole may be. */
export interface Telling {
  readonly tell?: (text: string) => string
  readonly mostCharacters?: number
}

/** One of the seed's tools for agents: its parameters as the seed has them, and its answer as YAML. */
export interface WorkspaceTool<Input extends v.GenericSchema = v.GenericSchema> {
  readonly name: string
  readonly description: string
  readonly input: Input
  run(
    memory: Composed,
    input: v.InferOutput<Input>,
    telling?: Telling,
    context?: OperationContext,
  ): Promise<string>
}

/** A word that is not known is refused: a filter with a typing mistake would else let everything through. */
const scopeSchema = v.strictObject({
  workspace: v.pipe(v.string(), v.description('Required, for example devtools')),
  domain: v.optional(v.pipe(v.string(), v.description('For example common'))),
  repository: v.optional(v.pipe(v.string(), v.description('For example metan'))),
})
const limitSchema = v.optional(
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1),
    v.maxValue(MAX),
    v.description(`How many at most (default ${DEFAULT_LIMIT})`),
  ),
)
const wordsSchema = v.array(v.string())

function defineTool<Input extends v.GenericSchema>(tool: WorkspaceTool<Input>): WorkspaceTool<Input> {
  return tool
}

/** Of an answer that is bounded: what one document or the problems take of it, so that neither pushes the other out. */
const BOUNDS: AnswerBounds = { overviewCharacters: 8_000, learningCharacters: 3_000, problems: 8 }

/** With fewer documents until it fits; the answer then says how many there are. It is never cut in the middle of its YAML. */
async function fitted<Answer>(
  limit: number,
  { tell, mostCharacters = Number.POSITIVE_INFINITY }: Telling,
  {
    retrieve,
    render,
  }: {
    readonly retrieve: (limit: number, bounds: AnswerBounds) => Promise<Answer>
    readonly render: (answer: Answer) => string
  },
): Promise<string> {
  const bounds = mostCharacters === Number.POSITIVE_INFINITY ? {} : BOUNDS
  for (let most = limit; ; ) {
    const answer = await retrieve(most, bounds)
    const text = render(tell === undefined ? answer : withTexts(answer, tell))
    if (text.length <= mostCharacters || most === 1) return text
    most = Math.max(1, Math.min(most >> 1, Math.floor((most * mostCharacters) / text.length)))
  }
}

export const retrievePlansTool = defineTool({
  name: 'retrieve_plans',
  description: `${retrievePlansOperation.summary}. ${retrievePlansOperation.description}`,
  input: v.strictObject({
    scope: scopeSchema,
    filters: v.optional(
      v.strictObject({
        status: v.optional(v.array(v.picklist(PLAN_STATUSES))),
        tags: v.optional(wordsSchema),
      }),
    ),
    limit: limitSchema,
  }),
  run: (memory, { scope, filters, limit = DEFAULT_LIMIT }, telling = {}) => {
    const asked = askedScope(scope)
    return fitted(limit, telling, {
      retrieve: (most, bounds) => retrievePlans(memory, { scope: asked, ...filters, limit: most }, bounds),
      render: renderPlans,
    })
  },
})

export const retrieveOverviewTool = defineTool({
  name: 'retrieve_overview',
  description: `${retrieveOverviewOperation.summary}. ${retrieveOverviewOperation.description}`,
  input: v.strictObject({ scope: scopeSchema, limit: limitSchema }),
  run: (memory, { scope, limit = DEFAULT_LIMIT }, telling = {}) => {
    const asked = askedScope(scope)
    return fitted(limit, telling, {
      retrieve: (most, bounds) => retrieveOverview(memory, { scope: asked, limit: most }, bounds),
      render: renderOverviews,
    })
  },
})

export const retrieveLearningsTool = defineTool({
  name: 'retrieve_learnings',
  description: `${retrieveLearningsOperation.summary}. ${retrieveLearningsOperation.description}`,
  input: v.strictObject({
    scope: scopeSchema,
    filters: v.optional(v.strictObject({ tags: v.optional(wordsSchema), category: v.optional(v.string()) })),
    limit: limitSchema,
  }),
  run: (memory, { scope, filters, limit = DEFAULT_LIMIT }, telling = {}) => {
    const asked = askedScope(scope)
    return fitted(limit, telling, {
      retrieve: (most, bounds) =>
        retrieveLearnings(memory, { scope: asked, ...filters, limit: most }, bounds),
      render: renderLearnings,
    })
  },
})
