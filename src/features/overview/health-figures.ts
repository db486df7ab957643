import type { Memory } from '../../kernel/memory.ts'
import type { BriefPorts, LoggedBrief } from '../brief/decide/ports.ts'
import { assess, type SloState } from '../search/decide/slo.ts'
import type { ValidatePorts } from '../validate/decide/ports.ts'
import {
  countRecord,
  type DayCount,
  dayBefore,
  type GrowthDay,
  growthOf,
  type Percentiles,
  percentilesOf,
} from './decide/figures.ts'

/** The number of briefs in the index. */
const STORED_BRIEFS = 200

interface MeasuredTimes extends Percentiles {
  /** `retrieval`, `brief of a prompt`, `brief of a session`, or the name of a route. */
  readonly what: string
}

interface BriefDay {
  readonly day: string
  readonly briefs: number
  readonly tokens: number
}

interface Measurements {
  readonly times: readonly MeasuredTimes[]
  readonly slo: { readonly state: SloState; readonly p95Ms: number | null; readonly samples: number }
  readonly briefs: {
    readonly given: number
    readonly silent: number
    readonly tokens: number
    /** Of the last 200. */
    readonly byDay: BriefDay[]
  }
}

/** The measured durations. `served` are the samples of this process, by name. */
export async function readMeasurements(
  memory: BriefPorts,
  served: ReadonlyMap<string, readonly number[]>,
): Promise<Measurements> {
  const { samplesMs, state } = await memory.briefs.latencies()
  const slo = assess(samplesMs, state as SloState | undefined)
  const given = await memory.briefs.list(STORED_BRIEFS)
  const took = (kind: LoggedBrief['kind']) => given.filter(brief => brief.kind === kind).map(({ ms }) => ms)
  const samples: [string, readonly number[]][] = [
    ['retrieval', samplesMs],
    ['brief of a prompt', took('prompt')],
    ['brief of a session', took('start')],
    ...served,
  ]
  return {
    times: samples.flatMap(([what, list]) => {
      const percentiles = percentilesOf(list)
      return percentiles === undefined ? [] : [{ what, ...percentiles }]
    }),
    slo: { state: slo.state, p95Ms: slo.p95 ?? null, samples: samplesMs.length },
    briefs: await briefTotals(memory, given),
  }
}

async function briefTotals(
  memory: BriefPorts,
  given: readonly LoggedBrief[],
): Promise<Measurements['briefs']> {
  const { briefs, silent, tokens } = await memory.briefs.totals()
  const byDay = new Map<string, BriefDay>()
  for (const brief of given) {
    const day = brief.at.slice(0, 10)
    const own = byDay.get(day) ?? { day, briefs: 0, tokens: 0 }
    byDay.set(day, { day, briefs: own.briefs + 1, tokens: own.tokens + brief.tokens })
  }
  return {
    given: briefs,
    silent,
    tokens,
    byDay: [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1)),
  }
}

/** A journal may have years of records; a chart must not wait for all of them. */
const MAX_RECORDS = 20_000
/** Others are answered in between. */
const RECORDS_PER_TURN = 100

export interface Growth {
  readonly days: GrowthDay[]
  /** False: these days have more records than were read, and the first days are incomplete. */
  readonly isWhole: boolean
}

interface Counted {
  readonly last: string | undefined
  readonly days: number
  readonly today: string
  readonly byDay: ReadonlyMap<string, DayCount>
  readonly isWhole: boolean
}

const countedByStore = new WeakMap<Memory['store'], Counted>()

/** How the memory grew, by its journal. Counted anew only when something was written to that since. */
export async function readGrowth(memory: Memory, days: number): Promise<Growth> {
  const today = new Date(memory.clock.nowMs()).toISOString().slice(0, 10)
  const { total } = await memory.store.counts()
  const { journal } = await memory.store.health()
  const known = countedByStore.get(memory.store)
  const isKnown = known?.last === journal.last?.id && known?.days === days && known.today === today
  const counted =
    isKnown && known !== undefined ? known : await count(memory, { days, today, last: journal.last?.id })
  countedByStore.set(memory.store, counted)
  return { days: growthOf(counted.byDay, { days, today, total }), isWhole: counted.isWhole }
}

async function count(
  memory: Memory,
  { days, today, last }: { readonly days: number; readonly today: string; readonly last: string | undefined },
): Promise<Counted> {
  const first = dayBefore(today, days - 1)
  const byDay = new Map<string, DayCount>()
  let records = 0
  let isWhole = true
  for await (const record of memory.store.readJournal({})) {
    const day = record.at.slice(0, 10)
    if (day < first) break
    if (records++ >= MAX_RECORDS) {
      isWhole = false
      break
    }
    if (records % RECORDS_PER_TURN === 0) await memory.clock.sleep(0)
    const { added, removed } = countRecord(record)
    const own = byDay.get(day) ?? { added: 0, removed: 0 }
    byDay.set(day, { added: own.added + added, removed: own.removed + removed })
  }
  return { last, days, today, byDay, isWhole }
}

/** A disk does not fill up in less; listing a large memory takes a moment. */
const CACHE_MS = 10_000

interface FolderUse {
  /** A folder in `.memory/`; `.` for the files directly in it. */
  readonly folder: string
  readonly bytes: number
  readonly files: number
}

const cacheByStore = new WeakMap<object, { readonly atMs: number; readonly use: readonly FolderUse[] }>()

/** What the memory takes on the disk, the largest first. */
export async function readDiskUse(memory: Memory & ValidatePorts): Promise<readonly FolderUse[]> {
  const nowMs = memory.clock.nowMs()
  const known = cacheByStore.get(memory.store)
  if (known !== undefined && nowMs - known.atMs < CACHE_MS && nowMs >= known.atMs) return known.use
  const tree = await memory.memoryTree.open()
  const byFolder = new Map<string, FolderUse>()
  for (const { path, kind, size } of tree?.items ?? []) {
    if (kind !== 'file') continue
    const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : '.'
    const own = byFolder.get(folder) ?? { folder, bytes: 0, files: 0 }
    byFolder.set(folder, { folder, bytes: own.bytes + size, files: own.files + 1 })
  }
  const use = [...byFolder.values()].sort((a, b) => b.bytes - a.bytes || (a.folder < b.folder ? -1 : 1))
  cacheByStore.set(memory.store, { atMs: nowMs, use })
  return use
}
