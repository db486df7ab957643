import * as v from 'valibot'
import { requireOwnEntry } from '../asking/own-entries.ts'
import { changeEntry } from '../engine.ts'
import { defineOperation, degradedSchema, entrySchema, flag, recordSchema, text } from './operation.ts'
import { findTarget } from './target.ts'

export const pinOperation = defineOperation({
  name: 'pin',
  summary: 'Pin an entry, or unpin one that is pinned',
  description: 'A pinned entry never fades, is never retired, and is always among what agents are told.',
  positionals: ['target'],
  input: v.object({
    target: text('The id, or words that only one entry fits'),
    off: v.optional(flag('Unpin, whatever it is now; --no-off pins')),
  }),
  output: v.object({
    entry: entrySchema,
    pinned: v.boolean(),
    record: recordSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn pin "auth middleware"', does: 'by words' },
    { command: 'cairn pin --off 1773679871839-k3f9', does: 'unpin' },
  ],
  async run(engine, { target, off }, { isAgent }) {
    const found = await findTarget(engine, target)
    if (isAgent === true) requireOwnEntry(found, `cairn pin ${found.id}`)
    // Only a person confirms.
    const unpinned = isAgent === true ? 'candidate' : 'confirmed'
    const pinned = off === undefined ? found.status !== 'pinned' : !off
    const { after, record } = await changeEntry(engine, found.id, pinned ? 'pin' : 'unpin', entry =>
      (entry.status === 'pinned') === pinned ? entry : { ...entry, status: pinned ? 'pinned' : unpinned },
    )
    if (after === null) throw new Error('a pin leaves an entry')
    return { entry: after, pinned, record: record?.id ?? null, degraded: engine.store.takeDegraded() }
  },
})
