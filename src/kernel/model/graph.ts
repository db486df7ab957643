import type { Category } from './category.ts'

/** What an entry may be about, apart from other entries, in the order in which people see them. */
export const ENTITY_TYPES = ['file', 'package', 'command', 'service', 'person'] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

/** Relations that an entry may state between two entities. `mentions` means only that both are in one entry. */
export const STATED_RELATIONS = [
  'uses',
  'depends_on',
  'replaces',
  'decided_by',
  'owned_by',
  'configured_in',
  'fails_with',
  'fixed_by',
] as const
export type StatedRelation = (typeof STATED_RELATIONS)[number]
export type RelationName = StatedRelation | 'mentions'

export interface EntityRef {
  readonly type: EntityType
  /** The key: `postgresql` for Postgres and PostgreSQL, `rui costa` for Rui Costa. */
  readonly name: string
}

export interface Entity extends EntityRef {
  /** As written at its first mention. */
  readonly text: string
  /** Offset into the content; -1 for a file that only the entry's list of files has. */
  readonly at: number
}

/** `redis replaces memcached` */
export interface Relation {
  readonly from: EntityRef
  readonly relation: StatedRelation
  readonly to: EntityRef
}

/** The target of a link. A broken link is stored and reported. */
export type LinkTarget =
  | { readonly kind: 'entry'; readonly id: string }
  | { readonly kind: 'file'; readonly agent: string; readonly category: Category }
  | { readonly kind: 'dangling'; readonly reason: 'unknown' | 'ambiguous' }

export interface EntityUse extends EntityRef {
  readonly text: string
  /** How many entries mention it. */
  readonly entries: number
}

export interface Link {
  /** The text between the brackets, without the display text. */
  readonly target: string
  readonly text: string
  readonly at: number
  readonly to: LinkTarget
}

export interface Backlink {
  readonly id: string
  readonly target: string
  readonly text: string
  readonly at: number
  /** `file`: the link names the whole vault file that contains the entry. */
  readonly by: 'entry' | 'file'
}

/** Why an entry is a neighbour: a link in either direction, or an entity that few entries share. */
export type NeighbourReason =
  | { readonly kind: 'link'; readonly direction: 'to' | 'from'; readonly of: string }
  | {
      readonly kind: 'entity'
      readonly entity: EntityRef
      /** How many entries share it. */
      readonly entries: number
      readonly of: string
    }

export interface Neighbour {
  readonly id: string
  /** 0 to 1. A link is 1; shared entities add up by how rare they are. */
  readonly weight: number
  readonly reasons: readonly NeighbourReason[]
}

export type GraphNode =
  | {
      readonly node: string
      readonly kind: 'entry'
      readonly id: string
      readonly label: string
      readonly degree: number
    }
  | {
      readonly node: string
      readonly kind: 'entity'
      readonly entity: EntityRef
      readonly label: string
      readonly degree: number
    }

export interface GraphEdge {
  /** `node` of two nodes of the same graph. */
  readonly from: string
  readonly to: string
  readonly relation: 'links' | RelationName
}

export interface Graph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  /** Counts of everything that matches the filter, whether it is in `nodes` or not. */
  readonly totals: {
    readonly entries: number
    readonly entities: number
    readonly links: number
    readonly dangling: number
  }
}
