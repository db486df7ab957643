import { readdirSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { BackupLine } from '../../src/addons/backup/decide/backup-line.ts'
import { linkHub, unlinkHub } from '../../src/addons/link/link-hub.ts'
import { composeEngine } from '../../src/compose/compose.ts'
import { backupRows } from '../../src/stores/postgres/database-backup.ts'
import { openLinkState } from '../../src/stores/sqlite/sqlite-link-state.ts'
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

it('where there is no link, nothing is left behind by removing it', async () => {
  const project = scratchProject()
  const engine = composeEngine({ root: project, actor: { host: 'test' } })
  onTestFinished(() => engine.close())
  await expect(unlinkHub(engine)).rejects.toMatchObject({ code: 'not_linked' })
  expect(readdirSync(project)).toEqual([])
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

it('a project that was restored from a backup is linked anew, also when it has caught up: nothing is lost or doubled', async () => {
  const world = await linkWorld()
  const ana = await world.clone('ana')
  const { id } = await ana.keep('Sessions live in Redis.')
  const gone = await ana.keep('The staging server is heron.')
  await ana.sync()
  const lines: BackupLine[] = []
  await backupRows(world.hub.hub.pool).write({ project: 'shop', withTokens: false }, async line => {
    lines.push(line)
  })
  await ana.edit(id, { content: 'Sessions live in Postgres.' })
  await ana.forget(gone.id)
  await ana.keep('Deploys wait for smoke tests.')
  await ana.sync()
  await world.hub.hub.directory.renameProject('shop', 'shop-lost')
  await backupRows(world.hub.hub.pool).restore(given(lines), {
    project: 'shop',
    as: undefined,
    withTokens: false,
  })
  const token = await world.hub.token('write', 'shop')
  for (const content of ['Invoices are sent on Mondays.', 'The cache is cold.', 'Ask Carla first.'])
    await world.hub.ask('remember', { project: 'shop', token, fields: { content } })
  const address = await ana.engine.hubLink.address()
  if (address === undefined) throw new Error('it is linked')
  await ana.engine.hubLink.keep(address, token)
  await expect(ana.sync()).rejects.toThrow('a restored backup')
  await linkHub(ana.engine, { url: address.url, project: 'shop', token, isInsecure: false })
  expect(await ana.sync()).toMatchObject({ conflicts: [], received: 3, sent: 3 })
  expect(await ana.texts()).toEqual([
    'Ask Carla first.',
    'Deploys wait for smoke tests.',
    'Invoices are sent on Mondays.',
    'Sessions live in Postgres.',
    'The cache is cold.',
  ])
  expect(await world.textsOnHub()).toEqual(await ana.texts())
})

async function* given(lines: readonly BackupLine[]): AsyncGenerator<BackupLine> {
  yield* lines
}
