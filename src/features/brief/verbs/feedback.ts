import * as v from 'valibot'
import {
  defineOperation,
  degradedSchema,
  entrySchema,
  proposedSchema,
  recordSchema,
  text,
} from '../../../verbs/operation.ts'
import { isOwnEntry, proposeChange } from '../../agent-saves/propose-change.ts'
import { feedbackOn, withFeedback } from '../../entries/decide/curation.ts'
import { findTarget } from '../../entries/verbs/target.ts'
import { SAYINGS } from '../../review/decide/proposed-changes.ts'

export const feedbackOperation = defineOperation({
  name: 'feedback',
  group: 'Briefs',
  agent: 'own',
  worksForUser: true,
  after: ['upkeep'],
  route: { at: 'POST /api/entries/:target/feedback', access: 'write' },
  tool: {
    name: 'feedback',
    title: 'Feedback',
    description: 'Say that an entry helped or misled.',
    fields: { target: '', saying: '' },
    effect: 'writes',
    answer: async () => (await import('../../entries/present-to-agents.ts')).feedbackText,
  },
  summary: 'Say that an entry was useful, or wrong',
  description:
    'A useful entry ranks higher next time and counts as fetched; a wrong one ranks lower. Stored in local/curation.json, which git ignores. `clear` removes all feedback on an entry, and `cairn undo` removes the last one.',
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
    proposed: proposedSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn feedback 1773679871839-k3f9 useful', does: 'it helped' },
    { command: 'cairn feedback "sessions live in redis" wrong', does: 'it misled' },
  ],
  async run(memory, { target, saying }, { isAgent }) {
    const entry = await findTarget(memory, target)
    if (isAgent === true && !isOwnEntry(entry)) {
      const { id: proposed, record } = await proposeChange(memory, entry, { action: 'feedback', saying })
      const said = feedbackOn(await memory.store.readDocument('curation.json'), entry.id)
      return { entry, ...said, proposed, record, degraded: memory.store.takeDegraded() }
    }
    let said = { useful: 0, wrong: 0 }
    const record = await memory.store.write(memory.actor, async view => {
      const before = await view.readDocument('curation.json')
      const after = withFeedback(before, entry.id, saying)
      said = feedbackOn(after, entry.id)
      return { action: 'feedback', changes: [{ type: 'document', name: 'curation.json', before, after }] }
    })
    if (saying === 'useful') await memory.store.recordAccess([entry.id])
    return { entry, ...said, record: record?.id ?? null, degraded: memory.store.takeDegraded() }
  },
})
