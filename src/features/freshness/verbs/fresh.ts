import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import type { Freshness } from '../../../kernel/model/freshness.ts'
import type { EntryChange, JournalRecord } from '../../../kernel/model/journal.ts'
import {
  defineOperation,
  degradedSchema,
  entrySchema,
  flag,
  freshnessSchema,
  recordSchema,
} from '../../../verbs/operation.ts'
import { checkAllFreshness, withMovedFiles } from '../anchoring.ts'

export const freshOperation = defineOperation({
  name: 'fresh',
  group: 'Briefs',
  agent: ({ fixRenames }) => (fixRenames === true ? 'person' : 'reads'),
  summary: 'List entries whose files changed a lot, moved or are gone',
  description:
    'An entry that names files is anchored to their content at the time of writing. Drifted and orphaned entries rank lower and have a warning, until `cairn confirm` confirms them. Git is queried once for renames if a file is missing.',
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
    record: recordSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn fresh', does: 'what needs a look' },
    { command: 'cairn fresh --fix-renames --dry-run', does: 'moved files, and where to' },
  ],
  async run(memory, { fixRenames, dryRun }) {
    const { found, degraded, ...counts } = await checkAllFreshness(memory)
    const { written: fixed, record } =
      fixRenames !== true || dryRun === true
        ? { written: fixRenames === true ? found.filter(isMoved).length : 0, record: null }
        : await writeMovedPaths(memory, found)
    return {
      entries: found,
      ...counts,
      fixed,
      written: fixed > 0 && dryRun !== true,
      record: record?.id ?? null,
      degraded: [...memory.store.takeDegraded(), ...degraded],
    }
  },
})

interface Found {
  readonly entry: Entry
  readonly freshness: Freshness
}

function isMoved({ freshness }: Found): boolean {
  return freshness.files.some(change => 'to' in change)
}

/** One mutation for all of them, so that one `undo` reverts it. */
export async function writeMovedPaths(
  memory: Memory,
  found: readonly Found[],
): Promise<{ readonly written: number; readonly record: JournalRecord | null }> {
  const moved = found.filter(isMoved)
  if (moved.length === 0) return { written: 0, record: null }
  let written = 0
  const record = await memory.store.write(memory.actor, async view => {
    const changes: EntryChange[] = []
    for (const { entry, freshness } of moved) {
      const before = await view.findEntry(entry.id)
      // It was removed in the meantime.
      if (before === undefined) continue
      const after = withMovedFiles(before, freshness)
      if (after !== before) changes.push({ type: 'entry', before, after })
    }
    written = changes.length
    return changes.length === 0 ? null : { action: 'update', changes }
  })
  return { written, record }
}
