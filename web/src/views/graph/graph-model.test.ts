import { expect, it } from 'vitest'
import { edgesOf, evidenceOf, findNodes, type GraphNode, narrow, nearestTowards } from './graph-model.ts'

const entry = (id: string, label: string, degree = 1): GraphNode => ({
  node: `entry:${id}`,
  kind: 'entry',
  id,
  label,
  degree,
})
const service = (name: string, degree = 1): GraphNode => ({
  node: `service:${name}`,
  kind: 'entity',
  entity: { type: 'service', name },
  label: name,
  degree,
})

const graph = {
  nodes: [
    entry('a', 'Sessions live in Redis'),
    entry('b', 'Redis replaces Memcached'),
    service('redis', 3),
    service('memcached'),
  ],
  edges: [
    { from: 'entry:a', to: 'service:redis', relation: 'mentions' as const },
    { from: 'entry:b', to: 'service:redis', relation: 'mentions' as const },
    { from: 'entry:b', to: 'service:memcached', relation: 'mentions' as const },
    { from: 'service:redis', to: 'service:memcached', relation: 'replaces' as const },
    { from: 'entry:a', to: 'entry:b', relation: 'links' as const },
  ],
}

it('leaves out edges to hidden nodes', () => {
  const { nodes, edges } = narrow(graph, new Set(['entry']))
  expect(nodes.map(({ node }) => node)).toEqual(['entry:a', 'entry:b'])
  expect(edges).toEqual([{ from: 'entry:a', to: 'entry:b', relation: 'links' }])
})

it('finds nodes by all words: prefix matches first, then the best connected', () => {
  expect(findNodes(graph.nodes, 'redis', 5).map(({ label }) => label)).toEqual([
    'redis',
    'Redis replaces Memcached',
    'Sessions live in Redis',
  ])
  expect(findNodes(graph.nodes, 'live sessions', 5).map(({ label }) => label)).toEqual([
    'Sessions live in Redis',
  ])
  expect(findNodes(graph.nodes, '  ', 5)).toEqual([])
})

it('lists the edges of a node with their direction', () => {
  expect(
    edgesOf('entry:b', graph).map(({ other, relation, direction }) => [other.node, relation, direction]),
  ).toEqual([
    ['service:redis', 'mentions', 'out'],
    ['service:memcached', 'mentions', 'out'],
    ['entry:a', 'links', 'in'],
  ])
})

it('finds the evidence of a relation among the entries that mention both ends', () => {
  expect(evidenceOf({ from: 'service:redis', to: 'service:memcached' }, graph)).toEqual(['b'])
})

it('moves to the nearest node in a direction, or stays', () => {
  const here = { x: 0, y: 0 }
  const right = { x: 50, y: 5 }
  const aside = { x: 30, y: 45 }
  expect(nearestTowards(here, [1, 0], [aside, right])).toBe(right)
  expect(nearestTowards(here, [-1, 0], [aside, right])).toBeUndefined()
})
