import * as v from 'valibot'
import { freshOperation, writeMovedPaths } from '../../../features/freshness/verbs/fresh.ts'
import { defineOperation, flag } from '../../../verbs/operation.ts'

const { fixed: _fixed, written: _written, ...snapshot } = freshOperation.output.entries

export const freshListOperation = defineOperation({
  name: 'fresh list',
  agent: 'reads',
  route: { name: 'fresh', at: 'GET /api/fresh', access: 'read' },
  summary: 'Entries whose files changed a lot, moved or are gone',
  positionals: [],
  input: v.object({}),
  output: v.object(snapshot),
  examples: [],
  async run(memory, _input, context) {
    const { fixed: _none, written: _nothing, ...found } = await freshOperation.run(memory, {}, context)
    return found
  },
})

export const freshFixOperation = defineOperation({
  name: 'fresh fix',
  agent: 'person',
  route: { at: 'POST /api/fresh', access: 'write' },
  summary: 'Write the new paths of moved files into the entries that name them',
  positionals: [],
  input: v.object({ dryRun: v.optional(flag('Count them without changing anything')) }),
  output: v.object({
    ...freshOperation.output.entries,
    record: v.pipe(
      v.nullable(v.string()),
      v.description('The journal record for `undo`; null: nothing was written'),
    ),
  }),
  examples: [],
  async run(memory, { dryRun = false }, context) {
    const found = await freshOperation.run(memory, { fixRenames: true, dryRun: true }, context)
    if (dryRun) return { ...found, record: null }
    const { written, record } = await writeMovedPaths(memory, found.entries)
    return { ...found, fixed: written, written: written > 0, record: record?.id ?? null }
  },
})
