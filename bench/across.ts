import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import type { Bench, BenchContext } from './bench.ts'
import { prepareProject } from './prepared-project.ts'
import { check } from './report.ts'
import { entryAt } from './synthetic-corpus.ts'

const PROJECTS = 50
const ENTRIES = 1_000
const ROUNDS = 15
/** One search is asked of each project, beside opening it and looking whether its files are as the index knows them. */
const GOAL_TIMES = 3 * PROJECTS

export const acrossBench: Bench = {
  name: 'across',
  summary: 'A search over 50 projects of 1,000 entries (--entries) as a multiple of one search by words',
  async run(context) {
    const entries = context.entries ?? (context.isQuick ? 100 : ENTRIES)
    const projects = context.isQuick ? 5 : PROJECTS
    const rounds = context.isQuick ? 3 : ROUNDS
    const prepared = await prepareProject(context, entries)
    const base = await realpath(await mkdtemp(path.join(tmpdir(), 'cairn-across-')))
    const home = process.env.CAIRN_HOME
    try {
      process.env.CAIRN_HOME = path.join(base, 'home')
      const roots = await copies(prepared.root, base, projects)
      context.progress(`across: ${projects} projects of ${entries} entries`)
      const measured = await measure(context, roots, rounds, entries)
      const ratio = round(measured.everywhereMs / measured.searchMs)
      return {
        data: { projects, entries, rounds, ...measured, ratio, aProject: round(ratio / projects) },
        checks:
          projects === PROJECTS
            ? [check('everywhere, times one search by words', ratio, 'at most', GOAL_TIMES)]
            : [],
        tables: [
          {
            title: `Across, ${projects} projects of ${entries} entries, every one of which has the words; medians of ${rounds}`,
            rows: [
              ['', 'ms', 'times one search'],
              ['search, one project, by words', measured.searchMs, 1],
              ['everywhere', measured.everywhereMs, ratio],
              ['met', measured.metMs, round(measured.metMs / measured.searchMs)],
              [
                'everywhere, words that none has',
                measured.nothingMs,
                round(measured.nothingMs / measured.searchMs),
              ],
            ],
          },
        ],
      }
    } finally {
      if (home === undefined) delete process.env.CAIRN_HOME
      else process.env.CAIRN_HOME = home
      await rm(base, { recursive: true, force: true })
    }
  },
}

async function copies(from: string, base: string, count: number): Promise<string[]> {
  const roots = Array.from({ length: count }, (_, at) => path.join(base, `p${at}`))
  for (const root of roots) await cp(from, root, { recursive: true })
  const seen = '2026-03-16T10:00:00.000Z'
  const known = roots.map((root, at) => ({
    id: `id${at}`,
    name: `p${at}`,
    root,
    trustedAt: seen,
    firstSeenAt: seen,
    lastSeenAt: seen,
  }))
  await mkdir(path.join(base, 'home'))
  await writeFile(path.join(base, 'home', 'projects.json'), JSON.stringify({ version: 1, projects: known }))
  return roots
}

async function measure({ library }: BenchContext, roots: readonly string[], rounds: number, entries: number) {
  const memory = await library.openMemory({
    root: roots[0] ?? '',
    vectors: 'never',
    upkeep: 'never',
    recall: 'never',
  })
  const queryAt = (n: number) =>
    entryAt((n * 37) % entries)
      .text.split(/\s+/)
      .slice(0, 6)
      .join(' ')
  const medianOf = async (ask: (n: number) => Promise<unknown>): Promise<number> => {
    await ask(0)
    const times: number[] = []
    for (let n = 1; n <= rounds; n++) {
      const start = performance.now()
      await ask(n)
      times.push(performance.now() - start)
    }
    times.sort((a, b) => a - b)
    return round(times[Math.floor(times.length / 2)] ?? 0)
  }
  try {
    const withinMs = 60_000
    return {
      searchMs: await medianOf(n => memory.search(queryAt(n), { words: true, entriesOnly: true })),
      everywhereMs: await medianOf(n => memory.everywhere(queryAt(n), { withinMs })),
      metMs: await medianOf(n => memory.met(`Error: ${queryAt(n)} ECONNREFUSED`, { withinMs })),
      nothingMs: await medianOf(n => memory.everywhere(`zzqx${n} wvvk${n}`, { withinMs })),
    }
  } finally {
    await memory.close()
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
