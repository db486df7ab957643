import { afterAll, beforeAll, expect, test } from 'vitest'
import { HUB_PATHS, type HubRouteName } from '../../src/surfaces/http/paths.generated.ts'
import { type HubWorld, hubWorld } from '../support/hub-world.ts'

let world: HubWorld
/** Administers `shop`, reads `wiki`, and knows nothing of `bank` and the archived `attic`. */
let boss: string
beforeAll(async () => {
  world = await hubWorld({ projects: ['shop', 'wiki', 'bank', 'attic'] })
  boss = (
    await world.desk.addToken({
      name: 'boss',
      kind: 'user',
      grants: [
        { project: 'shop', scope: 'admin' },
        { project: 'wiki', scope: 'read' },
        { project: 'attic', scope: 'admin' },
      ],
    })
  ).token
  await world.desk.archiveProject('attic')
}, 180_000)
afterAll(() => world.end(), 60_000)

const idOf = (token: string) => token.split('_')[1] ?? ''
const asBoss = async (name: HubRouteName, fields: Record<string, unknown> = {}) =>
  (await world.askHub(name, { token: boss, fields })).body
const add = (fields: Record<string, unknown>) => asBoss('hubTokenAdd', fields)
const listed = async () =>
  ((await asBoss('hubTokens')).tokens as { id: string; principal: string }[]).map(
    ({ principal }) => principal,
  )

test('makes a token for the project, which works at once, says anew what it may, and takes it back', async () => {
  const made = (await add({ name: 'helper', project: ['shop'], scope: 'write' })) as { token: string }
  const list = () => world.ask('list', { project: 'shop', token: made.token })
  expect((await list()).status).toBe(200)
  expect(await listed()).toEqual(['boss/helper'])
  const set = await asBoss('hubTokenSet', { id: idOf(made.token), project: ['shop'], scope: 'read' })
  expect(set.listed).toMatchObject({ grants: [{ project: 'shop', scope: 'read' }] })
  expect((await asBoss('hubTokenRevoke', { id: idOf(made.token) })).code).toBe(undefined)
  expect((await list()).status).toBe(401)
  const audit = await world.desk.audit({ principal: 'boss', limit: 3 })
  expect(audit.map(({ action, outcome, token }) => [action, outcome, token])).toEqual([
    ['hub token revoke', 'done', idOf(boss)],
    ['hub token set', 'done', idOf(boss)],
    ['hub token add', 'done', idOf(boss)],
  ])
})

test('gives nothing that they do not have: neither another project nor the hub', async () => {
  const refused = async (project: string[] | undefined, scope = 'read') =>
    (await add({ name: 'mole', ...(project !== undefined && { project }), scope })).code
  expect(await refused(['*'])).toBe('scope_missing')
  expect(await refused(undefined, 'admin')).toBe('scope_missing')
  expect(await refused(['wiki'])).toBe('scope_missing')
  expect(await refused(['shop', 'wiki'])).toBe('scope_missing')
  expect(await refused(['bank'])).toBe('project_not_found')
  expect(await refused(['attic'])).toBe('project_not_found')
  const { message } = await add({ name: 'mole', project: ['bank'] })
  const absent = await add({ name: 'mole', project: ['nowhere'] })
  expect(String(message).replace('bank', 'nowhere')).toBe(absent.message)
  const mine = (await add({ name: 'helper', project: ['shop'] })) as { token: string }
  for (const project of ['*', 'wiki', 'bank'])
    expect(
      (await asBoss('hubTokenSet', { id: idOf(mine.token), project: [project], scope: 'read' })).code,
    ).toBeOneOf(['scope_missing', 'project_not_found'])
  expect((await world.desk.principals()).map(({ name }) => name)).not.toContain('mole')
})

test('a token that reaches further is not there for them, to see, to change or to take back', async () => {
  const others = [
    await world.token('write', 'bank', { name: 'teller' }),
    await world.token('read', '*', { name: 'dashboard' }),
    (
      await world.desk.addToken({
        name: 'both',
        kind: 'agent',
        grants: [
          { project: 'shop', scope: 'write' },
          { project: 'bank', scope: 'write' },
        ],
      })
    ).token,
    world.admin,
    boss,
  ]
  expect(await listed()).not.toEqual(expect.arrayContaining(['teller', 'dashboard', 'both', 'admin', 'boss']))
  const absent = (await asBoss('hubTokenRevoke', { id: 'f'.repeat(16) })).message
  for (const token of others) {
    const id = idOf(token)
    const { code, message } = await asBoss('hubTokenRevoke', { id })
    expect([code, message]).toEqual(['token_not_found', absent])
    expect((await asBoss('hubTokenSet', { id, project: ['shop'], scope: 'read' })).code).toBe(
      'token_not_found',
    )
    expect((await world.askHub('hubMe', { token })).status).toBe(200)
  }
})

test('writes in nobody else’s name, and cannot tell whether somebody has it', async () => {
  await world.token('write', 'bank', { name: 'ana' })
  for (const name of ['command line', 'Cairn up'])
    expect((await add({ name, project: ['shop'] })).code).toBe('invalid_input')
  const answers: unknown[] = []
  for (const name of ['ana', 'admin', 'nobody-here']) {
    const { listed: made, ...rest } = await add({ name, project: ['shop'], scope: 'write' })
    const { principal, grants } = made as { principal: string; grants: unknown }
    expect(principal).toBe(`boss/${name}`)
    answers.push([Object.keys(rest), grants])
    expect((await world.desk.tokens()).filter(each => each.principal === name)).toHaveLength(
      name === 'nobody-here' ? 0 : 1,
    )
  }
  expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
  expect((await add({ name: 'boss', project: ['shop'] })).listed).toMatchObject({ principal: 'boss' })
  // Somebody of their projects alone keeps the name that the hub gave.
  await world.token('read', 'shop', { name: 'clerk' })
  expect((await add({ name: 'clerk', project: ['shop'] })).listed).toMatchObject({ principal: 'clerk' })
})

test('what they give ends no later than what they have', async () => {
  const lent = await world.token('admin', 'shop', { name: 'guest', validMs: 24 * 60 * 60_000 })
  const give = async (fields: Record<string, unknown>) =>
    (await world.askHub('hubTokenAdd', { token: lent, fields: { project: ['shop'], ...fields } })).body
  expect((await give({ name: 'late', expires: '2d' })).code).toBe('invalid_input')
  const end = (await world.desk.tokens()).find(({ id }) => id === idOf(lent))?.expiresMs ?? 0
  const { listed: made } = (await give({ name: 'bound' })) as { listed: { expiresAt: string } }
  expect(Math.abs(Date.parse(made.expiresAt) - end)).toBeLessThan(60_000)
})

test('a token that outlives theirs gets no more from them than it has, and none asks more often', async () => {
  const lent = await world.token('admin', 'shop', {
    name: 'visitor',
    validMs: 24 * 60 * 60_000,
    perSecond: 20,
  })
  const lasting = idOf(await world.token('write', 'shop', { name: 'visitor' }))
  const set = async (scope: string) =>
    (await world.askHub('hubTokenSet', { token: lent, fields: { id: lasting, project: ['shop'], scope } }))
      .body
  expect((await set('admin')).code).toBe('invalid_input')
  expect((await set('read')).listed).toMatchObject({ grants: [{ project: 'shop', scope: 'read' }] })
  expect((await set('write')).code).toBe('invalid_input')
  const give = async (name: string, rate?: number) =>
    (
      await world.askHub('hubTokenAdd', {
        token: lent,
        fields: { name, project: ['shop'], ...(rate !== undefined && { rate }) },
      })
    ).body
  expect((await give('faster', 21)).code).toBe('invalid_input')
  expect((await give('as fast')).listed).toMatchObject({ requestsPerSecond: 20 })
})

test('whoever administers no project is refused, and so is one whose project was put away', async () => {
  const names = (Object.keys(HUB_PATHS) as HubRouteName[]).filter(name => name.startsWith('hubToken'))
  expect(names).toHaveLength(4)
  const writer = await world.token('write', 'shop', { name: 'writer' })
  for (const name of names) {
    const { body } = await world.askHub(name, { token: writer, fields: { id: 'x' } })
    expect([name, body.code]).toEqual([name, 'scope_missing'])
  }
  const gone = await world.token('admin', 'gone', { name: 'keeper' })
  await world.desk.archiveProject('gone')
  expect((await world.askHub('hubTokens', { token: gone })).body).toEqual({ tokens: [] })
  const fields = { name: 'x', project: ['gone'] }
  expect((await world.askHub('hubTokenAdd', { token: gone, fields })).body.code).toBe('project_not_found')
})
