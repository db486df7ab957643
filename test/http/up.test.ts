import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import * as http from 'node:http'
import * as net from 'node:net'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { vaultFiles } from '../support/vault-files.ts'

const CAIRN = fileURLToPath(new URL('../../dist/cairn.cjs', import.meta.url))

interface Told {
  readonly url: string
  readonly root: string
  readonly port: number
  readonly host: string
  readonly pid: number | null
  readonly isRunning: boolean
  readonly isNew: boolean
}
interface Started {
  readonly told: Told
  readonly process: ChildProcess
  readonly ended: Promise<number | null>
}
interface World {
  readonly root: string
  readonly user: string
  run(...words: string[]): { status: number | null; stdout: string; stderr: string }
  /** While this process goes on: for what asks a server in it. */
  runAside(...words: string[]): Promise<{ stdout: string }>
  start(...words: string[]): Promise<Started>
}

/** A scratch project and user's folder; whatever was started here is ended here, by its id. */
async function inWorld(work: (world: World) => Promise<void>): Promise<void> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'cairn-up-'))
  const root = path.join(scratch, 'project')
  const user = path.join(scratch, 'user')
  mkdirSync(root)
  const env = { ...process.env, CAIRN_HOME: user, HOME: scratch, NO_COLOR: '1', CI: 'true' }
  const started: Started[] = []
  try {
    await work({
      root,
      user,
      run: (...words) => spawnSync(process.execPath, [CAIRN, ...words], { cwd: root, env, encoding: 'utf8' }),
      runAside: (...words) =>
        new Promise(resolve => {
          // A doctor who finds something ends with 1: what was printed counts.
          execFile(process.execPath, [CAIRN, ...words], { cwd: root, env }, (_, stdout) =>
            resolve({ stdout }),
          )
        }),
      async start(...words) {
        const child = spawn(process.execPath, [CAIRN, 'up', '--json', ...words], { cwd: root, env })
        const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
        const told = await firstLine(child)
        const one = { told: JSON.parse(told) as Told, process: child, ended }
        started.push(one)
        return one
      },
    })
  } finally {
    for (const { process: child, ended } of started) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
    }
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no output')
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error('it ended without a word')
}

const tokenIn = ({ url }: Told) => /#token=([0-9a-f]{64})$/.exec(url)?.[1] ?? ''
const ask = ({ port, url }: Told, target: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}${target}`, {
    ...init,
    headers: {
      authorization: `Bearer ${tokenIn({ url } as Told)}`,
      'content-type': 'application/json',
    },
  })
const marks = (user: string) => readdirSync(path.join(user, 'run')).filter(name => name.startsWith('up-'))

describe('cairn up', () => {
  it('makes the memory, trusts it, serves it, and ends when it is told to', async () => {
    await inWorld(async ({ root, user, run, start }) => {
      const { told, process: child, ended } = await start('--port', '0')
      expect(told).toMatchObject({ root, host: '127.0.0.1', pid: child.pid, isRunning: false, isNew: true })
      expect(existsSync(path.join(root, '.memory', 'config.json'))).toBe(true)
      const status = (await (await ask(told, '/api/status')).json()) as { project: { standing: string } }
      expect(status.project.standing).toBe('trusted')
      expect(await (await ask(told, '/')).text()).toContain('<title>Cairn – Memory Vault</title>')
      expect(run('token').stdout.trim()).toBe(tokenIn(told))
      expect(statSync(path.join(user, 'token')).mode & 0o777).toBe(0o600)
      expect(marks(user).length).toBe(1)
      // Asked again, it says where the one is that runs.
      const again = run('up', '--json', '--no-open')
      expect([again.status, JSON.parse(again.stdout)]).toEqual([
        0,
        { ...told, pid: null, isRunning: true, isNew: false },
      ])
      // The flags of every verb may stand before this one too.
      expect(JSON.parse(run('--json', '--root', root, 'up', '--no-open').stdout)).toMatchObject({
        url: told.url,
        isRunning: true,
      })
      expect(run('up', '--no-open').stdout).toContain('It is being served already.')
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
      expect(marks(user)).toEqual([])
      await expect(ask(told, '/api/status')).rejects.toThrow()
    })
  })

  it('is shown by status and doctor while it runs, and warned of where it is another version', async () => {
    await inWorld(async ({ user, run, runAside, start }) => {
      const statusOf = () => (JSON.parse(run('status', '--json').stdout) as { server: unknown }).server
      const checkOf = async (...words: string[]) => {
        const { checks } = JSON.parse((await runAside('doctor', '--json', ...words)).stdout) as {
          checks: { name: string; result: string; message: string; hint?: string }[]
        }
        return checks.find(({ name }) => name === 'page')
      }
      run('remember', 'A word.')
      expect(statusOf()).toBe(null)

      const { told, process: child, ended } = await start('--port', '0')
      const address = `http://127.0.0.1:${told.port}/`
      const [mark = ''] = marks(user).map(name => path.join(user, 'run', name))
      const { startedAt, version, ...rest } = JSON.parse(readFileSync(mark, 'utf8')) as {
        startedAt: string
        version: string
      }
      expect(statusOf()).toEqual({ address, pid: child.pid, since: startedAt, version })
      expect(run('status').stdout).toContain(
        `Page at ${address}, process ${child.pid} since ${startedAt.slice(0, 16).replace('T', ' ')}`,
      )
      const place = `${address} (process ${child.pid}, since ${startedAt.slice(0, 16)})`
      expect(await checkOf()).toEqual({ name: 'page', result: 'ok', message: `the page is at ${place}` })

      // The process is there, and somebody else has the port.
      const other = http.createServer((_, response) => {
        response.end(JSON.stringify({ app: 'cairn', version: '9.9.9', project: otherProject }))
      })
      let otherProject = 'another'
      await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
      const { port } = other.address() as net.AddressInfo
      try {
        writeFileSync(mark, JSON.stringify({ ...rest, startedAt, version, port }))
        const elsewhere = place.replace(String(told.port), String(port))
        expect(await checkOf()).toEqual({
          name: 'page',
          result: 'warning',
          message: `the page should be at ${elsewhere}, but another program answers`,
          hint: `End process ${child.pid} if it is a hanging \`cairn up\`, then run \`cairn up\` again.`,
        })
        const server = (await (await ask(told, '/api/server')).json()) as { project: string }
        otherProject = server.project
        expect(await checkOf()).toEqual({
          name: 'page',
          result: 'warning',
          message: `Cairn 9.9.9 serves the page at ${elsewhere}, but this is ${version}`,
          hint: `End it (Ctrl+C in its terminal, or process ${child.pid}), then run \`cairn up\`.`,
        })
      } finally {
        await new Promise(resolve => other.close(resolve))
      }
      expect(await checkOf()).toMatchObject({
        result: 'warning',
        message: expect.stringContaining('there is no answer'),
      })

      // Killed, it could not take its mark away.
      child.kill('SIGKILL')
      await ended
      expect(statusOf()).toBe(null)
      expect(await checkOf()).toEqual({
        name: 'page',
        result: 'warning',
        message: 'a `cairn up` was killed, or its mark is damaged. The page is not being served',
        hint: '`cairn up` starts it again; `cairn doctor --fix` only removes the mark.',
      })
      expect(await checkOf('--fix')).toMatchObject({ result: 'fixed' })
      expect(marks(user)).toEqual([])
    })
  })

  it('says what is wrong with its words', async () => {
    await inWorld(async ({ run, root }) => {
      const failed = (...words: string[]) => {
        const { status, stdout } = run('up', '--json', ...words)
        const { error } = JSON.parse(stdout) as { error: { code: string; message: string } }
        return [status, error.code, error.message]
      }
      expect(failed('--port', 'x')).toEqual([
        2,
        'invalid_input',
        '--port is a number from 0 to 65535, not "x".',
      ])
      expect(failed('--port', '70000')[1]).toBe('invalid_input')
      expect(failed('--port')).toEqual([2, 'invalid_input', '--port needs a value.'])
      expect(failed('--nonsense')).toEqual([2, 'invalid_input', 'cairn up does not take "--nonsense".'])
      expect(failed('--trust-local', '--host', '0.0.0.0')[1]).toBe('request_refused')
      expect(failed('--trust-local', '--require-token')[1]).toBe('invalid_input')
      expect(failed('--host', '203.0.113.9')[1]).toBe('invalid_input')
      expect(failed('--root', path.join(root, 'nowhere'))[1]).toBe('file_not_found')
      expect(failed('--user')).toEqual([2, 'invalid_input', 'cairn up does not take "--user".'])
      expect(JSON.parse(run('--json', 'up', '--port', 'x').stdout)).toMatchObject({
        error: { message: '--port is a number from 0 to 65535, not "x".' },
      })
      expect(run('up', '--help').stdout).toContain('--require-token')
      expect(run('--json', 'up', '--help').stdout).toContain('--require-token')
      expect(run('token', 'x').status).toBe(2)
    })
  })

  it('takes the port it was given or none, and otherwise the next that is free', async () => {
    await inWorld(async ({ run, start }) => {
      const other = net.createServer(socket => socket.destroy())
      await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
      const { port } = other.address() as net.AddressInfo
      try {
        const taken = run('up', '--json', '--no-open', '--port', String(port))
        expect([taken.status, JSON.parse(taken.stdout)]).toEqual([
          6,
          {
            error: {
              code: 'port_taken',
              message: `Port ${port} is taken by another program.`,
              hint: 'Choose another with --port, or leave it out: the next free one is taken then.',
            },
          },
        ])
      } finally {
        await new Promise(resolve => other.close(resolve))
      }
      const { told } = await start()
      expect(told.port).toBeGreaterThanOrEqual(4747)
    })
  })

  it('gives its token to no other program on the port, whatever that says or passes on', async () => {
    await inWorld(async ({ start }) => {
      const own = await start('--port', '0')
      let answer = (_asked: http.IncomingMessage, response: http.ServerResponse) => {
        response.write('{')
      }
      const other = http.createServer((asked, response) => answer(asked, response))
      await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
      const { port } = other.address() as net.AddressInfo
      const startThere = async () => (await start('--port', String(port))).told as unknown
      const refused = {
        error: expect.objectContaining({ code: 'port_taken' }),
      }
      try {
        // It never ends its answer.
        expect(await startThere()).toEqual(refused)
        // It says what everybody can learn.
        const known = (await (await ask(own.told, '/api/server')).json()) as object
        answer = (_asked, response) => response.end(JSON.stringify({ ...known, proof: '00'.repeat(32) }))
        expect(await startThere()).toEqual(refused)
        // It passes on what our own server says, which listens elsewhere.
        answer = (asked, response) => {
          fetch(`http://127.0.0.1:${own.told.port}${asked.url}`).then(async told =>
            response.end(await told.text()),
          )
        }
        expect(await startThere()).toEqual(refused)
      } finally {
        other.closeAllConnections()
        await new Promise(resolve => other.close(resolve))
      }
    })
  })

  it('started twice at once, serves twice or says so; both have one token', async () => {
    await inWorld(async ({ start, user }) => {
      const [one, two] = await Promise.all([start('--port', '0'), start('--port', '0')])
      expect(tokenIn(one.told)).toBe(tokenIn(two.told))
      const kept = await Promise.all(
        [one, two].map(({ told }, at) =>
          ask(told, '/api/entries', { method: 'POST', body: JSON.stringify({ content: `Entry ${at}.` }) }),
        ),
      )
      expect(kept.map(({ status }) => status)).toEqual([200, 200])
      for (const { told } of [one, two]) {
        const { total } = (await (await ask(told, '/api/entries')).json()) as { total: number }
        expect(total).toBe(2)
      }
      one.process.kill('SIGTERM')
      two.process.kill('SIGTERM')
      expect(await Promise.all([one.ended, two.ended])).toEqual([0, 0])
      expect(marks(user)).toEqual([])
    })
  })

  it('killed, is followed on the same port by the next, which has everything', async () => {
    await inWorld(async ({ start, user }) => {
      const first = await start('--port', '0')
      await ask(first.told, '/api/entries', { method: 'POST', body: '{"content":"It was kept."}' })
      first.process.kill('SIGKILL')
      await first.ended
      expect(marks(user).length).toBe(1)
      const next = await start('--port', String(first.told.port))
      expect(next.told).toMatchObject({ port: first.told.port, isRunning: false, isNew: false })
      const { entries } = (await (await ask(next.told, '/api/entries')).json()) as {
        entries: { content: string }[]
      }
      expect(entries.map(({ content }) => content)).toEqual(['It was kept.'])
    })
  })

  it('told to end, says so to whoever listens and finishes what is being written', async () => {
    await inWorld(async ({ start, root }) => {
      const { told, process: child, ended } = await start('--port', '0')
      const live = await ask(told, '/api/live')
      const heard = live.text()
      const writes = Array.from({ length: 8 }, (_, at) =>
        ask(told, '/api/entries', {
          method: 'POST',
          body: JSON.stringify({ content: `Written at the end, number ${at}.` }),
        }),
      )
      // One is answered: the others are on their way.
      await Promise.race(writes)
      child.kill('SIGTERM')
      const answered = await Promise.allSettled(writes)
      expect(await heard).toMatch(/event: bye\ndata: \{\}\n\n$/)
      expect(await ended).toBe(0)
      const isYes = answered.filter(each => each.status === 'fulfilled' && each.value.status === 200)
      expect(isYes.length).toBeGreaterThan(0)
      const files = Object.values(vaultFiles(root))
      const written = files.filter(text => /^Written at the end, number \d\.$/m.test(text))
      expect(written.length).toBeGreaterThanOrEqual(isYes.length)
    })
  })

  it('told to end, does not wait for connections that were only opened, or whose answer nobody reads', async () => {
    await inWorld(async ({ start }) => {
      const { told, process: child, ended } = await start('--port', '0')
      const opened = net.connect(told.port, '127.0.0.1')
      opened.on('error', () => opened.destroy())
      const unread = await ask(told, '/api/status')
      await pause(200)
      child.kill('SIGTERM')
      const patience = pause(8_000, 'still there', { ref: false })
      expect(await Promise.race([ended, patience])).toBe(0)
      expect(unread.status).toBe(200)
      opened.destroy()
    })
  })

  it('told twice, does not wait', async () => {
    await inWorld(async ({ start }) => {
      const { told, process: child, ended } = await start('--port', '0')
      // A request that never becomes whole would be waited for.
      const half = net.connect(told.port, '127.0.0.1')
      half.on('error', () => half.destroy())
      half.write(`POST /api/entries HTTP/1.1\r\nHost: 127.0.0.1:${told.port}\r\nContent-Length: 9\r\n\r\n{`)
      await pause(300)
      child.kill('SIGINT')
      await pause(300)
      child.kill('SIGINT')
      expect(await ended).toBe(130)
      half.destroy()
    })
  })

  it('listens elsewhere when it is told to, and says what that means', async () => {
    await inWorld(async ({ root, user }) => {
      const child = spawn(process.execPath, [CAIRN, 'up', '--no-open', '--port', '0', '--host', '0.0.0.0'], {
        cwd: root,
        env: { ...process.env, CAIRN_HOME: user, NO_COLOR: '1' },
      })
      const lines: string[] = []
      for await (const line of createInterface({ input: child.stdout })) {
        lines.push(line)
        if (line.includes('Ctrl+C')) break
      }
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      expect(lines.join('\n')).toContain(
        'everyone who reaches that address and has the token can read and change',
      )
      expect(lines.join('\n')).toContain('not encrypted')
    })
  })
})

describe('cairn token', () => {
  it('is one for two first processes, and another when it is renewed', async () => {
    await inWorld(async ({ root, user }) => {
      const env = { ...process.env, CAIRN_HOME: user }
      const tokens = await Promise.all(
        Array.from(
          { length: 6 },
          () =>
            new Promise<string>(resolve => {
              const child = spawn(process.execPath, [CAIRN, 'token'], { cwd: root, env })
              let text = ''
              child.stdout.on('data', piece => {
                text += piece
              })
              child.once('close', () => resolve(text.trim()))
            }),
        ),
      )
      expect(new Set(tokens).size).toBe(1)
      expect(tokens[0]).toMatch(/^[0-9a-f]{64}$/)
      const renewed = execFileSync(process.execPath, [CAIRN, 'token', '--new'], { env, encoding: 'utf8' })
      expect(renewed.trim()).toMatch(/^[0-9a-f]{64}$/)
      expect(renewed.trim()).not.toBe(tokens[0])
      expect(readdirSync(user)).toEqual(['token'])
    })
  })
})
