import * as v from 'valibot'
import { readScope } from '../../../addons/workspaces/decide/scope.ts'
import { checkoutOf } from '../../../compose/composed.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { scopeName } from '../../../kernel/model/workspace.ts'
import {
  count,
  defineOperation,
  degradedSchema,
  documentSchema,
  entrySchema,
  filterFields,
  flag,
  freshnessSchema,
  marksSchema,
  text,
} from '../../../verbs/operation.ts'
import { coldHitSchema } from '../../cold/verbs/cold-schema.ts'
import { matchesFilter, parseFilter } from '../../entries/verbs/entry-filter.ts'
import { search } from '../search-memory.ts'

export const searchOperation = defineOperation({
  name: 'search',
  group: 'Find',
  agent: 'reads',
  worksForUser: true,
  after: ['documentVectors'],
  route: { at: 'GET /api/search', access: 'read' },
  tool: {
    name: 'search',
    title: 'Search memory',
    description: 'Search memory before you decide or debug; then get. cold: transcripts.',
    fields: { query: '', kind: '', file: '', limit: '', cold: '' },
    effect: 'reads',
    agentField: 'reader',
    answer: async () => (await import('../../entries/present-to-agents.ts')).foundEntries,
  },
  summary: 'Find entries and documents by words or by a question',
  description:
    'By words and by meaning. Words are stemmed (English and Portuguese), identifiers are split and also matched whole, aliases, typos and beginnings of words are understood. Entries that share more and rarer words with the question come first. Plans, overviews, decisions, lessons and other documents of workspaces answer too, with their scope and path; a filter that only an entry can meet (agent, category, status, file) leaves them out.',
  positionals: ['query'],
  input: v.object({
    query: text('Words, a question, an identifier, a path or a stack trace'),
    limit: v.optional(count('How many hits (default: search.limit, which is 10)', 100)),
    words: v.optional(flag('By words alone, without the model: faster, and blind to meaning')),
    cold: v.optional(
      flag('In the transcripts that agents store of their sessions here instead: the original messages'),
    ),
    archive: v.optional(flag('In the archive instead: what upkeep let go, by words alone')),
    entriesOnly: v.optional(flag('Without the documents of workspaces')),
    scope: v.optional(
      text(
        'Only documents of this workspace, workspace/domain or workspace/domain/repository: in it, below it, and those that apply to it from above',
      ),
    ),
    ...filterFields,
  }),
  output: v.object({
    hits: v.array(
      v.object({
        id: v.string(),
        score: v.pipe(v.number(), v.description('0 to 1: how much of the query the entry has')),
        snippet: v.string(),
        matches: v.pipe(
          v.array(v.object({ start: v.number(), end: v.number() })),
          v.readonly(),
          v.description('Offsets into the snippet'),
        ),
        entry: entrySchema,
        document: v.exactOptional(documentSchema),
        freshness: v.exactOptional(freshnessSchema),
        marks: v.exactOptional(marksSchema),
        archived: v.pipe(
          v.exactOptional(v.string()),
          v.description('The archive batch of the entry; `cairn restore <id>` brings it back'),
        ),
      }),
    ),
    cold: v.exactOptional(
      v.pipe(v.array(coldHitSchema), v.readonly(), v.description('With --cold: passages of transcripts')),
    ),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn search "why no websockets?"', does: 'ask' },
    { command: 'cairn search --kind warning --file src/auth.ts middleware', does: 'warnings about a file' },
    { command: 'cairn search --since 2026-03 --json deploy', does: 'for a program' },
    { command: 'cairn search --archive websockets', does: 'what upkeep let go' },
    { command: 'cairn search --cold "that port error"', does: 'the messages of any session here' },
    {
      command: 'cairn search --scope devtools/common "retry policy"',
      does: 'plans, overviews, decisions and lessons of a workspace',
    },
  ],
  async run(memory, { query, limit, words, cold, archive, entriesOnly, scope, ...fields }, { onProgress }) {
    if (query.trim() === '') {
      throw new CairnError({
        code: 'query_empty',
        message: 'There is nothing to search for: the query is empty.',
        hint: '`cairn list` shows the newest entries.',
      })
    }
    const filter = await parseFilter(fields)
    const most = limit ?? (await memory.config())['search.limit']
    if (cold === true) {
      refuseColdFilters({ ...fields, reader: undefined, words, archive, entriesOnly, scope })
      const { searchCold } = await import('../../cold/cold-search.ts')
      const checkout = checkoutOf(memory, 'The transcripts of hosts')
      return { hits: [], ...(await searchCold(checkout, query, { limit: most, filter, onProgress })) }
    }
    if (scope !== undefined && (archive === true || entriesOnly === true)) throw scopeNotAllowed()
    if (archive === true) {
      const { searchArchive } = await import('../../upkeep/archive-entries.ts')
      return searchArchive(memory, query, { matches: entry => matchesFilter(entry, filter), limit: most })
    }
    return search(memory, query, {
      filter,
      limit: most,
      wordsOnly: words === true,
      ...(entriesOnly !== true && {
        documents: { scope: scope === undefined ? undefined : scopeNameOf(scope) },
      }),
    })
  },
})

/** A message of a transcript has a date, and no other field of an entry. */
function refuseColdFilters({ since: _since, until: _until, ...others }: Record<string, unknown>): void {
  const given = Object.entries(others).find(([, value]) => value !== undefined && value !== false)
  if (given === undefined) return
  throw new CairnError({
    code: 'invalid_input',
    message: `--cold searches transcripts, which cannot be filtered by \`${given[0]}\`.`,
    hint: 'Use --since, --until and --limit with it.',
  })
}

/** Throws `scope_invalid`. */
function scopeNameOf(given: string): string | undefined {
  const scope = readScope({ scope: given })
  return scope && scopeName(scope)
}

function scopeNotAllowed(): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: 'A scope narrows the documents of workspaces, and they are left out here.',
    hint: 'Leave out --scope, or --archive and --entries-only.',
  })
}
