import type { EntityAcross, ProjectName } from '../../../kernel/model/across.ts'
import type { EntityRef, Graph, GraphNode, StatedRelation } from '../../../kernel/model/graph.ts'
import { STATED_RELATIONS } from '../../../kernel/model/graph.ts'

const MAX_RELATED = 20
const MAX_RELATIONS = 30

/** The facts of one project about one entity. */
export interface EntityThere {
  readonly project: ProjectName
  readonly entity: EntityRef
  /** Limited to what other projects may read. */
  readonly entries: number
  readonly newest: EntityAcross['in'][number]['newest']
  /** Entities in the same entries. */
  readonly graph: Pick<Graph, 'nodes' | 'edges'>
}

/** Equal entities have equal keys in every project: `postgresql` for Postgres and PostgreSQL. */
export function mergeEntities(there: readonly EntityThere[]): EntityAcross[] {
  const byKey = new Map<string, EntityThere[]>()
  for (const each of there) {
    if (each.entries === 0) continue
    const key = keyOf(each.entity)
    byKey.set(key, [...(byKey.get(key) ?? []), each])
  }
  return [...byKey.values()]
    .map(mergeOne)
    .sort((a, b) => b.entries - a.entries || compare(keyOf(a), keyOf(b)))
}

function mergeOne(there: readonly EntityThere[]): EntityAcross {
  const [first] = there
  if (first === undefined) throw new Error('an entity is somewhere')
  const { type, name } = first.entity
  return {
    type,
    name,
    entries: there.reduce((sum, { entries }) => sum + entries, 0),
    in: there
      .map(({ project, entries, newest }) => ({ project, entries, newest }))
      .sort(
        (a, b) =>
          Number(b.project.isHere) - Number(a.project.isHere) ||
          b.entries - a.entries ||
          compare(a.project.name, b.project.name) ||
          compare(a.project.id, b.project.id),
      ),
    related: relatedTo(keyOf(first.entity), there),
    relations: statedAbout(keyOf(first.entity), there),
  }
}

function relatedTo(own: string, there: readonly EntityThere[]): EntityAcross['related'] {
  const byKey = new Map<string, { readonly entity: EntityRef; entries: number; projects: number }>()
  for (const { graph } of there) {
    const nodes = entityNodes(graph)
    const entriesByKey = new Map<string, Set<string>>()
    for (const { from, to, relation } of graph.edges) {
      if (relation !== 'mentions') continue
      const entity = nodes.get(to)
      if (entity === undefined || keyOf(entity) === own) continue
      const entries = entriesByKey.get(to) ?? new Set()
      entriesByKey.set(to, entries.add(from))
    }
    for (const [node, entries] of entriesByKey) {
      const entity = nodes.get(node)
      if (entity === undefined) continue
      const known = byKey.get(keyOf(entity)) ?? { entity, entries: 0, projects: 0 }
      known.entries += entries.size
      known.projects += 1
      byKey.set(keyOf(entity), known)
    }
  }
  return [...byKey.values()]
    .sort(
      (a, b) => b.projects - a.projects || b.entries - a.entries || compare(keyOf(a.entity), keyOf(b.entity)),
    )
    .slice(0, MAX_RELATED)
    .map(({ entity, entries, projects }) => ({ type: entity.type, name: entity.name, entries, projects }))
}

function statedAbout(own: string, there: readonly EntityThere[]): EntityAcross['relations'] {
  const byKey = new Map<
    string,
    {
      readonly from: EntityRef
      readonly relation: StatedRelation
      readonly to: EntityRef
      projects: Set<string>
    }
  >()
  for (const { project, graph } of there) {
    const nodes = entityNodes(graph)
    for (const edge of graph.edges) {
      const [from, to] = [nodes.get(edge.from), nodes.get(edge.to)]
      if (from === undefined || to === undefined || !isStated(edge.relation)) continue
      if (keyOf(from) !== own && keyOf(to) !== own) continue
      const key = `${keyOf(from)} ${edge.relation} ${keyOf(to)}`
      const known = byKey.get(key) ?? { from, relation: edge.relation, to, projects: new Set<string>() }
      known.projects.add(project.id)
      byKey.set(key, known)
    }
  }
  return [...byKey]
    .sort(([a, { projects: inA }], [b, { projects: inB }]) => inB.size - inA.size || compare(a, b))
    .slice(0, MAX_RELATIONS)
    .map(([, { projects, ...relation }]) => ({ ...relation, projects: [...projects].sort(compare) }))
}

function entityNodes({ nodes }: Pick<Graph, 'nodes'>): ReadonlyMap<string, EntityRef> {
  return new Map(
    nodes
      .filter((node): node is GraphNode & { kind: 'entity' } => node.kind === 'entity')
      .map(({ node, entity }) => [node, { type: entity.type, name: entity.name }]),
  )
}

function isStated(relation: string): relation is StatedRelation {
  return (STATED_RELATIONS as readonly string[]).includes(relation)
}

function keyOf({ type, name }: EntityRef): string {
  return `${type}:${name}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
