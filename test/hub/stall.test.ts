import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HubWorld, hubWorld } from '../support/hub-world.ts'

let world: HubWorld
beforeAll(async () => {
  world = await hubWorld({ projects: ['shop', 'bank'] })
}, 180_000)
afterAll(() => world.end(), 60_000)

const prose =
  'The importer retries twice, because the gateway of the bank drops idle sockets after a minute. '
const ofLength = (text: string, length: number) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length)
const LARGE = 1_000_000

const ASKED: readonly (readonly [string, () => Promise<unknown>])[] = []
async function longestStallMs(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  await new Promise(resolve => setTimeout(resolve, 50))
  delay.enable()
  await work()
  await new Promise(resolve => setTimeout(resolve, 50))
  delay.disable()
  return delay.max / 1e6
}

test('measure', async () => {
  const token = await world.token('write', 'shop')
  const ask = (name: Parameters<HubWorld['ask']>[0], fields: Record<string, unknown>) =>
    world.ask(name, { project: 'shop', token, fields })
  await ask('remember', { content: prose })
  await ask('sessionAppend', { session: 'warm', role: 'user', text: prose })
  const lines: string[] = []
  const measure = async (what: string, work: () => Promise<{ status: number; body: unknown }>) => {
    let status: unknown
    const ms = await longestStallMs(async () => {
      const a = await work()
      status = `${a.status} ${JSON.stringify(a.body).slice(0, 90)}`
    })
    lines.push(`${what}: ${ms.toFixed(0)} ms  ${status}`)
  }
  await measure('nothing', () => ask('list', { limit: 1 }))
  await measure('one message 1 MB', () =>
    ask('sessionAppend', { session: 's1', role: 'user', text: ofLength(prose, LARGE) }),
  )
  await measure('15 messages 64 KB', () =>
    ask('sessionAppend', {
      session: 's2',
      messages: Array.from({ length: 15 }, () => ({ role: 'user', text: ofLength(prose, 64_000) })),
    }),
  )
  await measure('900 messages 1 KB', () =>
    ask('sessionAppend', {
      session: 's3',
      messages: Array.from({ length: 900 }, () => ({ role: 'user', text: ofLength(prose, 1_000) })),
    }),
  )
  await measure('close s3', () => ask('sessionClose', { session: 's3' }))
  await measure('remember 1 MB', () => ask('remember', { content: ofLength(prose, LARGE) }))
  await measure('remember 16 KB', () => ask('remember', { content: ofLength(prose, 16_000) }))
  await measure('remember 60 KB', () => ask('remember', { content: ofLength(prose, 60_000) }))
  await measure('remember 100000 tags', () =>
    ask('remember', { content: prose, tags: Array.from({ length: 100_000 }, (_, at) => `t${at}`) }),
  )
  await measure('remember 100000 files', () =>
    ask('remember', { content: `${prose} 2`, files: Array.from({ length: 100_000 }, (_, at) => `f${at}`) }),
  )
  await measure('100 saves 9 KB', () =>
    ask('save', {
      entries: Array.from({ length: 100 }, (_, at) => ({ statement: `${at} ${ofLength(prose, 9_000)}` })),
    }),
  )
  await measure('work 2000 tasks', () =>
    ask('workAdd', {
      graph: 'g',
      tasks: Array.from({ length: 2_000 }, (_, at) => ({ title: `Task ${at}`, brief: ofLength(prose, 300) })),
    }),
  )
  await measure('work 60 tasks of 16 KB', () =>
    ask('workAdd', {
      graph: 'h',
      tasks: Array.from({ length: 60 }, (_, at) => ({ title: `Task ${at}`, brief: ofLength(prose, 15_000) })),
    }),
  )
  await measure('search 1 MB', () => ask('everywhere', { query: ofLength(prose, LARGE) }))
  await measure('brief 1 MB', () => ask('briefPreview', { prompt: ofLength(prose, LARGE) }))
  await measure('met 1 MB', () => ask('met', { text: ofLength(prose, LARGE) }))
  await measure('why 1 MB', () => ask('why', { prompt: ofLength(prose, LARGE) }))
  await measure('project text 1 MB', () => ask('projectTextSave', { text: ofLength(prose, LARGE) }))
  await measure('seed save 1 MB', () =>
    ask('seedSave', {
      agentId: 'dev',
      messages: Array.from({ length: 900 }, () => ({ role: 'user', content: ofLength(prose, 1_000) })),
    }),
  )
  await measure('nested', () => ask('remember', { content: '['.repeat(900_000) }))
  await measure('sync push 900 KB', () =>
    ask('syncPush', { junk: Array.from({ length: 9_000 }, () => prose) }),
  )
  const mcp = async (name: string, args: unknown) => {
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
        params: { name, arguments: args },
      }),
    })
    return { status: answer.status, body: (await answer.text()).slice(0, 300) }
  }
  await measure('mcp search 900 KB', () => mcp('search', { query: ofLength(prose, 900_000) }))
  await measure('mcp brief 900 KB', () => mcp('brief', { prompt: ofLength(prose, 900_000) }))
  await measure('mcp remember 900 KB', () => mcp('remember', { content: ofLength(prose, 900_000) }))
  await measure('mcp remember 5 x 180 KB', () =>
    mcp('remember', {
      entries: Array.from({ length: 5 }, (_, at) => ({ statement: `${at} ${ofLength(prose, 180_000)}` })),
    }),
  )
  await measure('mcp handoff 900 KB', () => mcp('remember', { handoff: ofLength(prose, 900_000) }))
  await measure('mcp skills 900 KB', () =>
    mcp('skills', { action: 'save', name: 'x', description: 'y', body: ofLength(prose, 900_000) }),
  )
  console.log(lines.join('\n'))
  expect(ASKED).toEqual([])
}, 300_000)
