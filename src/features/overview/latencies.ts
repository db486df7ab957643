import type { GivenBrief } from '../brief/decide/brief-log.ts'
import type { BriefPorts } from '../brief/decide/ports.ts'
import { assess, type SloState } from '../search/decide/slo.ts'
import { type Percentiles, percentilesOf } from './decide/percentiles.ts'

/** As many as the index keeps. */
const MAX_BRIEFS = 200

export interface MeasuredTimes extends Percentiles {
  /** `retrieval`, `brief of a prompt`, `brief of a session`, or the name of a route. */
  readonly what: string
}

export interface BriefDay {
  readonly day: string
  readonly briefs: number
  readonly tokens: number
}

export interface Measurements {
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

/** What is known of how long things take. `served` are the samples of the process that asks, by name. */
export async function readMeasurements(
  memory: BriefPorts,
  served: ReadonlyMap<string, readonly number[]>,
): Promise<Measurements> {
  const { samplesMs, state } = await memory.briefs.latencies()
  const slo = assess(samplesMs, state as SloState | undefined)
  const given = await memory.briefs.list(MAX_BRIEFS)
  const took = (kind: GivenBrief['kind']) => given.filter(brief => brief.kind === kind).map(({ ms }) => ms)
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
  given: readonly GivenBrief[],
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
