import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type LoopbackModel, recorded, startLoopbackModel } from '../support/loopback-model.ts'
import { inWorld, type World } from './world.ts'

/** Built of two parts, so that scanners of this repository do not take it for a real one. */
const KEY = ['sk', 'not-a-real-key-0123456789'].join('-')

interface Standing {
  readonly state: string
  readonly code: string
  readonly today: { calls: number; inputTokens: number; outputTokens: number; microUsd: number }
  readonly lastFailure: { message: string } | null
}

/** A project whose config.json, as it came with the repository, names a model on this machine. */
function withModel(work: (world: World, model: LoopbackModel) => Promise<void>, settings: object = {}) {
  return inWorld(async world => {
    const model = await startLoopbackModel()
    model.answer = () => ({ body: recorded('openai.json') })
    const common = { use: 'openai', url: `${model.origin}/v1`, name: 'small-model', timeoutMs: 10_000 }
    world.write('.memory/config.json', JSON.stringify({ version: 1, model: { ...common, ...settings } }))
    try {
      await work(world, model)
    } finally {
      await model.close()
    }
  })
}

const status = (world: World) => world.json<Standing>('model', 'status')

async function allow(world: World): Promise<void> {
  await world.ok('model', 'allow', (await world.json<Standing>('model', 'allow')).code)
}

describe.concurrent('a model in config.json', () => {
  it(
    'is shown, asked for, allowed, tried and forbidden',
    withModel(async (world, model) => {
      const screen = await world.ok('model', 'allow')
      expect(screen).toContain(`  contacts  ${model.origin}/v1 (openai)\n  model     small-model\n`)
      expect(screen).toContain('  key       from the environment variable CAIRN_MODEL_KEY\n')
      expect(await world.failure('model', 'try')).toMatchObject({ exit: 5, code: 'not_confirmed' })
      expect(await world.ok('status')).toContain(
        'Model openai:small-model, not used: not allowed on this machine (`cairn model allow`)\n',
      )
      expect(model.seen).toEqual([])

      await allow(world)
      const tried = await world.cairn(['model', 'try'], { env: { CAIRN_MODEL_KEY: KEY } })
      expect(tried).toMatchObject({ code: 0, stderr: '' })
      expect(tried.stdout).toBe(
        '{"keep":[1],"rewrite":[],"drop":[{"number":2,"reason":"a plan of the moment"}],"new":[]}\n' +
          'openai:small-model: 852 tokens read, 37 written, 0 US cents\n',
      )
      expect(model.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`])
      expect(await world.ok('status')).toContain(
        'Model openai:small-model, today 1 call, 889 of 200000 tokens, money not counted (no price)\n',
      )

      expect(await world.ok('model', 'forbid')).toBe('Revoked. Cairn no longer calls the model.\n')
      expect(await world.failure('model', 'try')).toMatchObject({ exit: 5, code: 'not_confirmed' })
      expect(await world.ok('model', 'forbid')).toBe('No model was allowed here.\n')
      expect(model.seen).toHaveLength(1)
    }),
  )

  it(
    'that changes needs a new yes, and an old code is none',
    withModel(async (world, model) => {
      const { code } = await world.json<Standing>('model', 'allow')
      await world.ok('model', 'allow', code)
      await world.ok('config', 'set', 'model.url', `${model.origin}/other`)
      expect((await status(world)).state).toBe('changed')
      expect(await world.failure('model', 'try')).toMatchObject({ exit: 5, code: 'not_confirmed' })
      expect(await world.failure('model', 'allow', code)).toMatchObject({ exit: 5, code: 'not_confirmed' })
      expect(model.seen).toEqual([])
      await world.ok('undo')
      expect((await status(world)).state).toBe('allowed')
    }),
  )

  it(
    'is allowed outside the project, and nothing else is written there',
    withModel(async world => {
      await allow(world)
      expect(readdirSync(world.home, { recursive: true, encoding: 'utf8' }).sort()).toEqual([
        '.cairn',
        '.cairn/allowed.json',
      ])
      expect(Object.keys(world.bytes()).filter(name => name.includes('allowed'))).toEqual([])
    }),
  )

  it(
    'that fails is said, with the reason, and the key stands nowhere',
    withModel(async (world, model) => {
      await allow(world)
      model.answer = () => ({ status: 401, body: JSON.stringify({ error: { message: `bad key ${KEY}` } }) })
      const tried = await world.cairn(['model', 'try', '--json'], { env: { CAIRN_MODEL_KEY: KEY } })
      expect(tried.code).toBe(6)
      expect(JSON.parse(tried.stdout).error).toMatchObject({
        code: 'model_failed',
        message: 'The model openai:small-model failed: it does not take the key: bad key [key].',
      })
      const { today, lastFailure } = await status(world)
      expect(today).toMatchObject({ calls: 1, inputTokens: 0 })
      expect(lastFailure?.message).toMatch(/does not take the key/)
      expect(await world.ok('model', 'status')).toMatch(/\nFailed \S+: The model openai:small-model failed/)
      for (const folder of [world.root, world.home, world.temporary])
        for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
          const file = path.join(folder, name)
          if (!name.includes('.') || readdirOf(file)) continue
          expect(readFileSync(file, 'latin1')).not.toContain(KEY)
        }
      expect(tried.stdout + tried.stderr).not.toContain(KEY)
    }),
  )

  it(
    'never goes over the cap, however many ask at once',
    withModel(
      async (world, model) => {
        await allow(world)
        // The model keeps whom it was asked by until the others are refused: no busy machine makes them late.
        let ended = 0
        let endWaiting: () => void
        const othersEnded = new Promise<void>(resolve => {
          endWaiting = resolve
        })
        model.answer = async () => {
          await othersEnded
          return 'broken' as const
        }
        const runs = await Promise.all(
          Array.from({ length: 6 }, async () => {
            const run = await world.cairn(['model', 'try', '--json'])
            if (++ended === 4) endWaiting()
            return run
          }),
        )
        // A question reserves 2,000 for its answer and some 250 for itself: two fit, and neither is given back.
        expect(runs.map(({ code }) => code).sort()).toEqual([5, 5, 5, 5, 6, 6])
        const codes = runs.map(run => (JSON.parse(run.stdout) as { error: { code: string } }).error.code)
        expect(new Set(codes)).toEqual(new Set(['model_cap_reached', 'model_failed']))
        expect(model.seen).toHaveLength(2)
        const { inputTokens, outputTokens } = (await status(world)).today
        expect(inputTokens + outputTokens).toBeLessThanOrEqual(6_000)
        expect(outputTokens).toBe(4_000)
        expect(await world.ok('status')).toContain(
          ': cap reached, only the rules decide until midnight UTC\n',
        )
      },
      { dailyTokens: 6_000, timeoutMs: 60_000 },
    ),
  )

  it(
    'outlives a rebuilding of the index: what was spent today stays spent',
    withModel(async world => {
      await allow(world)
      await world.ok('model', 'try')
      await world.ok('doctor', '--fix')
      expect((await status(world)).today.calls).toBe(1)
    }),
  )
})

describe.concurrent('the command line of a host', () => {
  it(
    'is run in an empty folder, as Cairn’s own, and tells what it cost',
    inWorld(async world => {
      world.write(
        'bin/claude',
        `#!${process.execPath}
const fs = require('node:fs')
fs.appendFileSync(${JSON.stringify(path.join(world.root, 'seen'))}, JSON.stringify([process.argv.slice(2), process.env.CAIRN_INTERNAL, fs.readdirSync('.'), fs.readFileSync(0, 'utf8').includes('JSON')]))
process.stdout.write(${JSON.stringify(recorded('claude.json'))})
`,
      )
      chmodSync(path.join(world.root, 'bin/claude'), 0o755)
      const command = [path.join(world.root, 'bin/claude'), '-p', '--output-format', 'json']
      world.write('.memory/config.json', JSON.stringify({ version: 1, model: { use: 'cli', command } }))
      expect(await world.ok('model', 'allow')).toContain(`  runs      ${JSON.stringify(command)}\n`)
      await allow(world)
      expect(await world.ok('model', 'try')).toContain(
        'cli:claude: 14334 tokens read, 37 written, 1.23 US cents\n',
      )
      expect(JSON.parse(world.read('seen'))).toEqual([['-p', '--output-format', 'json'], '1', [], true])
      expect((await status(world)).today).toMatchObject({ calls: 1, microUsd: 12_346 })
      expect(await world.ok('status')).toContain('14371 of 200000 tokens, 1.23 of 50 US cents\n')
      expect(readdirSync(world.temporary)).toEqual([])
    }),
  )

  it(
    'is set as one types it, and an empty word is one',
    inWorld(async world => {
      const set = async (line: string) =>
        (await world.json<{ setting: { value: string[] } }>('config', 'set', 'model.command', line)).setting
          .value
      expect(await set(`codex exec --json -`)).toEqual(['codex', 'exec', '--json', '-'])
      expect(await set(`claude -p --tools "" --x 'a b; c'`)).toEqual([
        'claude',
        '-p',
        '--tools',
        '',
        '--x',
        'a b; c',
      ])
      expect(JSON.parse(world.read('.memory/config.json')).model.command).toContain('')
      expect(await world.failure('config', 'set', 'model.command', '""')).toMatchObject({
        code: 'config_value_invalid',
      })
    }),
  )

  it(
    'is not asked from inside itself',
    withModel(async (world, model) => {
      await allow(world)
      const run = await world.cairn(['model', 'try', '--json'], { env: { CAIRN_INTERNAL: '1' } })
      expect([run.code, JSON.parse(run.stdout).error.code]).toEqual([5, 'model_off'])
      expect(model.seen).toEqual([])
    }),
  )
})

function readdirOf(file: string): boolean {
  try {
    readdirSync(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false
    throw error
  }
}
