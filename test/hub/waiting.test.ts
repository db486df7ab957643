import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HubWorld, hubWorld } from '../support/hub-world.ts'

let world: HubWorld
beforeAll(async () => {
  world = await hubWorld({ projects: ['shop'] })
})
afterAll(() => world.end())

const add = (token: string, name: string) =>
  world.ask('workAdd', { project: 'shop', token, fields: { graph: 'g', tasks: [{ name, title: name }] } })
const claim = (token: string, signal?: AbortSignal) =>
  world.send('/p/shop/api/work/claim', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ wait: 60, worker: 'w1' }),
    ...(signal !== undefined && { signal }),
  })
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

test('a task is not claimed for a worker that has gone, or may no longer work', async () => {
  const token = await world.token('write', 'shop', { name: 'ana' })
  const other = await world.token('write', 'shop', { name: 'ben' })
  const leaving = new AbortController()
  const gone = claim(token, leaving.signal).catch((error: Error) => error.name)
  const revoked = claim(other)
  await pause(500)
  leaving.abort()
  expect(await gone).toBe('AbortError')
  await world.desk.revokeToken(other.split('_')[1] ?? '')
  expect(await (await revoked).json()).toEqual({ claimed: null })
  await pause(500)
  await add(token, 'a')
  const { body } = await world.ask('workTasks', { project: 'shop', token, fields: { graph: 'g' } })
  expect(body.tasks).toMatchObject([{ id: 'g.a', state: 'ready' }])
  const taken = await (await claim(token)).json()
  expect(taken).toMatchObject({ claimed: { task: { id: 'g.a', worker: 'ana/w1' } } })
})
