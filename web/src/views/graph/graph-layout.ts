import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force'
import { type GraphEdge, type GraphNode, type NodeType, typeOf, type VisibleGraph } from './graph-model.ts'

export interface Body extends SimulationNodeDatum {
  readonly node: GraphNode
  readonly type: NodeType
  readonly radius: number
  x: number
  y: number
}

export interface Spring extends SimulationLinkDatum<Body> {
  readonly relation: GraphEdge['relation']
  source: Body
  target: Body
}

export interface Layout {
  readonly bodies: readonly Body[]
  readonly springs: readonly Spring[]
  readonly bodyByName: ReadonlyMap<string, Body>
  /** Runs the layout for about `forMs`. Returns false when nothing moves any more. */
  work(forMs: number): boolean
  /** Restarts the layout after a node was dragged. */
  restart(): void
}

/** Below this temperature no movement is visible. */
const AT_REST = 0.02

/** The layout of all nodes. The caller runs it in slices, so that 2,000 nodes never block the page. Existing nodes keep their positions. */
export function layOut(
  { nodes, edges }: VisibleGraph,
  before?: ReadonlyMap<string, { readonly x: number; readonly y: number }>,
): Layout {
  const bodies: Body[] = nodes.map((node, at) => {
    // A sunflower pattern: evenly spread from the first frame, and always the same.
    const distance = 14 * Math.sqrt(at + 0.5)
    const angle = at * Math.PI * (3 - Math.sqrt(5))
    const place = before?.get(node.node) ?? { x: distance * Math.cos(angle), y: distance * Math.sin(angle) }
    return { node, type: typeOf(node), radius: radiusOf(node), x: place.x, y: place.y }
  })
  const bodyByName = new Map(bodies.map(body => [body.node.node, body]))
  const springs = edges.flatMap(({ from, to, relation }): Spring[] => {
    const source = bodyByName.get(from)
    const target = bodyByName.get(to)
    return source === undefined || target === undefined ? [] : [{ source, target, relation }]
  })
  const isLarge = bodies.length > 600
  const simulation = forceSimulation<Body>(bodies)
    .force(
      'links',
      forceLink<Body, Spring>(springs)
        .distance(isLarge ? 40 : 70)
        .strength(isLarge ? 0.25 : 0.4),
    )
    .force(
      'apart',
      forceManyBody<Body>()
        .strength(isLarge ? -60 : -220)
        .theta(isLarge ? 1.4 : 0.9)
        .distanceMax(isLarge ? 400 : 800),
    )
    .force('middle-x', forceX<Body>(0).strength(0.04))
    .force('middle-y', forceY<Body>(0).strength(0.06))
    .alphaDecay(isLarge ? 0.035 : 0.025)
    .stop()
  if (!isLarge)
    simulation.force(
      'room',
      forceCollide<Body>(body => body.radius + 6),
    )
  return {
    bodies,
    springs,
    bodyByName,
    work(forMs) {
      const end = performance.now() + forMs
      while (simulation.alpha() > AT_REST) {
        simulation.tick()
        if (performance.now() >= end) break
      }
      return simulation.alpha() > AT_REST
    },
    restart: () => void simulation.alpha(Math.max(simulation.alpha(), 0.3)),
  }
}

/** The radius by the number of edges: 4 px for one, at most 16 px. */
function radiusOf({ degree }: GraphNode): number {
  return Math.min(16, 4 + 1.6 * Math.sqrt(degree))
}
