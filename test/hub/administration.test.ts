import { afterAll, beforeAll, expect, test } from 'vitest'
import { isHubCommand } from '../../src/addons/hub/verbs/hub-operation.ts'
import type { Terminal } from '../../src/kernel/system/terminal.ts'
import { backupRows } from '../../src/stores/postgres/database-backup.ts'
import { PRESENTERS } from '../../src/surfaces/cli/presenters.generated.ts'
import { HUB_CONTRACT } from '../../src/surfaces/http/contract.ts'
import { HUB_PATHS, type HubRouteName } from '../../src/surfaces/http/paths.generated.ts'
import type { HubRoute } from '../../src/surfaces/http/route.ts'
import { OPERATIONS } from '../../src/verbs/all.ts'
import { screenOf } from '../../src/verbs/presenter.ts'
import { type HubWorld, hubWorld } from '../support/hub-world.ts'

let world: HubWorld
beforeAll(async () => {
  world = await hubWorld()
}, 180_000)
afterAll(() => world.end(), 60_000)

const asAdmin = async (name: HubRouteName, fields: Record<string, unknown> = {}) => {
  const { status, body } = await world.askHub(name, { token: world.admin, fields })
  expect([name, status, body.code]).toEqual([name, 200, undefined])
  return body as Record<string, never>
}

test('an administrator adds a project and a token over HTTP, which works at once', async () => {
  await asAdmin('hubAddProject', { project: 'shop' })
  const { token, listed } = (await asAdmin('hubTokenAdd', {
    name: 'ci-bot',
    project: ['shop'],
    scope: 'write',
    expires: '90d',
  })) as unknown as { token: string; listed: Record<string, unknown> }
  expect(listed).toMatchObject({
    principal: 'ci-bot',
    kind: 'agent',
    grants: [{ project: 'shop', scope: 'write' }],
  })
  const kept = await world.ask('remember', {
    project: 'shop',
    token,
    fields: { content: 'Ship on Tuesdays.' },
  })
  expect(kept.status).toBe(200)
  expect((await world.askHub('hubMe', { token })).body).toEqual({
    name: 'ci-bot',
    kind: 'agent',
    token: listed.id,
    isAdmin: false,
    projects: [{ name: 'shop', scope: 'write' }],
  })
  await asAdmin('hubTokenSet', { id: listed.id, project: ['shop'], scope: 'read' })
  await asAdmin('hubTokenRevoke', { id: listed.id })
  expect((await world.askHub('hubMe', { token })).status).toBe(401)
  await asAdmin('hubRename', { project: 'shop', to: 'store' })
  await asAdmin('hubArchive', { project: 'store' })
  await asAdmin('hubRestore', { project: 'store' })
  await asAdmin('hubDisable', { name: 'ci-bot' })
  await asAdmin('hubEnable', { name: 'ci-bot' })
  const { records } = (await asAdmin('hubAudit', { project: 'store' })) as unknown as {
    records: { principal: string; action: string; outcome: string }[]
  }
  expect(records.map(({ principal, action }) => `${principal} ${action}`)).toEqual(
    expect.arrayContaining(['admin hub rename', 'admin hub archive', 'admin hub restore']),
  )
})

test('whoever does not administer the whole hub is let in to none of it but the tokens of their projects', async () => {
  const ofOne = await world.token('admin', 'shop-2', { name: 'boss' })
  for (const [name, { scope, isOfAnyProject }] of Object.entries(HUB_CONTRACT) as [
    HubRouteName,
    HubRoute<unknown>,
  ][]) {
    if (scope === 'read' || isOfAnyProject) continue
    const fields = { project: 'shop-2', to: 'mine', name: 'admin', id: world.admin.split('_')[1], yes: true }
    const [, path = ''] = HUB_PATHS[name].split(' ')
    const named = Object.fromEntries(Object.entries(fields).filter(([field]) => path.includes(`:${field}`)))
    expect([name, (await world.askHub(name, { token: ofOne, fields: named })).body.code]).toEqual([
      name,
      'scope_missing',
    ])
    expect((await world.askHub(name, { fields: named })).status).toBe(401)
  }
  expect((await world.desk.projects()).map(({ name }) => name)).toContain('shop-2')
})

test('what is not known is refused, and what is missing is said', async () => {
  const refused = async (name: HubRouteName, fields: Record<string, unknown>) =>
    (await world.askHub(name, { token: world.admin, fields })).body.code
  expect(await refused('hubAddProject', { project: 'ok', colour: 'red' })).toBe('invalid_input')
  expect(await refused('hubAddProject', { project: 'ok', store: 'postgres://elsewhere/x' })).toBe(
    'invalid_input',
  )
  expect(await refused('hubAddProject', { project: '../x' })).toBe('invalid_input')
  expect(await refused('hubTokenAdd', { name: 'x' })).toBe('invalid_input')
  expect(await refused('hubTokenAdd', { name: 'x', project: ['nowhere'] })).toBe('project_not_found')
  expect(await refused('hubTokenRevoke', { id: 'ffff' })).toBe('token_not_found')
  expect(await refused('hubDisable', { name: 'nobody' })).toBe('principal_not_found')
  expect(await refused('hubRemove', { project: 'shop-2' })).toBe('not_confirmed')
})

test('every verb of the hub has something to show', async () => {
  const shown: string[] = []
  const plain = (text: string) => text
  const terminal = {
    out: (text: string) => shown.push(text),
    bold: plain,
    dim: plain,
    accent: plain,
    good: plain,
    bad: plain,
  } as unknown as Terminal
  const run = async (verb: string, input: Record<string, unknown> = {}) => {
    const operation = await OPERATIONS[verb]?.()
    if (operation === undefined || !isHubCommand(operation)) throw new Error(`${verb} is no verb of a hub`)
    const output = await operation.runWith(
      async () => ({ desk: world.desk, rows: backupRows(world.hub.pool), close: async () => undefined }),
      input,
      {},
    )
    shown.length = 0
    screenOf(PRESENTERS, verb).present(output, terminal)
    return shown.join('')
  }
  const said: Record<string, string> = {
    'hub init': await run('hub init'),
    'hub add-project': await run('hub add-project', { project: 'verbs' }),
    'hub rename': await run('hub rename', { project: 'verbs', to: 'words' }),
    'hub projects': await run('hub projects'),
    'hub token add': await run('hub token add', { name: 'vera', project: ['words'] }),
    'hub tokens': await run('hub tokens'),
    'hub principals': await run('hub principals'),
    'hub disable': await run('hub disable', { name: 'vera' }),
    'hub enable': await run('hub enable', { name: 'vera' }),
    'hub archive': await run('hub archive', { project: 'words' }),
    'hub restore': await run('hub restore', { project: 'words' }),
    'hub audit': await run('hub audit', { since: '1h' }),
  }
  const id = (await world.desk.tokens()).find(({ principal }) => principal === 'vera')?.id
  said['hub token set'] = await run('hub token set', { id, project: ['words'], scope: 'write' })
  said['hub token revoke'] = await run('hub token revoke', { id })
  await run('hub archive', { project: 'words' })
  said['hub remove'] = await run('hub remove', { project: 'words', yes: true })
  expect(Object.keys(said).sort()).toEqual(
    Object.keys(OPERATIONS)
      // Those of a backup work on files, and have stories of their own.
      .filter(verb => verb.startsWith('hub ') && !verb.startsWith('hub backup'))
      .sort(),
  )
  expect(said['hub init']).toContain('already set up')
  expect(said['hub token add']).toMatch(/cairn_[0-9a-f]{16}_[0-9a-f]{64}/)
  expect(said['hub tokens']).not.toMatch(/_[0-9a-f]{64}/)
  expect(said['hub tokens']).toContain('words:read')
  expect(said['hub token set']).toContain('words:write')
  expect(said['hub remove']).toContain('with 0 entries')
  expect(said['hub audit']).toContain('hub rename')
})
