import * as v from 'valibot'
import { parseFilter } from '../../../features/entries/verbs/entry-filter.ts'
import { entityRefSchema } from '../../../features/search/verbs/links.ts'
import type { EntityEverywhere } from '../../../kernel/model/across.ts'
import { STATED_RELATIONS } from '../../../kernel/model/graph.ts'
import type { EntryFilter } from '../../../kernel/model/search.ts'
import { headlineOf } from '../../../kernel/text/links.ts'
import { defineOperation, type OperationContext, text } from '../../../verbs/operation.ts'
import { type EntityThere, mergeEntities } from '../decide/merge-entity.ts'
import type { AcrossProjects } from '../decide/rooms.ts'
import { Visit, type Visited, type VisitOptions } from '../visit.ts'
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

/** A name may mean a file and a service; further meanings are unrelated. */
const MAX_MEANINGS = 5
/** Entries with it that are read in a project, to find entities in the same entries. */
const MAX_COUNTED = 1_000
const MAX_READ = 100
const MAX_NEWEST = 3

/** Lists the projects with an entity, how often it occurs, and what they say about it. */
async function entityEverywhere(
  projects: AcrossProjects,
  { name, filter, limit }: { readonly name: string; readonly filter: EntryFilter; readonly limit: number },
  asking: VisitOptions,
): Promise<EntityEverywhere> {
  const visit = new Visit(asking)
  try {
    const visited = await visit.enter(projects)
    visit.searched(visited.length)
    const there = (await visit.each(visited, each => lookFor(name, each, filter))).flatMap(
      ({ result }) => result,
    )
    const entities = mergeEntities(there).slice(0, limit)
    const told = visit.lookedAt(entities.flatMap(each => each.in.map(({ project }) => project)))
    return { entities, ...told }
  } finally {
    await visit.close()
  }
}

async function lookFor(name: string, { project, room }: Visited, asked: EntryFilter): Promise<EntityThere[]> {
  const filter = { ...asked, ...room.boundary }
  const found: EntityThere[] = []
  for (const entity of await room.graph.findEntities(name, MAX_MEANINGS)) {
    const ids = await room.graph.entriesWith(entity, MAX_COUNTED, filter)
    if (ids.length === 0) continue
    const entryById = await room.search.loadEntries(ids.slice(0, MAX_NEWEST))
    const newest = ids.slice(0, MAX_NEWEST).flatMap(id => {
      const entry = entryById.get(id)
      return entry === undefined ? [] : [{ id, headline: headlineOf(entry.content), date: entry.date }]
    })
    const graph = await room.graph.graph({ filter, entity, depth: 1, limit: MAX_READ })
    found.push({ project, entity, entries: ids.length, newest, graph })
  }
  return found
}

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
        entries: v.pipe(v.number(), v.description('Number of entries with it in all projects')),
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
          v.description('Entities in the same entries'),
        ),
        relations: v.pipe(
          v.array(
            v.object({
              from: entityRefSchema,
              relation: v.picklist(STATED_RELATIONS),
              to: entityRefSchema,
              projects: v.pipe(
                v.array(v.string()),
                v.readonly(),
                v.description('Ids of the projects with this relation'),
              ),
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
    description: 'The projects with a package, service, command or person, and what they say about it.',
    fields: { name: '', limit: '' },
    effect: 'reads',
    agentField: 'reader',
    isExtra: true,
    answer: async () => (await import('../present-to-agents.ts')).entityRows,
  },
  summary: 'List your projects with an entity, how often it occurs and what they say about it',
  description:
    'A file, package, command, service or person, in every project that you may read. `cairn graph --entity` draws its connections in this project.',
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
