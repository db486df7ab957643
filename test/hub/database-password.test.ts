import * as net from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openDesk } from '../../src/compose/compose-hub.ts'
import { BINARY, runProcess } from '../e2e/world.ts'

const message = (type: string, ...parts: readonly (Buffer | string)[]) => {
  const body = Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)))
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
const number = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

/** A database that asks for a password (SCRAM-SHA-256) and then waits, as PostgreSQL does for a minute. */
async function askingDatabase(): Promise<{ readonly url: string; readonly sockets: Set<net.Socket> }> {
  const sockets = new Set<net.Socket>()
  const server = net.createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let isFirst = true
    socket.on('data', given => {
      if (isFirst) socket.write(message('R', number(10), 'SCRAM-SHA-256\0\0'))
      else {
        const nonce = /r=([^,]+)/.exec(given.toString('latin1'))?.[1]
        if (nonce !== undefined) socket.write(message('R', number(11), `r=${nonce}abc,s=c2FsdA==,i=4096`))
      }
      isFirst = false
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as net.AddressInfo
  return { url: `postgres://cairn@127.0.0.1:${port}/cairn`, sockets }
}

const without = { PATH: process.env.PATH ?? '', HOME: '/nonexistent', CAIRN_HOME: '/nonexistent' }

test('a database that asks for a password, where none was given, is told at once, and its connection closed', async () => {
  const { url, sockets } = await askingDatabase()
  await expect(openDesk(url, { principal: 'test' })).rejects.toMatchObject({
    code: 'store_unreachable',
    message: 'The database requires a password, and none was given.',
    hint: expect.stringContaining('PGPASSWORD'),
  })
  await expect.poll(() => sockets.size, { timeout: 2_000 }).toBe(0)
})

test.each([
  ['hub', 'tokens', '--json'],
  ['up', '--json', '--no-open', '--port', '0'],
])('cairn %s %s ends at once, with the code and what to do', async (...words: string[]) => {
  const { url } = await askingDatabase()
  const beganMs = performance.now()
  const run = await runProcess(process.execPath, [BINARY, ...words], {
    cwd: '/',
    env: { ...without, CAIRN_STORE: url },
  })
  expect(performance.now() - beganMs).toBeLessThan(10_000)
  expect(run.code).not.toBe(0)
  expect((JSON.parse(run.stdout) as { error: { code: string; hint: string } }).error).toMatchObject({
    code: 'store_unreachable',
    hint: expect.stringContaining('PGPASSWORD'),
  })
})
