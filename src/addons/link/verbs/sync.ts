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
  summary: 'Sync this project with its hub',
  description:
    'Transfers the changes of each side to the other, and merges changes to different parts of an entry. If both sides changed the same part, the hub’s version keeps the id and yours becomes a separate entry: `cairn conflicts` shows both. An edit wins over a removal. An interrupted sync resumes at the next one. If many entries were removed here together, they are not removed on the hub without --allow-removals.',
  positionals: [],
  input: v.object({
    dryRun: v.optional(flag('Show what would be transferred, and change nothing')),
    allowRemovals: v.optional(flag('Remove entries on the hub even if many were removed here together')),
  }),
  output: v.object({
    link: addressSchema,
    dryRun: v.boolean(),
    sent: v.pipe(v.number(), v.description('Entries sent to the hub')),
    received: v.pipe(v.number(), v.description('Entries received from the hub')),
    removed: v.pipe(v.number(), v.description('Of the received entries: removed here, as on the hub')),
    merged: v.pipe(v.number(), v.description('Entries merged from changes of both sides')),
    documents: v.pipe(
      v.number(),
      v.description('Shared documents sent or received: the project text and the curation file'),
    ),
    conflicts: v.pipe(
      v.array(v.object({ id: v.string(), kept: v.string() })),
      v.readonly(),
      v.description('Changed on both sides: the id of the hub’s version, and the id of yours'),
    ),
    revived: v.pipe(
      v.array(v.object({ id: v.string(), side: v.picklist(['ours', 'theirs']) })),
      v.readonly(),
      v.description('Edited on one side and removed on the other: the edit stays'),
    ),
    settled: ids(
      'Places of shared documents that both sides changed: the hub’s value counts, or both lines are included',
    ),
    withheld: v.pipe(
      v.array(
        v.object({
          id: v.string(),
          why: v.picklist(['secret', 'too_large', 'refused', 'not_shared', 'unsound', 'secret_there']),
        }),
      ),
      v.readonly(),
      v.description('Entries not sent because of a secret or their size, or rejected by one side'),
    ),
    isReadOnly: v.pipe(v.boolean(), v.description('The token may only read: local changes were not sent')),
    held: v.pipe(
      v.nullable(v.object({ gone: v.number(), of: v.number() })),
      v.description('Too many entries were removed here together: they were not removed on the hub'),
    ),
    isRestless: v.pipe(v.boolean(), v.description('Whether changes are left for the next sync')),
    records: ids('Ids for `cairn undo <record>`'),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn sync', does: 'both ways' },
    { command: 'cairn sync --dry-run', does: 'pending changes of both sides' },
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
