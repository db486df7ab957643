import * as v from 'valibot'
import { addressSchema } from '../../../features/status/verbs/link-view.ts'
import { defineOperation, degradedSchema, flag } from '../../../verbs/operation.ts'
import { lookAtHub, syncWithHub } from '../sync-with-hub.ts'

const ids = (description: string) => v.pipe(v.array(v.string()), v.readonly(), v.description(description))

export const syncOperation = defineOperation({
  name: 'sync',
  group: 'Import, export and sync',
  agent: 'reports',
  runs: 'checkout',
  summary: 'Carry over what changed here and on the hub that this project is linked to',
  description:
    'What was changed on one side goes to the other; different parts of an entry that were changed on both are joined. Where both say something else, the hub’s version keeps its id and yours stays as an entry of its own: `cairn conflicts` shows the two. An edit stays where the other side removed the entry. Broken off, the next sync goes on where it was. Many entries that are gone here at once are not removed there unless you say so.',
  positionals: [],
  input: v.object({
    dryRun: v.optional(flag('Show what would be carried over, and do nothing')),
    allowRemovals: v.optional(flag('Go on although many entries are gone here at once')),
  }),
  output: v.object({
    link: addressSchema,
    dryRun: v.boolean(),
    sent: v.pipe(v.number(), v.description('Entries that the hub has as they are here')),
    received: v.pipe(v.number(), v.description('Entries that are here as the hub has them')),
    removed: v.pipe(
      v.number(),
      v.description('Of those that were received: removed here, as they are on the hub'),
    ),
    merged: v.pipe(v.number(), v.description('Entries of which both sides had changed a part')),
    documents: v.pipe(
      v.number(),
      v.description('Shared documents that went over, either way: the text of the project, what was curated'),
    ),
    conflicts: v.pipe(
      v.array(v.object({ id: v.string(), kept: v.string() })),
      v.readonly(),
      v.description('Changed on both sides: the entry as the hub has it, and the one that yours is kept as'),
    ),
    revived: v.pipe(
      v.array(v.object({ id: v.string(), side: v.picklist(['ours', 'theirs']) })),
      v.readonly(),
      v.description('Edited on one side and removed on the other: the edit stays'),
    ),
    settled: ids(
      'Places of shared documents that both sides had set: the hub’s value counts, or both lines stand',
    ),
    withheld: v.pipe(
      v.array(
        v.object({
          id: v.string(),
          why: v.picklist(['secret', 'too_large', 'refused', 'not_shared', 'unsound', 'secret_there']),
        }),
      ),
      v.readonly(),
      v.description(
        'What did not leave because it holds a secret or is too large, or what one side did not take',
      ),
    ),
    isReadOnly: v.pipe(v.boolean(), v.description('The token may only read: what waits here was not sent')),
    held: v.pipe(
      v.nullable(v.object({ gone: v.number(), of: v.number() })),
      v.description('So many entries are gone here at once that they were not removed on the hub'),
    ),
    isRestless: v.pipe(v.boolean(), v.description('Something is left for the next sync')),
    records: ids('What `cairn undo <record>` takes back here'),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn sync', does: 'both ways' },
    { command: 'cairn sync --dry-run', does: 'what waits on either side' },
  ],
  async run(memory, { dryRun = false, allowRemovals = false }, { onProgress }) {
    if (dryRun) {
      const { address, changed, removed, documents, incoming, held } = await lookAtHub(memory)
      return {
        ...NOTHING,
        link: { url: address.url, project: address.project, since: address.since },
        dryRun,
        sent: changed.length + removed.length,
        documents: documents.length,
        received: incoming.length,
        held,
        degraded: memory.store.takeDegraded(),
      }
    }
    const { address, ...done } = await syncWithHub(memory, {
      allowRemovals,
      ...(onProgress && { onProgress }),
    })
    return {
      ...done,
      link: { url: address.url, project: address.project, since: address.since },
      dryRun,
      degraded: [...memory.store.takeDegraded(), ...memory.semantics.takeDegraded()],
    }
  },
})

const NOTHING = {
  removed: 0,
  merged: 0,
  conflicts: [],
  revived: [],
  settled: [],
  withheld: [],
  isReadOnly: false,
  isRestless: false,
  records: [],
}
