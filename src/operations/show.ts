import * as v from 'valibot'
import { defineOperation, degradedSchema, entrySchema, marksSchema, text } from './operation.ts'
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
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn show 1773679871839-k3f9', does: 'by id' }],
  async run(engine, { target }) {
    const entry = await findTarget(engine, target)
    await engine.store.recordAccess([entry.id])
    const backlinks = (await engine.graph.backlinksOf(entry.id)).filter(({ by }) => by === 'entry').length
    const marks = (await engine.sources.marks([entry.id])).get(entry.id)
    return {
      entry,
      ...(marks !== undefined && { marks }),
      backlinks,
      degraded: engine.store.takeDegraded(),
    }
  },
})
