import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkBackup } from '../../src/backup/check-backup.ts'
import { parseExposition } from '../support/prometheus-text.ts'
import { freshServerDatabase } from '../support/test-postgres.ts'

const CAIRN = fileURLToPath(new URL('../../dist/cairn.cjs', import.meta.url))

interface Running {
  readonly port: number
  readonly firstToken: string | null
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
}

interface World {
  readonly url: string
  readonly folder: string
  start(...words: string[]): Promise<Running>
  run(...words: string[]): { status: number | null; stdout: string; stderr: string }
  runAndKill(afterMs: number, ...words: string[]): Promise<boolean>
  sql(text: string): Promise<Record<string, unknown>[]>
}

/** A database of its own, and hubs over it as processes, each ended by its id. */
async function world(): Promise<World> {
  const { url, pool, drop } = await freshServerDatabase()
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-hubs-'))
  const env = {
    ...process.env,
    CAIRN_STORE: url,
    CAIRN_HOME: path.join(folder, 'user'),
    HOME: folder,
    NO_COLOR: '1',
  }
  const started: Running[] = []
  onTestFinished(async () => {
    for (const { child, ended } of started) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
    }
    await pool.close()
    await drop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return {
    url,
    folder,
    async start(...words) {
      const child = spawn(
        process.execPath,
        [CAIRN, 'up', '--json', '--no-open', '--port', '0', '--rate', '5000', ...words],
        { cwd: folder, env },
      )
      const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
      const { port, firstToken } = await firstLine(child)
      const one = { port, firstToken, child, ended }
      started.push(one)
      return one
    },
    run: (...words) => spawnSync(process.execPath, [CAIRN, ...words], { cwd: folder, env, encoding: 'utf8' }),
    runAndKill: (afterMs, ...words) =>
      new Promise(resolve => {
        const child = spawn(process.execPath, [CAIRN, ...words], { cwd: folder, env })
        const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
        child.once('exit', code => {
          clearTimeout(timer)
          resolve(code === 0)
        })
      }),
    sql: text => pool.transaction(connection => connection.query<Record<string, unknown>>(text)),
  }
}

async function firstLine(child: ChildProcess): Promise<{ port: number; firstToken: string | null }> {
  if (child.stdout === null) throw new Error('no output')
  for await (const line of createInterface({ input: child.stdout }))
    return JSON.parse(line) as { port: number; firstToken: string | null }
  throw new Error('it ended without a word')
}

const post = (port: number, token: string, content: string) =>
  fetch(`http://127.0.0.1:${port}/p/shop/api/entries`, {
    method: 'POST',
    body: JSON.stringify({ content }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })

describe('a hub and its database', () => {
  it('says that it is not ready while the database is not there or has other tables, and then is again', async () => {
    const { start, sql, url } = await world()
    const { port, firstToken } = await start()
    const why = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
      return [answer.status, ((await answer.json()) as { why?: string }).why]
    }
    const soon = { timeout: 20_000 }
    await expect.poll(why, soon).toEqual([200, undefined])
    await sql('UPDATE schema_version SET version = version + 1')
    await expect.poll(why, soon).toEqual([503, 'database_newer'])
    await sql('UPDATE schema_version SET version = version - 2')
    await expect.poll(why, soon).toEqual([503, 'database_behind'])
    await sql('UPDATE schema_version SET version = version + 1')
    const name = new URL(url).pathname.slice(1)
    const admin = new URL(url)
    admin.pathname = '/postgres'
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: admin.href })
    await client.connect()
    try {
      await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
      await expect.poll(why, soon).toEqual([503, 'database_unreachable'])
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
      await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
    } finally {
      await client.end()
    }
    await expect.poll(why, soon).toEqual([200, undefined])
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(401)
    const told = await fetch(`http://127.0.0.1:${port}/metrics`, {
      headers: { authorization: `Bearer ${firstToken}` },
    })
    const figures = parseExposition(await told.text())
    expect(figures.value('cairn_database_up')).toBe(1)
    expect(figures.value('cairn_database_connections', { state: 'most' })).toBe(10)
    expect(figures.value('cairn_database_round_trip_seconds')).toBeGreaterThan(0)
    expect(figures.value('cairn_schema_version')).toBeGreaterThan(0)
  }, 120_000)
})

describe('a backup of a hub, while it works', () => {
  it('is of one moment, and a killed one leaves nothing half', async () => {
    const { start, run, runAndKill, folder, sql } = await world()
    const { port, firstToken } = await start()
    expect(run('hub', 'add-project', 'shop').status).toBe(0)
    let isOver = false
    const writing = (async () => {
      for (let n = 0; !isOver; n++) await (await post(port, firstToken ?? '', `Fact ${n}, meanwhile.`)).text()
    })()
    try {
      await pause(1_000)
      for (let n = 0; n < 3; n++) {
        const made = run('hub', 'backup', `moment-${n}.cairn`, '--json')
        expect(made.stderr).toBe('')
        expect(made.status).toBe(0)
        const { projects } = await checkBackup(path.join(folder, `moment-${n}.cairn`))
        // Each write has one entry and one record in the journal: never the one without the other.
        expect(projects[0]?.rowsByTable.journal).toBe(projects[0]?.rowsByTable.entry)
      }
      for (let afterMs = 150; afterMs <= 600; afterMs += 150) {
        const isDone = await runAndKill(afterMs, 'hub', 'backup', `killed-${afterMs}.cairn`)
        if (readdirSync(folder).includes(`killed-${afterMs}.cairn`))
          await checkBackup(path.join(folder, `killed-${afterMs}.cairn`))
        else expect(isDone).toBe(false)
      }
    } finally {
      isOver = true
      await writing
    }
    const names = async () => (await sql('SELECT name FROM directory ORDER BY name')).map(({ name }) => name)
    for (let afterMs = 150; afterMs <= 750; afterMs += 150) {
      const as = `again-${afterMs}`
      const isDone = await runAndKill(afterMs, 'hub', 'backup', 'restore', 'moment-0.cairn', '--as', as)
      const hasName = (await names()).includes(as)
      if (isDone) expect(hasName).toBe(true)
      if (!hasName) expect(run('hub', 'backup', 'restore', 'moment-0.cairn', '--as', as).status).toBe(0)
      const [counted] = await sql(
        `SELECT count(*)::int AS n FROM entry WHERE project = (SELECT project FROM directory WHERE name = '${as}')`,
      )
      const { projects } = await checkBackup(path.join(folder, 'moment-0.cairn'))
      expect(counted?.n).toBe(projects[0]?.rowsByTable.entry)
    }
  }, 180_000)
})
