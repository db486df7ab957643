import { existsSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { BINARY, inWorld, runProcess, type World } from '../e2e/world.ts'

/** Where `npm run test:hosts` puts what it installs. */
const CACHE = path.resolve(
  process.env.CAIRN_HOSTS_CACHE ??
    fileURLToPath(new URL('../../node_modules/.cache/cairn-hosts', import.meta.url)),
)
const INSPECTOR = ['inspector-2.12.0', '']
  .map(place =>
    path.join(CACHE, place, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
  )
  .find(existsSync)

/** The official Inspector, without its page. It checks what it is answered against the schemas of the protocol. */
async function inspect<T>(world: World, method: string, ...words: string[]): Promise<T> {
  const server = [process.execPath, BINARY, 'mcp', '--root', world.root]
  const run = await runProcess(
    process.execPath,
    [INSPECTOR ?? '', '--cli', ...server, '--method', method, ...words],
    { cwd: world.root, env: world.environment },
  )
  expect(run, `${method}: ${run.stderr.slice(0, 2_000)}`).toMatchObject({ code: 0 })
  return JSON.parse(run.stdout) as T
}

describe.skipIf(INSPECTOR === undefined)('the MCP Inspector', () => {
  it(
    'finds nothing to complain of in any list, call, resource or prompt',
    inWorld(
      async world => {
        const { tools } = await inspect<{ tools: { name: string }[] }>(world, 'tools/list')
        expect(tools.map(({ name }) => name)).toContain('search')
        const { content } = await inspect<{ content: { text: string }[] }>(
          world,
          'tools/call',
          '--tool-name',
          'remember',
          '--tool-arg',
          'content=The gate is closed at night.',
        )
        const id = /\[(\S+)\]/.exec(content[0]?.text ?? '')?.[1] ?? ''
        const found = await inspect<{ content: { text: string }[] }>(
          world,
          'tools/call',
          '--tool-name',
          'search',
          '--tool-arg',
          'query=gate',
        )
        expect(found.content[0]?.text).toContain(id)
        const { resources } = await inspect<{ resources: { uri: string }[] }>(world, 'resources/list')
        expect(resources.map(({ uri }) => uri)).toEqual(['cairn://project', `cairn://entry/${id}`])
        for (const { uri } of resources) {
          const { contents } = await inspect<{ contents: { text: string }[] }>(
            world,
            'resources/read',
            '--uri',
            uri,
          )
          expect(contents[0]?.text).not.toBe('')
        }
        const { resourceTemplates } = await inspect<{ resourceTemplates: unknown[] }>(
          world,
          'resources/templates/list',
        )
        expect(resourceTemplates).toHaveLength(1)
        const { prompts } = await inspect<{ prompts: { name: string }[] }>(world, 'prompts/list')
        expect(prompts.map(({ name }) => name)).toEqual(['remember', 'recall', 'save_memory'])
        const { messages } = await inspect<{ messages: unknown[] }>(
          world,
          'prompts/get',
          '--prompt-name',
          'remember',
          '--prompt-args',
          'content=We ship on Fridays.',
        )
        expect(messages).toHaveLength(1)
      },
      { '.memory/_project.md': '# A shop\n' },
    ),
  )
})
