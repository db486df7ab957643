import type { EntityRef, Graph, GraphEdge, GraphNode, Relation } from '../../../kernel/model/graph.ts'

export interface GraphParts {
  readonly entries: readonly { readonly id: string; readonly label: string }[]
  readonly uses: readonly { readonly id: string; readonly entity: EntityRef; readonly text: string }[]
  readonly links: readonly { readonly from: string; readonly to: string }[]
  readonly relations: readonly Relation[]
  readonly totals: Graph['totals']
}

/** Nodes and edges of the entries that were chosen: their links, and the entities that tie most of them together. */
export function assembleGraph({ entries, uses, links, relations, totals }: GraphParts, limit: number): Graph {
  const nodes = new Map<string, GraphNode>()
  for (const { id, label } of entries) {
    nodes.set(`entry:${id}`, { node: `entry:${id}`, kind: 'entry', id, label, degree: 0 })
  }
  const related = new Set(relations.flatMap(({ from, to }) => [nameOf(from), nameOf(to)]))
  const usesByEntity = new Map<string, (typeof uses)[number][]>()
  for (const use of uses) {
    const name = nameOf(use.entity)
    usesByEntity.set(name, [...(usesByEntity.get(name) ?? []), use])
  }
  const chosen = [...usesByEntity]
    .sort(
      ([a, usesOfA], [b, usesOfB]) =>
        usesOfB.length - usesOfA.length ||
        Number(related.has(b)) - Number(related.has(a)) ||
        (a < b ? -1 : 1),
    )
    .slice(0, limit)
  const edges = new Map<string, GraphEdge>()
  const connect = (from: string, relation: GraphEdge['relation'], to: string) => {
    if (nodes.has(from) && nodes.has(to)) edges.set(`${from} ${relation} ${to}`, { from, to, relation })
  }
  for (const [name, [first]] of chosen) {
    if (first === undefined) continue
    nodes.set(name, { node: name, kind: 'entity', entity: first.entity, label: first.text, degree: 0 })
  }
  for (const { from, to } of links) connect(`entry:${from}`, 'links', `entry:${to}`)
  for (const { from, relation, to } of relations) connect(nameOf(from), relation, nameOf(to))
  for (const [name, all] of chosen) for (const { id } of all) connect(`entry:${id}`, 'mentions', name)

  const degrees = new Map<string, number>()
  for (const { from, to } of edges.values()) {
    for (const end of [from, to]) degrees.set(end, (degrees.get(end) ?? 0) + 1)
  }
  const byDegree = [...nodes.values()]
    .map(node => ({ ...node, degree: degrees.get(node.node) ?? 0 }))
    .sort((a, b) => b.degree - a.degree || (a.node < b.node ? -1 : 1))
  return { nodes: byDegree, edges: [...edges.values()], totals }
}

function nameOf({ type, name }: EntityRef): string {
  return `${type}:${name}`
}
