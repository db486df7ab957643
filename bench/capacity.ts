import { readFile } from 'node:fs/promises'
import type { Bench, BenchContext } from './bench.ts'
import type { SizeResult } from './hub.ts'
import { mean, roundTo } from './statistics.ts'

/** What is assumed of how a hub is used, beside what was measured. Every figure of the table follows from these and from the curve. */
export const ASSUMED = {
  entriesAProject: 3_000,
  /** Of all projects, those in which an agent works at the same time; at least one. */
  activeShare: 0.05,
  agentsInAnActiveProject: 1,
  searchesASecond: 1,
  writesASecond: 0.1,
  /** Of all projects, those that are asked within a day: their rows should stay in memory. */
  dailyShare: 0.2,
  /** Of the cores, at the busiest time: above two thirds a queue grows faster than the load. */
  utilisation: 0.5,
  /** The thread of a hub that answers is one core. */
  coresAHub: 1,
  connectionsAHub: 10,
} as const

/** What searches and writes never read: the history of the entries. */
const COLD_TABLES: ReadonlySet<string> = new Set(['journal', 'journal_subject', 'removed', 'audit'])

export interface Fit {
  readonly base: number
  readonly slope: number
  /** The largest difference from a measured point, as a share of it. */
  readonly error: number
}

export interface Need {
  readonly projects: number
  readonly entries: number
  readonly diskGb: number
  readonly hotGb: number
  readonly agents: number
  readonly hubCores: number
  readonly databaseCores: number
  readonly hubs: number
  readonly connections: number
}

export interface Model {
  readonly bytes: Fit
  readonly hotBytes: Fit
  readonly searchHubMs: Fit
  readonly searchDatabaseMs: Fit
  readonly writeHubMs: Fit
  readonly writeDatabaseMs: Fit
  readonly hubMb: number
}

export const capacityBench: Bench = {
  name: 'capacity',
  summary: 'what a hub of 10 to 10,000 projects needs, from the curve that `hub --full` measured',
  async run(context) {
    const sizes = await readCurve(context)
    const model = modelOf(sizes)
    const needs = [10, 100, 1_000, 10_000].map(projects => needOf(model, projects))
    const fits = Object.entries(model).filter((each): each is [string, Fit] => typeof each[1] === 'object')
    return {
      data: { assumed: ASSUMED, measured: sizes.map(({ entries }) => entries), model, needs },
      checks: [],
      tables: [
        { title: 'Assumed', rows: Object.entries(ASSUMED) },
        {
          title: `Fitted to ${sizes.length} sizes; bytes = base + slope · entries, milliseconds of CPU = base + slope · ln(entries)`,
          rows: [
            ['', 'base', 'slope', 'largest error'],
            ...fits.map(([name, { base, slope, error }]) => [
              name,
              roundTo(3, base),
              roundTo(3, slope),
              `${roundTo(0, error * 100)} %`,
            ]),
          ],
        },
        {
          title: `${ASSUMED.entriesAProject} entries a project`,
          rows: [
            [
              'projects',
              'entries',
              'disk GB',
              'hot GB',
              'agents at once',
              'database cores',
              'hub cores',
              'hubs',
              'connections',
            ],
            ...needs.map(need => [
              need.projects,
              need.entries,
              need.diskGb,
              need.hotGb,
              need.agents,
              need.databaseCores,
              need.hubCores,
              need.hubs,
              need.connections,
            ]),
          ],
        },
      ],
    }
  },
}

async function readCurve({ curveFile }: BenchContext): Promise<readonly SizeResult[]> {
  const { sizes } = JSON.parse(await readFile(curveFile, 'utf8')) as { sizes?: SizeResult[] }
  if (sizes === undefined || sizes.length < 2)
    throw new Error(
      `${curveFile} has no curve; \`npm run bench -- hub --full --store postgres://…\` makes one`,
    )
  return sizes
}

export function modelOf(sizes: readonly SizeResult[]): Model {
  const entries = sizes.map(size => size.entries)
  const logarithms = entries.map(Math.log)
  const cpu = (of: (size: SizeResult) => number) => fitLine(logarithms, sizes.map(of))
  return {
    bytes: fitLine(
      entries,
      sizes.map(({ bytes }) => bytes),
    ),
    hotBytes: fitLine(entries, sizes.map(hotBytesOf)),
    searchHubMs: cpu(size => size.cpu.search.hubMs),
    searchDatabaseMs: cpu(size => size.cpu.search.databaseMs),
    writeHubMs: cpu(size => size.cpu.write.hubMs),
    writeDatabaseMs: cpu(size => size.cpu.write.databaseMs),
    hubMb: Math.max(...sizes.map(({ hubMb }) => hubMb)),
  }
}

function hotBytesOf({ bytesByTable }: SizeResult): number {
  return Object.entries(bytesByTable).reduce(
    (sum, [table, bytes]) => (COLD_TABLES.has(table) ? sum : sum + bytes),
    0,
  )
}

/** Least squares. */
export function fitLine(xs: readonly number[], ys: readonly number[]): Fit {
  const [meanX, meanY] = [mean(xs), mean(ys)]
  const spread = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0)
  const slope =
    spread === 0 ? 0 : xs.reduce((sum, x, i) => sum + (x - meanX) * ((ys[i] ?? 0) - meanY), 0) / spread
  const base = meanY - slope * meanX
  const errors = xs.map(
    (x, i) => Math.abs(base + slope * x - (ys[i] ?? 0)) / Math.max(1e-9, Math.abs(ys[i] ?? 0)),
  )
  return { base, slope, error: Math.max(...errors) }
}

export function needOf(model: Model, projects: number): Need {
  const entries = projects * ASSUMED.entriesAProject
  const at = ({ base, slope }: Fit, x: number) => Math.max(0, base + slope * x)
  const agents = Math.max(1, Math.ceil(projects * ASSUMED.activeShare)) * ASSUMED.agentsInAnActiveProject
  const cores = (search: Fit, write: Fit) =>
    (agents *
      (ASSUMED.searchesASecond * at(search, Math.log(entries)) +
        ASSUMED.writesASecond * at(write, Math.log(entries)))) /
    1_000 /
    ASSUMED.utilisation
  const hubCores = cores(model.searchHubMs, model.writeHubMs)
  const hubs = Math.max(1, Math.ceil(hubCores / ASSUMED.coresAHub))
  return {
    projects,
    entries,
    diskGb: roundTo(1, at(model.bytes, entries) / 1e9),
    hotGb: roundTo(1, (at(model.hotBytes, entries) * ASSUMED.dailyShare) / 1e9),
    agents,
    hubCores: roundTo(1, hubCores),
    databaseCores: roundTo(1, cores(model.searchDatabaseMs, model.writeDatabaseMs)),
    hubs,
    connections: hubs * ASSUMED.connectionsAHub,
  }
}
