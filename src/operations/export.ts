import * as v from 'valibot'
import { parseFilter } from './entry-filter.ts'
import { defineOperation, entrySchema, filterFields } from './operation.ts'

const EVERYTHING = 10_000_000

export const exportOperation = defineOperation({
  name: 'export',
  summary: 'Print entries as JSONL, in the form that import takes',
  positionals: [],
  input: v.object(filterFields),
  output: v.object({ entries: v.array(entrySchema) }),
  examples: [
    { command: 'cairn export > memory.jsonl', does: 'everything' },
    { command: 'cairn export --agent dev --category decisions', does: 'a part' },
  ],
  async run(engine, fields) {
    const { entries } = await engine.store.listEntries({
      filter: parseFilter(fields),
      limit: EVERYTHING,
      offset: 0,
    })
    // Oldest first, so that an import gives them the same order.
    return { entries: entries.reverse() }
  },
})
