import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'vitest'
import { BINARY, type World } from './world.ts'

export interface Agent {
  readonly client: Client
  /** The text of an answer; it must not be an error. */
  call(name: string, input?: Record<string, unknown>): Promise<string>
  /** The text of an error; it must be one. */
  failure(name: string, input?: Record<string, unknown>): Promise<string>
}

/** A host of agents that has started `cairn mcp` in the project, as the official client does it. */
export async function withAgent(
  world: World,
  work: (agent: Agent) => Promise<void>,
  {
    env = {},
    options = {},
    words = ['--root', world.root],
    cwd = world.root,
    prepare = () => undefined,
    clientInfo = { name: 'test-host', version: '1.0.0' },
  }: {
    env?: Record<string, string>
    options?: ClientOptions
    /** What follows `cairn mcp`; a root is the user's own yes to it. */
    words?: readonly string[]
    cwd?: string
    /** Before it connects: what the client can do. */
    prepare?: (client: Client) => void
    clientInfo?: { name: string; version: string }
  } = {},
): Promise<void> {
  const client = new Client(clientInfo, options)
  prepare(client)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [BINARY, 'mcp', ...words],
      cwd,
      env: { ...world.environment, ...env },
      stderr: 'ignore',
    }),
  )
  const ask = async (name: string, input: Record<string, unknown>) => {
    const { content, isError = false } = await client.callTool({ name, arguments: input })
    const [first] = content as { type: string; text: string }[]
    expect(first?.type).toBe('text')
    return { text: first?.text ?? '', isError }
  }
  try {
    await work({
      client,
      async call(name, input = {}) {
        const { text, isError } = await ask(name, input)
        expect(isError, text).toBe(false)
        // Vectors are made behind the answers: until then a search says that they are missing.
        return text.replace(/\nnote: .*no vector yet.*$/gm, '')
      },
      async failure(name, input = {}) {
        const { text, isError } = await ask(name, input)
        expect(isError, text).toBe(true)
        return text
      },
    })
  } finally {
    await client.close()
  }
}

export const idIn = (text: string) => /\[(\d{13}-[0-9a-z]{4})\]/.exec(text)?.[1] ?? ''
