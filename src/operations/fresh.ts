import * as v from 'valibot'
import { surveyFreshness, withMovedFiles } from '../anchoring.ts'
import type { Composed } from '../compose.ts'
import type { Freshness } from '../model/freshness.ts'
import type { EntryChange } from '../model/journal.ts'
import { defineOperation, degradedSchema, entrySchema, flag, freshnessSchema } from './operation.ts'

export const freshOperation = defineOperation({
  name: 'fresh',
  summary: 'List entries whose files changed a lot, moved or are gone',
  description:
    'An entry that names files is anchored to what they said when it was written. Drifted and orphaned entries are told later, and with a warning, until `cairn confirm` says that they still hold. Git is asked once for renames where a file is missing.',
  positionals: [],
  input: v.object({
    fixRenames: v.optional(flag('Write the new paths of moved files into the entries')),
    dryRun: v.optional(flag('With --fix-renames: show what would be written, and change nothing')),
  }),
  output: v.object({
    entries: v.pipe(
      v.array(v.object({ entry: entrySchema, freshness: freshnessSchema })),
      v.readonly(),
      v.description('Newest first; fresh ones only where a file was moved'),
    ),
    checked: v.pipe(v.number(), v.description('Entries that are anchored to files')),
    unanchored: v.pipe(
      v.number(),
      v.description('Entries that name files and are not anchored; `cairn confirm` anchors one'),
    ),
    fixed: v.pipe(v.number(), v.description('Entries whose paths were written anew, or would be')),
    written: v.pipe(v.boolean(), v.description('False: nothing was changed')),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn fresh', does: 'what needs a look' },
    { command: 'cairn fresh --fix-renames --dry-run', does: 'moved files, and where to' },
  ],
  async run(engine, { fixRenames, dryRun }) {
    const { found, degraded, ...counts } = await surveyFreshness(engine)
    const moved = new Map(
      found
        .filter(({ freshness }) => freshness.files.some(change => 'to' in change))
        .map(({ entry, freshness }) => [entry.id, freshness]),
    )
    const fixed = fixRenames === true ? (dryRun === true ? moved.size : await writePaths(engine, moved)) : 0
    return {
      entries: found,
      ...counts,
      fixed,
      written: fixed > 0 && dryRun !== true,
      degraded: [...engine.store.takeDegraded(), ...degraded],
    }
  },
})

async function writePaths(engine: Composed, moved: ReadonlyMap<string, Freshness>): Promise<number> {
  if (moved.size === 0) return 0
  let written = 0
  await engine.store.write(engine.actor, async view => {
    const changes: EntryChange[] = []
    for (const [id, freshness] of moved) {
      const before = await view.findEntry(id)
      // Somebody removed it in the meantime: then there is nothing to mend.
      if (before === undefined) continue
      const after = withMovedFiles(before, freshness)
      if (after !== before) changes.push({ type: 'entry', before, after })
    }
    written = changes.length
    return changes.length === 0 ? null : { action: 'update', changes }
  })
  return written
}
