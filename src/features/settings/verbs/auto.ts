import * as v from 'valibot'
import { defineOperation, degradedSchema, recordSchema } from '../../../verbs/operation.ts'
import { changeSetting } from './config.ts'

export const autoOperation = defineOperation({
  name: 'auto',
  group: 'Maintenance',
  agent: 'free',
  route: { at: 'PUT /api/auto', access: 'write', onHub: 'admin' },
  summary: 'Show or switch whether closed sessions leave suggestions and handoffs',
  description:
    'Off, only what was marked #remember is kept of a session (`memory.auto`). What is remembered by hand is kept either way.',
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
    { command: 'cairn auto off', does: 'sessions leave only what was marked' },
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
