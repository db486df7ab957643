import * as v from 'valibot'
import { parseFilter } from '../../../features/entries/verbs/entry-filter.ts'
import type { WhoMet } from '../../../kernel/model/across.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'
import { defineOperation, type OperationContext, text } from '../../../verbs/operation.ts'
import { MET, readMet, tellMet } from '../decide/met-question.ts'
import type { AcrossProjects } from '../decide/rooms.ts'
import { type AcrossQuestion, searchEverywhere } from '../search-everywhere.ts'
import type { VisitOptions } from '../visit.ts'
import {
  type AcrossAsker,
  acrossFields,
  askerIn,
  askingOf,
  foundAcrossFields,
  lookedAtFields,
  readBy,
} from './across-schema.ts'
import { nothingAsked } from './everywhere.ts'

/** More results are fetched than shown: a solution may rank behind entries that only mention the error. */
const LOOKED_AT = 4

/** "Who else has met this?": an error as a program printed it, or a decision in a sentence. */
async function whoMet(
  projects: AcrossProjects,
  { text, ...question }: Omit<AcrossQuestion, 'query'> & { readonly text: string },
  asking: VisitOptions,
): Promise<WhoMet> {
  const met = readMet(text)
  const { limit } = question
  const { hits: found, ...looked } = await searchEverywhere(
    projects,
    { ...question, query: met.query, limit: LOOKED_AT * limit, floor: MET.found },
    asking,
  )
  const hits = tellMet(found, met, limit)
  const ids = new Set(hits.flatMap(({ from }) => from.map(({ project }) => project.id)))
  return { ...met, hits, ...looked, projects: looked.projects.filter(({ id }) => ids.has(id)) }
}

const DEFAULT_HITS = 5

export const metInput = v.object({
  text: text('The error or the decision; `-` reads standard input'),
  ...acrossFields,
})

export const metOutput = v.object({
  sort: v.pipe(v.picklist(['error', 'statement']), v.description('How the text was interpreted')),
  query: v.pipe(v.string(), v.description('The search query made from it')),
  names: v.pipe(v.array(v.string()), v.readonly(), v.description('The names and codes of the error')),
  hits: v.pipe(
    v.array(
      v.object({
        ...foundAcrossFields,
        says: v.pipe(
          v.exactOptional(v.string()),
          v.description('The sentence with the solution or the decision'),
        ),
        tells: v.picklist(['solution', 'mention']),
      }),
    ),
    v.readonly(),
  ),
  ...lookedAtFields,
})

export const metOperation = defineOperation({
  name: 'met',
  group: 'Find',
  agent: 'reads',
  route: { at: 'POST /api/met', access: 'local', onHub: 'read' },
  tool: {
    name: 'met',
    title: 'Met before?',
    description: 'Who met this error or decision, in any project.',
    fields: { text: '' },
    effect: 'reads',
    agentField: 'reader',
    needs: 'otherProjects',
    answer: async () => (await import('../present-to-agents.ts')).metBefore,
  },
  summary: 'Find who else met an error or a decision, in all your projects',
  description:
    'Takes the output of a program, a stack trace, or a decision in a sentence. Ignores what differs between runs (paths, line numbers, addresses, ids, times) and searches for the rest (the code, the class and the words of the error). Entries with a solution or a decision come first, each with its project, agent, date, session and files.',
  positionals: ['text'],
  input: metInput,
  output: metOutput,
  examples: [
    { command: 'cairn met "connect ECONNREFUSED 127.0.0.1:5432"', does: 'an error' },
    { command: 'npm test 2>&1 | cairn met -', does: 'what a program printed' },
    { command: 'cairn met "use a queue between checkout and billing"', does: 'a decision' },
  ],
  run: (memory, input, context) => askMet(askerIn(memory), input, context),
})

export async function askMet(
  asker: AcrossAsker,
  { text: given, limit = DEFAULT_HITS, projects, withinMs, ...fields }: v.InferOutput<typeof metInput>,
  context: OperationContext,
): Promise<WhoMet> {
  if (given.trim() === '') throw nothingAsked()
  const met = await whoMet(
    asker.across,
    {
      text: given,
      filter: await parseFilter(readBy(asker, fields)),
      limit,
      aliases: await asker.aliases(),
    },
    askingOf(asker, { withinMs, projects }, context),
  )
  return { ...met, query: redact(met.query).text }
}
