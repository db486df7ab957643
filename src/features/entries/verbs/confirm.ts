import * as v from 'valibot'
import { type Entry, withPinnedBy } from '../../../kernel/model/entry.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Change } from '../../../kernel/model/journal.ts'
import { unmergedSideOf } from '../../../kernel/model/unmerged.ts'
import { sameEntry } from '../../../kernel/vault/observe.ts'
import { defineOperation, degradedSchema, entrySchema, recordSchema, text } from '../../../verbs/operation.ts'
import { anchorFiles, freshnessOf, withAnchors, withMovedFiles } from '../../freshness/anchoring.ts'
import { actorLabel, withConfirmations } from '../decide/confirmations.ts'
import { entryNotFound } from '../write-entries.ts'
import { findTarget } from './target.ts'

export const confirmOperation = defineOperation({
  name: 'confirm',
  group: 'Briefs',
  agent: 'person',
  worksForUser: true,
  route: { at: 'POST /api/entries/:target/confirm', access: 'write' },
  summary: 'Say that an entry is still valid',
  description:
    'A candidate becomes confirmed. The files it names are taken as they are now, moved ones under their new path, so it no longer counts as drifted. An entry that a person confirmed is never archived automatically.',
  positionals: ['target'],
  input: v.object({ target: text('The id, or words that only one entry fits') }),
  output: v.object({
    entry: entrySchema,
    was: v.pipe(
      v.picklist(['fresh', 'drifted', 'orphaned', 'unanchored']),
      v.description('What it counted as before'),
    ),
    record: recordSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn confirm 1773679871839-k3f9', does: 'by id' },
    { command: 'cairn confirm "sessions live in redis"', does: 'by words' },
  ],
  async run(memory, { target }) {
    const found = await findTarget(memory, target)
    if (unmergedSideOf(found) !== undefined)
      throw new CairnError({
        code: 'vault_file_damaged',
        message: `Entry ${found.id} is in an unresolved git conflict.`,
        hint: 'Resolve the conflict first; `cairn status` names the file.',
      })
    const freshness = (await freshnessOf(memory, [found], { isThorough: true })).get(found.id)
    const moved = freshness === undefined ? found : withMovedFiles(found, freshness)
    const anchoring = await anchorFiles(memory, moved.files, found.content)
    const at = new Date(memory.clock.nowMs()).toISOString()
    const by = actorLabel(memory.actor)
    let confirmed: Entry = found
    const record = await memory.store.write(memory.actor, async view => {
      const before = await view.findEntry(found.id)
      if (before === undefined) throw entryNotFound(found.id)
      const document = await view.readDocument('curation.json')
      confirmed = withAnchors(
        withPinnedBy(
          {
            ...before,
            files: freshness === undefined ? before.files : withMovedFiles(before, freshness).files,
            status: before.status === 'candidate' ? 'confirmed' : before.status,
          },
          'person',
        ),
        anchoring,
      )
      const changes: Change[] = [
        {
          type: 'document',
          name: 'curation.json',
          before: document,
          after: withConfirmations(document, [found.id], { at, by }),
        },
      ]
      if (!sameEntry(confirmed, before)) changes.unshift({ type: 'entry', before, after: confirmed })
      return { action: 'confirm', changes }
    })
    await memory.store.recordAccess([found.id])
    return {
      entry: confirmed,
      was: freshness?.state ?? ('unanchored' as const),
      record: record?.id ?? null,
      degraded: memory.store.takeDegraded(),
    }
  },
})
