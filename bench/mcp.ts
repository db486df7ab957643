import { writeFile } from 'node:fs/promises'
import * as path from 'node:path'
import type { Bench, BenchContext } from './bench.ts'
import { cpuOfNodeRuns } from './child-cpu.ts'
import { HELLO, type McpProcess, startMcp } from './mcp-process.ts'
import { prepareProject, withCopyOf } from './prepared-project.ts'
import { check } from './report.ts'
import { latencyOf, median, roundTo } from './statistics.ts'
import { questionsAbout } from './synthetic-corpus.ts'

const ROUNDS = 11
const RUNS_A_ROUND = 3
const PROMPTS = 200
const IDLE_MS = 5_000
/** The issue's: times `node -e 0`, megabytes, milliseconds. */
const GOALS = { start: 3.5, residentMb: 80, residentWithModelMb: 150, promptP95Ms: 25 }

export const mcpBench: Bench = {
  name: 'mcp',
  summary:
    'the server for agents: CPU until it is ready, memory, prompts through it (--entries, default 3000)',
  async run(context) {
    const entries = context.entries ?? (context.isQuick ? 300 : 3_000)
    const project = await prepareProject(context, entries)
    return withCopyOf(project, async root => {
      context.progress(`mcp: making ${entries} vectors`)
      await makeVectors(context, root)
      const start = await measureStart(context, root)
      const prompts = await measurePrompts(context, root, entries)
      const isJudged = entries === 3_000
      return {
        data: { entries, start, ...prompts },
        checks: isJudged
          ? [
              check('ready, CPU, times node -e 0', start.ratio, 'at most', GOALS.start),
              check('resident, before the model, MB', prompts.residentMb, 'at most', GOALS.residentMb),
              check(
                'resident, with the model, MB',
                prompts.residentWithModelMb,
                'at most',
                GOALS.residentWithModelMb,
              ),
              check('prompt through the server, p95 ms', prompts.prompt.p95Ms, 'at most', GOALS.promptP95Ms),
              check('CPU ms in five idle seconds', prompts.idleCpuMs, 'at most', 10),
            ]
          : [],
        tables: [
          {
            title: `MCP server, ${entries} entries with vectors`,
            rows: [
              ['node -e 0, CPU ms', start.nodeMs],
              ['ready (initialize, tools/list), CPU ms', start.serverMs],
              ['ratio of medians', start.ratio],
              ['resident before the model, MB', prompts.residentMb],
              ['resident with the model, MB', prompts.residentWithModelMb],
              ['first prompt, ms', prompts.firstMs],
              ['prompt p50, ms', prompts.prompt.p50Ms],
              ['prompt p95, ms', prompts.prompt.p95Ms],
              ['prompt p95, times node -e 0 (CPU)', roundTo(2, prompts.prompt.p95Ms / start.nodeMs)],
              ['CPU a prompt, ms', prompts.cpuMs],
              ['CPU in five idle seconds, ms', prompts.idleCpuMs],
            ],
          },
        ],
      }
    })
  },
}

/** A whole life: started, asked for its tools, and its input closed. In turn with `node -e 0`, so that a machine that slows down does so for both. */
async function measureStart({ commandLine, isQuick, progress }: BenchContext, root: string) {
  const hello = path.join(root, 'hello.jsonl')
  await writeFile(hello, `${HELLO.map(message => JSON.stringify(message)).join('\n')}\n`)
  const nodeMs: number[] = []
  const serverMs: number[] = []
  for (let round = 0; round < (isQuick ? 3 : ROUNDS); round++) {
    progress(`mcp: start, round ${round + 1}`)
    const runs = Array.from({ length: RUNS_A_ROUND })
    const measureNode = async () => nodeMs.push(await cpuOfNodeRuns(runs.map(() => ['-e', '0'])))
    const measureServer = async () =>
      serverMs.push(
        await cpuOfNodeRuns(
          runs.map(() => [commandLine, 'mcp', '--root', root]),
          runs.map(() => hello),
        ),
      )
    if (round % 2 === 0) await measureNode()
    await measureServer()
    if (round % 2 === 1) await measureNode()
  }
  return {
    nodeMs: roundTo(1, median(nodeMs) / RUNS_A_ROUND),
    serverMs: roundTo(1, median(serverMs) / RUNS_A_ROUND),
    ratio: roundTo(2, median(serverMs) / median(nodeMs)),
  }
}

async function measurePrompts(context: BenchContext, root: string, entries: number) {
  const questions = questionsAbout(entries, context.isQuick ? 20 : PROMPTS)
  const server = await startMcp([context.commandLine, 'mcp', '--root', root], path.join(root, 'user'))
  try {
    const residentMb = roundTo(1, server.residentMb())
    const { ms: firstMs } = await prompt(server, questions[0]?.text ?? '', 0)
    // What a process does soon after it opened a memory (upkeep, recall) is over then.
    await new Promise(resolve => setTimeout(resolve, IDLE_MS))
    const cpuBefore = server.cpuMs()
    const millis: number[] = []
    for (const [n, question] of questions.entries()) {
      if (n % 20 === 0) context.progress(`mcp: prompt ${n} of ${questions.length}`)
      millis.push((await prompt(server, question.text, n)).ms)
    }
    const cpuMs = roundTo(1, (server.cpuMs() - cpuBefore) / questions.length)
    const residentWithModelMb = roundTo(1, server.residentMb())
    await new Promise(resolve => setTimeout(resolve, 2_000))
    const idleBefore = server.cpuMs()
    await new Promise(resolve => setTimeout(resolve, IDLE_MS))
    return {
      residentMb,
      residentWithModelMb,
      firstMs: roundTo(1, firstMs),
      prompt: latencyOf(millis),
      cpuMs,
      idleCpuMs: server.cpuMs() - idleBefore,
    }
  } finally {
    await server.close()
  }
}

const PROMPTS_A_SESSION = 20

/** As Claude Code calls it at a prompt. */
function prompt(server: McpProcess, text: string, n: number) {
  return server.call('brief', {
    hook: 'claude-code UserPromptSubmit',
    prompt: text,
    session: `bench-${Math.floor(n / PROMPTS_A_SESSION)}`,
  })
}

async function makeVectors({ library }: BenchContext, root: string): Promise<void> {
  const memory = await library.openMemory({ root, upkeep: 'never' })
  try {
    await memory.embed()
  } finally {
    await memory.close()
  }
}
