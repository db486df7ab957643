import { existsSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type LoopbackModel, startLoopbackModel } from '../support/loopback-model.ts'
import { type Answer, inWorld, type World } from './world.ts'

interface Standing {
  readonly state: string
  readonly code: string
}

/** A project as it was cloned: its config.json sends every entry to a server, with a variable of this user as the key. */
function cloned(work: (world: World, server: LoopbackModel) => Promise<void>) {
  return inWorld(async world => {
    const server = await startLoopbackModel()
    server.answer = ({ body }) => {
      const texts = body.input as string[]
      return { body: JSON.stringify({ embeddings: texts.map(text => [text.length, 1, 2]) }) }
    }
    const embedder = {
      use: 'http',
      url: `${server.origin}/api/embed`,
      keyVariable: 'AWS_SECRET_ACCESS_KEY',
      timeoutMs: 10_000,
    }
    world.write('.memory/config.json', JSON.stringify({ version: 1, embedder }))
    try {
      await work(world, server)
    } finally {
      await server.close()
    }
  })
}

const standing = (world: World) => world.json<Standing>('embedder', 'status')

async function allow(world: World): Promise<void> {
  await world.ok('embedder', 'allow', (await world.json<Standing>('embedder', 'allow')).code)
}

describe.concurrent('an embedder behind HTTP', () => {
  it(
    'that came with a repository gets nothing, and every answer says so',
    cloned(async (world, server) => {
      await world.ok('remember', 'The staging database is reached through the bastion.', '--private')
      const { hits, degraded } = await world.json('search', 'staging database')
      expect(hits).toHaveLength(1)
      expect(degraded).toEqual([
        {
          code: 'not_confirmed',
          message:
            'The embedder in config.json was not allowed on this machine yet. `cairn embedder allow` shows where entries would be sent, and how to say yes. Words alone decide.',
        },
      ])
      await world.ok('brief', '--prompt', 'where is the staging database?')
      expect(await world.failure('embed')).toMatchObject({ exit: 5, code: 'not_confirmed' })
      expect((await world.json('status')).degraded.map(({ code }) => code)).toEqual(['not_confirmed'])
      const { checks } = JSON.parse((await world.cairn(['doctor', '--json'])).stdout) as Answer
      expect(checks.find(({ name }) => name === 'vectors')).toMatchObject({
        result: 'warning',
        hint: expect.stringContaining('`cairn embedder allow`'),
      })
      world.write('in.jsonl', '{"text": "The bastion is called jump."}\n')
      await world.ok('import', 'in.jsonl')
      expect(server.seen).toEqual([])
    }),
  )

  it(
    'is shown, allowed, used and forbidden',
    cloned(async (world, server) => {
      const screen = await world.ok('embedder', 'allow')
      expect(screen).toContain(`  contacts  ${server.origin}/api/embed\n  model     nomic-embed-text\n`)
      expect(screen).toContain('  key       from the variable AWS_SECRET_ACCESS_KEY, if it is set\n')
      expect(screen).toContain('every entry of this project, private ones too')
      expect(await standing(world)).toMatchObject({ state: 'not_allowed' })
      await allow(world)
      expect(await standing(world)).toMatchObject({ state: 'allowed' })
      expect(await world.ok('embedder', 'status')).toContain('Embedder allowed on this machine\n')
      expect(readFileSync(path.join(world.home, '.cairn/allowed.json'), 'utf8')).toContain('"embedders"')

      await world.ok('remember', 'The staging database is reached through the bastion.')
      await world.ok('embed')
      const { degraded } = await world.json('search', 'staging database')
      expect(degraded).toEqual([])
      const asked = server.seen.length
      expect(asked).toBeGreaterThan(0)

      expect(await world.ok('embedder', 'forbid')).toBe('Nothing is sent from now on.\n')
      expect((await world.json('search', 'staging database')).degraded.map(({ code }) => code)).toEqual([
        'not_confirmed',
      ])
      expect(await world.ok('embedder', 'forbid')).toBe('Nothing was allowed here.\n')
      expect(server.seen).toHaveLength(asked)
    }),
  )

  it(
    'whose address, model or variable changes needs a new yes, and an old code is none',
    cloned(async (world, server) => {
      const { code } = await world.json<Standing>('embedder', 'allow')
      await world.ok('embedder', 'allow', code)
      for (const [key, value] of [
        ['embedder.url', `${server.origin}/v1/embeddings`],
        ['embedder.model', 'other'],
        ['embedder.keyVariable', 'HOME'],
      ] as const) {
        await world.ok('config', 'set', key, value)
        expect((await standing(world)).state).toBe('changed')
        expect(await world.failure('embedder', 'allow', code)).toMatchObject({
          exit: 5,
          code: 'not_confirmed',
        })
        await world.ok('undo')
        expect((await standing(world)).state).toBe('allowed')
      }
      await world.ok('config', 'set', 'embedder.timeoutMs', '500')
      expect((await standing(world)).state).toBe('allowed')
    }),
  )

  it(
    'is not allowed by a yes for a model, nor by one in the project',
    cloned(async (world, server) => {
      await world.ok('config', 'set', 'model.use', 'openai')
      const model = await world.json<Standing>('model', 'allow')
      await world.ok('model', 'allow', model.code)
      expect((await standing(world)).state).toBe('not_allowed')
      await allow(world)
      expect((await world.json<Standing>('model', 'status')).state).toBe('allowed')
      await world.ok('model', 'forbid')
      expect((await standing(world)).state).toBe('allowed')

      const yes = readFileSync(path.join(world.home, '.cairn/allowed.json'), 'utf8')
      await world.ok('embedder', 'forbid')
      for (const place of ['.cairn/allowed.json', '.memory/.vault/allowed.json', '.memory/allowed.json'])
        world.write(place, yes)
      expect((await standing(world)).state).toBe('not_allowed')
      expect(server.seen).toEqual([])
      expect(existsSync(path.join(world.home, '.cairn/allowed.json'))).toBe(true)
    }),
  )

  it(
    'gets a question without the secrets in it',
    cloned(async (world, server) => {
      await allow(world)
      await world.ok('remember', 'The staging database is reached through the bastion.')
      await world.ok('embed')
      const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
      await world.ok('search', `staging database ${token}`)
      expect(server.seen.length).toBeGreaterThan(1)
      expect(JSON.stringify(server.seen)).not.toContain(token)
    }),
  )
})

describe.concurrent('a cloned configuration of redaction', () => {
  it(
    'lets no certain secret through, and doctor says what it spares',
    inWorld(async world => {
      world.write('.memory/config.json', JSON.stringify({ version: 1, redaction: { allow: ['.*'] } }))
      const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
      const { entry, redacted } = await world.json('remember', `Use ${token} for ana@shop.com.`)
      expect(entry.content).toBe('Use [redacted:github_token] for ana@shop.com.')
      expect(redacted).toMatchObject([{ type: 'github_token', field: 'content' }])
      expect(await world.ok('doctor')).toContain(
        'config.json exempts from redaction: addresses, random-looking strings and assignments that match /.*/ (`redaction.allow`). Known token formats',
      )
    }),
  )
})
