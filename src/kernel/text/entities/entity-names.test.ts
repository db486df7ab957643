import { expect, test } from 'vitest'
import { entityNamed } from './entity-names.ts'
import { findMentions } from './find-entities.ts'

test.each([
  'The hook calls https://Hooks.acme.dev/v2?x=1 twice.',
  'Carts lie in redis://ro@cart.internal:6379/0 for now.',
  'Postgres keeps the orders.',
  'k8s runs the workers.',
  'Mongo keeps the carts.',
  'Ask @maria-lopez about it.',
  'The @acme/ui package is ours.',
  'See src/api/gateway.ts.',
])('an entity is found by the words that name it: %s', content => {
  const [found] = findMentions(content)
  if (found === undefined) throw new Error('nothing was found')
  const { type, name, text } = found
  expect(entityNamed(text).refs).toContainEqual({ type, name })
  expect(entityNamed(`${type}:${text}`).refs).toContainEqual({ type, name })
})
