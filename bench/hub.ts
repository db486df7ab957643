import { writeFile } from 'node:fs/promises'
import { openBuiltInEmbedder } from '../src/providers/embedder/built-in-embedder.ts'
import type { Bench, BenchContext } from './bench.ts'
import { type Latency, manyAtOnce, oneByOne, type Requests, requestsOf, type Together } from './hub-agents.ts'
import { type FilledDatabase, fillDatabase } from './hub-data.ts'
import { type HubCost, type StartedHub, startHub } from './hub-process.ts'
import { type Check, check } from './report.ts'
import { roundTo } from './statistics.ts'

/** The issue's. */
const AGENTS = 50
const MAX_TIMES_ALONE = 3
/** Ours: of the answers in time so many may have come by words alone, which each of them says. */
const MAX_BY_WORDS = 0.2
const GOAL_ENTRIES = 1_000_000
const CURVE = [10_000, 100_000, GOAL_ENTRIES]
const SMALL = 10_000
const QUICK = 4_000

const SECONDS = 30
/** As many as a hub needs until the code that answers is optimised and every project was asked for: a minute of its life. */
const WARM_UP = 1_500
const ALONE = { searches: 200, writes: 60 }
/** Done with a write, and what follows it: the hub used less than so much of a core. */
const AT_REST_SHARE = 0.02
const REST_STEP_MS = 2_000
const MAX_REST_MS = 60_000
/** Agents, each step for a few seconds; it ends at the first that is not kept up with. */
const STEPS = [25, 50, 75, 100, 125, 150, 200, 250, 300, 400, 500, 700, 1_000]
const STEP_SECONDS = 6
/** Not kept up with: ten times slower than alone, or two seconds until the last was answered. */
const TOO_SLOW = 10
const TOO_LATE_MS = 2_000

export interface SizeResult {
  readonly entries: number
  readonly projects: number
  readonly bytes: number
  readonly bytesByTable: Readonly<Record<string, number>>
  readonly seconds: number
  readonly alone: { readonly search: Latency; readonly write: Latency }
  readonly together: Together
  readonly again: { readonly search: Latency; readonly write: Latency }
  readonly searchTimesAlone: number
  readonly writeTimesAlone: number
  /** Milliseconds of CPU, of one search and one write asked alone, the write with what follows it by itself. */
  readonly cpu: { readonly search: CpuShare; readonly write: CpuShare }
  /** Shares of one core while all agents ask. */
  readonly busy: { readonly hub: number; readonly database: number }
  readonly hubMb: number
  readonly connections: number
  readonly saturation: {
    readonly agents: number
    readonly requestsPerSecond: number
    readonly steps: readonly (Together & { readonly agents: number })[]
  }
}

export interface CpuShare {
  readonly hubMs: number
  readonly databaseMs: number
}

export const hubBench: Bench = {
  name: 'hub',
  summary:
    'a hub on PostgreSQL under 50 agents: search and write alone and together, and how many are too many (--store; --full for 10 k, 100 k and 1 M entries)',
  async run(context) {
    const server = context.store
    if (server === undefined)
      throw new Error('it needs a PostgreSQL server: --store postgres://… or CAIRN_BENCH_POSTGRES')
    const sizes = sizesOf(context)
    const model = context.isWordsOnly ? undefined : await builtInModel(context)
    const results: SizeResult[] = []
    for (const entries of sizes) {
      const database = await fillDatabase({
        server,
        entries,
        model,
        fillScript: context.fillScript,
        progress: context.progress,
      })
      results.push(await measure(context, database))
    }
    const data = { agents: AGENTS, hasVectors: !context.isWordsOnly, sizes: results }
    if (context.isFull) await writeFile(context.curveFile, `${JSON.stringify(data, null, 1)}\n`)
    return {
      data,
      checks: results.flatMap(checksOf),
      tables: [
        { title: `Over HTTP, in milliseconds`, rows: [LATENCY_HEAD, ...results.flatMap(latencyRows)] },
        { title: 'What it takes', rows: [COST_HEAD, ...results.map(costRow)] },
      ],
    }
  },
}

function sizesOf({ entries, isQuick, isFull }: BenchContext): readonly number[] {
  if (entries !== undefined) return [entries]
  return isFull ? CURVE : [isQuick ? QUICK : SMALL]
}

async function builtInModel({ modelFolder }: BenchContext): Promise<string> {
  const embedder = openBuiltInEmbedder(modelFolder)
  await embedder.close()
  return embedder.model
}

async function measure(context: BenchContext, database: FilledDatabase): Promise<SizeResult> {
  const hub = await startHub(context.commandLine, database.url)
  try {
    const requests = requestsOf(hub, database.projects)
    context.progress(`hub: ${database.entries} entries, one agent alone`)
    await oneByOne(requests.search, context.isQuick ? 20 : WARM_UP)
    await oneByOne(requests.write, context.isQuick ? 5 : 60)
    const first = await aloneOf(context, hub, requests)
    const seconds = context.isQuick ? 3 : SECONDS
    context.progress(`hub: ${AGENTS} agents for ${seconds} s`)
    const before = await hub.cost()
    const begun = performance.now()
    const together = await manyAtOnce(requests, { agents: AGENTS, seconds })
    const tookMs = performance.now() - begun
    const after = await hub.cost()
    context.progress(
      `hub: p95 of a search ${first.search.p95Ms} ms alone, ${together.search.p95Ms} ms together; of a write ${first.write.p95Ms} and ${together.write.p95Ms}`,
    )
    const again = await aloneOf(context, hub, requests)
    const times = (part: 'search' | 'write') =>
      roundTo(2, together[part].p95Ms / Math.max(first[part].p95Ms, again[part].p95Ms))
    const { url: _, ...filled } = database
    return {
      ...filled,
      seconds,
      alone: { search: first.search, write: first.write },
      together,
      again: { search: again.search, write: again.write },
      searchTimesAlone: times('search'),
      writeTimesAlone: times('write'),
      cpu: first.cpu,
      busy: {
        hub: roundTo(2, (after.hubCpuMs - before.hubCpuMs) / tookMs),
        database: roundTo(2, (after.databaseCpuMs - before.databaseCpuMs) / tookMs),
      },
      hubMb: after.hubMb,
      connections: after.connections,
      saturation: await findSaturation(context, requests, first.search.p95Ms),
    }
  } finally {
    await hub.end()
  }
}

async function aloneOf(context: BenchContext, hub: StartedHub, requests: Requests) {
  const searches = context.isQuick ? 30 : ALONE.searches
  const writes = context.isQuick ? 10 : ALONE.writes
  const start = await costAtRest(hub)
  const search = await oneByOne(requests.search, searches)
  const between = await hub.cost()
  const write = await oneByOne(requests.write, writes)
  const end = await costAtRest(hub)
  return {
    search,
    write,
    cpu: { search: shareOf(start, between, searches), write: shareOf(between, end, writes) },
  }
}

/** Vectors and comparisons follow a write when nobody waits: they are part of what it costs. */
async function costAtRest(hub: StartedHub): Promise<HubCost> {
  let last = await hub.cost()
  for (let waitedMs = 0; waitedMs < MAX_REST_MS; waitedMs += REST_STEP_MS) {
    await new Promise(resolve => setTimeout(resolve, REST_STEP_MS))
    const next = await hub.cost()
    if (next.hubCpuMs - last.hubCpuMs < AT_REST_SHARE * REST_STEP_MS) return next
    last = next
  }
  return last
}

function shareOf(before: HubCost, after: HubCost, requests: number): CpuShare {
  return {
    hubMs: roundTo(2, (after.hubCpuMs - before.hubCpuMs) / requests),
    databaseMs: roundTo(2, (after.databaseCpuMs - before.databaseCpuMs) / requests),
  }
}

/** The most agents that were answered without a failure, in time, and not ten times slower than alone. */
async function findSaturation(context: BenchContext, requests: Requests, aloneP95Ms: number) {
  const steps: (Together & { readonly agents: number })[] = []
  let most = 0
  for (const agents of context.isQuick ? STEPS.slice(0, 2) : STEPS) {
    context.progress(`hub: ${agents} agents`)
    const step = await manyAtOnce(requests, { agents, seconds: context.isQuick ? 1 : STEP_SECONDS })
    steps.push({ agents, ...step })
    const failed = step.search.failed + step.write.failed
    if (failed > 0 || step.tailMs > TOO_LATE_MS || step.search.p95Ms > TOO_SLOW * Math.max(aloneP95Ms, 10))
      break
    most = agents
  }
  return { agents: most, requestsPerSecond: roundTo(0, most * 1.1), steps }
}

function checksOf(size: SizeResult): Check[] {
  const { search, write } = size.together
  const named = `${size.entries} entries`
  return [
    check(`errors, ${named}`, search.failed + write.failed, 'exactly', 0),
    ...(size.entries === GOAL_ENTRIES
      ? [
          check(
            'p95 of a search with 50 agents, times alone',
            size.searchTimesAlone,
            'at most',
            MAX_TIMES_ALONE,
          ),
          check(
            'p95 of a write with 50 agents, times alone',
            size.writeTimesAlone,
            'at most',
            MAX_TIMES_ALONE,
          ),
          check(
            'share of them by words alone',
            roundTo(3, search.poorer / search.requests),
            'at most',
            MAX_BY_WORDS,
          ),
        ]
      : []),
  ]
}

const LATENCY_HEAD = [
  'entries',
  '',
  'requests',
  'p50',
  'p95',
  'p99',
  'failed',
  'by words alone',
  'p95 times alone',
]

function latencyRows({ entries, alone, together, again, ...size }: SizeResult): (string | number)[][] {
  const row = (
    name: string,
    { requests, p50Ms, p95Ms, p99Ms, failed, poorer }: Latency,
    times: number | string = '',
  ) => [entries, name, requests, p50Ms, p95Ms, p99Ms, failed, poorer, times]
  return [
    row('search, alone', alone.search),
    row(`search, ${AGENTS} agents`, together.search, size.searchTimesAlone),
    row('search, alone afterwards', again.search),
    row('write, alone', alone.write),
    row(`write, ${AGENTS} agents`, together.write, size.writeTimesAlone),
    row('write, alone afterwards', again.write),
    ...size.saturation.steps.map(step => row(`search, ${step.agents} agents`, step.search)),
  ]
}

const COST_HEAD = [
  'entries',
  'projects',
  'MB',
  'bytes an entry',
  'CPU ms a search: hub',
  'database',
  'a write: hub',
  'database',
  'cores busy: hub',
  'database',
  'hub MB',
  'connections',
  'agents kept up with',
]

function costRow(size: SizeResult): (string | number)[] {
  return [
    size.entries,
    size.projects,
    roundTo(0, size.bytes / 1e6),
    roundTo(0, size.bytes / size.entries),
    size.cpu.search.hubMs,
    size.cpu.search.databaseMs,
    size.cpu.write.hubMs,
    size.cpu.write.databaseMs,
    size.busy.hub,
    size.busy.database,
    size.hubMb,
    size.connections,
    size.saturation.agents,
  ]
}
