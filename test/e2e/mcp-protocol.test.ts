import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { idIn, withAgent } from './mcp-agent.ts'
import { BINARY, inWorld, type World } from './world.ts'

interface Answer {
  readonly id?: number | string | null
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string }
}

/** `cairn mcp` spoken to by hand, for what no client would say. */
async function withWire(
  world: World,
  work: (wire: {
    readonly pid: number
    write(line: string): void
    send(message: object): void
    ask(id: number, method: string, params?: object): Promise<Answer>
    answer(id: number | null): Promise<Answer>
    hello(version?: string): Promise<Answer>
    kill(signal: NodeJS.Signals): void
    /** With its exit code, when it has ended. */
    ended: Promise<number | null>
    lines: readonly string[]
  }) => Promise<void>,
): Promise<void> {
  const child = spawn(process.execPath, [BINARY, 'mcp', '--root', world.root], {
    cwd: world.root,
    env: world.environment,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const lines: string[] = []
  const answers = new Map<unknown, Answer>()
  const waiting = new Map<unknown, (answer: Answer) => void>()
  createInterface({ input: child.stdout }).on('line', line => {
    lines.push(line)
    const answer = JSON.parse(line) as Answer
    answers.set(answer.id, answer)
    waiting.get(answer.id)?.(answer)
  })
  const answer = (id: number | null) =>
    new Promise<Answer>(resolve => {
      const known = answers.get(id)
      if (known === undefined) waiting.set(id, resolve)
      else resolve(known)
    })
  const write = (line: string) => child.stdin.write(`${line}\n`)
  const send = (message: object) => write(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const ask = (id: number, method: string, params: object = {}) => {
    send({ id, method, params })
    return answer(id)
  }
  try {
    await work({
      pid: child.pid ?? 0,
      write,
      send,
      ask,
      answer,
      async hello(protocolVersion = '2025-11-25') {
        const clientInfo = { name: 'wire', version: '1' }
        const said = await ask(0, 'initialize', { protocolVersion, capabilities: {}, clientInfo })
        send({ method: 'notifications/initialized' })
        return said
      },
      kill: signal => child.kill(signal),
      ended,
      lines,
    })
  } finally {
    child.stdin.end()
    await ended
  }
}

describe('the protocol of cairn mcp', () => {
  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    it(
      `speaks ${version}`,
      inWorld(world =>
        withWire(world, async ({ hello, ask }) => {
          const { result } = await hello(version)
          expect(result).toMatchObject({
            protocolVersion: version,
            serverInfo: { name: 'cairn' },
            capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
          })
          expect((await ask(1, 'tools/list')).result?.tools).toHaveLength(9)
          expect(await ask(2, 'ping')).toMatchObject({ result: {} })
        }),
      ),
    )
  }

  it(
    'offers a version that it knows to a client of a version that it does not',
    inWorld(world =>
      withWire(world, async ({ hello }) => {
        expect((await hello('1999-01-01')).result?.protocolVersion).toBe('2025-11-25')
      }),
    ),
  )

  it(
    'speaks the current version to a client that negotiates it',
    inWorld(world =>
      withAgent(
        world,
        async ({ client, call }) => {
          expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
          const id = idIn(await call('remember', { content: 'The gate is closed at night.' }))
          expect((await client.listResources()).resources.map(({ name }) => name)).toEqual([id])
          expect((await client.listPrompts()).prompts).toHaveLength(3)
          const { contents } = await client.readResource({ uri: `cairn://entry/${id}` })
          expect(JSON.stringify(contents)).toContain('The gate is closed at night.')
        },
        { options: { versionNegotiation: { mode: 'auto' } } },
      ),
    ),
  )

  it(
    'goes on after what is no message, what is unknown and what is too long',
    inWorld(world =>
      withWire(world, async ({ hello, write, ask, send, answer }) => {
        await hello()
        for (const line of ['this is no message', '{', '[]', '{"jsonrpc":"1.0","id":9}', '', '\0\u001b[2J'])
          write(line)
        expect((await ask(1, 'nothing/known')).error?.code).toBe(-32601)
        expect((await ask(2, 'tools/call', { name: 'nothing' })).error).toMatchObject({ code: -32602 })
        expect((await ask(3, 'tools/call', {})).error?.code).toBe(-32602)
        const content = 'x'.repeat(9_000_000)
        // Whose it was is read from either end of it; what is inside is not taken for it.
        const params = { name: 'remember', arguments: { content, id: 77 } }
        send({ id: 4, method: 'tools/call', params })
        expect((await answer(4)).error).toMatchObject({ code: -32600 })
        write(JSON.stringify({ method: 'tools/call', params, jsonrpc: '2.0', id: 5 }))
        expect((await answer(5)).error?.message).toMatch(/longer than/)
        write(JSON.stringify({ params, method: 'x'.repeat(400) }))
        expect((await answer(null)).error?.code).toBe(-32600)
        expect((await ask(6, 'tools/call', { name: 'tasks', arguments: {} })).result).toBeDefined()
        expect(
          (await ask(7, 'tools/call', { name: 'search', arguments: { query: 7 } })).result,
        ).toMatchObject({ isError: true })
        expect(
          (await ask(8, 'tools/call', { name: 'remember', arguments: { content: 'x'.repeat(1_000_000) } }))
            .result,
        ).toMatchObject({ isError: true })
      }),
    ),
  )

  it(
    'does many things at once, each once',
    inWorld(world =>
      withAgent(world, async ({ client, call }) => {
        const kept = await Promise.all(
          Array.from({ length: 20 }, (_, n) =>
            call('remember', { content: `Rule number ${n} of the house.` }),
          ),
        )
        expect(new Set(kept.map(idIn)).size).toBe(20)
        const [{ resources }, { tools }] = await Promise.all([client.listResources(), client.listTools()])
        expect([resources.length, tools.length]).toEqual([20, 9])
      }),
    ),
  )

  it(
    'lets a call be cancelled, and answers the next',
    inWorld(world =>
      withAgent(world, async ({ client, call }) => {
        const stop = new AbortController()
        const cancelled = client.callTool(
          { name: 'search', arguments: { query: 'the gate' } },
          { signal: stop.signal },
        )
        stop.abort()
        await expect(cancelled).rejects.toThrow()
        expect(await call('tasks')).toBe('No open tasks.')
      }),
    ),
  )

  it(
    'answers what was asked before its input ended',
    inWorld(async world => {
      const run = await world.cairn(['mcp', '--root', world.root], {
        input: [
          {
            id: 1,
            method: 'initialize',
            params: {
              protocolVersion: '2025-11-25',
              capabilities: {},
              clientInfo: { name: 'x', version: '1' },
            },
          },
          { method: 'notifications/initialized' },
          {
            id: 2,
            method: 'tools/call',
            params: { name: 'remember', arguments: { content: 'The gate is closed at night.' } },
          },
        ]
          .map(message => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
          .join(''),
      })
      expect(run.code).toBe(0)
      expect(run.stdout).toContain('Stored, unconfirmed: ')
      expect(await world.ok('search', 'gate')).toContain('The gate is closed at night.')
    }),
  )

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it.skipIf(process.platform === 'win32')(
      `ends at ${signal} with its writing finished`,
      inWorld(world =>
        withWire(world, async ({ hello, send, kill, ended, ask }) => {
          await hello()
          await ask(1, 'tools/list')
          send({
            id: 2,
            method: 'tools/call',
            params: { name: 'remember', arguments: { content: 'The gate is closed at night.' } },
          })
          await ask(3, 'ping')
          kill(signal)
          expect(await ended).toBe(0)
          expect(await world.ok('search', 'gate')).toContain('The gate is closed at night.')
        }),
      ),
    )
  }

  it(
    'offers the other verbs too where all tools are asked for',
    inWorld(world =>
      withAgent(
        world,
        async ({ client, call, failure }) => {
          const { tools } = await client.listTools()
          expect(tools.map(({ name }) => name)).toEqual(
            [
              'search get brief remember forget pin feedback tasks skills list entity edit links why query recall conflicts',
              'review log undo sessions events status work_add work_claim work_report work_status',
            ]
              .join(' ')
              .split(' '),
          )
          const id = idIn(
            await call('remember', { content: 'The gate is closed at night.', kind: 'warning' }),
          )
          expect(await call('list', { kind: 'warning' })).toContain('The gate is closed at night.')
          expect(await call('edit', { target: id, content: 'The gate closes at ten.' })).toContain('ten')
          for (const tool of [
            'links',
            'log',
            'status',
            'conflicts',
            'review',
            'sessions',
            'events',
            'recall',
          ])
            expect(await call(tool, tool === 'links' ? { target: id } : {})).not.toBe('')
          expect(await call('review')).toMatch(/level: candidate\n +stage: entry\n +writer: agent\n/)
          expect(await call('why', { prompt: 'when does the gate close?' })).toContain(id)
          expect(await call('query', { question: 'gate' })).toContain('gate')
          expect(await call('undo', {})).toContain('undone:')
          expect(await call('feedback', { target: id, saying: 'useful' })).toContain(id)
          expect(await failure('feedback', { target: id, saying: 'nice' })).toContain('saying')
        },
        { words: ['--root', world.root, '--all-tools'] },
      ),
    ),
  )
})
