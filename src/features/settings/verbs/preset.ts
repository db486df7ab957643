import * as v from 'valibot'
import { PRESETS } from '../../../kernel/model/memory-words.ts'
import { defineOperation, degradedSchema, recordSchema } from '../../../verbs/operation.ts'
import { PROMOTION_PRESETS } from '../../learning/decide/score-finding.ts'
import { changeSetting } from './config.ts'

const presetName = v.picklist(PRESETS, `one of ${PRESETS.join(', ')}`)

export const presetOperation = defineOperation({
  name: 'preset',
  group: 'Maintenance',
  agent: 'free',
  route: { at: 'PUT /api/preset', access: 'write', onHub: 'admin' },
  summary: 'Show or set which suggestions are shown',
  description:
    'The preset hides findings that are too short or matter too little; those with its points or more come first in `cairn review` (`promotion.preset`). No preset makes an entry of a finding.',
  positionals: ['preset'],
  input: v.object({ preset: v.optional(v.pipe(presetName, v.description(PRESETS.join(', ')))) }),
  output: v.object({
    preset: presetName,
    points: v.pipe(v.number(), v.description('From so many points on a suggestion is listed first')),
    changed: v.boolean(),
    record: recordSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn preset', does: 'which one is set' },
    { command: 'cairn preset conservative', does: 'show fewer suggestions' },
  ],
  async run(memory, { preset }) {
    const { isChanged, record } = await changeSetting(memory, 'promotion.preset', preset)
    const holds = (await memory.config())['promotion.preset']
    return {
      preset: holds,
      points: PROMOTION_PRESETS[holds].leastPoints,
      changed: isChanged,
      record,
      degraded: memory.store.takeDegraded(),
    }
  },
})
