import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { freshServerDatabase } from '../support/test-postgres.ts'
import { countTo, journalNumbers } from './server-world.ts'

const PROGRAM = path.join(import.meta.dirname, '../../dist/cairn.cjs')
const undo: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

interface HubProcess {
  readonly url: string
  readonly firstToken: string | null
  readonly process: ChildProcess
}

/** `cairn up --store`, as a process of its own. */
function startHub(store: string): Promise<HubProcess> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-two-hubs-'))
  const file = path.join(folder, 'store')
  writeFileSync(file, `${store}\n`, { mode: 0o600 })
  const words = ['up', '--store-file', file, '--port', '0', '--json', '--no-open', '--rate', '100000']
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    cwd: folder,
    env: { ...process.env, CAIRN_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  undo.push(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  return new Promise((resolve, reject) => {
    let told = ''
    let wrong = ''
    child.stderr.on('data', piece => {
      wrong += piece
    })
    child.stdout.on('data', piece => {
      told += piece
      if (!told.includes('\n')) return
      const line = JSON.parse(told) as Omit<HubProcess, 'process'>
      if (line.url === undefined) reject(new Error(told))
      else resolve({ ...line, process: child })
    })
    child.once('exit', code => reject(new Error(`the hub ended with ${code}: ${wrong}`)))
  })
}

it('keeps every entry of 32 writers once, on two servers of which one is killed', async () => {
  const { url, pool, drop } = await freshServerDatabase()
  undo.push(drop, () => pool.close())
  // Both find the database empty.
  const hubs = await Promise.all([startHub(url), startHub(url)])
  const tokens = hubs.flatMap(({ firstToken }) => (firstToken === null ? [] : [firstToken]))
  expect(tokens).toHaveLength(1)
  const headers = { authorization: `Bearer ${tokens[0]}`, 'content-type': 'application/json' }
  const made = await fetch(`${hubs[0]?.url}api/hub/projects`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ project: 'shop' }),
  })
  expect(made.status, await made.text()).toBe(200)

  const ids: string[] = []
  /** At the other server when one does not answer. */
  const keep = async (content: string, writer: number): Promise<void> => {
    for (let tried = writer; ; tried++) {
      const hub = hubs[tried % 2]
      try {
        const response = await fetch(`${hub?.url}p/shop/api/entries`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ content, agent: 'dev' }),
        })
        if (response.status !== 200) throw new Error(await response.text())
        ids.push(((await response.json()) as { entry: { id: string } }).entry.id)
        return
      } catch (error) {
        if (tried > writer + 100) throw error
        await new Promise(resolve => setTimeout(resolve, 50))
      }
    }
  }
  const said = (writer: number) => countTo(5).map(at => `Writer ${writer} wrote line ${at} of its own.`)
  const writing = countTo(32).map(async writer => {
    for (const content of said(writer)) await keep(content, writer)
  })
  await expect.poll(() => ids.length, { timeout: 60_000 }).toBeGreaterThan(40)
  hubs[1]?.process.kill('SIGKILL')
  await Promise.all(writing)

  const listed = await fetch(`${hubs[0]?.url}p/shop/api/entries?limit=500`, { headers })
  const { entries, total } = (await listed.json()) as {
    entries: { id: string; content: string }[]
    total: number
  }
  expect(total).toBe(160)
  expect(entries.map(({ content }) => content).sort()).toEqual(countTo(32).flatMap(said).sort())
  expect(new Set(ids)).toEqual(new Set(entries.map(({ id }) => id)))
  const { numbers, revision } = await journalNumbers(pool, 'shop')
  expect(numbers).toEqual(countTo(revision))
})
