import type { Category } from './category.ts'

/** What an entry may be about, apart from other entries. The order is the order in which they are shown to people. */
export const ENTITY_TYPES = ['file', 'package', 'command', 'service', 'person'] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

/** What an entry may state about two entities. That they stand in one entry at all is `mentions`. */
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
  /** As it is written where it first stands. */
  readonly text: string
  /** Offset into the content; -1 for a file that only the entry's list of files names. */
  readonly at: number
}

/** `redis replaces memcached` */
export interface Relation {
  readonly from: EntityRef
  readonly relation: StatedRelation
  readonly to: EntityRef
}

/** Where a link leads. A link that leads nowhere is kept, and told. */
export type LinkTarget =
  | { readonly kind: 'entry'; readonly id: string }
  | { readonly kind: 'file'; readonly agent: string; readonly category: Category }
  | { readonly kind: 'dangling'; readonly reason: 'unknown' | 'ambiguous' }

export interface EntityUse extends EntityRef {
  readonly text: string
  /** In how many entries it stands. */
  readonly entries: number
}

export interface Link {
  /** What stands between the brackets, without the shown text. */
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
  /** `file`: the link names the whole vault file that the entry stands in. */
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
  /** Of everything that fits the filter, whether it is in `nodes` or not. */
  readonly totals: {
    readonly entries: number
    readonly entities: number
    readonly links: number
    readonly dangling: number
  }
}
