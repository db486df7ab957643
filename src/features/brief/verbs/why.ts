import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Freshness } from '../../../kernel/model/freshness.ts'
import type { TierName } from '../../../kernel/model/selection.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../../kernel/text/redaction/redaction-options.ts'
import { parseAgentName } from '../../../kernel/text/redaction/safe-names.ts'
import {
  defineOperation,
  degradedSchema,
  documentSchema,
  flag,
  freshnessSchema,
  list,
  text,
} from '../../../verbs/operation.ts'
import { freshnessOf } from '../../freshness/anchoring.ts'
import { FACTOR_NAMES } from '../../search/decide/factors.ts'
import { type BriefAnswer, promptBrief, startBrief } from '../brief.ts'
import type { PromptPorts } from '../decide/ports.ts'

const MAX_SHOWN = 40

export const whyOperation = defineOperation({
  name: 'why',
  group: 'Briefs',
  agent: 'reads',
  route: { at: 'POST /api/why', access: 'read' },
  tool: {
    name: 'why',
    title: 'Why a brief',
    description: 'Why a prompt gets its entries: what was considered, and what was cut.',
    fields: { prompt: '', brief: 'The id of one that was given', files: '' },
    effect: 'reads',
    agentField: 'agent',
    isExtra: true,
  },
  summary: 'Show why a prompt, or a new session, is given what it is given',
  description:
    'Every candidate with its relevance (words and meaning), each factor, the product, and the reason if it was left out. `cairn why --brief ID` repeats a brief of `cairn briefs`. `cairn why --start` explains the brief of a new session: every item with its reason, and what was left out.',
  positionals: ['prompt'],
  input: v.object({
    prompt: v.optional(text('The prompt of the agent; with --start, the subject of the session')),
    start: v.optional(flag('Explain the brief of a new session instead of a prompt')),
    brief: v.optional(text('A brief that was given, by its id')),
    agent: v.optional(text('The agent that asks (default: all vaults)')),
    files: v.optional(list('Files that are open in the editor')),
    profile: v.optional(text('The kind of task (default: detected from the prompt)')),
  }),
  output: v.object({
    prompt: v.string(),
    floor: v.pipe(v.number(), v.description('The relevance that each entry needs')),
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
    items: v.pipe(
      v.array(
        v.object({
          id: v.exactOptional(v.string()),
          tier: v.string(),
          told: v.boolean(),
          reason: v.string(),
          preview: v.string(),
        }),
      ),
      v.description(
        'With --start: every item of the brief with its reason, and every omitted item with its reason',
      ),
    ),
    tokens: v.number(),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn why "why no websockets?"', does: 'each candidate with its factors' },
    { command: 'cairn why --brief 0mi8k2x9a4f1q --json', does: 'a brief of the log, asked again' },
    { command: 'cairn why --start "review the login flow"', does: 'the brief of a session about that' },
  ],
  async run(memory, input) {
    const asked = input.brief === undefined ? undefined : await memory.briefs.find(input.brief)
    if (input.brief !== undefined && asked === undefined) throw briefNotFound(input.brief)
    const prompt = redact(asked?.prompt ?? input.prompt ?? '', redactionOptions(await memory.config())).text
    const agent = input.agent ?? asked?.agent
    if (input.start === true || asked?.kind === 'start') return explainStart(memory, prompt, agent)
    if (prompt.trim() === '') {
      throw new CairnError({
        code: 'query_empty',
        message: 'There is nothing to explain: no prompt was given.',
        hint: 'cairn why "…", cairn why --start, or cairn why --brief with an id of `cairn briefs`.',
      })
    }
    const files = asked?.files ?? input.files
    const profile = input.profile ?? asked?.profile
    const answer = await promptBrief(memory, {
      prompt,
      ...(agent !== undefined && { agent: parseAgentName(agent) }),
      ...(files && { files }),
      ...(profile !== undefined && { profile }),
      // The log has what hosts received, in a session.
      isInSession: asked !== undefined,
    })
    const drifted = answer.considered.flatMap(({ entry, factors }) => (factors.drift < 1 ? [entry] : []))
    return {
      prompt,
      floor: answer.floor,
      general: answer.isGeneral,
      profile: answer.profile,
      candidates: candidatesOf(answer, await freshnessOf(memory, drifted)),
      preferences: preferencesOf(answer),
      items: [],
      tokens: answer.brief.tokens,
      degraded: answer.degraded,
    }
  },
})

const REASONS: Readonly<Record<TierName, string>> = {
  'always-inject': 'pinned: in every brief',
  preferences: 'your own preference, in every project',
  rules: 'a standing rule',
  handoff: 'the last handoff',
  tasks: 'an open task',
  decisions: 'a decision that matches the subject of the session',
  lessons: 'a lesson that matches the subject of the session',
  recovery: 'from the last session, which was never closed',
  project: 'the text of .memory/_project.md',
  'context-bridge': 'saved in this session by another agent',
  retrieval: 'fits the prompt',
  'session-summary': 'left from the last session',
}

async function explainStart(memory: Memory & PromptPorts, prompt: string, agent: string | undefined) {
  const answer = await startBrief(memory, {
    ...(prompt.trim() !== '' && { prompt }),
    ...(agent !== undefined && { agent: parseAgentName(agent) }),
  })
  const { brief, considered, preferences } = answer
  const left = [
    ...brief.left,
    ...considered.flatMap(({ entry, cut }) =>
      cut === undefined || brief.left.some(({ id }) => id === entry.id)
        ? []
        : [{ id: entry.id, tier: entry.category, reason: cut }],
    ),
  ].filter(({ id }) => !brief.included.some(item => item.id === id))
  const entryById = await memory.search.loadEntries(left.flatMap(({ id }) => id ?? []))
  const ownById = new Map(preferences.map(({ id, text: words }) => [id, words]))
  return {
    prompt,
    floor: rounded(answer.floor),
    general: answer.isGeneral,
    profile: answer.profile,
    candidates: candidatesOf(answer, new Map()),
    preferences: preferencesOf(answer),
    items: [
      ...brief.included.map(({ id, tier, text: words, provenance, isCut }) => ({
        ...(id !== undefined && { id }),
        tier,
        told: true,
        reason: [
          REASONS[tier],
          ...(provenance?.status === 'candidate' ? ['unconfirmed'] : []),
          ...(isCut ? ['cut to fit'] : []),
        ].join(', '),
        preview: previewOf(words),
      })),
      ...left.map(({ id, tier, reason }) => ({
        ...(id !== undefined && { id }),
        tier,
        told: false,
        reason,
        preview: previewOf(id === undefined ? '' : (entryById.get(id)?.content ?? ownById.get(id) ?? '')),
      })),
    ],
    tokens: brief.tokens,
    degraded: answer.degraded,
  }
}

function previewOf(words: string): string {
  return words.replace(/\s+/g, ' ').trim().slice(0, 120)
}

function candidatesOf(
  { considered, documentById, brief }: BriefAnswer,
  freshness: ReadonlyMap<string, Freshness>,
) {
  const leftById = new Map(brief.left.map(({ id, reason }) => [id, reason]))
  const told = new Set(brief.included.map(({ id }) => id))
  return considered.slice(0, MAX_SHOWN).map(({ entry, scored, factors, score, cut }) => {
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
      preview: previewOf(entry.content),
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
      preview: previewOf(text),
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
