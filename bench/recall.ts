import { mkdir, writeFile } from 'node:fs/promises'
import * as path from 'node:path'
import type { MemoryEvent } from '../src/kernel/model/event.ts'
import type { Bench, BenchContext } from './bench.ts'
import { check } from './report.ts'
import { median, roundTo } from './statistics.ts'
import { withTemporaryProject } from './temporary-project.ts'

const GOAL_EVENTS = 10_000
const GOAL_MS = 1_000
const RUNS = 3
const BEGIN_MS = Date.UTC(2026, 2, 2, 9)

/** Speed alone. What the bundle says is judged on real sessions: `npm run bench -- replay`. */
export const recallBench: Bench = {
  name: 'recall',
  summary: 'recall over many events (--entries, default 10000): how long it takes',
  async run(context) {
    const events = context.entries ?? (context.isQuick ? 500 : GOAL_EVENTS)
    const speed = await measureSpeed(context, events)
    return {
      data: { events, ...speed },
      checks: context.isQuick
        ? []
        : [
            check(
              `recall of ${events} events, ms`,
              speed.recallMs,
              'at most',
              (GOAL_MS * events) / GOAL_EVENTS,
            ),
          ],
      tables: [
        {
          title: `${events} events not folded in yet, two statements and a check each; median of ${RUNS} runs`,
          rows: [
            ['', 'ms'],
            ['bare node: read the log and parse it', speed.bareMs],
            ['recall', speed.recallMs],
            ['  of that, CPU', speed.cpuMs],
            ['again, nothing new', speed.againMs],
          ],
        },
      ],
    }
  },
}

async function measureSpeed({ library, progress }: BenchContext, count: number) {
  return withTemporaryProject(async root => {
    const file = path.join(root, '.memory/history/events.jsonl')
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, Array.from({ length: count }, (_, n) => `${JSON.stringify(eventAt(n))}\n`).join(''))
    const runs: { bareMs: number; recallMs: number; cpuMs: number; againMs: number }[] = []
    const { readFile, rm } = await import('node:fs/promises')
    for (let run = 0; run < RUNS; run++) {
      progress(`recall: run ${run + 1} of ${RUNS} over ${count} events`)
      await rm(path.join(root, '.memory/state.json'), { force: true })
      const bareMs = await timed(async () => {
        let signals = 0
        for (const line of (await readFile(file, 'utf8')).split('\n'))
          if (line !== '') signals += (JSON.parse(line) as MemoryEvent).signals.gotchas.length
        if (signals === 0) throw new Error('the log is empty')
      })
      const memory = await library.openMemory({ root, vectors: 'never', upkeep: 'never', recall: 'never' })
      const before = process.cpuUsage()
      const recallMs = await timed(() => memory.recall())
      const { user, system } = process.cpuUsage(before)
      const againMs = await timed(() => memory.recall())
      await memory.close()
      runs.push({ bareMs, recallMs, cpuMs: (user + system) / 1_000, againMs })
    }
    const middle = (pick: (run: (typeof runs)[number]) => number) => roundTo(0, median(runs.map(pick)))
    return {
      bareMs: middle(run => run.bareMs),
      recallMs: middle(run => run.recallMs),
      cpuMs: middle(run => run.cpuMs),
      againMs: middle(run => run.againMs),
    }
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const PARTS = 'parser cache router queue mailer importer ledger session renderer scheduler'.split(' ')
const TROUBLES = [
  'drops the last row',
  'needs the flag',
  'waits for the lock of',
  'fails without',
  'is slow because of',
]
const THINGS = 'orders invoices refunds tokens uploads reports tenants locales timeouts retries'.split(' ')

export function eventAt(n: number): MemoryEvent {
  const part = PARTS[n % 10]
  const thing = THINGS[Math.floor(n / 10) % 10]
  const trouble = TROUBLES[Math.floor(n / 100) % 5]
  return {
    id: `e${n}`,
    kind: n % 4 === 0 ? 'imported_session' : 'tool_run',
    sourceId: `session:s${Math.floor(n / 20)}`,
    createdAt: new Date(BEGIN_MS + n * 60_000).toISOString(),
    contentHash: `hash${n}`,
    summary: `Look at the ${part} of ${thing}, number ${n}`,
    signals: {
      decisions: n % 7 === 0 ? [`The ${part} keeps ${thing} for ${n % 90} days.`] : [],
      gotchas: [`The ${part} ${trouble} ${thing} in case ${n % 900}.`],
      nextStepHints: [
        n % 3 === 0 ? `The ${part} of ${thing} is done.` : `The ${part} still needs tests for ${thing}.`,
      ],
      keyPaths: [`src/${part}/${thing}.ts`],
      validationObservations: [{ command: 'npm test', outcome: n % 5 === 0 ? 'failed' : 'passed' }],
    },
    sourceRef: `sessions/s${n}.memory.json`,
  }
}
