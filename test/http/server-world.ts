import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import * as net from 'node:net'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { type TokenFile, userTokenFile } from '../../src/kernel/system/token-file.ts'
import { type Server, type ServerOptions, startServer } from '../../src/surfaces/http/server.ts'

export interface ServerWorld {
  readonly root: string
  readonly user: string
  readonly server: Server
  readonly token: TokenFile
  readonly address: string
  /** What the terminal was told of. */
  readonly faults: unknown[]
  /** Asks as a program would: with the token, unless other headers are given. */
  ask(target: string, init?: RequestInit): Promise<Response>
  /** Writes these bytes to the port, and gives all that comes back until the other side closes. */
  send(text: string | readonly string[], options?: { readonly pauseMs?: number }): Promise<string>
}

/** A scratch project, a scratch user's folder, and a server over them that listens on a free port. */
export async function withServer(
  work: (world: ServerWorld) => Promise<void>,
  options: Partial<ServerOptions> = {},
): Promise<void> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'cairn-http-'))
  const root = path.join(scratch, 'project')
  const user = path.join(scratch, 'user')
  mkdirSync(root)
  const before = process.env.CAIRN_HOME
  process.env.CAIRN_HOME = user
  const token = userTokenFile(user)
  const faults: unknown[] = []
  try {
    const server = await startServer({
      root,
      port: 0,
      token,
      version: '0.0.0',
      onFault: error => faults.push(error),
      ...options,
    })
    const address = `http://127.0.0.1:${server.port}`
    try {
      await work({
        root,
        user,
        server,
        token,
        address,
        faults,
        ask: (target, init = {}) =>
          fetch(`${address}${target}`, {
            ...init,
            headers: {
              authorization: `Bearer ${token.read()}`,
              ...(init.body !== undefined && { 'content-type': 'application/json' }),
              ...init.headers,
            },
          }),
        send: (text, sending) => send(server.port, text, sending),
      })
    } finally {
      await server.close()
    }
  } finally {
    if (before === undefined) delete process.env.CAIRN_HOME
    else process.env.CAIRN_HOME = before
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function send(
  port: number,
  text: string | readonly string[],
  { pauseMs = 0 }: { readonly pauseMs?: number } = {},
): Promise<string> {
  const socket = net.connect(port, '127.0.0.1')
  let heard = ''
  socket.setEncoding('latin1')
  socket.on('data', piece => {
    heard += piece
  })
  const closed = new Promise<void>((resolve, reject) => {
    socket.on('close', () => resolve())
    socket.on('error', error => {
      // The other side may close while we still send: what it said is what counts.
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EPIPE' && code !== 'ECONNRESET') reject(error)
    })
  })
  for (const piece of typeof text === 'string' ? [text] : text) {
    if (socket.destroyed) break
    socket.write(Buffer.from(piece, 'latin1'))
    if (pauseMs > 0) await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
  await closed
  return heard
}

/** A raw request that asks for the connection to be closed with the answer. */
export function rawRequest(port: number, lines: readonly string[], body = ''): string {
  return [...lines, ...(lines.some(line => /^host:/i.test(line)) ? [] : [`Host: 127.0.0.1:${port}`])]
    .concat('Connection: close', '', body)
    .join('\r\n')
}
