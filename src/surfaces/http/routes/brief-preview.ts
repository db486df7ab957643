import * as v from 'valibot'
import type { Composed } from '../../../compose/composed.ts'
import { type BriefAnswer, promptBrief, startBrief } from '../../../features/brief/brief.ts'
import { briefOperation } from '../../../features/brief/verbs/brief.ts'
import { parseAgentName } from '../../../kernel/text/redaction/safe-names.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import { defineOperation, degradedSchema } from '../../../verbs/operation.ts'

/** The maximum number of candidates below the floor to return. */
const MAX_LEFT = 100
const LEFT_CHARACTERS = 400

const { compacted: _compacted, ...asked } = briefOperation.input.entries
const factorsSchema = v.exactOptional(
  v.pipe(
    v.record(v.string(), v.number()),
    v.description('relevance (of which words and meaning), and each factor it was multiplied by'),
  ),
)

export const briefPreviewOperation = defineOperation({
  name: 'brief preview',
  agent: 'reads',
  route: { at: 'POST /api/brief', access: 'read' },
  summary: 'Exactly what a host would be given for a prompt or a new session, and why',
  description:
    'It is not stored: it is not in the log of briefs, and does not count as injected. With a session, entries that were injected into that session are left out, as in a real brief.',
  positionals: [],
  input: v.object(asked),
  output: v.object({
    text: v.pipe(v.string(), v.description('Empty: nothing is relevant enough')),
    tokens: v.number(),
    host: v.nullable(v.string()),
    profile: v.pipe(v.string(), v.description('What the task was taken for')),
    floor: v.pipe(v.number(), v.description('The relevance that each retrieved entry needs')),
    isGeneral: v.pipe(
      v.boolean(),
      v.description('The prompt looks like a question of general knowledge: the floor is higher'),
    ),
    budget: v.object({
      total: v.pipe(v.number(), v.description('Tokens')),
      used: v.number(),
      tiers: v.pipe(
        v.array(v.object({ tier: v.string(), used: v.number(), items: v.number() })),
        v.description('By priority; only those with content'),
      ),
    }),
    items: v.array(
      v.object({
        id: v.exactOptional(v.string()),
        tier: v.string(),
        text: v.string(),
        tokens: v.number(),
        isCut: v.pipe(v.boolean(), v.description('Only a part of it fitted')),
        score: v.exactOptional(v.number()),
        factors: factorsSchema,
      }),
    ),
    left: v.pipe(
      v.array(
        v.object({
          id: v.exactOptional(v.string()),
          tier: v.exactOptional(v.string()),
          text: v.pipe(v.string(), v.description('The beginning of its text; empty if it is not an entry')),
          tokens: v.exactOptional(v.number()),
          why: v.string(),
          score: v.exactOptional(v.number()),
          factors: factorsSchema,
        }),
      ),
      v.description(`What was thought of and left out, at most ${MAX_LEFT}`),
    ),
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory, input) {
    const common = {
      ...(input.host !== undefined && { host: input.host }),
      ...(input.format !== undefined && { format: input.format }),
      ...(input.agent !== undefined && { agent: parseAgentName(input.agent) }),
      ...(input.session !== undefined && { session: input.session }),
      ...(input.remaining !== undefined && { remainingContext: input.remaining }),
    }
    const answer =
      input.start === true || input.prompt === undefined || input.prompt.trim() === ''
        ? await startBrief(memory, { ...common, ...(input.prompt !== undefined && { prompt: input.prompt }) })
        : await promptBrief(memory, {
            ...common,
            prompt: input.prompt,
            ...(input.files && { files: input.files }),
            ...(input.profile !== undefined && { profile: input.profile }),
          })
    const { brief } = answer
    const weighed = weighedById(answer)
    return {
      text: brief.text,
      tokens: brief.tokens,
      host: input.host ?? null,
      profile: answer.profile,
      floor: answer.floor,
      isGeneral: answer.isGeneral,
      budget: { total: answer.budgetTokens, used: brief.tokens, tiers: tiersOf(brief.included) },
      items: brief.included.map(({ id, tier, text, tokens, isCut }) => ({
        ...(id !== undefined && { id }),
        tier,
        text,
        tokens,
        isCut,
        ...(id !== undefined && weighed.get(id)),
      })),
      left: await leftOf(memory, answer, weighed),
      degraded: answer.degraded,
    }
  },
})

interface Weighed {
  readonly score: number
  readonly factors: Record<string, number>
}

function weighedById({ considered }: BriefAnswer): ReadonlyMap<string, Weighed> {
  return new Map(
    considered.map(({ entry, scored, factors, score }) => [
      entry.id,
      {
        score: rounded(score),
        factors: Object.fromEntries(
          Object.entries({
            relevance: scored.score,
            words: scored.words,
            meaning: scored.meaning,
            ...factors,
          }).map(([name, value]) => [name, rounded(value)]),
        ),
      },
    ]),
  )
}

function tiersOf(included: BriefAnswer['brief']['included']) {
  const tiers = new Map<string, { tier: string; used: number; items: number }>()
  for (const { tier, tokens } of included) {
    const own = tiers.get(tier) ?? { tier, used: 0, items: 0 }
    tiers.set(tier, { tier, used: own.used + tokens, items: own.items + 1 })
  }
  return [...tiers.values()]
}

async function leftOf(
  memory: Composed,
  { brief, considered, preferences }: BriefAnswer,
  weighed: ReadonlyMap<string, Weighed>,
) {
  const left: { readonly id?: string; readonly tier?: string; readonly why: string }[] = [
    ...brief.left.map(({ id, tier, reason }) => ({ ...(id !== undefined && { id }), tier, why: reason })),
    ...considered.flatMap(({ entry, cut }) =>
      cut === undefined ? [] : [{ id: entry.id, tier: 'retrieval', why: cut }],
    ),
  ].slice(0, MAX_LEFT)
  const entryById = await memory.search.loadEntries(left.flatMap(({ id }) => id ?? []))
  const textById = new Map([
    ...preferences.map(({ id, text }): [string, string] => [id, text]),
    ...considered.map(({ entry }): [string, string] => [entry.id, entry.content]),
    ...[...entryById].map(([id, { content }]): [string, string] => [id, content]),
  ])
  return left.map(({ id, tier, why }) => {
    const content = id === undefined ? undefined : textById.get(id)
    return {
      ...(id !== undefined && { id }),
      ...(tier !== undefined && { tier }),
      text: (content ?? '').slice(0, LEFT_CHARACTERS),
      ...(content !== undefined && { tokens: estimateTokens(content) }),
      why,
      ...(id !== undefined && weighed.get(id)),
    }
  })
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
