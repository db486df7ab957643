import * as v from 'valibot'
import {
  defineOperation,
  degradedSchema,
  entrySchema,
  flag,
  proposedSchema,
  text,
} from '../../../verbs/operation.ts'
import { isOwnEntry, proposeChange } from '../../agent-saves/propose-change.ts'
import { changeEntry } from '../write-entries.ts'
import { findTarget } from './target.ts'

export const forgetOperation = defineOperation({
  name: 'forget',
  group: 'Remember',
  agent: 'own',
  worksForUser: true,
  after: ['upkeep'],
  route: { at: 'DELETE /api/entries/:target', access: 'write' },
  tool: {
    name: 'forget',
    title: 'Forget',
    description: 'Remove a wrong entry.',
    fields: { target: '' },
    effect: 'removes',
    isIdempotent: true,
    answer: async () => (await import('../present-to-agents.ts')).forgotten,
  },
  summary: 'Remove an entry; `cairn undo` brings it back',
  positionals: ['target'],
  input: v.object({
    target: text('The id, or words that only one entry fits'),
    dryRun: v.optional(flag('Show what would be removed, and remove nothing')),
  }),
  output: v.object({
    entry: entrySchema,
    removed: v.boolean(),
    record: v.pipe(
      v.nullable(v.string()),
      v.description('The journal record; `cairn undo <record>` reverts it'),
    ),
    proposed: proposedSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn forget 1773679871839-k3f9', does: 'by id' },
    { command: 'cairn forget "old deploy script"', does: 'by words: asks when several fit' },
  ],
  async run(memory, { target, dryRun }, { isAgent }) {
    const entry = await findTarget(memory, target)
    if (isAgent === true && dryRun !== true && !isOwnEntry(entry)) {
      const { id: proposed, record } = await proposeChange(memory, entry, { action: 'forget' })
      return { entry, removed: false, proposed, record, degraded: memory.store.takeDegraded() }
    }
    if (dryRun === true) return { entry, removed: false, record: null, degraded: memory.store.takeDegraded() }
    const { before, record } = await changeEntry(memory, entry.id, 'remove', () => null)
    return { entry: before, removed: true, record: record?.id ?? null, degraded: memory.store.takeDegraded() }
  },
})
