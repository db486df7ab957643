import type {
  Backlink,
  EntityRef,
  EntityUse,
  Graph,
  Link,
  Neighbour,
  Relation,
} from '../../../kernel/model/graph.ts'
import type { EntryFilter } from '../../../kernel/model/search.ts'

export interface GraphQuery {
  readonly filter: EntryFilter
  /** Only what is around this entity. */
  readonly entity?: EntityRef | undefined
  /** Steps from the entries that are asked for: 1 shows them alone, 2 their neighbours as well. */
  readonly depth: number
  /** Entries, and as many entities. */
  readonly limit: number
}

/** What ties entries together, as a store tells it. Links are resolved when they are asked for. */
export interface GraphIndex {
  /** In the order of the text; one that leads nowhere is among them. */
  linksOf(id: string): Promise<Link[]>
  backlinksOf(id: string): Promise<Backlink[]>
  /** By the id of the entry; in the order of the text. */
  entitiesOf(ids: readonly string[]): Promise<ReadonlyMap<string, readonly EntityUse[]>>
  /** What an entry states between its entities. */
  relationsOf(id: string): Promise<Relation[]>
  /** The entities that a name means, the most used first: of one type, or of every. */
  findEntities(name: string, limit: number): Promise<EntityUse[]>
  /** Newest first. */
  entriesWith(entity: EntityRef, limit: number, filter?: EntryFilter): Promise<string[]>
  /** Entries that a link or a rare entity ties to one of these, the strongest first. None of `ids` is among them. */
  neighbours(ids: readonly string[], limit: number, filter?: EntryFilter): Promise<Neighbour[]>
  graph(query: GraphQuery): Promise<Graph>
}
