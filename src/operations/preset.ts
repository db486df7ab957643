import * as v from 'valibot'
import { PRESETS } from '../model/memory-words.ts'
import { PROMOTION_PRESETS } from '../pipeline/promote/score-finding.ts'
import { changeSetting } from './config.ts'
import { defineOperation, degradedSchema, recordSchema } from './operation.ts'

const presetName = v.picklist(PRESETS, `one of ${PRESETS.join(', ')}`)

export const presetOperation = defineOperation({
  name: 'preset',
  summary: 'Show or set how much must speak for a finding before it becomes an entry',
  description:
    'Every finding of a session gets points (ADR 13); with fewer than the preset asks for it waits in `cairn review` (`promotion.preset`).',
  positionals: ['preset'],
  input: v.object({ preset: v.optional(v.pipe(presetName, v.description(PRESETS.join(', ')))) }),
  output: v.object({
    preset: presetName,
    points: v.pipe(v.number(), v.description('What a finding needs at least')),
    changed: v.boolean(),
    record: recordSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn preset', does: 'which one holds' },
    { command: 'cairn preset conservative', does: 'fewer findings become entries by themselves' },
  ],
  async run(engine, { preset }) {
    const { isChanged, record } = await changeSetting(engine, 'promotion.preset', preset)
    const holds = (await engine.config())['promotion.preset']
    return {
      preset: holds,
      points: PROMOTION_PRESETS[holds].leastPoints,
      changed: isChanged,
      record,
      degraded: engine.store.takeDegraded(),
    }
  },
})
