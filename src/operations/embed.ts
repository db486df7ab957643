import * as v from 'valibot'
import { embedWaiting } from '../meaning.ts'
import { count, defineOperation, degradedSchema } from './operation.ts'

export const embedOperation = defineOperation({
  name: 'embed',
  summary: 'Make the vectors that search by meaning needs',
  description:
    'Every entry gets a vector beside its words. Cairn makes them a few at a time after an entry is kept; after a large import or a lost index this verb makes them all at once. It can be stopped at any time and goes on where it was.',
  positionals: [],
  input: v.object({
    limit: v.optional(count('Stop after so many entries', 10_000_000)),
  }),
  output: v.object({
    model: v.pipe(v.nullable(v.string()), v.description('null: no embedder is at hand')),
    embedded: v.number(),
    waiting: v.pipe(v.number(), v.description('Entries that still have no vector')),
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn embed', does: 'with a progress bar on a terminal' }],
  async run(engine, { limit }, { onProgress }) {
    await engine.store.refresh()
    const { embedded, waiting } = await embedWaiting(engine, {
      ...(limit !== undefined && { limit }),
      ...(onProgress && { onProgress: (done, total) => onProgress(done, total, 'vectors') }),
    })
    const embedder = await engine.semantics.embedder()
    return { model: embedder?.model ?? null, embedded, waiting, degraded: engine.semantics.takeDegraded() }
  },
})
