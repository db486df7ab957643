import * as v from 'valibot'
import { type Entry, isPinnedByAgent, isPinnedByPerson, withPinnedBy } from '../../../kernel/model/entry.ts'
import type { Degradation } from '../../../kernel/model/search.ts'
import { MAX_PINNED } from '../../../kernel/model/selection.ts'
import {
  defineOperation,
  degradedSchema,
  entrySchema,
  flag,
  proposedSchema,
  recordSchema,
  text,
} from '../../../verbs/operation.ts'
import { isOwnEntry, proposeChange } from '../../agent-saves/propose-change.ts'
import { changeEntry } from '../write-entries.ts'
import { findTarget } from './target.ts'

export const pinOperation = defineOperation({
  name: 'pin',
  group: 'Remember',
  agent: 'own',
  worksForUser: true,
  after: ['upkeep'],
  route: { at: 'POST /api/entries/:target/pin', access: 'write' },
  tool: {
    name: 'pin',
    title: 'Pin',
    description: 'Inject an entry into every brief; off unpins.',
    fields: { target: '', off: '' },
    effect: 'writes',
    isIdempotent: true,
    // For a person it is a switch; an agent that pins twice means it.
    defaults: { off: false },
    answer: async () => (await import('../present-to-agents.ts')).pinnedEntry,
  },
  summary: 'Pin an entry, or unpin one that is pinned',
  description: 'A pinned entry never fades, is never retired, and is always injected.',
  positionals: ['target'],
  input: v.object({
    target: text('The id, or words that only one entry fits'),
    off: v.optional(flag('Unpin, whatever its state; --no-off pins')),
  }),
  output: v.object({
    entry: entrySchema,
    pinned: v.boolean(),
    record: recordSchema,
    proposed: proposedSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn pin "auth middleware"', does: 'by words' },
    { command: 'cairn pin --off 1773679871839-k3f9', does: 'unpin' },
  ],
  async run(memory, { target, off }, { isAgent }) {
    const found = await findTarget(memory, target)
    // A person who pins an entry that an agent pinned takes over the pin.
    const isPinned = (entry: Entry) =>
      isAgent === true ? entry.status === 'pinned' : isPinnedByPerson(entry)
    const pinned = off === undefined ? !isPinned(found) : !off
    if (isAgent === true && !isOwnEntry(found) && isPinned(found) !== pinned) {
      const asked = { action: pinned ? 'pin' : 'unpin' } as const
      const { id: proposed, record } = await proposeChange(memory, found, asked)
      return { entry: found, pinned: !pinned, proposed, record, degraded: memory.store.takeDegraded() }
    }
    const { after, record } = await changeEntry(memory, found.id, pinned ? 'pin' : 'unpin', entry => {
      if (!pinned) return unpinned(entry)
      if (isPinned(entry)) return entry
      return withPinnedBy({ ...entry, status: 'pinned' }, isAgent === true ? 'agent' : 'person')
    })
    if (after === null) throw new Error('a pin leaves an entry')
    const { byStatus } = await memory.store.counts()
    const over = pinned ? pinsOver(byStatus.pinned ?? 0) : []
    return {
      entry: after,
      pinned,
      record: record?.id ?? null,
      degraded: [...memory.store.takeDegraded(), ...over],
    }
  },
})

/** Briefs take the most important ones; the others are never injected as pinned. */
export function pinsOver(count: number): Degradation[] {
  if (count <= MAX_PINNED) return []
  const message = `${count} entries are pinned, and a brief takes the ${MAX_PINNED} most important. Unpin others: \`cairn list --status pinned\`.`
  return [{ code: 'pins_over', message }]
}

/** Unpinning confirms nothing: an agent's pin leaves the candidate that it was. */
function unpinned(entry: Entry): Entry {
  if (entry.status !== 'pinned') return entry
  return withPinnedBy({ ...entry, status: isPinnedByAgent(entry) ? 'candidate' : 'confirmed' }, 'person')
}
