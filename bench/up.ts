import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Bench, BenchContext } from './bench.ts'
import { plainEnvironment } from './child-cpu.ts'
import { prepareProject, withCopyOf } from './prepared-project.ts'
import { cpuMsOf, residentMbOf } from './process-cost.ts'
import { check } from './report.ts'
import { median, roundTo } from './statistics.ts'

const ROUNDS = 9
const IDLE_MS = 20_000
/** What a server does soon after its start (vectors, recall, upkeep after 15 s) is over then. */
const SETTLING_MS = 25_000
/** Of the server that nobody asks anything. */
const GOALS = { residentMb: 120, idleCpuMs: 100 }

export const upBench: Bench = {
  name: 'up',
  summary: 'the server with the page: start, memory and CPU while nobody asks (--entries, default 3000)',
  async run(context) {
    const entries = context.entries ?? (context.isQuick ? 300 : 3_000)
    const project = await prepareProject(context, entries)
    return withCopyOf(project, async root => {
      // Its vectors are made: a server that still makes them is not idle.
      await makeVectors(context, root)
      const start = await measureStart(context, root)
      const idle = await measureIdle(context, root)
      return {
        data: { entries, start, idle },
        checks: context.isQuick
          ? []
          : [
              check('resident while idle, MB', idle.residentMb, 'at most', GOALS.residentMb),
              check('CPU ms in twenty idle seconds', idle.cpuMs, 'at most', GOALS.idleCpuMs),
            ],
        tables: [
          {
            title: `Server with the page, ${entries} entries with vectors`,
            rows: [
              ['node -e 0, ms', start.nodeMs],
              ['until /api/status is answered, ms', start.upMs],
              ['ratio of medians', start.ratio],
              ['resident when it is ready, MB', idle.residentAtStartMb],
              ['resident while idle, a page listening, MB', idle.residentMb],
              ['resident after searches (with the model), MB', idle.residentAfterSearchMb],
              ['CPU in twenty idle seconds, a page listening, ms', idle.cpuMs],
            ],
          },
        ],
      }
    })
  },
}

/** On the wall: what somebody waits for. In turn, so that a machine that slows down does so for both. */
async function measureStart(context: BenchContext, root: string) {
  const nodeMs: number[] = []
  const upMs: number[] = []
  for (let round = 0; round < (context.isQuick ? 2 : ROUNDS); round++) {
    context.progress(`up: start, round ${round + 1}`)
    const began = performance.now()
    execFileSync(process.execPath, ['-e', '0'], { env: plainEnvironment() })
    const between = performance.now()
    const server = await startUp(context, root)
    await (await fetch(`${server.address}/api/status`)).json()
    nodeMs.push(between - began)
    upMs.push(performance.now() - between)
    await server.close()
  }
  return {
    nodeMs: roundTo(1, median(nodeMs)),
    upMs: roundTo(1, median(upMs)),
    ratio: roundTo(2, median(upMs) / median(nodeMs)),
  }
}

async function measureIdle(context: BenchContext, root: string) {
  const server = await startUp(context, root)
  const leaving = new AbortController()
  try {
    await (await fetch(`${server.address}/api/status`)).json()
    const residentAtStartMb = roundTo(1, residentMbOf(server.child))
    const live = await fetch(`${server.address}/api/live`, { signal: leaving.signal })
    if (!live.ok) throw new Error(`nobody may listen: ${live.status}`)
    context.progress('up: idle')
    await pause(context.isQuick ? 1_000 : SETTLING_MS)
    const before = cpuMsOf(server.child)
    await pause(context.isQuick ? 1_000 : IDLE_MS)
    const cpuMs = cpuMsOf(server.child) - before
    const residentMb = roundTo(1, residentMbOf(server.child))
    for (let at = 0; at < 50; at++)
      await (
        await fetch(`${server.address}/api/search?query=${encodeURIComponent(`why number ${at}?`)}`)
      ).json()
    await pause(2_000)
    return {
      residentAtStartMb,
      residentMb,
      cpuMs,
      residentAfterSearchMb: roundTo(1, residentMbOf(server.child)),
    }
  } finally {
    leaving.abort()
    await server.close()
  }
}

interface UpProcess {
  readonly child: ChildProcess
  readonly address: string
  close(): Promise<void>
}

async function startUp({ commandLine }: BenchContext, root: string): Promise<UpProcess> {
  const child = spawn(
    process.execPath,
    [commandLine, 'up', '--json', '--no-open', '--port', '0', '--root', root],
    {
      env: { ...plainEnvironment(), CAIRN_HOME: path.join(root, 'user') },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const [line] = await firstLines(child)
  const { port } = JSON.parse(line ?? '{}') as { port: number }
  return {
    child,
    address: `http://127.0.0.1:${port}`,
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function firstLines(child: ChildProcess): Promise<readonly string[]> {
  if (child.stdout === null) throw new Error('no output')
  for await (const line of createInterface({ input: child.stdout })) return [line]
  throw new Error('the server ended before it said where it is')
}

async function makeVectors({ library }: BenchContext, root: string): Promise<void> {
  const memory = await library.openMemory({ root, upkeep: 'never' })
  try {
    await memory.embed()
  } finally {
    await memory.close()
  }
}
