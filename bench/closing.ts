import type { Bench } from './bench.ts'
import { cpuOfNodeRuns } from './child-cpu.ts'
import { check } from './report.ts'
import { makeTalk } from './session-talk.ts'
import { roundTo } from './statistics.ts'
import { withTemporaryProject } from './temporary-project.ts'

const MESSAGES = 2_000
const QUICK_MESSAGES = 200
/** Sessions closed before: their findings and entries are what the new ones are compared with. */
const EARLIER = 20
const RUNS = 3

/** CPU of whole processes: starting, distilling, comparing, writing. Each closing has a session of its own. */
export const closingBench: Bench = {
  name: 'closing',
  summary: 'closing a session of 2,000 messages, and the fast path for a process about to die, in CPU time',
  run: context =>
    withTemporaryProject(async root => {
      const most = context.isQuick ? QUICK_MESSAGES : MESSAGES
      const memory = await context.library.openMemory({ root, actor: { host: 'bench' } })
      const fill = async (session: string, seed: number, messages: number) => {
        await memory.sessions.start({ session })
        await memory.sessions.append({ session }, makeTalk(seed, messages).slice(0, messages))
      }
      for (let each = 0; each < EARLIER; each++) {
        await fill(`earlier${each}`, each, 40)
        await memory.sessions.close(`earlier${each}`)
      }
      await memory.embed()
      for (let run = 0; run < RUNS; run++) {
        await fill(`close${run}`, 1_000 + run, most)
        await fill(`end${run}`, 2_000 + run, most)
      }
      await memory.close()
      const cairn = (...words: string[]) => [context.commandLine, '--root', root, ...words]
      const bare = (await cpuOfNodeRuns(Array.from({ length: RUNS }, () => ['-e', '0']))) / RUNS
      const close = (await cpuOfNodeRuns(runsOf(run => cairn('session', 'close', `close${run}`)))) / RUNS
      const end = (await cpuOfNodeRuns(runsOf(run => cairn('session', 'end', `end${run}`)))) / RUNS
      const again = (await cpuOfNodeRuns(runsOf(run => cairn('session', 'close', `close${run}`)))) / RUNS
      const rows: [string, number][] = [
        ['node -e 0', bare],
        [`close ${most} messages`, close],
        ['close again', again],
        [`end (fast path), ${most} messages`, end],
      ]
      return {
        data: {
          messages: most,
          cpuMs: Object.fromEntries(rows.map(([what, ms]) => [what, Math.round(ms)])),
          ratios: Object.fromEntries(
            rows.map(([what, ms]) => [`${what}, to node -e 0`, roundTo(2, ms / bare)]),
          ),
        },
        checks: [
          check('closing, CPU seconds', roundTo(2, close / 1000), 'at most', 1.5),
          check('fast path beyond a bare start, CPU ms', Math.round(end - bare), 'at most', 50),
        ],
        tables: [
          {
            title: `CPU of a whole process, mean of ${RUNS}`,
            rows: [
              ['', 'ms', 'to node -e 0'],
              ...rows.map(([what, ms]) => [what, Math.round(ms), roundTo(2, ms / bare)]),
            ],
          },
        ],
      }
    }),
}

function runsOf<T>(make: (run: number) => T): T[] {
  return Array.from({ length: RUNS }, (_, run) => make(run))
}
