import * as v from 'valibot'
import { freshnessOf } from '../anchoring.ts'
import { conflictMarks } from '../superseded.ts'
import {
  defineOperation,
  degradedSchema,
  entrySchema,
  freshnessSchema,
  marksSchema,
  text,
} from './operation.ts'
import { findTarget } from './target.ts'

export const showOperation = defineOperation({
  name: 'show',
  summary: 'Show one entry in full',
  positionals: ['target'],
  input: v.object({ target: text('The id, or words that only one entry fits') }),
  output: v.object({
    entry: entrySchema,
    marks: v.exactOptional(marksSchema),
    backlinks: v.pipe(v.number(), v.description('How many links of other entries lead to it')),
    freshness: v.exactOptional(
      v.pipe(freshnessSchema, v.description('Of an entry that is anchored to files')),
    ),
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn show 1773679871839-k3f9', does: 'by id' }],
  async run(engine, { target }) {
    const entry = await findTarget(engine, target)
    await engine.store.recordAccess([entry.id])
    const backlinks = (await engine.graph.backlinksOf(entry.id)).filter(({ by }) => by === 'entry').length
    const marks = (await conflictMarks(engine, [entry.id])).get(entry.id)
    const freshness = (await freshnessOf(engine, [entry])).get(entry.id)
    return {
      entry,
      ...(marks !== undefined && { marks }),
      backlinks,
      ...(freshness !== undefined && { freshness }),
      degraded: engine.store.takeDegraded(),
    }
  },
})
