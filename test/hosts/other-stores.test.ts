import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it } from 'vitest'
import { importInto, told } from '../support/imported-store.ts'
import { scratchProject } from '../support/scratch-project.ts'
import { cachedPackage } from './host-programs.ts'

const run = promisify(execFile)

/** A project called shop: stores that hold several projects file its memories under that. */
function shop(): string {
  const root = path.join(scratchProject(), 'shop')
  mkdirSync(root)
  return root
}

/** The store's own code, as its package has it, fills a database. Started by Bun, whose SQLite it needs. */
const WRITE_OBSERVATIONS = `
  const { SessionStore } = require(process.argv[2])
  const store = new SessionStore(process.argv[3])
  const session = store.createSDKSession('content-1', 'shop', 'Why do sessions vanish?')
  store.ensureMemorySessionIdRegistered(session, 'memory-1')
  const nothing = { subtitle: null, facts: [], narrative: null, concepts: [], files_read: [], files_modified: [] }
  const keep = (project, said) => store.storeObservation('memory-1', project, { ...nothing, ...said }, 1)
  keep('shop', { type: 'decision', title: 'Sessions live in Redis', narrative: 'Because two instances share them.', concepts: ['trade-off'], files_modified: ['src/session.ts'] })
  keep('shop', { type: 'bugfix', title: 'Sessions vanished at midnight', facts: ['The job that cleans up compared local times'], concepts: ['gotcha'] })
  keep('shop', { type: 'change', title: 'Renamed a file' })
  keep('other', { type: 'decision', title: 'Of another project' })
  store.storeSummary('memory-1', 'shop', { request: 'r', investigated: 'i', learned: 'The partner closes its API at midnight UTC, whatever its page says.', completed: 'c', next_steps: 'n', notes: null }, 1)
  if (process.argv[4] !== 'leave-open') store.close()
  else process.kill(process.pid, 'SIGKILL')
`

async function writeClaudeMem(folder: string, ...more: string[]): Promise<string | undefined> {
  const [bun, claudeMem] = [cachedPackage('bun'), cachedPackage('claude-mem')]
  for (const needed of [bun, claudeMem]) if (needed.kind === 'absent') return needed.reason
  if (bun.kind === 'absent' || claudeMem.kind === 'absent') return 'absent'
  const script = path.join(folder, 'write.cjs')
  writeFileSync(script, WRITE_OBSERVATIONS)
  const code = path.join(claudeMem.folder, 'plugin/sqlite/SessionStore.js')
  const home = path.join(folder, 'home')
  const words = [...bun.command.slice(1), script, code, path.join(folder, 'claude-mem.db'), ...more]
  const ended = run(bun.command[0], words, {
    timeout: 60_000,
    env: { PATH: process.env.PATH, HOME: home, CLAUDE_MEM_DATA_DIR: home },
  })
  // It ends itself where it is to leave its log behind.
  if (more.length === 0) await ended
  else await ended.catch(() => undefined)
  rmSync(script)
  rmSync(home, { recursive: true, force: true })
  return undefined
}

describe('a store that the published claude-mem wrote', () => {
  it('is taken in, once, and is left as it was', async context => {
    const store = scratchProject()
    const reason = await writeClaudeMem(store)
    if (reason !== undefined) return context.skip(reason)
    const root = shop()
    const bytes = readFileSync(path.join(store, 'claude-mem.db'))
    const names = readdirSync(store)
    const { report, entries } = await importInto(root, { file: path.join(store, 'claude-mem.db') })
    expect(report).toMatchObject({
      from: 'claude-mem',
      added: 3,
      failed: 0,
      remarks: [{ code: 'changes_left' }],
    })
    expect(entries.map(told)).toMatchObject([
      {
        kind: 'decision',
        status: 'candidate',
        origin: 'machine',
        content: 'Sessions live in Redis\n\nBecause two instances share them.',
        tags: ['trade-off'],
        files: ['src/session.ts'],
      },
      {
        kind: 'warning',
        content: 'Sessions vanished at midnight\n\n- The job that cleans up compared local times',
      },
      { kind: 'lesson', content: 'The partner closes its API at midnight UTC, whatever its page says.' },
    ])
    expect(readdirSync(store)).toEqual(names)
    expect(readFileSync(path.join(store, 'claude-mem.db')).equals(bytes)).toBe(true)
    expect((await importInto(root, { file: store })).report).toMatchObject({ added: 0, duplicates: 3 })
  })

  it('is read with its log, when its writer died', async context => {
    const store = scratchProject()
    const reason = await writeClaudeMem(store, 'leave-open')
    if (reason !== undefined) return context.skip(reason)
    const names = readdirSync(store)
    expect(names).toContain('claude-mem.db-wal')
    expect((await importInto(shop(), { file: store })).report).toMatchObject({ added: 3, failed: 0 })
    expect(readdirSync(store)).toEqual(names)
  })
})

describe('a graph that the published memory server of MCP wrote', () => {
  it('is taken in, and what the server adds later too', async context => {
    const server = cachedPackage('server-memory')
    if (server.kind === 'absent') return context.skip(server.reason)
    const store = scratchProject()
    const file = path.join(store, 'memory.jsonl')
    const [command, ...args] = server.command
    const client = new Client({ name: 'cairn-test', version: '1' })
    await client.connect(new StdioClientTransport({ command, args, env: { MEMORY_FILE_PATH: file } }))
    const root = shop()
    try {
      const entities = [
        { name: 'checkout', entityType: 'service', observations: ['Talks to Stripe over webhooks'] },
        { name: 'Ana', entityType: 'person', observations: ['Ana prefers small pull requests'] },
      ]
      await client.callTool({ name: 'create_entities', arguments: { entities } })
      const relations = [{ from: 'checkout', to: 'redis', relationType: 'depends_on' }]
      await client.callTool({ name: 'create_relations', arguments: { relations } })
      const { report, entries } = await importInto(root, { file })
      expect(report).toMatchObject({ from: 'mcp-memory', added: 3, failed: 0 })
      expect(entries.map(({ kind, status, origin, content }) => ({ kind, status, origin, content }))).toEqual(
        [
          {
            kind: 'discovery',
            status: 'candidate',
            origin: 'machine',
            content: 'Ana prefers small pull requests',
          },
          {
            kind: 'discovery',
            status: 'candidate',
            origin: 'machine',
            content: 'checkout depends on redis.',
          },
          {
            kind: 'architecture',
            status: 'candidate',
            origin: 'machine',
            content: 'checkout: Talks to Stripe over webhooks',
          },
        ],
      )
      const observations = [{ entityName: 'checkout', contents: ['Retries three times before it gives up'] }]
      await client.callTool({ name: 'add_observations', arguments: { observations } })
      expect((await importInto(root, { file })).report).toMatchObject({ added: 1, duplicates: 3 })
    } finally {
      await client.close()
    }
  })
})
