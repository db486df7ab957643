import type { EntityEverywhere } from '../../kernel/model/across.ts'
import type { EntryFilter } from '../../kernel/model/search.ts'
import { headlineOf } from '../../kernel/text/links.ts'
import { type EntityThere, mergeEntities } from './decide/merge-entity.ts'
import type { AcrossProjects } from './decide/rooms.ts'
import { Visit, type Visited, type VisitOptions } from './visit.ts'

/** A name may mean a file and a service; more meanings of it are other things. */
const MAX_MEANINGS = 5
/** Entries with it that are counted in a project, and of which what stands beside it is read. */
const MAX_COUNTED = 1_000
const MAX_READ = 100
const MAX_NEWEST = 3

/** In which projects an entity occurs, how often, and what is said of it there. */
export async function entityEverywhere(
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
