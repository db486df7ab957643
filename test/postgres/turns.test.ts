import { expect, it } from 'vitest'
import { Tenant } from '../../src/backends/postgres/tenant.ts'
import { backgroundVectors } from '../../src/background-vectors.ts'
import { remember } from '../../src/engine.ts'
import { postgresWorld } from '../support/postgres-world.ts'
import { wordEmbedder } from '../support/word-embedder.ts'

const world = postgresWorld()

it('is one server at a time, in each project, until it ends its turn or dies', async () => {
  const [shop, blog] = [await world.project(), await world.project()]
  const [one, two] = [world.open(shop), world.open(shop)]
  expect(await one.turns.take('vectors')).toBe(true)
  expect(await one.turns.take('vectors')).toBe(true)
  expect(await two.turns.take('vectors')).toBe(false)
  expect(await two.turns.take('recall')).toBe(true)
  expect(await world.open(blog).turns.take('vectors')).toBe(true)
  await two.turns.end('vectors')
  expect(await two.turns.take('vectors')).toBe(false)
  await one.turns.end('vectors')
  expect(await two.turns.take('vectors')).toBe(true)
  // As if it had died a while ago.
  await new Tenant(world.pool(), shop.number).query(
    "UPDATE turn t SET until = now() - interval '1 second' WHERE t.project = $1",
  )
  expect(await one.turns.take('vectors')).toBe(true)
  expect(await two.turns.take('vectors')).toBe(false)
})

it('makes no vector while another server has the turn, and all of them when it is free', async () => {
  const project = await world.project()
  const [here, there] = [wordEmbedder(), wordEmbedder()].map(embedder => world.open(project, { embedder }))
  if (here === undefined || there === undefined) throw new Error('two servers')
  await there.turns.take('vectors')
  await remember(here, [{ content: 'One.' }, { content: 'Two.' }])
  const work = backgroundVectors(here)
  work.wake()
  await here.clock.sleep(600)
  expect((await here.semantics.vectors.state()).waiting).toBe(2)
  await there.turns.end('vectors')
  work.wake()
  for (;;) {
    if ((await here.semantics.vectors.state()).waiting === 0) break
    await here.clock.sleep(50)
  }
  await work.stop()
})
