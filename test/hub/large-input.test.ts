import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HubWorld, hubWorld } from '../support/hub-world.ts'
import { longestTurnMs } from '../support/longest-turn.ts'
import { isRealServer } from '../support/test-postgres.ts'

/**
 * Everybody on a hub shares its thread: what one asks must not keep the others waiting. The database of the default run is in this process,
 * so that its own work is in the figure; `npm run test:postgres` has the hub's alone.
 */
const MAX_MS = isRealServer ? 100 : 1_000

let world: HubWorld
let token: string
beforeAll(async () => {
  world = await hubWorld({ projects: ['shop'] })
  token = await world.token('write', 'shop')
  // Whatever is loaded and compiled once.
  for (const [, [name, fields]] of ASKED)
    await ask(name, { ...fields, ...(name === 'sessionClose' && { session: 'small' }) })
}, 180_000)
afterAll(() => world.end(), 60_000)

type Name = Parameters<HubWorld['ask']>[0]
const ask = (name: Name, fields: Record<string, unknown>) =>
  world.ask(name, { project: 'shop', token, fields })
const PROSE =
  'The importer retries twice, because the gateway of the bank drops idle sockets after a minute. '
const ofLength = (length: number) => PROSE.repeat(Math.ceil(length / PROSE.length)).slice(0, length)
const many = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))
const messages = (count: number, length: number) =>
  many(count, () => ({ role: 'user', text: ofLength(length) }))

const ASKED: readonly (readonly [string, readonly [Name, Record<string, unknown>]])[] = [
  [
    'one message of a megabyte',
    ['sessionAppend', { session: 's1', role: 'user', text: ofLength(1_000_000) }],
  ],
  ['fifteen messages of 64 KB', ['sessionAppend', { session: 's2', messages: messages(15, 64_000) }]],
  ['nine hundred messages of 1 KB', ['sessionAppend', { session: 's3', messages: messages(900, 1_000) }]],
  ['the closing of such a session', ['sessionClose', { session: 's3' }]],
  ['an entry of a megabyte', ['remember', { content: ofLength(1_000_000) }]],
  ['a hundred thousand tags', ['remember', { content: PROSE, tags: many(100_000, at => `t${at}`) }]],
  ['a hundred thousand files', ['remember', { content: `${PROSE}2`, files: many(100_000, at => `f${at}`) }]],
  [
    'a hundred entries to save',
    ['save', { entries: many(100, at => ({ statement: `${at} ${ofLength(9_000)}` })) }],
  ],
  [
    'sixty tasks with long briefs',
    ['workAdd', { tasks: many(60, at => ({ title: `Task ${at}`, brief: ofLength(15_000) })) }],
  ],
  ['a prompt of a megabyte', ['briefPreview', { prompt: ofLength(1_000_000) }]],
  ['why, for such a prompt', ['why', { prompt: ofLength(1_000_000) }]],
  ['an error of a megabyte', ['met', { text: ofLength(1_000_000) }]],
  ['a text of the project of a megabyte', ['projectTextSave', { text: ofLength(1_000_000) }]],
  ['brackets and nothing else', ['remember', { content: '['.repeat(900_000) }]],
]

test.each(ASKED)('%s keeps nobody waiting', async (_, [name, fields]) => {
  const longest = await longestTurnMs(() => ask(name, fields))
  expect(longest).toBeLessThan(MAX_MS)
})

test.each([
  ['search', { query: ofLength(900_000) }],
  ['brief', { prompt: ofLength(900_000) }],
  ['remember', { content: ofLength(900_000) }],
  ['remember', { entries: many(5, at => ({ statement: `${at} ${ofLength(180_000)}` })) }],
  ['remember', { handoff: ofLength(900_000) }],
  ['skills', { action: 'save', name: 'x', description: 'y', body: ofLength(900_000) }],
])('over MCP, %s with 900 KB keeps nobody waiting', async (name, given) => {
  const call = async () => {
    const answer = await world.send('/p/shop/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: given },
      }),
    })
    expect(answer.status).toBe(200)
    await answer.text()
  }
  await call()
  expect(await longestTurnMs(call)).toBeLessThan(MAX_MS)
})
