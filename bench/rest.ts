import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import type { Bench, BenchContext } from './bench.ts'
import { prepareProject, withCopyOf } from './prepared-project.ts'
import { check } from './report.ts'
import { median, percentile, roundTo } from './statistics.ts'
import { questionsAbout } from './synthetic-corpus.ts'

/** The issue's: clients that each ask once a second, and how much slower than alone they may be answered. */
const CLIENTS = 50
const SECONDS = 20
const MAX_TIMES_ALONE = 3
const GOAL_ENTRIES = 100_000
const ALONE = 200
const WARM_UP = 50
/** Requests a second, each step for a few seconds; it ends at the first that is not kept up with. */
const STEPS = [25, 50, 75, 100, 150, 200, 300, 400, 600, 800]
const STEP_SECONDS = 4
/** Nobody waits longer; a request that is not answered by then counts as failed. */
const PATIENCE_MS = 10_000

export const restBench: Bench = {
  name: 'rest',
  summary:
    'search over HTTP: 50 clients that each ask once a second, and how many are too many (--entries, default 100000)',
  async run(context) {
    const entries = context.entries ?? (context.isQuick ? 2_000 : GOAL_ENTRIES)
    const questions = questionsAbout(entries, 300).map(({ text }) => text)
    const project = await prepareProject(context, entries)
    return withCopyOf(project, async root => {
      const server = await startServer(context, root)
      try {
        const ask = asker(server.address, questions)
        context.progress('rest: one client alone')
        for (let at = 0; at < WARM_UP; at++) await ask(at)
        const alone = await askAlone(ask, context.isQuick ? 40 : ALONE)
        const seconds = context.isQuick ? 3 : SECONDS
        context.progress(`rest: ${CLIENTS} clients, once a second, for ${seconds} s`)
        const together = await askAtRate(ask, { perSecond: CLIENTS, seconds })
        const again = await askAlone(ask, context.isQuick ? 40 : ALONE)
        const saturation = await findSaturation(context, ask, alone.p95Ms)
        const times = roundTo(2, together.p95Ms / Math.max(alone.p95Ms, again.p95Ms))
        const data = {
          entries,
          clients: CLIENTS,
          seconds,
          alone,
          together,
          again,
          p95TimesAlone: times,
          saturation,
        }
        return {
          data,
          checks: [
            check('errors', together.failed, 'exactly', 0),
            ...(entries === GOAL_ENTRIES
              ? [check('p95 with 50 clients, times alone', times, 'at most', MAX_TIMES_ALONE)]
              : []),
          ],
          tables: [
            {
              title: `Search over HTTP, ${entries} entries, by words`,
              rows: [
                ['', 'requests', 'p50 ms', 'p95 ms', 'p99 ms', 'failed'],
                row('alone', alone),
                row(`${CLIENTS} clients, once a second`, together),
                row('alone, afterwards', again),
                ...saturation.steps.map(step => row(`${step.perSecond} a second`, step)),
              ],
            },
            {
              title: 'Kept up with',
              rows: [['requests a second', saturation.keptUpWith]],
            },
          ],
        }
      } finally {
        await server.end()
      }
    })
  },
}

interface Measured {
  readonly requests: number
  readonly failed: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
}

function row(name: string, { requests, p50Ms, p95Ms, p99Ms, failed }: Measured): (string | number)[] {
  return [name, requests, p50Ms, p95Ms, p99Ms, failed]
}

type Ask = (question: number) => Promise<boolean>

/** As a page does: connections stay open. */
function asker(address: string, questions: readonly string[]): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  return question => {
    const query = encodeURIComponent(questions[question % questions.length] ?? '')
    return new Promise(resolve => {
      const request = get(
        `${address}/api/search?query=${query}&limit=15`,
        { agent, timeout: PATIENCE_MS },
        response => {
          response.resume()
          response.once('close', () => resolve(response.complete && response.statusCode === 200))
        },
      )
      request.once('timeout', () => request.destroy())
      request.once('error', () => resolve(false))
    })
  }
}

async function askAlone(ask: Ask, requests: number): Promise<Measured> {
  const millis: number[] = []
  let failed = 0
  for (let at = 0; at < requests; at++) {
    const start = performance.now()
    if (!(await ask(at))) failed++
    millis.push(performance.now() - start)
  }
  return measured(millis, failed)
}

/** At its moment, whether the one before was answered or not; waiting for a late start counts. */
async function askAtRate(
  ask: Ask,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<Measured> {
  const millis: number[] = []
  let failed = 0
  const begin = performance.now()
  const asked: Promise<void>[] = []
  for (let at = 0; at < perSecond * seconds; at++) {
    const due = begin + (at * 1_000) / perSecond
    const wait = due - performance.now()
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
    asked.push(
      ask(at).then(isAnswered => {
        if (!isAnswered) failed++
        millis.push(performance.now() - due)
      }),
    )
  }
  await Promise.all(asked)
  return measured(millis, failed)
}

function measured(millis: readonly number[], failed: number): Measured {
  return {
    requests: millis.length,
    failed,
    p50Ms: roundTo(1, median(millis)),
    p95Ms: roundTo(1, percentile(millis, 0.95)),
    p99Ms: roundTo(1, percentile(millis, 0.99)),
  }
}

/** The highest step that was answered without a failure and not ten times slower than alone. */
async function findSaturation(context: BenchContext, ask: Ask, aloneP95Ms: number) {
  const steps: (Measured & { readonly perSecond: number })[] = []
  let keptUpWith = 0
  for (const perSecond of context.isQuick ? STEPS.slice(0, 2) : STEPS) {
    context.progress(`rest: ${perSecond} requests a second`)
    const step = await askAtRate(ask, { perSecond, seconds: context.isQuick ? 1 : STEP_SECONDS })
    steps.push({ perSecond, ...step })
    if (step.failed > 0 || step.p95Ms > 10 * Math.max(aloneP95Ms, 10)) break
    keptUpWith = perSecond
  }
  return { keptUpWith, steps }
}

interface Started {
  readonly address: string
  end(): Promise<void>
}

/** `cairn up` in a process of its own. Vectors are off: making a hundred thousand of them beside it would be measured instead. */
async function startServer({ commandLine }: BenchContext, root: string): Promise<Started> {
  const home = await mkdtemp(path.join(tmpdir(), 'cairn-bench-user-'))
  const env = { ...process.env, CAIRN_HOME: home, HOME: home }
  const settings: [string, string][] = [
    ['embedder.use', 'off'],
    ['upkeep.auto', 'false'],
  ]
  for (const [key, value] of settings)
    execFileSync(process.execPath, [commandLine, 'config', 'set', key, value], { cwd: root, env })
  const server = spawn(
    process.execPath,
    [commandLine, 'up', '--port', '0', '--no-open', '--rate', '100000'],
    { cwd: root, env },
  )
  const end = async () => {
    await ended(server)
    await rm(home, { recursive: true, force: true })
  }
  for await (const line of createInterface({ input: server.stdout })) {
    const [, address] = /(http:\/\/127\.0\.0\.1:\d+)\//.exec(line) ?? []
    if (address !== undefined) return { address, end }
  }
  await end()
  throw new Error('the server ended before it said where it is')
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = new Promise(resolve => server.once('exit', resolve))
  server.kill('SIGTERM')
  await gone
}
