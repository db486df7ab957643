import type {
  EntityRef,
  Graph,
  GraphEdge,
  GraphNode,
  Neighbour,
  NeighbourReason,
  Relation,
} from '../../../kernel/model/graph.ts'

/** An entity in more entries than this ties nothing to anything: `README.md` is everywhere. */
export const MAX_SHARING = 64
/** Below a link, whose writer meant it. */
const STRONGEST_ENTITY = 0.8
const MAX_REASONS = 5

export interface LinkTie {
  readonly kind: 'link'
  /** The entry that was asked about. */
  readonly of: string
  readonly id: string
  readonly direction: 'to' | 'from'
}

export interface EntityTie {
  readonly kind: 'entity'
  readonly of: string
  readonly id: string
  readonly entity: EntityRef
  /** How many entries have the entity: at least these two. */
  readonly entries: number
}

/**
 * A link weighs 1, an entity that n entries share 0.8 / log2(n): 0.8 for two, 0.4 for four, 0.2 for sixteen. Several
 * ties make a neighbour surer, never surer than a link: 1 − Π (1 − w).
 */
export function weighNeighbours(
  ties: readonly (LinkTie | EntityTie)[],
  limit: number,
  ids: readonly string[],
): Neighbour[] {
  const tiesById = new Map<string, Map<string, LinkTie | EntityTie>>()
  const asked = new Set(ids)
  for (const tie of ties) {
    if (asked.has(tie.id)) continue
    const known = tiesById.get(tie.id) ?? new Map()
    // One entity counts once, however many of the strong hits have it.
    known.set(
      tie.kind === 'link' ? `${tie.direction} ${tie.of}` : `${tie.entity.type} ${tie.entity.name}`,
      tie,
    )
    tiesById.set(tie.id, known)
  }
  return [...tiesById]
    .map(([id, known]) => {
      const strongest = [...known.values()].sort((a, b) => weightOf(b) - weightOf(a))
      const weight = 1 - strongest.reduce((doubt, tie) => doubt * (1 - weightOf(tie)), 1)
      return { id, weight, reasons: strongest.slice(0, MAX_REASONS).map(reasonOf) }
    })
    .sort((a, b) => b.weight - a.weight || (a.id < b.id ? 1 : -1))
    .slice(0, limit)
}

function weightOf(tie: LinkTie | EntityTie): number {
  return tie.kind === 'link' ? 1 : STRONGEST_ENTITY / Math.log2(Math.max(2, tie.entries))
}

function reasonOf(tie: LinkTie | EntityTie): NeighbourReason {
  if (tie.kind === 'link') return { kind: 'link', direction: tie.direction, of: tie.of }
  return { kind: 'entity', entity: tie.entity, entries: tie.entries, of: tie.of }
}

interface GraphParts {
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
