import { cp } from 'node:fs/promises'
import type { NewEntry } from '../src/api.ts'
import type { Bench, BenchContext } from './bench.ts'
import { newEntryOf } from './prepared-project.ts'
import { check } from './report.ts'
import { median, roundTo } from './statistics.ts'
import { entryAt, positionsByDate } from './synthetic-corpus.ts'
import { withTemporaryProject } from './temporary-project.ts'

const GOAL_ENTRIES = 10_000
const GOAL_MS = 2_000
const RUNS = 3
const DAY_MS = 86_400_000
/** When the entries were captured: long enough ago for most kinds to have expired. */
const AGE_DAYS = 100

/** Importance spread over its range: some entries are worth keeping, most are not. */
const IMPORTANCE = [0.2, 0.3, 0.4, 0.5, 0.6, 0.8] as const

export const upkeepBench: Bench = {
  name: 'upkeep',
  summary:
    'plan and apply upkeep where most of what the machine captured is to go (--entries, default 10000)',
  async run(context) {
    const entries = context.entries ?? (context.isQuick ? 500 : GOAL_ENTRIES)
    return withTemporaryProject(async original => {
      context.progress(`upkeep: ${entries} captured entries`)
      await fill(context, original, entries)
      const runs: Figures[] = []
      for (let run = 0; run < RUNS; run++) {
        context.progress(`upkeep: run ${run + 1} of ${RUNS}`)
        runs.push(await withTemporaryProject(root => measure(context, original, root)))
      }
      const best = (pick: (figures: Figures) => number) => roundTo(0, median(runs.map(pick)))
      const figures = {
        readMs: best(run => run.readMs),
        planMs: best(run => run.planMs),
        planAndApplyMs: best(run => run.applyMs),
        planAndApplyCpuMs: best(run => run.cpuMs),
        againMs: best(run => run.againMs),
      }
      const ratio = roundTo(1, figures.planAndApplyMs / Math.max(1, figures.readMs))
      return {
        data: { entries, left: runs[0]?.left, ...figures, ratioToReading: ratio },
        checks: context.isQuick
          ? []
          : [
              check(
                `upkeep of ${entries} entries, ms`,
                figures.planAndApplyMs,
                'at most',
                (GOAL_MS * entries) / GOAL_ENTRIES,
              ),
            ],
        tables: [
          {
            title: `${entries} captured entries, ${runs[0]?.left ?? 0} leave; median of ${RUNS} runs`,
            rows: [
              ['', 'ms'],
              ['read all entries', figures.readMs],
              ['plan alone', figures.planMs],
              ['plan and apply', figures.planAndApplyMs],
              ['  of that, CPU', figures.planAndApplyCpuMs],
              ['a second time, nothing to do', figures.againMs],
              ['plan and apply to reading', ratio],
            ],
          },
        ],
      }
    })
  },
}

interface Figures {
  readonly readMs: number
  readonly planMs: number
  readonly applyMs: number
  readonly cpuMs: number
  readonly againMs: number
  readonly left: number
}

async function measure({ library }: BenchContext, original: string, root: string): Promise<Figures> {
  await cp(original, root, { recursive: true, preserveTimestamps: true })
  const memory = await library.openMemory({ root, vectors: 'never', upkeep: 'never' })
  try {
    // The copy has other inodes: the first look takes that in, and is not what is measured.
    await memory.list({ limit: 1 })
    const readMs = await timed(() => memory.list({ limit: 1_000_000 }))
    const planMs = await timed(() => memory.compact({ dryRun: true }))
    const before = process.cpuUsage()
    let left = 0
    const applyMs = await timed(async () => {
      const { result } = await memory.compact()
      left = (result?.entriesExpired ?? 0) + (result?.entriesFaded ?? 0) + (result?.entriesEvicted ?? 0)
    })
    const { user, system } = process.cpuUsage(before)
    const againMs = await timed(() => memory.compact())
    return { readMs, planMs, applyMs, cpuMs: (user + system) / 1000, againMs, left }
  } finally {
    await memory.close()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function fill({ library }: BenchContext, root: string, entries: number): Promise<void> {
  const thenMs = Date.now() - AGE_DAYS * DAY_MS
  const memory = await library.openMemory({ root, vectors: 'never', upkeep: 'never', now: () => thenMs })
  const captured = function* (): Iterable<NewEntry> {
    for (const position of positionsByDate(entries)) {
      yield {
        ...newEntryOf(entryAt(position)),
        origin: 'machine',
        status: 'candidate',
        importance: IMPORTANCE[position % IMPORTANCE.length] ?? 0.5,
      }
    }
  }
  try {
    await memory.importEntries(captured())
  } finally {
    await memory.close()
  }
}
