import type { Entity, EntityRef, EntityType, Relation, StatedRelation } from '../../kernel/model/graph.ts'
import { storable } from './entry-fields.ts'
import { storedJson } from './stored-value.ts'

/** How much of a title is looked up by; the rest is compared with the entry itself: a whole title costs four times as much to write. */
export const HEAD_CHARACTERS = 24

export function headOf(title: string): string {
  return storable(title.slice(0, HEAD_CHARACTERS))
}

/** `service:redis` */
export function entityKey({ type, name }: EntityRef): string {
  return storable(`${type}:${name}`)
}

export function entityOfKey(key: string): EntityRef {
  const colon = key.indexOf(':')
  return { type: key.slice(0, colon) as EntityType, name: key.slice(colon + 1) }
}

/** What an entry is about: one row, since a bulk import pays for every one. */
export interface About {
  readonly entities: readonly (EntityRef & { readonly text: string })[]
  readonly relations: readonly Relation[]
}

/** `{"e":[["service","redis","Redis"],["service","memcached"]],"r":[[0,"replaces",1]]}` */
export function packAbout(entities: readonly Entity[], relations: readonly Relation[]): string {
  const placeOf = ({ type, name }: EntityRef) =>
    entities.findIndex(entity => entity.type === type && entity.name === name)
  return JSON.stringify({
    e: entities.map(({ type, name, text }) => (text === name ? [type, name] : [type, name, text])),
    r: relations
      .map(({ from, relation, to }) => [placeOf(from), relation, placeOf(to)] as const)
      .filter(([from, , to]) => from >= 0 && to >= 0),
  })
}

export function unpackAbout(packed: string): About {
  const { e, r } = storedJson<{
    e: [EntityType, string, string?][]
    r: [number, StatedRelation, number][]
  }>('the entities of an entry', packed)
  const entities = e.map(([type, name, text = name]) => ({ type, name, text }))
  const refOf = (place: number): EntityRef => {
    const [type, name] = e[place] ?? ['file', '']
    return { type, name }
  }
  return {
    entities,
    relations: r.map(([from, relation, to]) => ({ from: refOf(from), relation, to: refOf(to) })),
  }
}
