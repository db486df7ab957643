import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import type { Memory } from '../src/api.ts'
import type { Bench, BenchContext } from './bench.ts'
import { check } from './report.ts'
import { makeFact, makeTalk, type PlantedFact } from './session-talk.ts'
import { roundTo } from './statistics.ts'
import { withTemporaryProject } from './temporary-project.ts'

const SESSIONS_A_WEEK = 30
const WEEKS = 156
const QUICK_WEEKS = 6
const WEEK_MS = 7 * 86_400_000
const WEEKS_A_MONTH = 4
const FACTS = 24
const START_MS = Date.UTC(2023, 0, 2, 9)
/** The last year against the one before it: what has levelled off does not grow by more. */
const MAX_GROWTH = 1.15

type FactUse = 'pinned' | 'asked for' | 'never asked for'

interface Planted extends PlantedFact {
  readonly use: FactUse
  readonly week: number
  id?: string
}

interface Sample {
  readonly week: number
  readonly entries: number
  readonly vaultBytes: number
  /** Without the archive, which is to grow, and the journal, which goes there at 16 MB. */
  readonly memoryBytes: number
  readonly indexBytes: number
  readonly upkeepMs: number
  readonly archived: number
}

/**
 * Three years of a project: 30 sessions a week through the real distiller, upkeep every week, and facts planted along the way.
 * Some are pinned, some are asked for every month, some never. Words alone: 14,000 vectors would say nothing about upkeep.
 */
export const yearsBench: Bench = {
  name: 'years',
  summary: 'three years of sessions: does the vault level off, and is what is in use still there?',
  run: context =>
    withTemporaryProject(async folder => {
      const weeks = context.isQuick ? QUICK_WEEKS : WEEKS
      const { samples, planted, missed, closingMs } = await live(context, folder, weeks)
      const yearOf = (last: number) => samples.filter(({ week }) => week > last - 52 && week <= last)
      const growth = (of: (sample: Sample) => number) =>
        roundTo(2, mean(yearOf(weeks).map(of)) / mean(yearOf(weeks - 52).map(of)))
      const ratios = {
        entries: growth(sample => sample.entries),
        vaultBytes: growth(sample => sample.vaultBytes),
        memoryBytes: growth(sample => sample.memoryBytes),
        indexBytes: growth(sample => sample.indexBytes),
        upkeepMs: growth(sample => sample.upkeepMs),
      }
      const inUse = planted.filter(({ use }) => use !== 'never asked for')
      const lost = inUse.filter(({ id }) => id === undefined)
      const shown = samples.filter(({ week }) => week % 13 === 0 || week === weeks)
      return {
        data: {
          weeks,
          sessionsAWeek: SESSIONS_A_WEEK,
          samples: shown,
          lastYearToYearBefore: ratios,
          missed,
          closingMs,
        },
        checks: [
          check('planted facts in use that are gone', lost.length, 'exactly', 0),
          check('monthly questions that did not find their fact', missed, 'exactly', 0),
          ...(context.isQuick
            ? []
            : Object.entries(ratios).map(([what, ratio]) =>
                check(`${what}, third year to second`, ratio, 'at most', MAX_GROWTH),
              )),
        ],
        tables: [
          {
            title: `${weeks} weeks of ${SESSIONS_A_WEEK} sessions; closing one takes ${closingMs} ms on average`,
            rows: [
              [
                'week',
                'entries',
                'vault KB',
                'memory KB, no archive or journal',
                'index KB',
                'upkeep ms',
                'archived',
              ],
              ...shown.map(each => [
                each.week,
                each.entries,
                Math.round(each.vaultBytes / 1024),
                Math.round(each.memoryBytes / 1024),
                Math.round(each.indexBytes / 1024),
                each.upkeepMs,
                each.archived,
              ]),
            ],
          },
        ],
      }
    }),
}

async function live(context: BenchContext, folder: string, weeks: number) {
  let nowMs = START_MS
  const open = () =>
    context.library.openMemory({ root: folder, now: () => nowMs, vectors: 'never', actor: { host: 'bench' } })
  const planted: Planted[] = Array.from({ length: FACTS }, (_, number) => ({
    ...makeFact(number),
    use: (['pinned', 'asked for', 'never asked for'] as const)[number % 3] as FactUse,
    week: Math.floor((number / FACTS) * Math.min(weeks, 52)),
  }))
  const samples: Sample[] = []
  let missed = 0
  let closed = 0
  let closingMs = 0
  mkdirSync(path.join(folder, '.memory'), { recursive: true })
  writeFileSync(path.join(folder, '.memory', 'config.json'), '{"version":1,"embedder":{"use":"off"}}\n')
  let memory = await open()
  for (let week = 1; week <= weeks; week++) {
    for (let each = 0; each < SESSIONS_A_WEEK; each++) {
      nowMs = START_MS + (week - 1) * WEEK_MS + Math.floor((each / SESSIONS_A_WEEK) * WEEK_MS)
      const fact = each === 0 ? planted.filter(one => one.week === week - 1) : []
      const seed = week * SESSIONS_A_WEEK + each
      const session = `s${seed}`
      await memory.sessions.start({ session })
      await memory.sessions.append({ session }, [
        ...makeTalk(seed, 4 + (seed % 9)),
        ...fact.map(({ said }) => ({ role: 'user' as const, text: said })),
      ])
      const start = performance.now()
      await memory.sessions.close(session)
      closingMs += performance.now() - start
      closed++
      for (const one of fact) await takeUp(memory, one)
    }
    nowMs = START_MS + week * WEEK_MS - 1
    if (week % WEEKS_A_MONTH === 0) missed += await askMonthly(memory, planted, week)
    const start = process.cpuUsage()
    const { archived } = await compactNow(memory)
    const used = process.cpuUsage(start)
    const status = await memory.status()
    samples.push({
      week,
      entries: status.entries,
      vaultBytes: bytesIn(path.join(folder, '.memory'), isVaultFile),
      memoryBytes: bytesIn(path.join(folder, '.memory'), name => !/^(?:archive\/|history\/audit)/.test(name)),
      indexBytes: status.index.bytes,
      upkeepMs: Math.round((used.user + used.system) / 1000),
      archived: archived + (samples.at(-1)?.archived ?? 0),
    })
    if (week % 13 === 0) {
      // A project is opened anew many times; nothing may live in the process alone.
      await memory.close()
      memory = await open()
      context.progress(`years: week ${week} of ${weeks}, ${status.entries} entries`)
    }
  }
  for (const one of planted)
    if (one.id !== undefined && (await memory.get(one.id)) === undefined) delete one.id
  await memory.close()
  return { samples, planted, missed, closingMs: roundTo(1, closingMs / closed) }
}

/** What the session made of the fact: pinned, or looked at once. */
async function takeUp(memory: Memory, fact: Planted): Promise<void> {
  const { hits } = await memory.search(fact.question, { limit: 5 })
  const hit = hits.find(each => each.entry.content.includes(fact.said.slice(0, 60)))
  if (hit === undefined) return
  fact.id = hit.id
  if (fact.use === 'pinned') await memory.pin(hit.id)
}

async function askMonthly(memory: Memory, planted: readonly Planted[], week: number): Promise<number> {
  let missed = 0
  for (const fact of planted) {
    if (fact.use !== 'asked for' || fact.week >= week) continue
    const { hits } = await memory.search(fact.question, { limit: 5 })
    const hit = hits.find(each => each.id === fact.id)
    if (hit === undefined) missed++
    else await memory.get(hit.id)
  }
  return missed
}

async function compactNow(memory: Memory): Promise<{ archived: number }> {
  const { result } = await memory.compact()
  if (result === null) throw new Error('upkeep was done')
  return { archived: result.entriesExpired + result.entriesFaded + result.entriesEvicted }
}

function isVaultFile(name: string): boolean {
  return /^shared\//.test(name)
}

function bytesIn(folder: string, isCounted: (name: string) => boolean): number {
  let sum = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    const name = path.relative(folder, file).replaceAll('\\', '/')
    if (isCounted(name)) sum += statSync(file).size
  }
  return sum
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
