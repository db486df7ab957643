import { expect, test } from 'vitest'
import { acrossWorld } from '../across/across-world.ts'

const PROJECT = ['id', 'isHere', 'name', 'root']
const LOOKED_AT = ['closed', 'degraded', 'projects', 'searched']
const keysOf = (value: object | undefined) => Object.keys(value ?? {}).sort()

test('answers from several projects have these fields', async () => {
  const world = acrossWorld()
  await world.project('here', 'One.')
  await world.project('shop', {
    content: 'Redis replaces RabbitMQ. Fixed EREDISDOWN by restarting.',
    kind: 'lesson',
    session: 's-1',
    files: ['a.ts'],
  })
  const found = await world.everywhere('redis')
  expect(keysOf(found)).toEqual([...LOOKED_AT, 'hits'].sort())
  expect(keysOf(found.projects[0])).toEqual([...PROJECT, 'found'].sort())
  expect(keysOf(found.hits[0])).toEqual(['content', 'from', 'kind', 'matches', 'score', 'tags', 'text'])
  expect(keysOf(found.hits[0]?.from[0])).toEqual([
    'agent',
    'date',
    'entry',
    'files',
    'kind',
    'project',
    'session',
    'status',
  ])
  expect(keysOf(found.hits[0]?.from[0]?.project)).toEqual(PROJECT)
  const met = await world.met('Error: EREDISDOWN')
  expect(keysOf(met)).toEqual([...LOOKED_AT, 'hits', 'names', 'query', 'sort'].sort())
  expect(keysOf(met.hits[0])).toEqual([
    ...['content', 'from', 'kind', 'matches', 'says', 'score', 'tags', 'tells', 'text'],
  ])
  const { entities } = await world.entity('redis')
  expect(keysOf(entities[0])).toEqual(['entries', 'in', 'name', 'related', 'relations', 'type'])
  expect(keysOf(entities[0]?.in[0])).toEqual(['entries', 'newest', 'project'])
  expect(keysOf(entities[0]?.relations[0])).toEqual(['from', 'projects', 'relation', 'to'])
})
