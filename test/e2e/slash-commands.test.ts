import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { inWorld, type World } from './world.ts'

it(
  'a slash command on standard input is done as it was typed, and no shell reads it',
  inWorld(async world => {
    const typed = '/remember Use `sse`, not "ws": $(touch pwned) drops; sockets && idle'
    const run = await world.cairn(['memory', '-', '--json'], { input: `${typed}\n` })
    expect(JSON.parse(run.stdout).entry.content).toBe(
      'Use `sse`, not "ws": $(touch pwned) drops; sockets && idle',
    )
    expect(Object.keys(world.bytes()).filter(name => path.basename(name) === 'pwned')).toEqual([])
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
    expect(await world.ok('memory', 'status')).toMatch(/^No problems\.\n1 entry /)
    expect(await world.ok('memory', 'config', 'conservative')).toContain('The preset is conservative')
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
    expect(await ask('good morning')).toMatchObject({ message: 'This is not a slash command of Cairn.' })
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

/** What `cairn init` leaves behind for a project that this user trusts. */
function trust(world: World): void {
  const root = realpathSync(world.root)
  const at = '2026-01-01T00:00:00Z'
  const project = { id: 'p1', name: 'p', root, trustedAt: at, firstSeenAt: at, lastSeenAt: at }
  mkdirSync(`${world.home}/.cairn`, { recursive: true })
  writeFileSync(`${world.home}/.cairn/projects.json`, JSON.stringify({ version: 1, projects: [project] }))
}

const typed = (world: World, prompt: string, host = 'claude-code') =>
  world.cairn(['hook', host, 'UserPromptSubmit'], {
    input: JSON.stringify({ session_id: 's1', cwd: world.root, hook_event_name: 'UserPromptSubmit', prompt }),
  })

/** On a busy machine a hook may not hear its payload in time, and leaves the command to the model. */
async function reasonFor(world: World, prompt: string, host?: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const { stdout } = await typed(world, prompt, host)
    if (stdout !== '' || attempt === 10) return JSON.parse(stdout).reason
  }
}

it(
  'a slash command that a host hands to its prompt hook is done, and answered without a model',
  inWorld(async world => {
    await world.ok('remember', 'Sessions live in Redis.')
    trust(world)
    expect(await reasonFor(world, '/remember We stream by `SSE`. $(touch pwned)')).toMatch(
      /^Remembered: \[.*\] lesson: We stream by `SSE`\. \$\(touch pwned\)$/,
    )
    expect((await world.json('list')).entries[0]).toMatchObject({ session: 's1', status: 'confirmed' })
    expect(await reasonFor(world, '$pin redis', 'codex')).toMatch(/^Pinned: /)
    expect(await reasonFor(world, '/cairn nonsense')).toContain('Unknown command: "nonsense".')
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    expect(await reasonFor(world, `/forget ${secret}`)).not.toContain(secret)
  }),
)

it(
  'a command of that name that is the user’s own stays theirs, and in a project nobody trusts nothing is done',
  inWorld(async world => {
    await world.ok('remember', 'Sessions live in Redis.')
    mkdirSync(`${world.home}/.cairn`, { recursive: true })
    writeFileSync(`${world.home}/.cairn/projects.json`, '{"version":1,"projects":[]}')
    expect((await typed(world, '/remember hello there')).stdout).toBe('')
    trust(world)
    world.write('.claude/commands/pin.md', 'Put a pin on the map.\n')
    expect((await typed(world, '/pin redis')).stdout).toBe('')
    expect(await reasonFor(world, '/cairn list')).toContain('Sessions live in Redis.')
    expect((await world.json('list')).entries).toMatchObject([{ status: 'confirmed' }])
  }),
)
