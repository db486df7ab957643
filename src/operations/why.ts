import * as v from 'valibot'
import { freshnessOf } from '../anchoring.ts'
import { type BriefAnswer, promptBrief } from '../brief.ts'
import { parseAgentId } from '../model/agent-id.ts'
import { CairnError } from '../model/errors.ts'
import type { Freshness } from '../model/freshness.ts'
import { FACTOR_NAMES } from '../pipeline/retrieve/factors.ts'
import { defineOperation, degradedSchema, documentSchema, freshnessSchema, list, text } from './operation.ts'

const MOST_SHOWN = 40

export const whyOperation = defineOperation({
  name: 'why',
  summary: 'Show why a prompt is given what it is given',
  description:
    'Every candidate with its relevance (words and meaning), each factor, the product, and for what was left out the reason. `cairn why --brief ID` asks again what a brief of `cairn briefs` was asked.',
  positionals: ['prompt'],
  input: v.object({
    prompt: v.optional(text('What the agent is asked')),
    brief: v.optional(text('A brief that was given, by its id')),
    agent: v.optional(text('Who asks (default: all vaults)')),
    files: v.optional(list('Files that are open in the editor')),
    profile: v.optional(text('What the task is (default: told from the prompt)')),
  }),
  output: v.object({
    prompt: v.string(),
    floor: v.pipe(v.number(), v.description('The relevance that an entry must have to be told')),
    general: v.pipe(
      v.boolean(),
      v.description('The prompt looks like a question of general knowledge: the floor is higher'),
    ),
    profile: v.string(),
    candidates: v.array(
      v.object({
        id: v.string(),
        score: v.number(),
        relevance: v.number(),
        words: v.number(),
        meaning: v.number(),
        factors: v.object(
          Object.fromEntries(FACTOR_NAMES.map(name => [name, v.number()])) as Record<
            (typeof FACTOR_NAMES)[number],
            v.NumberSchema<undefined>
          >,
        ),
        replaces: v.exactOptional(v.string()),
        replacedBy: v.exactOptional(v.string()),
        freshness: v.exactOptional(freshnessSchema),
        document: v.exactOptional(documentSchema),
        told: v.boolean(),
        reason: v.exactOptional(v.string()),
        date: v.string(),
        kind: v.string(),
        preview: v.string(),
      }),
    ),
    preferences: v.pipe(
      v.array(
        v.object({
          id: v.string(),
          told: v.boolean(),
          reason: v.exactOptional(v.string()),
          preview: v.string(),
        }),
      ),
      v.description('Of your own memory (--user), best first'),
    ),
    tokens: v.number(),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn why "why no websockets?"', does: 'each candidate with its factors' },
    { command: 'cairn why --brief 0mi8k2x9a4f1q --json', does: 'a brief of the log, asked again' },
  ],
  async run(engine, input) {
    const asked = input.brief === undefined ? undefined : await engine.briefs.find(input.brief)
    if (input.brief !== undefined && asked === undefined) throw briefNotFound(input.brief)
    const prompt = asked?.prompt ?? input.prompt ?? ''
    if (prompt.trim() === '') {
      throw new CairnError({
        code: 'query_empty',
        message: 'There is nothing to explain: no prompt was given.',
        hint: 'cairn why "…", or cairn why --brief with an id of `cairn briefs`.',
      })
    }
    const files = asked?.files ?? input.files
    const agent = input.agent ?? asked?.agent
    const profile = input.profile ?? asked?.profile
    const answer = await promptBrief(engine, {
      prompt,
      ...(agent !== undefined && { agent: parseAgentId(agent) }),
      ...(files && { files }),
      ...(profile !== undefined && { profile }),
    })
    const drifted = answer.considered.flatMap(({ entry, factors }) => (factors.drift < 1 ? [entry] : []))
    return {
      prompt,
      floor: answer.floor,
      general: answer.isGeneral,
      profile: answer.profile,
      candidates: candidatesOf(answer, await freshnessOf(engine, drifted)),
      preferences: preferencesOf(answer),
      tokens: answer.brief.tokens,
      degraded: answer.degraded,
    }
  },
})

function candidatesOf(
  { considered, documentById, brief }: BriefAnswer,
  freshness: ReadonlyMap<string, Freshness>,
) {
  const leftById = new Map(brief.left.map(({ id, reason }) => [id, reason]))
  const told = new Set(brief.included.map(({ id }) => id))
  return considered.slice(0, MOST_SHOWN).map(({ entry, scored, factors, score, cut }) => {
    const reason = told.has(entry.id) ? undefined : (cut ?? leftById.get(entry.id))
    const own = freshness.get(entry.id)
    const document = documentById.get(entry.id)
    return {
      id: entry.id,
      score: rounded(score),
      relevance: rounded(scored.score),
      words: rounded(scored.words),
      meaning: rounded(scored.meaning),
      factors: Object.fromEntries(FACTOR_NAMES.map(name => [name, rounded(factors[name])])) as typeof factors,
      ...(scored.replaces !== undefined && { replaces: scored.replaces }),
      ...(scored.replacedBy !== undefined && { replacedBy: scored.replacedBy }),
      ...(own && { freshness: own }),
      ...(document && { document }),
      told: told.has(entry.id),
      ...(reason !== undefined && { reason }),
      date: entry.date,
      kind: entry.kind,
      preview: entry.content.replace(/\s+/g, ' ').slice(0, 120),
    }
  })
}

function preferencesOf({ preferences, brief }: BriefAnswer) {
  const reasonById = new Map(brief.left.map(({ id, reason }) => [id, reason]))
  const told = new Set(brief.included.map(({ id }) => id))
  return preferences.map(({ id, text }) => {
    const reason = told.has(id) ? undefined : reasonById.get(id)
    return {
      id,
      told: told.has(id),
      ...(reason !== undefined && { reason }),
      preview: text.replace(/\s+/g, ' ').slice(0, 120),
    }
  })
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

function briefNotFound(id: string): CairnError {
  return new CairnError({
    code: 'brief_not_found',
    message: `There is no brief ${id} in the log.`,
    hint: '`cairn briefs` lists the last 200 that were given.',
  })
}
