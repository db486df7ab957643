import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import * as path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Bench } from './bench.ts'
import { plainEnvironment } from './child-cpu.ts'
import { buildRawFulltext } from './raw-fulltext.ts'
import { check } from './report.ts'
import { roundTo } from './statistics.ts'
import { entryAt } from './synthetic-corpus.ts'
import { withTemporaryProject } from './temporary-project.ts'

/** The size that the goals are set for. */
const GOAL_ENTRIES = 100_000
/** Loaded into the child before the command line: it writes down, as the last thing, what the process used in all. */
const USAGE_HOOK = `process.on('exit', () =>
  require('node:fs').writeFileSync(process.env.CAIRN_BENCH_USAGE, JSON.stringify(process.resourceUsage())))`

export const importBench: Bench = {
  name: 'import',
  summary: 'bulk import through the command line: seconds and memory (--entries, default 100000)',
  run: async context =>
    withTemporaryProject(async folder => {
      const entries = context.entries ?? (context.isQuick ? 2_000 : GOAL_ENTRIES)
      const lines = path.join(folder, 'entries.jsonl')
      const project = path.join(folder, 'project')
      await mkdir(project)
      await pipeline(Readable.from(linesOf(entries)), createWriteStream(lines))

      context.progress(`import: ${entries} entries through the command line`)
      const imported = await importThroughCli({ commandLine: context.commandLine, lines, project, folder })
      context.progress('import: the same texts into raw FTS5')
      const start = performance.now()
      buildRawFulltext(path.join(folder, 'raw.db'), entries)
      const rawSeconds = (performance.now() - start) / 1000

      const memory = await context.library.openMemory({ root: project })
      const { entries: kept } = await memory.status().finally(() => memory.close())
      const data = {
        entries,
        kept,
        seconds: roundTo(2, imported.seconds),
        cpuSeconds: roundTo(2, imported.cpuSeconds),
        maxRssMb: roundTo(0, imported.maxRssMb),
        entriesPerSecond: roundTo(0, entries / imported.seconds),
        rawFts5Seconds: roundTo(2, rawSeconds),
        ratios: { 'seconds to raw FTS5': roundTo(2, imported.seconds / rawSeconds) },
      }
      const checks = [
        ...(entries === GOAL_ENTRIES
          ? [
              check('seconds', data.seconds, 'at most', 60),
              check('most memory, MB', data.maxRssMb, 'at most', 500),
            ]
          : []),
        check('entries afterwards', kept, 'exactly', entries),
      ]
      const { ratios, ...figures } = data
      return {
        data,
        checks,
        tables: [{ title: 'Bulk import', rows: [...Object.entries(figures), ...Object.entries(ratios)] }],
      }
    }),
}

function* linesOf(entries: number): Iterable<string> {
  for (let position = 0; position < entries; position++) yield `${JSON.stringify(entryAt(position))}\n`
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
