import * as v from 'valibot'
import { parseFilter } from '../../../features/entries/verbs/entry-filter.ts'
import { entityRefSchema } from '../../../features/search/verbs/links.ts'
import type { EntityEverywhere } from '../../../kernel/model/across.ts'
import { STATED_RELATIONS } from '../../../kernel/model/graph.ts'
import { defineOperation, type OperationContext, text } from '../../../verbs/operation.ts'
import { entityEverywhere } from '../entity-everywhere.ts'
import {
  type AcrossAsker,
  acrossFields,
  askerIn,
  askingOf,
  lookedAtFields,
  projectNameSchema,
  readBy,
} from './across-schema.ts'
import { nothingAsked } from './everywhere.ts'

const DEFAULT_ENTITIES = 5

export const entityInput = v.object({
  name: text('redis, service:redis, package:zod, @ana'),
  ...acrossFields,
})

export const entityOutput = v.object({
  entities: v.pipe(
    v.array(
      v.object({
        ...entityRefSchema.entries,
        entries: v.pipe(v.number(), v.description('In how many entries it stands, of all projects')),
        in: v.pipe(
          v.array(
            v.object({
              project: projectNameSchema,
              entries: v.number(),
              newest: v.pipe(
                v.array(v.object({ id: v.string(), headline: v.string(), date: v.string() })),
                v.readonly(),
              ),
            }),
          ),
          v.readonly(),
        ),
        related: v.pipe(
          v.array(v.object({ ...entityRefSchema.entries, entries: v.number(), projects: v.number() })),
          v.readonly(),
          v.description('What stands in the same entries'),
        ),
        relations: v.pipe(
          v.array(
            v.object({
              from: entityRefSchema,
              relation: v.picklist(STATED_RELATIONS),
              to: entityRefSchema,
              projects: v.pipe(v.array(v.string()), v.readonly(), v.description('Ids of those that say so')),
            }),
          ),
          v.readonly(),
        ),
      }),
    ),
    v.readonly(),
  ),
  ...lookedAtFields,
})

export const entityOperation = defineOperation({
  name: 'entity',
  group: 'Find',
  agent: 'reads',
  route: { at: 'POST /api/entity', access: 'local', onHub: 'read' },
  tool: {
    name: 'entity',
    title: 'Entity in all projects',
    description: 'In which projects a package, service, command or person occurs, and what is said of it.',
    fields: { name: '', limit: '' },
    effect: 'reads',
    agentField: 'reader',
    isExtra: true,
    answer: async () => (await import('../present-to-agents.ts')).entityRows,
  },
  summary: 'In which of your projects an entity occurs, how often, and what is said of it',
  description:
    'A file, package, command, service or person, in every project that you may read. `cairn graph --entity` draws what is around it in this one.',
  positionals: ['name'],
  input: entityInput,
  output: entityOutput,
  examples: [
    { command: 'cairn entity redis', does: 'who uses it, and for what' },
    { command: 'cairn entity package:zod --json', does: 'for a program' },
  ],
  run: (memory, input, context) => askEntity(askerIn(memory), input, context),
})

export async function askEntity(
  asker: AcrossAsker,
  { name, limit = DEFAULT_ENTITIES, projects, withinMs, ...fields }: v.InferOutput<typeof entityInput>,
  context: OperationContext,
): Promise<EntityEverywhere> {
  if (name.trim() === '') throw nothingAsked()
  return entityEverywhere(
    asker.across,
    { name, filter: await parseFilter(readBy(asker, fields)), limit },
    askingOf(asker, { withinMs, projects }, context),
  )
}
