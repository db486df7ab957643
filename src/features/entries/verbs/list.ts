import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { CATEGORIES, isCategory, KIND_HOME } from '../../../kernel/model/category.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Freshness } from '../../../kernel/model/freshness.ts'
import type { EntryFilter } from '../../../kernel/model/search.ts'
import { rewind } from '../../../kernel/vault/as-of.ts'
import {
  count,
  defineOperation,
  degradedSchema,
  entrySchema,
  filterFields,
  freshnessSchema,
  text,
} from '../../../verbs/operation.ts'
import { freshnessOf } from '../../freshness/anchoring.ts'
import type { FreshnessPorts } from '../../freshness/decide/ports.ts'
import { parseDate } from '../decide/capture-entry.ts'
import { matchesFilter, parseFilter } from './entry-filter.ts'

const MAX_LISTED = 1_000_000
/** The vault files, and the kinds by name: `cairn list decisions`, `cairn list warning`. */
const LISTED = [...CATEGORIES, ...(Object.keys(KIND_HOME) as (keyof typeof KIND_HOME)[])]

export const listOperation = defineOperation({
  name: 'list',
  group: 'Find',
  agent: 'reads',
  worksForUser: true,
  tool: {
    name: 'list',
    title: 'List entries',
    description: 'The newest entries, narrowed by fields.',
    fields: {
      kind: '',
      category: '',
      tags: '',
      status: '',
      since: '',
      until: '',
      file: '',
      limit: '',
      offset: '',
    },
    effect: 'reads',
    agentField: 'reader',
    isExtra: true,
  },
  summary: 'Show entries, newest first',
  positionals: ['category'],
  input: v.object({
    ...filterFields,
    category: v.optional(
      v.pipe(
        v.picklist(LISTED, `one of ${LISTED.join(', ')}`),
        v.description('Only this vault file, or this kind'),
      ),
    ),
    limit: v.optional(count('How many entries (default 50)', MAX_LISTED)),
    offset: v.optional(
      v.pipe(
        v.number('a whole number'),
        v.integer('a whole number'),
        v.minValue(0, 'at least 0'),
        v.description('Skip this many first'),
      ),
    ),
    asOf: v.optional(text('The vault as it was at this moment: 2026-03-16 means the end of that day')),
  }),
  output: v.object({
    entries: v.array(entrySchema),
    total: v.pipe(v.number(), v.description('How many match, shown or not')),
    freshness: v.exactOptional(
      v.pipe(
        v.record(v.string(), freshnessSchema),
        v.description('By id, of the entries listed whose files changed a lot or are gone'),
      ),
    ),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn list decisions', does: 'the newest decisions of all agents' },
    { command: 'cairn list warning', does: 'the newest entries of one kind' },
    { command: 'cairn list --agent dev --tags auth --limit 5', does: 'narrowed' },
    { command: 'cairn list --as-of 2026-03-01', does: 'the entries of that day' },
  ],
  async run(memory, { limit = 50, offset = 0, asOf, category: named, ...fields }) {
    const category = named !== undefined && isCategory(named) ? named : undefined
    const kind = category === undefined ? (named ?? fields.kind) : fields.kind
    const filter = await parseFilter({ ...fields, category, kind })
    const found =
      asOf === undefined
        ? await memory.store.listEntries({ filter, limit, offset })
        : page(await entriesAsOf(memory, filter, asOf), limit, offset)
    const stale = asOf === undefined ? await staleOf(memory, found.entries) : {}
    return {
      ...found,
      ...(Object.keys(stale).length > 0 && { freshness: stale }),
      degraded: memory.store.takeDegraded(),
    }
  },
})

async function staleOf(
  memory: Memory & FreshnessPorts,
  entries: readonly Entry[],
): Promise<Record<string, Freshness>> {
  const freshness = await freshnessOf(memory, entries)
  return Object.fromEntries([...freshness].filter(([, { state }]) => state !== 'fresh'))
}

function page(entries: readonly Entry[], limit: number, offset: number): { entries: Entry[]; total: number } {
  return { entries: entries.slice(offset, offset + limit), total: entries.length }
}

async function entriesAsOf(memory: Memory, filter: EntryFilter, asOf: string): Promise<Entry[]> {
  const dayOnly = /^\d{4}-\d\d-\d\d$/.test(asOf)
  const ms = parseDate(asOf) + (dayOnly ? 86_399_999 : 0)
  if (ms > memory.clock.nowMs() + 86_400_000) {
    throw new CairnError({
      code: 'invalid_input',
      message: `${asOf} has not come yet.`,
      hint: 'Give a moment in the past, for example --as-of 2026-03-01.',
    })
  }
  const { entries } = await memory.store.listEntries({ filter: {}, limit: MAX_LISTED, offset: 0 })
  const records = []
  for await (const record of memory.store.readJournal({})) records.push(record)
  return rewind(entries, records, new Date(ms).toISOString()).filter(entry => matchesFilter(entry, filter))
}
