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
  summary: 'Bring back what upkeep moved to the archive, or an entry from the journal',
  description:
    'Without a name, lists the batches of the archive. With a batch, brings back everything in it; with an id, or words that only one archived entry fits, that entry. An id that the archive does not have is looked up in the journal: it also brings back what was removed from a file, or lost in a switch of branches. An entry comes back with its id, its text and its place, counts as confirmed by you, and upkeep leaves it alone from then on. What is there now is never overwritten: what stands in the way is named. `cairn undo` takes the entries away again.',
  positionals: ['target'],
  input: v.object({
    target: v.optional(text('A batch, the id of an entry, or words')),
    dryRun: v.optional(flag('Show what would come back, and change nothing')),
  }),
  output: v.object({
    batches: v.pipe(v.array(batchSchema), v.description('Newest first; only without a target')),
    restored: v.nullable(
      v.object({
        batch: v.string(),
        entries: v.pipe(v.array(entrySchema), v.readonly()),
        files: v.pipe(v.array(v.string()), v.readonly()),
        events: v.number(),
        already: v.pipe(v.number(), v.description('Were there already, unchanged')),
        conflicts: v.pipe(
          v.array(v.object({ what: v.string(), message: v.string() })),
          v.readonly(),
          v.description('What stands in the way; the rest came back'),
        ),
        record: v.pipe(v.nullable(v.string()), v.description('What `cairn undo` takes back')),
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

/** As with the entries of the vault: several that fit as well are named, never guessed between. */
async function idByWords(memory: Memory & SearchPorts & UpkeepPorts, words: string): Promise<string> {
  const { hits } = await searchArchive(memory, words, { matches: () => true, limit: SHOWN })
  const [best, next] = hits
  if (best === undefined) {
    throw new CairnError({
      code: 'entry_not_found',
      message: `Nothing in the archive has the id or the words "${words.slice(0, 80)}".`,
      hint: '`cairn restore` lists the batches, `cairn search --archive <words>` what is in them.',
    })
  }
  if (best.score >= WEAK_SCORE && (next === undefined || best.score >= CLEAR_LEAD * next.score))
    return best.id
  throw new CairnError({
    code: 'ambiguous_match',
    message: `"${words.slice(0, 80)}" fits ${hits.length === 1 ? 'no archived entry well; the nearest' : 'several archived entries'}:\n${hits
      .map(hit => `  ${hit.id}  ${hit.snippet}`)
      .join('\n')}`,
    hint: 'Name one by its id.',
    details: { candidates: hits.map(({ id, score, snippet }) => ({ id, score, snippet })) },
  })
}
