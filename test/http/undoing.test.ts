import { writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { httpWorld } from './http-world.ts'

it('names each writer the record of what that one did, so that an undo takes back no more', async () => {
  const world = await httpWorld({
    before: ({ root }) => {
      for (const name of ['one', 'two'])
        writeFileSync(path.join(root, `${name}.jsonl`), `{"text":"Import ${name} says so."}\n`)
    },
  })
  onTestFinished(world.end)
  const recordOf = async (...asked: Parameters<typeof world.ask>) =>
    (await world.ask(...asked)).body.record as string
  const contents = async () =>
    ((await world.ask('list', {})).body.entries as { content: string }[]).map(({ content }) => content).sort()

  const [own, theirs] = await Promise.all([
    recordOf('remember', { content: 'Mine.' }),
    recordOf('remember', { content: 'Theirs.' }),
  ])
  expect(own).not.toBe(theirs)
  await world.ask('undo', { record: own })
  expect(await contents()).toEqual(['Theirs.'])

  const [one] = await Promise.all([
    recordOf('import', { file: 'one.jsonl' }),
    recordOf('import', { file: 'two.jsonl' }),
  ])
  await world.ask('undo', { record: one })
  expect(await contents()).toEqual(['Import two says so.', 'Theirs.'])
  // Nothing is new in it: there is nothing to take back.
  expect((await world.ask('import', { file: 'two.jsonl' })).body.record).toBe(null)
})

it('takes back a setting that was changed by its own verb, and names no record where nothing changed', async () => {
  const world = await httpWorld()
  onTestFinished(world.end)
  const changes = [
    { name: 'budget', asks: { tokens: '2000' }, key: 'brief.maxTokens', after: 2000 },
    { name: 'auto', asks: { state: 'off' }, key: 'memory.auto', after: false },
    { name: 'preset', asks: { preset: 'conservative' }, key: 'promotion.preset', after: 'conservative' },
  ] as const
  const settingOf = async (key: string) => {
    const { settings } = (await world.ask('configList', {})).body as { settings: { key: string }[] }
    return settings.find(setting => setting.key === key)
  }
  for (const { name, asks, key, after } of changes) {
    const before = await settingOf(key)
    expect((await world.ask(name, {})).body).toMatchObject({ changed: false, record: null })
    const { body } = await world.ask(name, asks)
    expect([key, body.changed, await settingOf(key)]).toMatchObject([
      key,
      true,
      { value: after, default: false },
    ])
    expect((await world.ask(name, asks)).body).toMatchObject({ changed: false, record: null })
    await world.ask('undo', { record: body.record })
    expect(await settingOf(key)).toEqual(before)
  }
})
