import { readdirSync } from 'node:fs'
import * as path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { checkBackup } from '../../src/addons/backup/check-backup.ts'
import { parseExposition } from '../support/prometheus-text.ts'
import { hubProcesses } from './hub-processes.ts'

const post = (port: number, token: string, content: string) =>
  fetch(`http://127.0.0.1:${port}/p/shop/api/entries`, {
    method: 'POST',
    body: JSON.stringify({ content }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })

describe('a hub and its database', () => {
  it('says that it is not ready while the database is not there or has other tables, and then is again', async () => {
    const { start, sql, url } = await hubProcesses()
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
    const { start, run, runAndKill, folder, sql } = await hubProcesses()
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
