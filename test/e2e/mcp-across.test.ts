import { mkdirSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { withAgent } from './mcp-agent.ts'
import { inWorld, type World } from './world.ts'

const REFUSED =
  'connect ECONNREFUSED 127.0.0.1:5432 in CI. The database was not up yet. Fixed by waiting with pg_isready.'

async function another(world: World, name: string, ...words: string[]): Promise<void> {
  const root = path.join(path.dirname(world.root), name)
  mkdirSync(root, { recursive: true })
  await world.ok('--root', root, ...words)
}

it(
  'agents ask all projects by tools of their own, which are offered where there is another project',
  inWorld(async world => {
    await world.ok('remember', 'The page is written in React.')
    await withAgent(world, async ({ client }) => {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).not.toContain('everywhere')
    })
    await another(world, 'bank', 'remember', REFUSED, '--kind', 'lesson', '--session', 's-7')
    await another(world, 'bank', 'remember', 'ECONNREFUSED is private.', '--agent', 'private')
    await another(world, 'secret', 'remember', 'ECONNREFUSED of the Falcon merger.')
    await another(world, 'secret', 'config', 'set', 'across.visible', 'false')
    await withAgent(world, async ({ client, call, failure }) => {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['everywhere', 'met']))
      expect(JSON.stringify(tools).length).toBeLessThanOrEqual(4096)
      const met = await call('met', {
        text: "Error: connect ECONNREFUSED 10.0.0.2:5432 { code: 'ECONNREFUSED' }",
      })
      expect(met).toContain('bank [')
      expect(met).toContain('session s-7')
      expect(met).toContain('what helped: Fixed by waiting with pg_isready.')
      expect(met).not.toMatch(/Falcon|secret|is private/)
      expect(await call('everywhere', { query: 'database in CI' })).toContain(REFUSED)
      expect(await failure('met', {})).toContain('met needs `text`')
      // Nothing of another project comes by itself.
      expect(await call('search', { query: 'ECONNREFUSED' })).toBe('Nothing found.')
      expect(await call('brief', { prompt: `What about this? ${REFUSED}` })).not.toContain('pg_isready')
    })
  }),
)
