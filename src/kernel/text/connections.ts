import type { Entity, Relation } from '../model/graph.ts'
import { ANALYSED_CHARACTERS } from './analyse.ts'
import { distinctEntities, findMentions } from './entities/find-entities.ts'
import { findRelations } from './entities/find-relations.ts'
import { findLinks, type LinkMention, linkTitleOf } from './links.ts'

/** What connects one entry to others: its links, its entities, and the title that others link to. */
export interface Connections {
  readonly title: string
  readonly links: readonly LinkMention[]
  readonly entities: readonly Entity[]
  readonly relations: readonly Relation[]
}

export function connectionsOf(entry: { content: string; files: readonly string[] }): Connections {
  const content = entry.content.slice(0, ANALYSED_CHARACTERS)
  const mentions = findMentions(content, entry.files)
  return {
    title: linkTitleOf(content),
    links: findLinks(content),
    entities: distinctEntities(mentions),
    relations: findRelations(content, mentions),
  }
}
