import * as v from 'valibot'
import { PLAN_STATUSES } from '../../../kernel/model/workspace.ts'
import { defineTool, type ReadyAnswerOptions } from '../../../verbs/ready-tool.ts'
import { renderLearnings, renderOverviews, renderPlans } from '../answers-as-yaml.ts'
import { withTexts } from '../redacted-fields.ts'
import { type AnswerBounds, retrieveLearnings, retrieveOverview, retrievePlans } from '../retrieve.ts'
import { DEFAULT_LIMIT, MAX } from './retrieve.ts'
import { askedScope } from './workspace-fields.ts'

/** Unknown words are refused, because a filter with a typing error would otherwise match everything. */
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
const SCOPE_EXAMPLE = '{ "scope": { "workspace": "devtools" } }'

/** Limits for a bounded answer: the share of one document and of the problems, so that neither displaces the other. */
const BOUNDS: AnswerBounds = { overviewCharacters: 8_000, learningCharacters: 3_000, problems: 8 }

/** Removes documents until the answer fits; the answer then names the total. It is never cut in the middle of its YAML. */
async function fitted<Answer>(
  limit: number,
  { clean, maxCharacters = Number.POSITIVE_INFINITY }: ReadyAnswerOptions,
  {
    retrieve,
    render,
  }: {
    readonly retrieve: (limit: number, bounds: AnswerBounds) => Promise<Answer>
    readonly render: (answer: Answer) => string
  },
): Promise<string> {
  const bounds = maxCharacters === Number.POSITIVE_INFINITY ? {} : BOUNDS
  for (let most = limit; ; ) {
    const answer = await retrieve(most, bounds)
    const text = render(clean === undefined ? answer : withTexts(answer, clean))
    if (text.length <= maxCharacters || most === 1) return text
    most = Math.max(1, Math.min(most >> 1, Math.floor((most * maxCharacters) / text.length)))
  }
}

export const retrievePlansTool = defineTool({
  name: 'retrieve_plans',
  description: 'What was done and is planned in a workspace.',
  unlisted: ['limit'],
  effect: 'reads',
  needs: 'workspaces',
  example: SCOPE_EXAMPLE,
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
  run: (memory, { scope, filters, limit = DEFAULT_LIMIT }, options = {}) => {
    const asked = askedScope(scope)
    return fitted(limit, options, {
      retrieve: (most, bounds) => retrievePlans(memory, { scope: asked, ...filters, limit: most }, bounds),
      render: renderPlans,
    })
  },
})

export const retrieveOverviewTool = defineTool({
  name: 'retrieve_overview',
  description: 'What a workspace, domain or repository is about.',
  unlisted: ['limit'],
  effect: 'reads',
  needs: 'workspaces',
  example: SCOPE_EXAMPLE,
  input: v.strictObject({ scope: scopeSchema, limit: limitSchema }),
  run: (memory, { scope, limit = DEFAULT_LIMIT }, options = {}) => {
    const asked = askedScope(scope)
    return fitted(limit, options, {
      retrieve: (most, bounds) => retrieveOverview(memory, { scope: asked, limit: most }, bounds),
      render: renderOverviews,
    })
  },
})

export const retrieveLearningsTool = defineTool({
  name: 'retrieve_learnings',
  description: 'Decisions and lessons of a workspace.',
  unlisted: ['limit'],
  effect: 'reads',
  needs: 'workspaces',
  example: SCOPE_EXAMPLE,
  input: v.strictObject({
    scope: scopeSchema,
    filters: v.optional(v.strictObject({ tags: v.optional(wordsSchema), category: v.optional(v.string()) })),
    limit: limitSchema,
  }),
  run: (memory, { scope, filters, limit = DEFAULT_LIMIT }, options = {}) => {
    const asked = askedScope(scope)
    return fitted(limit, options, {
      retrieve: (most, bounds) =>
        retrieveLearnings(memory, { scope: asked, ...filters, limit: most }, bounds),
      render: renderLearnings,
    })
  },
})
