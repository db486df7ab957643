import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Bench } from './bench.ts'
import { type Check, check, type Table } from './report.ts'
import { roundTo } from './statistics.ts'
import { withTemporaryProject } from './temporary-project.ts'
import { bareTransactions, openBoard, projectFor } from './work-boards.ts'

const WORKERS = 16
const TASKS = 10_000
const LEASE_MS = 5_000
const KILL_EVERY_MS = 700
/** One for so many tasks. */
const TASKS_A_KILL = 150
const BARE_SECONDS = 3
/** It ends by itself, whatever happens. */
const MAX_MS = 8 * 60_000
const WORKER = fileURLToPath(new URL('./work-worker.js', import.meta.url))

/** Where the tests have a server (`CAIRN_TEST_POSTGRES`), it is measured there too. */
export const workBench: Bench = {
  name: 'work',
  summary: '16 workers that drain 10,000 tasks of a graph, and are killed at random',
  run: async context => {
    const tasks = context.isQuick ? 600 : TASKS
    const places: [string, string][] = []
    const server = process.env.CAIRN_TEST_POSTGRES
    if (server !== undefined) places.push(['PostgreSQL', server])
    return withTemporaryProject(async root => {
      const drained = []
      for (const [name, place] of [['SQLite', root] as const, ...places]) {
        context.progress(`work: ${WORKERS} workers, ${tasks} tasks on ${name}`)
        drained.push({ name, ...(await drain(place, tasks)) })
      }
      const checks: Check[] = drained.flatMap(run => [
        check(`${run.name}: tasks done`, run.done, 'exactly', tasks),
        check(`${run.name}: tasks with more than one accepted result`, run.twice, 'exactly', 0),
        check(`${run.name}: results that were accepted and are not kept`, run.lost, 'exactly', 0),
      ])
      const table: Table = {
        title: 'Draining a graph',
        rows: [
          [
            '',
            'seconds',
            'tasks/s',
            'killed',
            'leases that ran out',
            'bare transactions/s',
            'of a bare loop',
          ],
          ...drained.map(run => [
            run.name,
            run.seconds,
            run.tasksPerSecond,
            run.killed,
            run.expired,
            run.barePerSecond,
            run.shareOfBare,
          ]),
        ],
      }
      return { data: { workers: WORKERS, tasks, drained }, checks, tables: [table] }
    })
  },
}

async function drain(place: string, tasks: number) {
  const barePerSecond = await bareTransactions(place, BARE_SECONDS)
  const project = await projectFor(place, `drain-${process.pid}`)
  const { board, close } = await openBoard(place, project)
  const named = Array.from({ length: tasks }, (_, n) => ({
    name: `t${n}`,
    title: `Task ${n}`,
    after: n < 64 ? [] : [`t${n - 64}`, `t${n - 41}`],
    retry: { attempts: 100, backoffMs: 0 },
  }))
  for (let at = 0; at < tasks; at += 2_000) await board.add('drain', named.slice(at, at + 2_000))

  const startMs = performance.now()
  const { told, killed } = await runWorkers(place, project, Math.ceil(tasks / TASKS_A_KILL))
  const seconds = (performance.now() - startMs) / 1_000
  const { tasks: kept } = await board.list({ graph: 'drain', limit: tasks + 1, offset: 0 })
  await close()
  const tokenOf = new Map(
    kept.map(({ id, standing }) => [id, standing.state === 'done' ? standing.token : '']),
  )
  const outcomes = kept.map(({ attempts }) => attempts.map(({ outcome }) => outcome))
  return {
    seconds: roundTo(1, seconds),
    tasksPerSecond: roundTo(0, tasks / seconds),
    killed,
    expired: outcomes.flat().filter(outcome => outcome === 'expired').length,
    done: kept.filter(({ standing }) => standing.state === 'done').length,
    twice:
      told.length -
      new Set(told.map(([id]) => id)).size +
      outcomes.filter(each => each.filter(outcome => outcome === 'done').length > 1).length,
    lost: told.filter(([id, lease]) => tokenOf.get(id) !== lease).length,
    barePerSecond: roundTo(0, barePerSecond),
    /** A task is two transactions: claimed, and finished. */
    shareOfBare: roundTo(2, ((tasks / seconds) * 2) / barePerSecond),
  }
}

async function runWorkers(place: string, project: number, mostKills: number) {
  const told: [string, string][] = []
  const running = new Set<ChildProcess>()
  /** Whoever is killed before its first task costs a start of a process, and tries nothing of the board. */
  const atWork = new Set<ChildProcess>()
  let killed = 0
  let started = 0
  const endMs = performance.now() + MAX_MS
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = spawn(
        process.execPath,
        [WORKER, place, String(project), `w${started++}`, String(LEASE_MS)],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      running.add(child)
      let text = ''
      child.stdout.on('data', chunk => {
        text += chunk
        atWork.add(child)
      })
      child.on('close', (code, signal) => {
        running.delete(child)
        atWork.delete(child)
        for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
          const [verb, id = '', lease = ''] = line.split(' ')
          if (verb === 'accepted') told.push([id, lease])
        }
        if (performance.now() > endMs) reject(new Error('the workers took too long'))
        else if (signal === 'SIGKILL') work().then(resolve, reject)
        else if (code !== 0) reject(new Error(`a worker ended with ${code}`))
        else resolve()
      })
    })
  const killer = setInterval(() => {
    const isLate = performance.now() > endMs
    const doomed = [...atWork]
    if (isLate) for (const child of running) child.kill('SIGKILL')
    else if (killed < mostKills && doomed[Math.floor(Math.random() * doomed.length)]?.kill('SIGKILL'))
      killed++
  }, KILL_EVERY_MS)
  try {
    await Promise.all(Array.from({ length: WORKERS }, work))
  } finally {
    clearInterval(killer)
  }
  return { told, killed }
}
