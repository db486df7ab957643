import { mkdir, realpath, writeFile } from 'node:fs/promises'
import * as path from 'node:path'
import type { Bench, BenchContext } from './bench.ts'
import { cpuOfNodeRuns } from './child-cpu.ts'
import { type ColdFigure, compareWithNode } from './cold.ts'
import { prepareProject, withCopyOf } from './prepared-project.ts'
import { type Check, check } from './report.ts'
import { questionsAbout } from './synthetic-corpus.ts'
import { withTemporaryProject } from './temporary-project.ts'

const ROUNDS = 15
const PROMPTS = 40
/** Times the CPU of `node -e 0`, semantic search included. */
const GOAL = 2

export const hookBench: Bench = {
  name: 'hook',
  summary:
    'CPU of the hook that every prompt waits for, and of the others, against `node -e 0` (--entries, default 3000)',
  async run(context) {
    const entries = context.entries ?? (context.isQuick ? 300 : 3_000)
    const rounds = context.isQuick ? 3 : ROUNDS
    const project = await prepareProject(context, entries)
    const figures = await withCopyOf(project, copy =>
      withTemporaryProject(async home => {
        const root = await realpath(copy)
        const calls = await prepare(context, { root, home, entries })
        const found: Record<string, ColdFigure> = {}
        for (const { name, argumentsOf, inputOf, hasWarnings } of calls) {
          context.progress(`hook: ${name}`)
          if (hasWarnings)
            await writeFile(
              path.join(root, '.memory', 'config.json'),
              '{"version":1,"hooks":{"fileWarnings":true}}',
            )
          await cpuOfNodeRuns([argumentsOf(0)], [inputOf(0)])
          found[name] = await compareWithNode({ name, argumentsOf, inputOf }, rounds)
        }
        return found
      }),
    )
    const checks: Check[] = []
    const prompt = figures.prompt?.ratio
    if (prompt !== undefined && !context.isQuick)
      checks.push(check(`hook: prompt, ${entries} entries, times node -e 0`, prompt, 'at most', GOAL))
    return {
      data: { entries, rounds, figures },
      checks,
      tables: [
        {
          title: `Hooks, ${entries} entries with vectors`,
          rows: [
            ['', 'node -e 0, CPU ms', 'hook, CPU ms', 'ratio of medians', 'ratio of minima'],
            ...Object.entries(figures).map(([name, figure]) => [
              name,
              figure.nodeMs,
              figure.commandMs,
              figure.ratio,
              figure.bestRatio,
            ]),
          ],
        },
      ],
    }
  },
}

/** A trusted project with vectors, and the payloads as files: what a host writes into a pipe. */
async function prepare(
  { library, commandLine, progress }: BenchContext,
  { root, home, entries }: { root: string; home: string; entries: number },
) {
  process.env.CAIRN_HOME = home
  progress(`hook: making ${entries} vectors`)
  const memory = await library.openMemory({ root, upkeep: 'never' })
  try {
    await memory.embed()
    await memory.remember({
      content: 'Never call the worker twice.',
      kind: 'warning',
      files: ['src/worker.ts'],
    })
    await memory.embed()
  } finally {
    await memory.close()
  }
  await trust(home, root)
  const payloads = path.join(home, 'payloads')
  await mkdir(payloads)
  const questions = questionsAbout(entries, PROMPTS)
  const common = { cwd: root, permission_mode: 'default' }
  const payloadOf: Record<string, (n: number) => object> = {
    UserPromptSubmit: n => ({
      ...common,
      session_id: `bench-${n % 8}`,
      prompt: questions[n % PROMPTS]?.text ?? '',
    }),
    PostToolUse: () => ({
      ...common,
      session_id: 'bench-tools',
      tool_name: 'Edit',
      tool_input: { file_path: `${root}/src/worker.ts` },
      tool_response: {},
    }),
    SessionStart: n => ({ ...common, session_id: `bench-start-${n}`, source: 'startup' }),
  }
  for (const [event, payload] of Object.entries(payloadOf))
    for (let n = 0; n < PROMPTS; n++)
      await writeFile(path.join(payloads, `${event}-${n}.json`), JSON.stringify(payload(n)))
  const call = (name: string, event: string, hasWarnings = false) => ({
    name,
    hasWarnings,
    argumentsOf: (_n: number) => [commandLine, 'hook', 'claude-code', event],
    inputOf: (n: number) => path.join(payloads, `${event}-${n % PROMPTS}.json`),
  })
  return [
    call('prompt', 'UserPromptSubmit'),
    call('tool', 'PostToolUse'),
    call('tool, with hooks.fileWarnings', 'PostToolUse', true),
  ]
}

export async function trust(home: string, root: string): Promise<void> {
  const at = new Date().toISOString()
  const project = { id: 'bench', name: 'bench', root, trustedAt: at, firstSeenAt: at, lastSeenAt: at }
  await writeFile(path.join(home, 'projects.json'), JSON.stringify({ version: 1, projects: [project] }))
}
