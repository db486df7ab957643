import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import {
  defineOperation,
  degradedSchema,
  entrySchema,
  flag,
  problemsSchema,
  text,
} from '../../../verbs/operation.ts'
import { CLEAR_LEAD, SHOWN, WEAK_SCORE } from '../../entries/verbs/target.ts'
import type { SearchPorts } from '../../search/decide/ports.ts'
import type { SessionPorts } from '../../sessions/decide/ports.ts'
import { searchArchive } from '../archive-entries.ts'
import type { UpkeepPorts } from '../decide/ports.ts'
import { findArchived, findJournaled, type Restored, restoreBatch, restoreEntry } from '../restore.ts'

export const batchSchema = v.object({
  id: v.string(),
  kind: v.picklist(['evict', 'prune']),
  at: v.pipe(v.string(), v.description('UTC')),
  entries: v.number(),
  events: v.number(),
  files: v.pipe(v.array(v.string()), v.readonly()),
  restoredAt: v.exactOptional(v.string()),
})

export function isBatchId(target: string): boolean {
  return /^(?:evict|prune)-/.test(target)
}

export const restoreOperation = defineOperation({
  name: 'restore',
  group: 'Maintenance',
  agent: ({ target }) => (target === undefined ? 'reads' : 'person'),
  worksForUser: true,
  route: { at: 'POST /api/restore', access: 'write' },
  summary: 'Restore what upkeep archived, or an entry from the journal',
  description:
    'Without a target, lists the batches of the archive. With a batch, restores everything in it; with an id, or words that match only one archived entry, restores that entry. If the archive does not have an id, it is looked up in the journal, which also has entries that were removed from a file or lost when you switched branches. An entry is restored with its id, text and place, counts as confirmed by you, and upkeep no longer removes it. Existing data is never overwritten: conflicts are listed. `cairn undo` removes the entries again.',
  positionals: ['target'],
  input: v.object({
    target: v.optional(text('A batch, the id of an entry, or words')),
    dryRun: v.optional(flag('Show what would be restored without changing anything')),
  }),
  output: v.object({
    batches: v.pipe(v.array(batchSchema), v.description('Newest first; only without a target')),
    restored: v.nullable(
      v.object({
        batch: v.string(),
        entries: v.pipe(v.array(entrySchema), v.readonly()),
        files: v.pipe(v.array(v.string()), v.readonly()),
        events: v.number(),
        already: v.pipe(v.number(), v.description('How many already exist, unchanged')),
        conflicts: v.pipe(
          v.array(v.object({ what: v.string(), message: v.string() })),
          v.readonly(),
          v.description('Conflicts; the rest was restored'),
        ),
        record: v.pipe(v.nullable(v.string()), v.description('The change that `cairn undo` reverts')),
      }),
    ),
    isDryRun: v.boolean(),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn restore', does: 'the batches of the archive' },
    { command: 'cairn restore evict-2026-11-15T10-30-00-000Z', does: 'a whole batch' },
    { command: 'cairn restore "websocket proxy"', does: 'one entry, by words' },
  ],
  async run(memory, { target, dryRun = false }) {
    if (target === undefined || target.trim() === '') {
      const { batches, problems } = await memory.archive.list()
      return {
        batches: batches.map(({ version: _, ...batch }) => batch),
        restored: null,
        isDryRun: dryRun,
        problems,
        degraded: memory.store.takeDegraded(),
      }
    }
    const { problems, ...restored } = await restoreTarget(memory, target.trim(), dryRun)
    return {
      batches: [],
      restored,
      isDryRun: dryRun,
      problems,
      degraded: memory.store.takeDegraded(),
    }
  },
})

async function restoreTarget(
  memory: Memory & SearchPorts & SessionPorts & UpkeepPorts,
  target: string,
  dryRun: boolean,
): Promise<Restored> {
  if (isBatchId(target)) return restoreBatch(memory, target, { dryRun })
  const known = (await findArchived(memory, target)) ?? (await findJournaled(memory, target))
  if (known !== undefined) return restoreEntry(memory, target, { dryRun })
  return restoreEntry(memory, await idByWords(memory, target), { dryRun })
}

/** Like the entries of the vault: several equally good matches are listed, never guessed. */
async function idByWords(memory: Memory & SearchPorts & UpkeepPorts, words: string): Promise<string> {
  const { hits } = await searchArchive(memory, words, { matches: () => true, limit: SHOWN })
  const [best, next] = hits
  if (best === undefined) {
    throw new CairnError({
      code: 'entry_not_found',
      message: `No archived entry has the id or the words "${words.slice(0, 80)}".`,
      hint: '`cairn restore` lists the batches, `cairn search --archive <words>` searches them.',
    })
  }
  if (best.score >= WEAK_SCORE && (next === undefined || best.score >= CLEAR_LEAD * next.score))
    return best.id
  throw new CairnError({
    code: 'ambiguous_match',
    message: `"${words.slice(0, 80)}" matches ${hits.length === 1 ? 'no archived entry well; the closest one' : 'several archived entries'}:\n${hits
      .map(hit => `  ${hit.id}  ${hit.snippet}`)
      .join('\n')}`,
    hint: 'Use the id of one entry.',
    details: { candidates: hits.map(({ id, score, snippet }) => ({ id, score, snippet })) },
  })
}
