import * as v from 'valibot'
import { requireOwnEntry } from '../asking/own-entries.ts'
import type { Feedback } from '../engine.ts'
import { defineOperation, degradedSchema, entrySchema, recordSchema, text } from './operation.ts'
import { findTarget } from './target.ts'

const SAYINGS = ['useful', 'wrong', 'clear'] as const

export const feedbackOperation = defineOperation({
  name: 'feedback',
  summary: 'Say that an entry was useful, or wrong',
  description:
    'A useful entry comes earlier next time and counts as fetched; a wrong one comes later. Kept in curation.json, which a team shares; `clear` takes everything back that was said of an entry, and so does `cairn undo` for the last word.',
  positionals: ['target', 'saying'],
  input: v.object({
    target: text('The id, or words that only one entry fits'),
    saying: v.pipe(
      v.picklist(SAYINGS, `one of ${SAYINGS.join(', ')}`),
      v.description('useful, wrong, or clear'),
    ),
  }),
  output: v.object({
    entry: entrySchema,
    useful: v.number(),
    wrong: v.number(),
    record: recordSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn feedback 1773679871839-k3f9 useful', does: 'it helped' },
    { command: 'cairn feedback "sessions live in redis" wrong', does: 'it misled' },
  ],
  async run(engine, { target, saying }, { isAgent }) {
    const entry = await findTarget(engine, target)
    if (isAgent === true) requireOwnEntry(entry, `cairn feedback ${entry.id} ${saying}`)
    let said: Feedback = { useful: 0, wrong: 0 }
    const record = await engine.store.write(engine.actor, async view => {
      const before = await view.readDocument('curation.json')
      const { [entry.id]: known, ...others } = (await engine.feedback()) as Record<string, Feedback>
      const { useful = 0, wrong = 0 } = known ?? {}
      said =
        saying === 'clear'
          ? { useful: 0, wrong: 0 }
          : { useful: useful + Number(saying === 'useful'), wrong: wrong + Number(saying === 'wrong') }
      const feedback = saying === 'clear' ? others : { ...others, [entry.id]: said }
      return {
        action: 'feedback',
        changes: [{ type: 'document', name: 'curation.json', before, after: { ...before, feedback } }],
      }
    })
    if (saying === 'useful') await engine.store.recordAccess([entry.id])
    return { entry, ...said, record: record?.id ?? null, degraded: engine.store.takeDegraded() }
  },
})
