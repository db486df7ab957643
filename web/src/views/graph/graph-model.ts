import type { Answered } from '../../api/client.ts'

export type GraphAnswer = Answered<'graph'>
export type GraphNode = GraphAnswer['nodes'][number]
export type GraphEdge = GraphAnswer['edges'][number]

/** The type of a node: an entry, or an entity of one type. */
export const NODE_TYPES = ['entry', 'file', 'package', 'command', 'service', 'person'] as const
export type NodeType = (typeof NODE_TYPES)[number]

export function typeOf(node: GraphNode): NodeType {
  return node.kind === 'entry' ? 'entry' : node.entity.type
}

export interface VisibleGraph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}

/** The nodes of these types, and the edges between them. */
export function narrow({ nodes, edges }: VisibleGraph, types: ReadonlySet<NodeType>): VisibleGraph {
  const visible = nodes.filter(node => types.has(typeOf(node)))
  const names = new Set(visible.map(({ node }) => node))
  return { nodes: visible, edges: edges.filter(({ from, to }) => names.has(from) && names.has(to)) }
}

/** Nodes whose label contains all words. Labels that start with them come first, then the best connected. */
export function findNodes(nodes: readonly GraphNode[], words: string, max: number): readonly GraphNode[] {
  const asked = words.toLowerCase().split(/\s+/).filter(Boolean)
  if (asked.length === 0) return []
  const first = asked.join(' ')
  return nodes
    .filter(({ label }) => {
      const text = label.toLowerCase()
      return asked.every(word => text.includes(word))
    })
    .map(node => ({ node, begins: node.label.toLowerCase().startsWith(first) ? 1 : 0 }))
    .sort((a, b) => b.begins - a.begins || b.node.degree - a.node.degree)
    .slice(0, max)
    .map(({ node }) => node)
}

export interface NodeEdge {
  readonly other: GraphNode
  readonly relation: GraphEdge['relation']
  /** out: the edge starts at the selected node. */
  readonly direction: 'out' | 'in'
}

/** All nodes connected to this node. */
export function edgesOf(name: string, { nodes, edges }: VisibleGraph): readonly NodeEdge[] {
  const nodeByName = new Map(nodes.map(node => [node.node, node]))
  return edges.flatMap(({ from, to, relation }): NodeEdge[] => {
    if (from !== name && to !== name) return []
    const other = nodeByName.get(from === name ? to : from)
    return other === undefined ? [] : [{ other, relation, direction: from === name ? 'out' : 'in' }]
  })
}

/** Ids of the entries in this graph that mention both ends of a relation: one of them states it. */
export function evidenceOf(
  { from, to }: Pick<GraphEdge, 'from' | 'to'>,
  { nodes, edges }: VisibleGraph,
): readonly string[] {
  const mentioning = (entity: string) =>
    new Set(
      edges.flatMap(edge =>
        edge.relation !== 'mentions'
          ? []
          : edge.to === entity
            ? [edge.from]
            : edge.from === entity
              ? [edge.to]
              : [],
      ),
    )
  const first = mentioning(from)
  const both = [...mentioning(to)].filter(name => first.has(name))
  return nodes.flatMap(node => (node.kind === 'entry' && both.includes(node.node) ? [node.id] : []))
}

interface Point {
  readonly x: number
  readonly y: number
}

/**
 * The nearest point in a direction from another point, within 60 degrees. The distance to the side counts twice.
 *
 *   cost = along + 2 * aside,  along > 0,  aside <= along * tan 60°
 */
export function nearestTowards<P extends Point>(
  from: Point,
  [dx, dy]: readonly [number, number],
  points: readonly P[],
): P | undefined {
  let best: P | undefined
  let least = Number.POSITIVE_INFINITY
  for (const point of points) {
    const along = (point.x - from.x) * dx + (point.y - from.y) * dy
    const aside = Math.abs((point.x - from.x) * dy - (point.y - from.y) * dx)
    if (along <= 0.5 || aside > along * Math.sqrt(3)) continue
    const cost = along + 2 * aside
    if (cost < least) [best, least] = [point, cost]
  }
  return best
}
