import * as v from 'valibot'
import { parseFilter } from '../../../features/entries/verbs/entry-filter.ts'
import { documentFilterOf } from '../../../features/search/document-search.ts'
import type { Everywhere } from '../../../kernel/model/across.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { defineOperation, filterFields, type OperationContext, text } from '../../../verbs/operation.ts'
import { searchEverywhere } from '../search-everywhere.ts'
import {
  type AcrossAsker,
  acrossFields,
  askerIn,
  askingOf,
  foundAcrossFields,
  lookedAtFields,
  readBy,
} from './across-schema.ts'

export const everywhereInput = v.object({
  query: text('Words, a question, an identifier'),
  ...acrossFields,
  category: filterFields.category,
  kind: filterFields.kind,
  tags: filterFields.tags,
  since: filterFields.since,
  until: filterFields.until,
  file: filterFields.file,
})

export const everywhereOutput = v.object({
  hits: v.pipe(v.array(v.object(foundAcrossFields)), v.readonly()),
  ...lookedAtFields,
})

export const everywhereOperation = defineOperation({
  name: 'everywhere',
  group: 'Find',
  agent: 'reads',
  route: { at: 'POST /api/everywhere', access: 'local', onHub: 'read' },
  tool: {
    name: 'everywhere',
    title: 'All projects',
    description: "Search the user's other projects too.",
    fields: { query: '' },
    effect: 'reads',
    agentField: 'reader',
    needs: 'otherProjects',
    answer: async () => (await import('../present-to-agents.ts')).foundEverywhere,
  },
  summary: 'Search the memories of all your projects',
  description:
    'By words and by meaning, in every project that you trust on this machine and that other projects may read (`across.visible`); on a hub, in every project that you may read. Includes documents of their workspaces. The rarity of a word is counted over all projects, so that results of different projects are comparable. Equal texts in several projects are one result. The vault `private` of another project is never read.',
  positionals: ['query'],
  input: everywhereInput,
  output: everywhereOutput,
  examples: [
    { command: 'cairn everywhere "how do we retry payments?"', does: 'in all your projects' },
    {
      command: 'cairn everywhere --kind decision --projects api,shop queue',
      does: 'decisions of two of them',
    },
  ],
  run: (memory, input, context) => askEverywhere(askerIn(memory), input, context),
})

type EverywhereInput = v.InferOutput<typeof everywhereInput>

export async function askEverywhere(
  asker: AcrossAsker,
  { query, limit, projects, withinMs, ...fields }: EverywhereInput,
  context: OperationContext,
): Promise<Everywhere> {
  if (query.trim() === '') throw nothingAsked()
  const filter = await parseFilter(readBy(asker, fields))
  return searchEverywhere(
    asker.across,
    {
      query,
      filter,
      documents: documentFilterOf(filter),
      limit: limit ?? (await asker.hits()),
      aliases: await asker.aliases(),
      isByMeaning: true,
    },
    askingOf(asker, { withinMs, projects }, context),
  )
}

export function nothingAsked(): CairnError {
  return new CairnError({
    code: 'query_empty',
    message: 'The text is empty.',
    hint: 'Describe it in a few words, or pass the output of the program.',
  })
}
