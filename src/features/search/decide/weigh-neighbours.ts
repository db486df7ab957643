import type { EntityRef, Neighbour, NeighbourReason } from '../../../kernel/model/graph.ts'

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
  /** In how many entries the entity stands: at least these two. */
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
