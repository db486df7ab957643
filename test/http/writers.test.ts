import { expect, it, onTestFinished } from 'vitest'
import { type Answer, httpWorld } from './http-world.ts'

it('keeps what fifty clients write at once: every statement once, none lost', async () => {
  const world = await httpWorld()
  onTestFinished(world.end)
  const agents = Array.from({ length: 50 }, (_, at) => `writer${at}`)
  const statements = (agent: string) =>
    Array.from({ length: 20 }, (_, at) => `Note ${at} of ${agent} says zanzibar${agent}x${at}.`)
  const ids = await Promise.all(
    agents.map(async agent => {
      const own: string[] = []
      for (const content of statements(agent)) {
        const { status, body } = await inTime(() => world.ask('remember', { content, agent }))
        expect([status, body.duplicate]).toEqual([200, false])
        own.push((body.entry as { id: string }).id)
      }
      return own
    }),
  )
  expect(new Set(ids.flat()).size).toBe(1_000)
  for (const agent of agents) {
    const { body } = await world.ask('list', { agent, limit: 100 })
    const contents = (body.entries as { content: string }[]).map(({ content }) => content)
    expect(contents.sort()).toEqual(statements(agent).sort())
  }
  const { body } = await world.ask('search', { query: 'zanzibarwriter49x19' })
  expect((body.hits as { entry: { agent: string } }[])[0]?.entry.agent).toBe('writer49')
}, 300_000)

/** To the server they are one client, which may write so often a second: who is told to wait waits. */
async function inTime(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 429) return answer
    await new Promise(resolve => setTimeout(resolve, 300))
  }
}
