import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { openPool } from '../src/stores/postgres/node-postgres.ts'
import type { SqlPool } from '../src/stores/postgres/sql-pool.ts'
import { plainEnvironment } from './child-cpu.ts'
import { childrenCpuMsOf, cpuMsOf, parentOf, residentMbOf } from './process-cost.ts'
import { roundTo } from './statistics.ts'

export interface StartedHub {
  readonly address: string
  readonly token: string
  cost(): Promise<HubCost>
  end(): Promise<void>
}

/** What was used so far, in milliseconds of CPU, and what is held now. The database's is known where it runs on this machine. */
export interface HubCost {
  readonly hubCpuMs: number
  readonly databaseCpuMs: number
  readonly hubMb: number
  readonly connections: number
}

/** `cairn up --store` in a process of its own, with a token that may write in every project. */
export async function startHub(commandLine: string, store: string): Promise<StartedHub> {
  const home = await mkdtemp(path.join(tmpdir(), 'cairn-bench-user-'))
  const env = { ...plainEnvironment(), CAIRN_HOME: home, HOME: home, CAIRN_STORE: store }
  const made = execFileSync(
    process.execPath,
    [
      commandLine,
      ...['hub', 'token', 'add', 'bench', '--project', '*', '--scope', 'write', '--rate', '10000'],
      '--json',
    ],
    { env, encoding: 'utf8' },
  )
  const { token } = JSON.parse(made) as { token: string }
  const server = spawn(process.execPath, [commandLine, 'up', '--port', '0', '--no-open', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Whoever stops the bench stops the hub.
  const stop = () => server.kill('SIGKILL')
  process.once('exit', stop)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))
  const pool = await openPool({ url: store, most: 1 })
  const end = async () => {
    await ended(server)
    process.off('exit', stop)
    await pool.close()
    await rm(home, { recursive: true, force: true })
  }
  const database = await databaseProcess(pool)
  const cost = async (): Promise<HubCost> => {
    const backends = await pool.transaction(connection =>
      connection.query<{ pid: number }>(
        'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      ),
    )
    return {
      hubCpuMs: cpuMsOf(server),
      databaseCpuMs: database === undefined ? 0 : childrenCpuMsOf({ pid: database }),
      hubMb: roundTo(0, residentMbOf(server)),
      connections: backends.length,
    }
  }
  for await (const line of createInterface({ input: server.stdout })) {
    const { url } = JSON.parse(line) as { url: string }
    return { address: url.replace(/\/$/, ''), token, cost, end }
  }
  await end()
  throw new Error('the hub ended before it said where it is')
}

/** Connections come and go: what they used is known to the process that started them. */
async function databaseProcess(pool: SqlPool): Promise<number | undefined> {
  const [own] = await pool.transaction(connection =>
    connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'),
  )
  return own !== undefined && existsSync(`/proc/${own.pid}/stat`) ? parentOf(own) : undefined
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = new Promise(resolve => server.once('exit', resolve))
  server.kill('SIGTERM')
  await gone
}
