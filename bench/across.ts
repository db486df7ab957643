import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import type { Bench, BenchContext } from './bench.ts'
import { prepareProject } from './prepared-project.ts'
import { check } from './report.ts'
import { entryAt } from './synthetic-corpus.ts'

const PROJECTS = 50
const ENTRIES = 1_000
const ROUNDS = 7
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
      context.progress(`across: ${projects} projects of ${entries} entries, by words`)
      const byWords = await measure(context, roots, rounds, entries)
      context.progress(`across: the vectors of ${entries} entries`)
      await embedOnce(context, roots)
      context.progress(`across: ${projects} projects of ${entries} entries, by meaning too`)
      const byMeaning = await measure(context, roots, rounds, entries)
      const measured = {
        ...byWords,
        byMeaningMs: byMeaning.everywhereMs,
        searchByMeaningMs: byMeaning.bothMs,
      }
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
              ['everywhere, no project has vectors', measured.everywhereMs, ratio],
              [
                'search, one project, by meaning too',
                measured.searchByMeaningMs,
                round(measured.searchByMeaningMs / measured.searchMs),
              ],
              [
                'everywhere, by meaning too',
                measured.byMeaningMs,
                round(measured.byMeaningMs / measured.searchMs),
              ],
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

/** All projects have the same entries: what is made for one serves them all. */
async function embedOnce({ library }: BenchContext, roots: readonly string[]): Promise<void> {
  const [first = '', ...others] = roots
  const memory = await library.openMemory({ root: first, vectors: 'never', upkeep: 'never', recall: 'never' })
  await memory.embed()
  await memory.close()
  const index = path.join('.memory', '.vault', 'index.db')
  for (const root of others) await cp(path.join(first, index), path.join(root, index))
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
  const withinMs = 60_000
  const asks: Readonly<
    Record<'searchMs' | 'bothMs' | 'everywhereMs' | 'metMs' | 'nothingMs', (n: number) => Promise<unknown>>
  > = {
    searchMs: n => memory.search(queryAt(n), { words: true, entriesOnly: true }),
    bothMs: n => memory.search(queryAt(n), { entriesOnly: true }),
    everywhereMs: n => memory.everywhere(queryAt(n), { withinMs }),
    metMs: n => memory.met(`Error: ${queryAt(n)} ECONNREFUSED`, { withinMs }),
    nothingMs: n => memory.everywhere(`zzqx${n} wvvk${n}`, { withinMs }),
  }
  const times: Record<keyof typeof asks, number[]> = {
    searchMs: [],
    bothMs: [],
    everywhereMs: [],
    metMs: [],
    nothingMs: [],
  }
  try {
    // In turns, so that whatever else the machine does is shared by all; the first turn warms up.
    for (let n = 0; n <= rounds; n++)
      for (const name of Object.keys(asks) as (keyof typeof asks)[]) {
        const start = performance.now()
        await asks[name](n)
        if (n > 0) times[name].push(performance.now() - start)
      }
  } finally {
    await memory.close()
  }
  return {
    searchMs: median(times.searchMs),
    bothMs: median(times.bothMs),
    everywhereMs: median(times.everywhereMs),
    metMs: median(times.metMs),
    nothingMs: median(times.nothingMs),
  }
}

function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  return round(sorted[Math.floor(sorted.length / 2)] ?? 0)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
