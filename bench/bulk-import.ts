import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import * as path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Bench, BenchContext } from './bench.ts'
import { plainEnvironment } from './child-cpu.ts'
import { buildRawFulltext } from './raw-fulltext.ts'
import { type Check, check } from './report.ts'
import { roundTo } from './statistics.ts'
import { entryAt, positionsByDate } from './synthetic-corpus.ts'
import { withTemporaryProject } from './temporary-project.ts'

/** The size that the goals are set for. */
const GOAL_ENTRIES = 100_000
/** Loaded into the child before the command line: it writes down, as the last thing, what the process used in all. */
const USAGE_HOOK = `process.on('exit', () =>
  require('node:fs').writeFileSync(process.env.CAIRN_BENCH_USAGE, JSON.stringify(process.resourceUsage())))`

export const importBench: Bench = {
  name: 'import',
  summary: 'bulk import through the command line: seconds and memory (--entries, default 100000)',
  async run(context) {
    const entries = context.entries ?? (context.isQuick ? 2_000 : GOAL_ENTRIES)
    const orders = {
      'by date': positionsByDate(entries),
      // Every batch then has entries for every page of every vault: the hardest order there is.
      'in no order': Array.from({ length: entries }, (_, position) => position),
    }
    const runs: Record<string, ImportFigures> = {}
    for (const [order, positions] of Object.entries(orders)) {
      context.progress(`import: ${entries} entries ${order}, through the command line`)
      runs[order] = await measureImport(context, positions)
    }
    context.progress('import: the same texts into raw FTS5')
    const rawSeconds = await withTemporaryProject(async folder => {
      const start = performance.now()
      buildRawFulltext(path.join(folder, 'raw.db'), entries)
      return (performance.now() - start) / 1000
    })
    const rows = Object.entries(runs).map(([order, run]) => [
      order,
      run.seconds,
      run.cpuSeconds,
      run.entriesPerSecond,
      run.maxRssMb,
      roundTo(1, run.seconds / rawSeconds),
    ])
    return {
      data: {
        entries,
        runs,
        rawFts5Seconds: roundTo(2, rawSeconds),
        ratios: Object.fromEntries(
          Object.entries(runs).map(([order, run]) => [
            `${order}, seconds to raw FTS5`,
            roundTo(2, run.seconds / rawSeconds),
          ]),
        ),
      },
      checks: Object.entries(runs).flatMap(([order, run]) => checksOf(order, run, entries)),
      tables: [
        {
          title: `Import of ${entries} entries (raw FTS5: ${roundTo(2, rawSeconds)} s)`,
          rows: [['', 'seconds', 'CPU seconds', 'entries/s', 'most memory, MB', 'times raw FTS5'], ...rows],
        },
      ],
    }
  },
}

type ImportFigures = Awaited<ReturnType<typeof measureImport>>

function checksOf(order: string, { seconds, maxRssMb, kept }: ImportFigures, entries: number): Check[] {
  const isKept = check(`${order}: entries afterwards`, kept, 'exactly', entries)
  if (entries !== GOAL_ENTRIES) return [isKept]
  return [
    check(`${order}: seconds`, seconds, 'at most', 60),
    check(`${order}: most memory, MB`, maxRssMb, 'at most', 500),
    isKept,
  ]
}

async function measureImport({ commandLine, library }: BenchContext, positions: readonly number[]) {
  return withTemporaryProject(async folder => {
    const lines = path.join(folder, 'entries.jsonl')
    const project = path.join(folder, 'project')
    await mkdir(project)
    await pipeline(Readable.from(linesOf(positions)), createWriteStream(lines))
    const { seconds, cpuSeconds, maxRssMb } = await importThroughCli({ commandLine, lines, project, folder })
    const memory = await library.openMemory({ root: project, upkeep: 'never' })
    const { entries: kept } = await memory.status().finally(() => memory.close())
    return {
      kept,
      seconds: roundTo(2, seconds),
      cpuSeconds: roundTo(2, cpuSeconds),
      entriesPerSecond: roundTo(0, positions.length / seconds),
      maxRssMb: roundTo(0, maxRssMb),
    }
  })
}

function* linesOf(positions: readonly number[]): Iterable<string> {
  for (const position of positions) yield `${JSON.stringify(entryAt(position))}\n`
}

async function importThroughCli(input: {
  commandLine: string
  lines: string
  project: string
  folder: string
}) {
  const hook = path.join(input.folder, 'usage-hook.cjs')
  const usageFile = path.join(input.folder, 'usage.json')
  await writeFile(hook, USAGE_HOOK)
  const start = performance.now()
  const child = spawn(
    process.execPath,
    ['--require', hook, input.commandLine, 'import', input.lines, '--root', input.project, '--json'],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...plainEnvironment(), CAIRN_BENCH_USAGE: usageFile } },
  )
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const seconds = (performance.now() - start) / 1000
  if (exitCode !== 0) throw new Error(`cairn import ended with exit code ${exitCode}`)
  const usage = JSON.parse(await readFile(usageFile, 'utf8')) as NodeJS.ResourceUsage
  return {
    seconds,
    cpuSeconds: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
    // Node gives kilobytes on every platform.
    maxRssMb: (usage.maxRSS * 1024) / 1e6,
  }
}
