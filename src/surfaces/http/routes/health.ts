import * as v from 'valibot'
import { readDiskUse, readGrowth, readMeasurements } from '../../../features/overview/health-figures.ts'
import { hookViewSchema } from '../../../features/status/verbs/hook-view.ts'
import { isUpkeepDue } from '../../../features/upkeep/upkeep.ts'
import { compactionSchema } from '../../../features/upkeep/verbs/compaction-schema.ts'
import { readHookFailures } from '../../../hosts/hooks/hook-failures.ts'
import { isOfPlace } from '../../../kernel/memory-place.ts'
import { count, defineOperation, degradedSchema } from '../../../verbs/operation.ts'
import { requestTimes } from '../route.ts'

const DAYS = 30
const MAX_DAYS = 365
const MAX_FAILURES = 50
const MAX_FAILURES_READ = 500
const MAX_RUNS = 10

const NONE: ReturnType<typeof requestTimes> = new Map()

const number = v.number()

export const healthOperation = defineOperation({
  name: 'health',
  agent: 'reads',
  route: { at: 'GET /api/health', access: 'read' },
  summary: 'How the memory fares: how long things take, the index, failed hooks, growth, upkeep',
  positionals: [],
  input: v.object({ days: v.optional(count(`How many days of growth (default ${DAYS})`, MAX_DAYS)) }),
  output: v.object({
    times: v.pipe(
      v.array(
        v.object({
          what: v.pipe(
            v.string(),
            v.description('retrieval, brief of a prompt, brief of a session, or a verb that this server ran'),
          ),
          p50: number,
          p95: number,
          p99: number,
          count: v.pipe(number, v.description('Of the last ones')),
        }),
      ),
      v.readonly(),
      v.description('Milliseconds, by nearest rank'),
    ),
    slo: v.pipe(
      v.object({
        state: v.picklist(['healthy', 'degraded', 'insufficient']),
        p95Ms: v.nullable(number),
        samples: number,
      }),
      v.description('Retrieval time: above 300 ms it checks fewer entries'),
    ),
    index: v.object({
      mode: v.string(),
      bytes: number,
      entries: number,
      vectors: number,
      vectorsWaiting: v.pipe(number, v.description('Entries that still have no vector')),
      documents: v.pipe(number, v.description('Of workspaces')),
    }),
    journalBytes: number,
    hookFailures: v.pipe(
      hookViewSchema.entries.failures,
      v.description(`Of this project, newest first, at most ${MAX_FAILURES}`),
    ),
    growth: v.pipe(
      v.array(v.object({ day: v.string(), entries: number, added: number, removed: number })),
      v.description('A row for every day, oldest first; `entries` at its end'),
    ),
    growthIsWhole: v.pipe(v.boolean(), v.description('False: the first days say too little')),
    briefs: v.object({
      given: number,
      silent: number,
      tokens: number,
      byDay: v.pipe(
        v.array(v.object({ day: v.string(), briefs: number, tokens: number })),
        v.description('Of the last 200 briefs'),
      ),
    }),
    disk: v.pipe(
      v.array(v.object({ folder: v.string(), bytes: number, files: number })),
      v.description('What lies in .memory, the largest first; `.` for the files in it'),
    ),
    upkeep: v.object({
      last: v.pipe(v.nullable(compactionSchema), v.description('null: there was none yet')),
      earlier: v.pipe(v.array(compactionSchema), v.description('Newest first')),
      isDue: v.boolean(),
      failure: v.nullable(v.object({ at: v.string(), code: v.string(), message: v.string() })),
    }),
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory, { days = DAYS }) {
    const counts = await memory.store.counts()
    const { index, journal } = await memory.store.health()
    const vectors = await memory.semantics.vectors.state()
    await memory.documentSearch.refresh()
    const { documents } = await memory.documentSearch.state()
    // On a hub these are the times of all projects, which the reader of one project must not see.
    const own = memory.place.kind === 'hub' ? NONE : requestTimes()
    const { times, slo, briefs } = await readMeasurements(memory, own)
    const growth = await readGrowth(memory, days)
    const log = await memory.memoryFiles.readLog()
    const { failures } = readHookFailures(MAX_FAILURES_READ)
    return {
      times: [...times],
      slo,
      index: {
        mode: index.mode,
        bytes: index.bytes,
        entries: counts.total,
        vectors: vectors.count,
        vectorsWaiting: vectors.waiting,
        documents,
      },
      journalBytes: journal.bytes,
      hookFailures: failures.filter(({ root }) => isOfPlace(memory, root)).slice(0, MAX_FAILURES),
      growth: growth.days,
      growthIsWhole: growth.isWhole,
      briefs,
      disk: [...(await readDiskUse(memory))],
      upkeep: {
        last: log.lastCompaction ?? null,
        earlier: log.earlier.slice(0, MAX_RUNS),
        isDue: await isUpkeepDue(memory),
        failure: log.failure ?? null,
      },
      degraded: [...memory.store.takeDegraded(), ...memory.documentSearch.takeDegraded()],
    }
  },
})
