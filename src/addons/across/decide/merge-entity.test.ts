import { expect, test } from 'vitest'
import type { ProjectName } from '../../../kernel/model/across.ts'
import type { EntityRef } from '../../../kernel/model/graph.ts'
import { type EntityThere, mergeEntities } from './merge-entity.ts'

const redis: EntityRef = { type: 'service', name: 'redis' }
const rabbit: EntityRef = { type: 'service', name: 'rabbitmq' }
const node = (entity: EntityRef) => ({
  node: `${entity.type}:${entity.name}`,
  kind: 'entity' as const,
  entity,
  label: entity.name,
  degree: 1,
})

function there(name: string, entries: number, beside: readonly EntityRef[], isHere = false): EntityThere {
  const project: ProjectName = { id: name, name, root: null, isHere }
  return {
    project,
    entity: redis,
    entries,
    newest: [],
    graph: {
      nodes: [redis, ...beside].map(node),
      edges: [
        ...beside.map(entity => ({
          from: 'entry:1',
          to: `${entity.type}:${entity.name}`,
          relation: 'mentions' as const,
        })),
        ...beside.map(entity => ({
          from: 'service:redis',
          to: `${entity.type}:${entity.name}`,
          relation: 'replaces' as const,
        })),
      ],
    },
  }
}

test('one entity in several projects is one, with what is said of it in each', () => {
  const [merged, ...more] = mergeEntities([
    there('api', 5, [rabbit]),
    there('here', 1, [], true),
    there('shop', 2, [rabbit]),
  ])
  expect(more).toEqual([])
  expect(merged).toEqual({
    type: 'service',
    name: 'redis',
    entries: 8,
    in: [
      { project: { id: 'here', name: 'here', root: null, isHere: true }, entries: 1, newest: [] },
      { project: { id: 'api', name: 'api', root: null, isHere: false }, entries: 5, newest: [] },
      { project: { id: 'shop', name: 'shop', root: null, isHere: false }, entries: 2, newest: [] },
    ],
    related: [{ type: 'service', name: 'rabbitmq', entries: 2, projects: 2 }],
    relations: [{ from: redis, relation: 'replaces', to: rabbit, projects: ['api', 'shop'] }],
  })
})

test('a project in which nothing of it may be told has none', () => {
  expect(mergeEntities([there('api', 0, [])])).toEqual([])
})
