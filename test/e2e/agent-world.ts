import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { BINARY, inWorld, type RunOptions, type World } from './world.ts'

const FAKE_HOST = fileURLToPath(new URL('../support/fake-host.mjs', import.meta.url))

export interface HostCall {
  readonly pid: number
  readonly words: readonly string[]
  readonly prompt: string
  readonly cwd: string
  readonly internal: string | null
}

export interface Told {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface AgentWorld extends World {
  readonly bin: string
  /** What the host was given, in order. */
  calls(): readonly HostCall[]
  /** The messages of a session of `dev`, as `role: text`. */
  messages(session: string): Promise<readonly string[]>
  /** `cairn up` over the project; ended with the world. */
  serve(): Promise<AgentServer>
}

export interface AgentServer {
  readonly process: ChildProcess
  ask(path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** Gives a command and hears it out, or until `isEnough` says so. */
  command(body: object, isEnough?: (told: Told) => boolean): Promise<readonly Told[]>
  kill(signal: NodeJS.Signals): Promise<void>
}

/** A memory with one decision, and a host on the PATH that does what it is told: `claude`. */
export function inAgentWorld(test: (world: AgentWorld) => Promise<void>): () => Promise<void> {
  return inWorld(async world => {
    const bin = path.join(world.home, 'bin')
    mkdirSync(bin)
    symlinkSync(FAKE_HOST, path.join(bin, 'claude'))
    const environment = {
      ...world.environment,
      PATH: [bin, path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter),
    }
    const servers: AgentServer[] = []
    const here = {
      ...world,
      bin,
      environment,
      cairn: (words: readonly string[], options: RunOptions = {}) =>
        world.cairn(words, { ...options, env: { ...environment, ...options.env } }),
    } as unknown as AgentWorld
    Object.assign(here, {
      // These go through `cairn` above.
      ok: async (...words: string[]) => {
        const run = await here.cairn(words)
        if (run.code !== 0)
          throw new Error(`cairn ${words.join(' ')}: ${run.code}\n${run.stdout}\n${run.stderr}`)
        return run.stdout
      },
      json: async (...words: string[]) => JSON.parse(await here.ok('--json', ...words)),
      failure: async (...words: string[]) => {
        const run = await here.cairn(['--json', ...words])
        return { exit: run.code, ...(JSON.parse(run.stdout) as { error: object }).error }
      },
      calls: () => {
        const file = path.join(world.home, 'host-calls.jsonl')
        if (!existsSync(file)) return []
        return readFileSync(file, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map(line => JSON.parse(line))
      },
      messages: async (session: string) => {
        const { conversations } = await here.json<{
          conversations: { messages: { role: string; text: string }[] }[]
        }>('session', 'show', session, '--agent', 'dev', '--limit', '100')
        return conversations.flatMap(({ messages }) => messages.map(({ role, text }) => `${role}: ${text}`))
      },
      serve: async () => {
        const server = await startServer(here)
        servers.push(server)
        return server
      },
    })
    await here.ok(
      'remember',
      'We stream with SSE, never with websockets.',
      '--kind',
      'decision',
      '--agent',
      'dev',
    )
    try {
      await test(here)
    } finally {
      for (const server of servers) await server.kill('SIGTERM')
    }
  })
}

async function startServer({ root, environment }: AgentWorld): Promise<AgentServer> {
  const process_ = spawn(process.execPath, [BINARY, 'up', '--port', '0', '--no-open'], {
    cwd: root,
    env: environment,
  })
  let errors = ''
  process_.stderr.on('data', chunk => {
    errors += chunk
  })
  let url: URL | undefined
  for await (const line of createInterface({ input: process_.stdout })) {
    const found = /http:\/\/\S+/.exec(line)?.[0]
    if (found === undefined) continue
    url = new URL(found)
    break
  }
  if (url === undefined) throw new Error(`the server ended before it told its address: ${errors}`)
  process_.stdout.resume()
  const token = new URLSearchParams(url.hash.slice(1)).get('token') ?? ''
  const { origin } = url
  const server: AgentServer = {
    process: process_,
    ask: (at, body, headers = {}) =>
      fetch(`${origin}${at}`, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      }),
    async command(body, isEnough = () => false) {
      const response = await server.ask('/api/agents/command', body, { accept: 'text/event-stream' })
      if (!response.ok || response.body === null)
        return [{ event: String(response.status), data: (await response.json()) as Told['data'] }]
      const told: Told[] = []
      for await (const one of eventsIn(response.body)) {
        if (one.event === 'ping') continue
        told.push(one)
        if (isEnough(one)) break
      }
      return told
    },
    async kill(signal) {
      if (process_.exitCode !== null || process_.signalCode !== null) return
      const exit = new Promise(resolve => process_.once('exit', resolve))
      process_.kill(signal)
      await exit
    },
  }
  return server
}

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Told> {
  let held = ''
  const decoder = new TextDecoder()
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    held += decoder.decode(chunk, { stream: true })
    for (let end = held.indexOf('\n\n'); end !== -1; end = held.indexOf('\n\n')) {
      const block = held.slice(0, end)
      held = held.slice(end + 2)
      const event = /^event: ?(.*)$/m.exec(block)?.[1] ?? 'message'
      const data = [...block.matchAll(/^data: ?(.*)$/gm)].map(([, line = '']) => line).join('\n')
      yield { event, data: data === '' ? {} : (JSON.parse(data) as Told['data']) }
    }
  }
}
