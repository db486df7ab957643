import * as path from 'node:path'
import { expect, it } from 'vitest'
import { openLinkState } from '../../src/backends/sqlite/sqlite-link-state.ts'
import { linkHub, unlinkHub } from '../../src/linking/link-hub.ts'
import { linkWorld } from '../support/link-world.ts'
import { scratchProject } from '../support/scratch-project.ts'

it('a link is changed and removed when no sync is under way, which goes on with what it began with', async () => {
  const world = await linkWorld({ projects: ['shop', 'depot'] })
  const { engine } = await world.clone('ana')
  const { hubLink } = engine
  const token = await world.hub.token('write', 'depot')
  const events: string[] = []
  const syncing = hubLink.alone(async () => {
    await new Promise(resolve => setTimeout(resolve, 500))
    events.push(`synced ${(await hubLink.address())?.project}`)
  }, 0)
  const linking = linkHub(engine, {
    url: world.hub.address,
    project: 'depot',
    token,
    isInsecure: false,
  }).then(({ address, before }) => events.push(`linked ${before?.project} to ${address.project}`))
  await Promise.all([syncing, linking])
  expect(events).toEqual(['synced shop', 'linked shop to depot'])
  expect(await unlinkHub(engine)).toMatchObject({ project: 'depot' })
})

it('the token of a link is given for the address that it was given for, and for no other', async () => {
  const world = await linkWorld({ projects: ['shop', 'depot'] })
  const { engine } = await world.clone('ana')
  const { hubLink } = engine
  const old = await hubLink.address()
  if (old === undefined) throw new Error('it is linked')
  expect(await hubLink.token(old)).toBe(world.token)
  const token = await world.hub.token('write', 'depot')
  await linkHub(engine, { url: world.hub.address, project: 'depot', token, isInsecure: false })
  await expect(hubLink.token(old)).rejects.toMatchObject({ code: 'not_linked' })
  expect(await hubLink.token({ ...old, project: 'depot' })).toBe(token)
})

it('what was agreed with one project is never kept among what was agreed with another', () => {
  const location = path.join(scratchProject(), 'link.db')
  const [old, fresh] = [openLinkState(location), openLinkState(location)]
  old.open('shop')
  old.keep({ cursor: '7' })
  fresh.open('depot')
  expect(() => old.keep({ cursor: '8' })).toThrow('linked to another hub')
  expect(fresh.cursor()).toBe(null)
  old.close()
  fresh.close()
})
