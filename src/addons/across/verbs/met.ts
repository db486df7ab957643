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

/** More are found than told: what tells a solution may stand behind what only mentions it. */
const LOOKED_AT = 4

/** "Who else has met this?": an error as a program printed it, or a decision as somebody would put it. */
export async function whoMet(
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
  sort: v.pipe(v.picklist(['error', 'statement']), v.description('What the text was read as')),
  query: v.pipe(v.string(), v.description('What of it was looked for')),
  names: v.pipe(
    v.array(v.string()),
    v.readonly(),
    v.description('How the error is called wherever it happens'),
  ),
  hits: v.pipe(
    v.array(
      v.object({
        ...foundAcrossFields,
        says: v.pipe(
          v.exactOptional(v.string()),
          v.description('The sentence that tells what helped or what was decided'),
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
  summary: 'Who else has met this? An error or a decision, looked for in all your projects',
  description:
    'Takes what a program printed, a stack trace, or a decision in a sentence. What differs from run to run (paths, line numbers, addresses, ids, times) is left aside; what it is called everywhere (its code, its class, its words) is looked for. Entries that tell what helped or what was decided come first, each with its project, agent, date, session and files.',
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
