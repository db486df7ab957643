import { expect, it } from 'vitest'
import { weighNeighbours } from './entry-graph.ts'

const redis = { type: 'service', name: 'redis' } as const
const ana = { type: 'person', name: 'ana' } as const

it('puts a link first, then what few entries share', () => {
  const neighbours = weighNeighbours(
    [
      { kind: 'entity', of: 'a', id: 'common', entity: redis, entries: 16 },
      { kind: 'entity', of: 'a', id: 'rare', entity: ana, entries: 2 },
      { kind: 'link', of: 'a', id: 'linked', direction: 'to' },
    ],
    10,
    ['a'],
  )
  expect(neighbours.map(({ id, weight }) => [id, Math.round(weight * 100) / 100])).toEqual([
    ['linked', 1],
    ['rare', 0.8],
    ['common', 0.2],
  ])
})

it('adds up several ties, counts one entity once, and leaves out what was asked about', () => {
  const [both, ...others] = weighNeighbours(
    [
      { kind: 'entity', of: 'a', id: 'c', entity: redis, entries: 4 },
      { kind: 'entity', of: 'b', id: 'c', entity: redis, entries: 4 },
      { kind: 'entity', of: 'a', id: 'c', entity: ana, entries: 4 },
      { kind: 'entity', of: 'a', id: 'b', entity: ana, entries: 4 },
    ],
    10,
    ['a', 'b'],
  )
  expect(both?.weight).toBeCloseTo(1 - 0.6 * 0.6)
  expect(both?.reasons).toHaveLength(2)
  expect(others).toEqual([])
})
