import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { freshServerDatabase } from '../support/test-postgres.ts'

const CAIRN = fileURLToPath(new URL('../../dist/cairn.cjs', import.meta.url))

/** A hub as a process of its own. */
export interface HubProcess {
  readonly port: number
  readonly firstToken: string | null
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
}

export interface HubProcesses {
  readonly url: string
  readonly folder: string
  start(...words: string[]): Promise<HubProcess>
  run(...words: string[]): { status: number | null; stdout: string; stderr: string }
  runAndKill(afterMs: number, ...words: string[]): Promise<boolean>
  sql(text: string): Promise<Record<string, unknown>[]>
}

/** A database of its own, and hubs over it as processes, each ended by its id. */
export async function hubProcesses(cairn = CAIRN): Promise<HubProcesses> {
  const { url, pool, drop } = await freshServerDatabase()
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-hubs-'))
  const env = {
    ...process.env,
    CAIRN_STORE: url,
    CAIRN_HOME: path.join(folder, 'user'),
    HOME: folder,
    NO_COLOR: '1',
  }
  const started: HubProcess[] = []
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
        [cairn, 'up', '--json', '--no-open', '--port', '0', '--rate', '5000', ...words],
        { cwd: folder, env },
      )
      const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
      const { port, firstToken } = await firstLine(child)
      const one = { port, firstToken, child, ended }
      started.push(one)
      return one
    },
    run: (...words) => spawnSync(process.execPath, [cairn, ...words], { cwd: folder, env, encoding: 'utf8' }),
    runAndKill: (afterMs, ...words) =>
      new Promise(resolve => {
        const child = spawn(process.execPath, [cairn, ...words], { cwd: folder, env })
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
