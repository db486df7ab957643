import * as v from 'valibot'
import { CONFIG_KEYS } from '../../../kernel/model/config-keys.ts'
import { PRESETS } from '../../../kernel/model/memory-words.ts'
import { defineOperation, degradedSchema, recordSchema, text } from '../../../verbs/operation.ts'
import { PROMOTION_PRESETS } from '../../learning/decide/score-finding.ts'
import { changeSetting } from './config.ts'

const LOOKED_AT = 50
const SHOWN = 5

export const budgetOperation = defineOperation({
  name: 'budget',
  group: 'Maintenance',
  agent: 'free',
  route: { at: 'PUT /api/budget', access: 'write', onHub: 'admin' },
  summary: 'Show or set the maximum tokens of a brief, and the use of the last ones',
  description:
    'A brief uses at most 8 % of the remaining context, and never more than this (`brief.maxTokens`).',
  positionals: ['tokens'],
  input: v.object({
    tokens: v.optional(
      text(
        `The new limit, ${CONFIG_KEYS['brief.maxTokens'].min} to ${CONFIG_KEYS['brief.maxTokens'].max}; default restores ${CONFIG_KEYS['brief.maxTokens'].default}`,
      ),
    ),
  }),
  output: v.object({
    maxTokens: v.number(),
    default: v.pipe(v.boolean(), v.description('True: not configured')),
    changed: v.boolean(),
    record: recordSchema,
    briefs: v.pipe(
      v.object({
        count: v.number(),
        mean: v.pipe(v.number(), v.description('Mean tokens of a brief, without silent ones')),
        most: v.number(),
        last: v.array(
          v.object({ at: v.string(), kind: v.picklist(['start', 'prompt']), tokens: v.number() }),
        ),
      }),
      v.description(`The last ${LOOKED_AT} briefs that hosts received`),
    ),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn budget', does: 'the limit, and the tokens of the last briefs' },
    { command: 'cairn budget 2000', does: 'briefs of at most 2,000 tokens' },
    { command: 'cairn budget default', does: 'restore the default' },
  ],
  async run(memory, { tokens }) {
    const changed = await changeSetting(
      memory,
      'brief.maxTokens',
      tokens?.replace(/(?<=\d)[,_.](?=\d{3}\b)/g, ''),
    )
    await memory.store.refresh()
    const briefs = await memory.briefs.list(LOOKED_AT)
    const sizes = briefs.flatMap(brief => (brief.tokens > 0 ? [brief.tokens] : []))
    return {
      maxTokens: (await memory.config())['brief.maxTokens'],
      default: changed.isDefault,
      changed: changed.isChanged,
      record: changed.record,
      briefs: {
        count: briefs.length,
        mean: sizes.length === 0 ? 0 : Math.round(sizes.reduce((sum, one) => sum + one, 0) / sizes.length),
        most: Math.max(0, ...sizes),
        last: briefs.slice(0, SHOWN).map(({ at, kind, tokens: taken }) => ({ at, kind, tokens: taken })),
      },
      degraded: memory.store.takeDegraded(),
    }
  },
})

export const autoOperation = defineOperation({
  name: 'auto',
  group: 'Maintenance',
  agent: 'free',
  route: { at: 'PUT /api/auto', access: 'write', onHub: 'admin' },
  summary: 'Show or set whether closed sessions leave suggestions and handoffs',
  description:
    'With off, a session stores only texts marked #remember (`memory.auto`). `cairn remember` works either way.',
  positionals: ['state'],
  input: v.object({
    state: v.optional(v.pipe(v.picklist(['on', 'off'], 'on or off'), v.description('on or off'))),
  }),
  output: v.object({
    auto: v.boolean(),
    changed: v.boolean(),
    record: recordSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn auto', does: 'whether it is on' },
    { command: 'cairn auto off', does: 'sessions store only marked texts' },
  ],
  async run(memory, { state: wanted }) {
    const value = wanted === undefined ? undefined : String(wanted === 'on')
    const { isChanged, record } = await changeSetting(memory, 'memory.auto', value)
    return {
      auto: (await memory.config())['memory.auto'],
      changed: isChanged,
      record,
      degraded: memory.store.takeDegraded(),
    }
  },
})

const presetName = v.picklist(PRESETS, `one of ${PRESETS.join(', ')}`)

export const presetOperation = defineOperation({
  name: 'preset',
  group: 'Maintenance',
  agent: 'free',
  route: { at: 'PUT /api/preset', access: 'write', onHub: 'admin' },
  summary: 'Show or set which suggestions are shown',
  description:
    'The preset hides findings that are too short or not important enough; findings with at least its points come first in `cairn review` (`promotion.preset`). No preset turns a finding into an entry.',
  positionals: ['preset'],
  input: v.object({ preset: v.optional(v.pipe(presetName, v.description(PRESETS.join(', ')))) }),
  output: v.object({
    preset: presetName,
    points: v.pipe(v.number(), v.description('A suggestion with at least this many points is listed first')),
    changed: v.boolean(),
    record: recordSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn preset', does: 'the current preset' },
    { command: 'cairn preset conservative', does: 'show fewer suggestions' },
  ],
  async run(memory, { preset }) {
    const { isChanged, record } = await changeSetting(memory, 'promotion.preset', preset)
    const current = (await memory.config())['promotion.preset']
    return {
      preset: current,
      points: PROMOTION_PRESETS[current].minPoints,
      changed: isChanged,
      record,
      degraded: memory.store.takeDegraded(),
    }
  },
})
