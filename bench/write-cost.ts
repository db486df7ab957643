import type { Memory } from '../src/api.ts'
import type { Bench } from './bench.ts'
import { newEntryOf, prepareProject, withCopyOf } from './prepared-project.ts'
import { check } from './report.ts'
import { mean, median, roundTo } from './statistics.ts'
import { entryAt } from './synthetic-corpus.ts'

const CALLS = 200
const WARM_UP_CALLS = 10
const MAX_RATIO = 1.3

interface Costs {
  readonly wallMs: number[]
  readonly cpuMs: number[]
}

export const writeCostBench: Bench = {
  name: 'write-cost',
  summary:
    'one `remember` in a large vault against one in a vault of 1000 entries (--entries, default 100000)',
  async run(context) {
    const small = context.isQuick ? 200 : 1_000
    const large = context.entries ?? (context.isQuick ? 2_000 : 100_000)
    const calls = context.isQuick ? 40 : CALLS
    const smallProject = await prepareProject(context, small)
    const largeProject = await prepareProject(context, large)
    context.progress(`write-cost: ${calls} times remember in ${small} and in ${large} entries`)
    const measured = await withCopyOf(smallProject, smallRoot =>
      withCopyOf(largeProject, async largeRoot => {
        const { openMemory } = context.library
        const memories = [
          await openMemory({ root: smallRoot, vectors: 'never', upkeep: 'never' }),
          await openMemory({ root: largeRoot, vectors: 'never', upkeep: 'never' }),
        ] as const
        try {
          return await rememberInTurn(memories, { first: large, calls })
        } finally {
          await Promise.all(memories.map(memory => memory.close()))
        }
      }),
    )
    const [inSmall, inLarge] = measured.map(summarise)
    if (inSmall === undefined || inLarge === undefined) throw new Error('both vaults were measured')
    const ratios = {
      'mean CPU': roundTo(2, inLarge.meanCpuMs / inSmall.meanCpuMs),
      'median CPU': roundTo(2, inLarge.medianCpuMs / inSmall.medianCpuMs),
      'mean wall': roundTo(2, inLarge.meanWallMs / inSmall.meanWallMs),
      'median wall': roundTo(2, inLarge.medianWallMs / inSmall.medianWallMs),
    }
    const rows = (['meanCpuMs', 'medianCpuMs', 'meanWallMs', 'medianWallMs'] as const).map((key, i) => [
      key,
      inSmall[key],
      inLarge[key],
      Object.values(ratios)[i] ?? Number.NaN,
    ])
    return {
      data: { calls, entries: { small, large }, small: inSmall, large: inLarge, ratios },
      checks: context.isQuick
        ? []
        : Object.entries(ratios).map(([name, ratio]) =>
            check(`remember, ${large} against ${small} entries, ${name}`, ratio, 'at most', MAX_RATIO),
          ),
      tables: [
        { title: 'One remember, ms', rows: [['', `${small} entries`, `${large} entries`, 'ratio'], ...rows] },
      ],
    }
  },
}

/** The same new entries in both, call by call, so that both meet the same files, kinds and noise. */
async function rememberInTurn(
  memories: readonly Memory[],
  { first, calls }: { first: number; calls: number },
): Promise<Costs[]> {
  const costs = memories.map((): Costs => ({ wallMs: [], cpuMs: [] }))
  for (let call = -WARM_UP_CALLS; call < calls; call++) {
    // Without its date: what is remembered is mostly of today, and goes on top of its file.
    const entry = { ...newEntryOf(entryAt(first + WARM_UP_CALLS + call)), date: undefined }
    const order = call % 2 === 0 ? [0, 1] : [1, 0]
    for (const which of order) {
      const cpu = process.cpuUsage()
      const start = performance.now()
      await memories[which]?.remember(entry)
      const wallMs = performance.now() - start
      const { user, system } = process.cpuUsage(cpu)
      if (call < 0) continue
      costs[which]?.wallMs.push(wallMs)
      costs[which]?.cpuMs.push((user + system) / 1000)
    }
  }
  return costs
}

function summarise({ wallMs, cpuMs }: Costs) {
  return {
    meanCpuMs: roundTo(3, mean(cpuMs)),
    medianCpuMs: roundTo(3, median(cpuMs)),
    meanWallMs: roundTo(3, mean(wallMs)),
    medianWallMs: roundTo(3, median(wallMs)),
  }
}
