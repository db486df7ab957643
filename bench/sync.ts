import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Bench, BenchContext } from './bench.ts'
import { plainEnvironment } from './child-cpu.ts'
import { check } from './report.ts'
import { roundTo } from './statistics.ts'
import { entryAt } from './synthetic-corpus.ts'
import { withTemporaryProject } from './temporary-project.ts'

const GOAL_ENTRIES = 10_000
const MAX_SECONDS = 20
/** A word that every entry ends with, and what it becomes when every entry is edited. */
const [BEFORE, AFTER] = ['firstly.', 'secondly.']

export const syncBench: Bench = {
  name: 'sync',
  summary: 'sync of 10000 changed entries with a hub, both ways (CAIRN_BENCH_POSTGRES=postgres://…)',
  async run(context) {
    const store = process.env.CAIRN_BENCH_POSTGRES
    if (store === undefined) throw new Error('CAIRN_BENCH_POSTGRES names no PostgreSQL server')
    const entries = context.entries ?? (context.isQuick ? 500 : GOAL_ENTRIES)
    const steps = await withTemporaryProject(folder => measure(context, { store, entries, folder }))
    const base = steps[IMPORT]?.cpuSeconds ?? 1
    return {
      data: { entries, steps },
      checks: Object.entries(steps).flatMap(([name, { seconds }]) =>
        name === IMPORT || entries !== GOAL_ENTRIES
          ? []
          : [check(`${name}: seconds`, seconds, 'at most', MAX_SECONDS)],
      ),
      tables: [
        {
          title: `${entries} entries`,
          rows: [
            ['', 'seconds', 'CPU seconds here', 'CPU seconds of the hub', 'CPU times the import'],
            ...Object.entries(steps).map(([name, { seconds, cpuSeconds, hubCpuSeconds }]) => [
              name,
              seconds,
              cpuSeconds,
              hubCpuSeconds,
              roundTo(2, (cpuSeconds + hubCpuSeconds) / base),
            ]),
          ],
        },
      ],
    }
  },
}

interface Run {
  readonly seconds: number
  readonly cpuSeconds: number
}

/** The hub's process, without its PostgreSQL. */
interface Step extends Run {
  readonly hubCpuSeconds: number
}

/** What it costs to have the same entries in one memory, without a hub and without vectors. */
const IMPORT = 'import without vectors'

async function measure(
  context: BenchContext,
  { store, entries, folder }: { readonly store: string; readonly entries: number; readonly folder: string },
): Promise<Record<string, Step>> {
  const run = runnerIn(context, folder)
  const [ana, ben] = [path.join(folder, 'ana'), path.join(folder, 'ben')]
  await mkdir(ana)
  await mkdir(ben)
  const lines = path.join(folder, 'entries.jsonl')
  const texts = Array.from({ length: entries }, (_, at) => {
    const entry = entryAt(at)
    return JSON.stringify({ ...entry, text: `${entry.text} ${BEFORE}` })
  })
  await writeFile(lines, texts.join('\n'))
  const hub = await startHub(store)
  try {
    const token = path.join(folder, 'token')
    await writeFile(token, hub.token, { mode: 0o600 })
    const steps: Record<string, Step> = {}
    const step = async (name: string, root: string, ...words: readonly string[]) => {
      context.progress(`sync: ${name}`)
      const before = await hub.cpuSeconds()
      const own = await run(root, ...words)
      steps[name] = { ...own, hubCpuSeconds: roundTo(2, (await hub.cpuSeconds()) - before) }
    }
    // Vectors are made by a process of their own after a sync or an import: that work is another bench's.
    for (const root of [ana, ben]) await run(root, 'config', 'set', 'embedder.use', 'off')
    await step(IMPORT, ana, 'import', lines)
    await run(ben, 'remember', 'The first thing here.')
    for (const root of [ana, ben]) {
      await run(root, 'trust', '--yes')
      await run(root, 'link', hub.url, '--project', hub.project, '--token-file', token)
    }
    await step('sent to an empty hub', ana, 'sync')
    await step('received into an empty memory', ben, 'sync')
    await editEveryFile(path.join(ana, '.memory'))
    await run(ana, 'status')
    await step('edits sent', ana, 'sync')
    await step('edits received', ben, 'sync')
    await step('nothing to do', ben, 'sync')
    return steps
  } finally {
    await hub.end()
  }
}

/** As an editor or git would: the memory sees what changed in its files. */
async function editEveryFile(memory: string): Promise<void> {
  for (const name of await readdir(memory, { recursive: true })) {
    if (!name.endsWith('.md') || name.startsWith('.vault')) continue
    const file = path.join(memory, name)
    const text = await readFile(file, 'utf8')
    if (text.includes(BEFORE)) await writeFile(file, text.replaceAll(BEFORE, AFTER))
  }
}

function runnerIn({ commandLine }: BenchContext, folder: string) {
  return async (root: string, ...words: readonly string[]): Promise<Run> => {
    const before = process.resourceUsage()
    const start = performance.now()
    const hook = path.join(folder, 'usage.cjs')
    const usageFile = path.join(folder, 'usage.json')
    await writeFile(
      hook,
      "process.on('exit', () => require('node:fs').writeFileSync(process.env.CAIRN_BENCH_USAGE, JSON.stringify(process.resourceUsage())))",
    )
    const child = spawn(
      process.execPath,
      ['--require', hook, commandLine, '--root', root, ...words, '--json'],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: {
          ...plainEnvironment(),
          CAIRN_HOME: path.join(folder, 'home'),
          CAIRN_BENCH_USAGE: usageFile,
        },
      },
    )
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', resolve)
    })
    if (code !== 0) throw new Error(`cairn ${words[0]} ended with exit code ${code}`)
    const usage = JSON.parse(await readFile(usageFile, 'utf8')) as typeof before
    return {
      seconds: roundTo(2, (performance.now() - start) / 1000),
      cpuSeconds: roundTo(2, (usage.userCPUTime + usage.systemCPUTime) / 1e6),
    }
  }
}

async function startHub(store: string) {
  const script = fileURLToPath(new URL('sync-hub.js', import.meta.url))
  const child = spawn(process.execPath, [script, store], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>(resolve => child.on('close', () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async <Said>(): Promise<Said> => {
    const { value, done } = await lines.next()
    if (done) throw new Error('the hub ended')
    return JSON.parse(value) as Said
  }
  return {
    ...(await nextLine<{ url: string; project: string; token: string }>()),
    async cpuSeconds() {
      child.stdin.write('\n')
      return (await nextLine<{ cpuSeconds: number }>()).cpuSeconds
    },
    async end() {
      child.stdin.end()
      await ended
    },
  }
}
