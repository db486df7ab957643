import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import { scratchProject } from '../support/scratch-project.ts'

const WORKER = fileURLToPath(new URL('../support/work-worker.mjs', import.meta.url))
const TASKS = 400
const WORKERS = 4
const KILLS = 8
/** So many tasks a worker finishes before it is killed. Its own count decides: whoever started it may be too busy to do it in time. */
const LIVES = [7, 19, 3, 31, 11, 23, 5, 13]

it('loses no task and accepts one result for each when workers are killed without warning', async () => {
  const root = scratchProject()
  const engine = composeEngine({ root })
  await engine.work.add(
    'drain',
    Array.from({ length: TASKS }, (_, n) => ({
      name: `t${n}`,
      title: `Task ${n}`,
      after: n < 20 ? [] : [`t${n - 20}`, `t${n - 13}`],
      retry: { attempts: 50 },
    })),
  )
  const accepted: string[] = []
  let killed = 0
  let started = 0
  const errors: string[] = []
  let lastKilled: (() => void) | undefined
  const allKilled = new Promise<void>(resolve => {
    lastKilled = resolve
  })
  const work = (): Promise<void> =>
    new Promise(resolve => {
      const life = LIVES[started % LIVES.length] ?? 1
      const isDoomed = started < KILLS
      const words = [WORKER, root, `w${started++}`, ...(isDoomed ? [String(life)] : [])]
      const child: ChildProcess = spawn(process.execPath, words, {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let told = ''
      child.stdout?.on('data', chunk => {
        told += chunk
      })
      child.stderr?.on('data', chunk => errors.push(String(chunk)))
      child.on('close', (_code, signal) => {
        // A line that was cut off by the kill was not told.
        const lines = told.slice(0, told.lastIndexOf('\n') + 1).split('\n')
        accepted.push(...lines.filter(line => line.startsWith('accepted ')))
        if (signal !== 'SIGKILL') {
          lastKilled?.()
          return resolve()
        }
        killed++
        if (killed === KILLS) lastKilled?.()
        // The workers that live wait until all others are killed: otherwise they may finish the graph first.
        const next = started < KILLS ? work() : allKilled.then(work)
        next.then(resolve)
      })
    })
  await Promise.all(Array.from({ length: WORKERS }, work))

  expect(errors).toEqual([])
  expect(killed).toBe(KILLS)
  const { tasks } = await engine.work.list({ graph: 'drain', limit: TASKS + 1, offset: 0 })
  expect(tasks.filter(({ standing }) => standing.state === 'done').length).toBe(TASKS)
  expect(
    tasks.every(({ attempts }) => attempts.filter(({ outcome }) => outcome === 'done').length === 1),
  ).toBe(true)
  const tokenOf = new Map(
    tasks.map(({ id, standing }) => [id, standing.state === 'done' ? standing.token : '']),
  )
  const told = accepted.map(line => line.split(' '))
  expect(new Set(told.map(([, id]) => id)).size).toBe(told.length)
  expect(told.filter(([, id = '', lease]) => tokenOf.get(id) !== lease)).toEqual([])
  await engine.close()
})
