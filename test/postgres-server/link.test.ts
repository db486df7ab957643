import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { linkHub } from '../../src/addons/link/link-hub.ts'
import { syncWithHub } from '../../src/addons/link/sync-with-hub.ts'
import { composeEngine } from '../../src/compose/compose.ts'
import type { ComposedCheckout } from '../../src/compose/composed.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { CairnError } from '../../src/kernel/model/errors.ts'
import { type Step, stepProxy } from '../support/step-proxy.ts'
import { freshServerDatabase } from '../support/test-postgres.ts'
import { contentsOf, countTo, journalNumbers } from './server-world.ts'

const PROGRAM = path.join(import.meta.dirname, '../../dist/cairn.cjs')
/** More than one push. */
const ENTRIES = 2_500
const undo: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

function scratchFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-link-'))
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}

/** `cairn up --store`, as a process of its own, at the same port each time. */
async function startHub(
  folder: string,
  port: number,
): Promise<{ readonly firstToken: string | null; readonly process: ChildProcess }> {
  const words = ['up', '--store-file', path.join(folder, 'store'), '--port', String(port), '--json']
  const child = spawn(process.execPath, [PROGRAM, ...words, '--no-open', '--rate', '100000'], {
    cwd: folder,
    env: { ...process.env, CAIRN_HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  undo.push(() => void child.kill('SIGKILL'))
  // Its output stays open: a server that nobody listens to ends.
  const told = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout.on('data', piece => {
      said += piece
      if (said.includes('\n')) resolve(said)
    })
    child.once('exit', code => reject(new Error(`the hub ended with ${code}`)))
  })
  return { ...(JSON.parse(told) as { firstToken: string | null }), process: child }
}

async function memoryIn(folder: string): Promise<ComposedCheckout> {
  const engine = composeEngine({ root: folder, actor: { host: 'test' } })
  undo.push(() => engine.close())
  await engine.store.exclusively(() => undefined)
  await engine.projects.register(folder, { by: 'trust' })
  return engine
}

/** Each ends the hub at another moment of a push; the last one in the middle of what it writes. */
const KILLS: readonly (Pick<Step, 'moment'> & { readonly push: number; readonly lateMs: number })[] = [
  { push: 1, moment: 'before', lateMs: 0 },
  { push: 1, moment: 'during', lateMs: 60 },
  { push: 2, moment: 'during', lateMs: 150 },
  { push: 1, moment: 'after', lateMs: 0 },
]

it('a hub that is killed in a push and started again has every entry once', async () => {
  const { url: store, pool, drop } = await freshServerDatabase()
  undo.push(drop, () => pool.close())
  const place = scratchFolder()
  const home = process.env.CAIRN_HOME
  process.env.CAIRN_HOME = path.join(place, 'home')
  undo.push(() => {
    if (home === undefined) delete process.env.CAIRN_HOME
    else process.env.CAIRN_HOME = home
  })
  writeFileSync(path.join(place, 'store'), `${store}\n`, { mode: 0o600 })
  const port = await freePort()
  const target = `http://127.0.0.1:${port}`
  let hub = await startHub(place, port)
  const token = hub.firstToken ?? ''
  await fetch(`${target}/api/hub/projects`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ project: 'shop' }),
  })
  const proxy = await stepProxy(() => target)
  const [ana, ben] = [await memoryIn(scratchFolder()), await memoryIn(scratchFolder())]
  for (const engine of [ana, ben])
    await linkHub(engine, { url: proxy.url, project: 'shop', token, isInsecure: false })
  const kept = countTo(ENTRIES).map(at => `Of the ledger, line ${at}.`)
  await remember(
    ana,
    kept.map(content => ({ content })),
  )
  for (const [round, { push, moment, lateMs }] of KILLS.entries()) {
    const content = `Something that came up in round ${round}.`
    kept.push(content)
    await remember(ana, [{ content }])
    let pushes = 0
    const isDead = new Promise<void>(resolve => {
      proxy.watch(step => {
        if (step.name !== 'push') return
        if (step.moment === 'before') pushes++
        if (pushes !== push || step.moment !== moment) return
        const child = hub.process
        child.once('exit', () => resolve())
        setTimeout(() => child.kill('SIGKILL'), lateMs)
      })
      // A sync that had less to send ends without it.
      syncWithHub(ana).then(
        () => resolve(),
        (error: unknown) => {
          if (!(error instanceof CairnError)) throw error
          resolve()
        },
      )
    })
    await isDead
    proxy.watch(() => undefined)
    if (hub.process.exitCode !== null || hub.process.signalCode !== null) hub = await startHub(place, port)
  }
  for (const engine of [ana, ben, ana]) await syncWithHub(engine)
  expect(await contentsOf(ana)).toEqual([...kept].sort())
  expect(await contentsOf(ben)).toEqual([...kept].sort())
  const { numbers, revision } = await journalNumbers(pool, 'shop')
  expect(numbers).toEqual(countTo(revision))
}, 300_000)
