import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import * as http from 'node:http'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const CAIRN = fileURLToPath(new URL('../../dist/cairn.cjs', import.meta.url))

interface World {
  readonly child: ChildProcess
  readonly port: number
  readonly token: string
  /** What it said on standard error. */
  log(): Record<string, unknown>[]
  readonly ended: Promise<readonly [code: number | null, signal: string | null]>
  post(content: string): Promise<number>
  run(...words: string[]): string
}

/** A real process, ended by its id whatever happens. */
async function withProcess(words: readonly string[], work: (world: World) => Promise<void>): Promise<void> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'cairn-ending-'))
  const root = path.join(scratch, 'project')
  mkdirSync(root)
  const env = { ...process.env, CAIRN_HOME: path.join(scratch, 'user'), HOME: scratch, NO_COLOR: '1' }
  const child = spawn(
    process.execPath,
    [CAIRN, 'up', '--json', '--no-open', '--port', '0', '--rate', '5000', ...words],
    { cwd: root, env },
  )
  const ended = new Promise<readonly [number | null, string | null]>(resolve =>
    child.once('exit', (code, signal) => resolve([code, signal])),
  )
  let said = ''
  child.stderr?.on('data', piece => {
    said += piece
  })
  try {
    const { port, url } = await firstLine(child)
    const token = url.split('#token=')[1] ?? ''
    await work({
      child,
      port,
      token,
      ended,
      log: () =>
        said
          .trim()
          .split('\n')
          .map(line => JSON.parse(line) as Record<string, unknown>),
      post: async content => {
        const answer = await fetch(`http://127.0.0.1:${port}/api/entries`, {
          method: 'POST',
          body: JSON.stringify({ content }),
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        })
        await answer.text()
        return answer.status
      },
      run: (...verb) =>
        spawnSync(process.execPath, [CAIRN, ...verb], { cwd: root, env, encoding: 'utf8' }).stdout,
    })
  } finally {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function firstLine(child: ChildProcess): Promise<{ port: number; url: string }> {
  if (child.stdout === null) throw new Error('no output')
  for await (const line of createInterface({ input: child.stdout }))
    return JSON.parse(line) as { port: number; url: string }
  throw new Error('it ended without a word')
}

/** The headers and half of the body of a write, and later the rest. */
function slowWrite({ port, token }: World, content: string) {
  const body = JSON.stringify({ content })
  const asked = http.request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/entries',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  })
  const status = new Promise<number | undefined>((resolve, reject) => {
    asked.on('response', response => {
      response.resume()
      response.once('end', () => resolve(response.statusCode))
    })
    asked.on('error', reject)
  })
  // Nobody may be waiting for it when the server is gone.
  status.catch(() => undefined)
  asked.write(body.slice(0, 5))
  return { status, finish: () => asked.end(body.slice(5)) }
}

describe('the end of a server', () => {
  it('says that it is not ready, answers on, tells its streams, and loses no write that it answered', async () => {
    await withProcess(['--log', 'json', '--drain', '1'], async world => {
      const { child, port, post, ended } = world
      let heard = ''
      const live = http.get({ port, host: '127.0.0.1', path: '/api/live' }, response => {
        response.on('data', piece => {
          heard += piece
        })
      })
      live.on('error', () => undefined)
      await expect.poll(() => heard).toContain('event:')
      const kept: string[] = []
      let isOver = false
      const writing = (async () => {
        for (let n = 0; !isOver; n++) {
          const content = `Fact number ${n} of the ending server.`
          try {
            if ((await post(content)) === 200) kept.push(content)
          } catch {
            isOver = true
          }
        }
      })()
      await expect.poll(() => kept.length).toBeGreaterThan(3)
      const late = slowWrite(world, 'It was under way when the signal came.')
      await pause(50)
      child.kill('SIGTERM')
      await expect
        .poll(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status, { interval: 20 })
        .toBe(503)
      const before = kept.length
      await expect.poll(() => kept.length).toBeGreaterThan(before)
      await pause(1_100)
      late.finish()
      expect(await late.status).toBe(200)
      await writing
      expect(await ended).toEqual([0, null])
      expect(heard).toContain('event: bye')
      const entries = JSON.parse(world.run('list', '--limit', '1000', '--json')) as {
        entries: { content: string }[]
      }
      const there = new Set(entries.entries.map(({ content }) => content))
      expect(kept.filter(content => !there.has(content))).toEqual([])
      expect(there.has('It was under way when the signal came.')).toBe(true)
      const events = world.log().map(({ event }) => event)
      expect([events[0], ...events.slice(-1)]).toEqual(['started', 'ended'])
      expect(events).toContain('ending')
    })
  })

  it('does not wait after a second signal', async () => {
    await withProcess([], async world => {
      slowWrite(world, 'Never finished.')
      await pause(100)
      world.child.kill('SIGTERM')
      await pause(100)
      expect(world.child.exitCode).toBe(null)
      world.child.kill('SIGTERM')
      expect(await world.ended).toEqual([143, null])
    })
  })

  it('goes on when nobody reads its log any longer', async () => {
    await withProcess(['--log', 'text'], async ({ child, post, ended }) => {
      child.stderr?.destroy()
      for (let n = 0; n < 20; n++) expect(await post(`Fact ${n} without a reader.`)).toBe(200)
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    })
  })
})
