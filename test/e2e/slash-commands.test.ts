import { expect, it } from 'vitest'
import { inWorld } from './world.ts'

it(
  'a slash command on standard input is done as it was typed, and no shell reads it',
  inWorld(async world => {
    const typed = '/remember Use `sse`, not "ws": $(touch pwned) drops; sockets && idle'
    const run = await world.cairn(['memory', '-', '--json'], { input: `${typed}\n` })
    expect(JSON.parse(run.stdout).entry.content).toBe(
      'Use `sse`, not "ws": $(touch pwned) drops; sockets && idle',
    )
    expect(Object.keys(world.bytes()).filter(name => name.includes('pwned'))).toEqual([])
    const pinned = await world.cairn(['memory', '-'], { input: '/pin sse sockets' })
    expect(pinned.stdout).toMatch(/^Pinned: /)
    const unpinned = await world.cairn(['memory', '-'], { input: '/pin sse sockets' })
    expect(unpinned.stdout).toMatch(/^Unpinned: /)
    const forgotten = await world.cairn(['memory', '-'], { input: '/forget sse sockets' })
    expect(forgotten.stdout).toMatch(/^Forgotten: /)
    expect((await world.json('list')).total).toBe(0)
  }),
)

it(
  'cairn memory says what the verb of that word says',
  inWorld(async world => {
    await world.ok('remember', 'Sessions live in Redis.')
    for (const words of [
      ['list'],
      ['list', 'decisions'],
      ['search', 'redis'],
      ['budget'],
      ['auto'],
      ['alias', 'list'],
    ])
      expect(await world.ok('memory', ...words)).toBe(await world.ok(...words))
    expect(await world.ok('memory', 'status')).toMatch(/^All is well\.\n1 entry /)
    expect(await world.ok('memory', 'config', 'conservative')).toContain('Promotion is conservative')
    expect(await world.json('config', 'get', 'promotion.preset')).toMatchObject({
      setting: { value: 'conservative' },
    })
    expect(await world.ok('memory', 'config', 'get', 'search.limit')).toBe('search.limit = 10 (default)\n')
  }),
)

it(
  'a slash command that says too little, or is none, is answered with how one is written',
  inWorld(async world => {
    const ask = async (input: string) =>
      JSON.parse((await world.cairn(['memory', '-', '--json'], { input })).stdout).error
    expect(await ask('/remember')).toMatchObject({ code: 'invalid_input', hint: 'Write /remember <text>.' })
    expect(await ask('good morning')).toMatchObject({ message: 'This is no slash command of Cairn.' })
    expect(await world.failure('memory', 'frobnicate')).toMatchObject({
      exit: 2,
      message: 'cairn memory has no "frobnicate".',
    })
  }),
)

it(
  'forget, pin and search take what they are about on standard input',
  inWorld(async world => {
    await world.ok('remember', 'Sessions live in Redis.')
    expect((await world.cairn(['search', '-', '--json'], { input: 'redis' })).stdout).toContain(
      'Sessions live in Redis',
    )
    expect((await world.cairn(['pin', '-'], { input: 'redis' })).stdout).toMatch(/^Pinned: /)
    expect((await world.cairn(['forget', '-'], { input: 'redis' })).stdout).toMatch(/^Forgotten: /)
  }),
)
