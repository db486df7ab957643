import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { type Agent, idIn, withAgent } from './mcp-agent.ts'
import { inWorld, type World } from './world.ts'

/** As `cairn trust` would note it down. */
function trust(world: World, ...roots: readonly string[]): void {
  mkdirSync(path.join(world.home, '.cairn'), { recursive: true })
  const at = '2026-03-16T10:00:00.000Z'
  const projects = roots.map((root, n) => ({
    id: `project-${n}`,
    name: path.basename(root),
    root: realpathSync(root),
    trustedAt: at,
    trustedBy: 'trust',
    firstSeenAt: at,
    lastSeenAt: at,
  }))
  writeFileSync(path.join(world.home, '.cairn', 'projects.json'), JSON.stringify({ version: 1, projects }))
}

/** A user-level server: nobody named a root to it. */
const userLevel = { words: [] }

const toolNames = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

async function expectNothingTold({ client, failure }: Agent, message: RegExp): Promise<void> {
  expect(await failure('search', { query: 'kraken' })).toMatch(message)
  expect(await failure('remember', { content: 'x' })).toMatch(message)
  expect(await failure('brief', {})).toMatch(message)
  await expect(client.listResources()).rejects.toThrow(message)
  await expect(client.readResource({ uri: 'cairn://project' })).rejects.toThrow(message)
  await expect(client.getPrompt({ name: 'recall', arguments: { topic: 'kraken' } })).rejects.toThrow(message)
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'cairn://entry/{id}' },
    argument: { name: 'id', value: '' },
  })
  expect(completion.values).toEqual([])
}

describe('whose memory cairn mcp serves', () => {
  it(
    'says that there is none, writes nothing, and notices when there is one',
    inWorld(world =>
      withAgent(
        world,
        async agent => {
          expect(await toolNames(agent.client)).toContain('search')
          await expectNothingTold(agent, /has no memory yet[\s\S]*\nAsk the user to run `cairn init`/)
          expect(world.bytes()).toEqual({})
          await world.ok('remember', 'The kraken sleeps in the cellar.')
          trust(world, world.root)
          expect(await agent.call('search', { query: 'kraken' })).toContain(
            'The kraken sleeps in the cellar.',
          )
        },
        userLevel,
      ),
    ),
  )

  it(
    'tells nothing of a memory that came with a clone until it is trusted, nor when it no longer is',
    inWorld(
      world =>
        withAgent(
          world,
          async agent => {
            const before = world.bytes()
            await expectNothingTold(agent, /has not trusted it\.[\s\S]*\nAsk the user to review it/)
            expect(world.bytes()).toEqual(before)
            trust(world, world.root)
            expect(await agent.call('search', { query: 'kraken' })).toContain('kraken')
            trust(world)
            await expectNothingTold(agent, /has not trusted it/)
          },
          userLevel,
        ),
      {
        '.memory/shared/lessons.md':
          '<!-- id:1-kraken -->\n## 2026-03-16\n\nThe kraken sleeps in the cellar.\n\n---\n',
      },
    ),
  )

  it(
    'takes a root that was named to it, or CAIRN_ROOT, for the user’s yes',
    inWorld(
      async world => {
        await withAgent(world, async ({ call }) => {
          expect(await call('search', { query: 'kraken' })).toContain('kraken')
        })
        await withAgent(
          world,
          async ({ call }) => {
            expect(await call('search', { query: 'kraken' })).toContain('kraken')
          },
          { words: [], cwd: world.temporary, env: { CAIRN_ROOT: world.root } },
        )
      },
      {
        '.memory/shared/lessons.md':
          '<!-- id:1-kraken -->\n## 2026-03-16\n\nThe kraken sleeps in the cellar.\n\n---\n',
      },
    ),
  )

  it(
    'serves the project that its host names, wherever it was started',
    inWorld(async world => {
      const other = path.join(world.root, '..', 'other')
      mkdirSync(other)
      await world.ok('remember', 'The kraken sleeps in the cellar.')
      await world.cairn(['remember', 'The gate is closed at night.'], { cwd: other })
      trust(world, world.root, other)
      const finds = async ({ call }: Agent) => {
        expect(await call('search', { query: 'kraken' })).toContain('kraken')
        expect(await call('search', { query: 'gate' })).not.toContain('gate')
      }
      const withRoots = (client: Client, folder: string) => {
        client.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(folder).href }] }))
      }
      const roots = { capabilities: { roots: { listChanged: true } } }
      await withAgent(world, finds, { ...userLevel, cwd: other, env: { CLAUDE_PROJECT_DIR: world.root } })
      await withAgent(world, finds, {
        ...userLevel,
        cwd: other,
        options: roots,
        prepare: client => withRoots(client, world.root),
      })
      // A folder inside a root is more exact than the root.
      await withAgent(world, finds, {
        ...userLevel,
        options: roots,
        prepare: client => withRoots(client, path.dirname(world.root)),
      })
      await withAgent(
        world,
        async agent => {
          await finds(agent)
          withRoots(agent.client, other)
          await agent.client.sendRootsListChanged()
          await agent.client.ping()
          expect(await agent.call('search', { query: 'gate' })).toContain('gate')
        },
        {
          ...userLevel,
          cwd: world.temporary,
          options: roots,
          prepare: client => withRoots(client, world.root),
        },
      )
    }),
  )

  it(
    'offers the tools of workspaces as soon as there are any, and says so',
    inWorld(world =>
      withAgent(world, async ({ client, call }) => {
        let changes = 0
        client.setNotificationHandler('notifications/tools/list_changed', () => {
          changes++
        })
        expect(await toolNames(client)).not.toContain('retrieve_plans')
        world.write(
          'resources/workspaces/devtools/OVERVIEW.md',
          '---\nname: DevTools\ndescription: Tools for our developers\n---\n\n# DevTools\n',
        )
        await call('tasks')
        expect(await toolNames(client)).toContain('retrieve_plans')
        expect(changes).toBe(1)
      }),
    ),
  )

  it(
    'does without a client that does not tell its roots',
    inWorld(world =>
      withAgent(
        world,
        async ({ call }) => {
          expect(idIn(await call('remember', { content: 'The gate is closed at night.' }))).not.toBe('')
        },
        {
          options: { capabilities: { roots: {} } },
          prepare: client =>
            client.setRequestHandler('roots/list', () => {
              throw new Error('no roots today')
            }),
        },
      ),
    ),
  )
})
