import { mkdir, writeFile } from 'node:fs/promises'
import * as path from 'node:path'
import type { Bench } from './bench.ts'
import { cpuOfNodeRuns } from './child-cpu.ts'
import { type Check, check } from './report.ts'
import { median, roundTo } from './statistics.ts'
import { withTemporaryProject } from './temporary-project.ts'

const DOCUMENTS = 2_000
const ROUNDS = 9
const RUNS_A_ROUND = 3
/** CPU of the whole process, on a machine where a bare `node -e 0` takes 22 ms; the goal is held as that ratio, so that a busy machine judges alike. */
const GOAL_MS = 100
const QUIET_NODE_MS = 22

const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  'retrieve plans': ['retrieve', 'plans', 'devtools'],
  'retrieve plans --status': ['retrieve', 'plans', 'devtools', '--status', 'in_progress', '--json'],
  'retrieve overview': ['retrieve', 'overview', 'devtools'],
  'retrieve learnings': ['retrieve', 'learnings', 'devtools/domain-3'],
}

export const scopesBench: Bench = {
  name: 'scopes',
  summary: 'CPU of scope queries over 2,000 documents as fresh processes (--entries), against `node -e 0`',
  run: context =>
    withTemporaryProject(async root => {
      const documents = context.entries ?? (context.isQuick ? 200 : DOCUMENTS)
      await writeWorkspace(root, documents)
      const rounds = context.isQuick ? 2 : ROUNDS
      const commands: Record<string, readonly string[]> = { 'node -e 0': ['-e', '0'] }
      for (const [name, words] of Object.entries(QUESTIONS))
        commands[name] = [context.commandLine, ...words, '--root', root]
      await cpuOfNodeRuns(Object.values(commands))
      const millis: Record<string, number[]> = {}
      for (let round = 0; round < rounds; round++) {
        context.progress(`scopes: round ${round + 1} of ${rounds}`)
        // In turn, so that a machine that slows down does so for all of them.
        for (const [name, words] of Object.entries(commands)) {
          const runs = Array.from({ length: RUNS_A_ROUND }, () => words)
          millis[name] = [...(millis[name] ?? []), (await cpuOfNodeRuns(runs)) / RUNS_A_ROUND]
        }
      }
      const node = median(millis['node -e 0'] ?? [])
      const figures = Object.entries(millis).map(([name, values]) => ({
        name,
        cpuMs: roundTo(1, median(values)),
        bestMs: roundTo(1, Math.min(...values)),
        ratio: roundTo(2, median(values) / node),
      }))
      const checks: Check[] = figures
        .filter(({ name }) => name !== 'node -e 0' && documents === DOCUMENTS)
        .map(({ name, ratio }) =>
          check(
            `${name}, ${documents} documents, times node -e 0`,
            ratio,
            'at most',
            roundTo(2, GOAL_MS / QUIET_NODE_MS),
          ),
        )
      const heading = ['', 'CPU ms, median', 'CPU ms, least', 'times node -e 0']
      return {
        data: { documents, rounds, runsPerRound: RUNS_A_ROUND, figures },
        checks,
        tables: [
          {
            title: `Scope queries over ${documents} documents, cold`,
            rows: [heading, ...figures.map(({ name, cpuMs, bestMs, ratio }) => [name, cpuMs, bestMs, ratio])],
          },
        ],
      }
    }),
}

/** Nine plans of ten, the rest overviews, in ten domains of ten repositories; and fifty learnings a domain. */
async function writeWorkspace(root: string, documents: number): Promise<void> {
  const workspace = path.join(root, 'resources/workspaces/devtools')
  for (let at = 0; at < documents; at++) {
    const folder = path.join(workspace, `domain-${at % 10}`, `repository-${Math.floor(at / 10) % 10}`)
    const day = `2026-${String((at % 12) + 1).padStart(2, '0')}-${String((at % 28) + 1).padStart(2, '0')}`
    const name = `${day.slice(2).replaceAll('-', '')}-plan-${at}.md`
    const isOverview = at < documents / 10 && at < 100
    const file = isOverview ? path.join(folder, 'OVERVIEW.md') : path.join(folder, '_plans', name)
    const fields = isOverview
      ? ''
      : `status: ${['new', 'in_progress', 'done'][at % 3]}\ncreated: ${day}\nupdated: ${day}\n`
    const text = `---\nname: "Document ${at}"\ndescription: "Part ${at} of the engine for sequential and parallel task graphs"\n${fields}tags: [workflow, engine, part-${at % 17}]\n---\n\n# Document ${at}\n\n${'What to do, why, and how to check it. '.repeat(80)}\n`
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  for (let domain = 0; domain < 10; domain++) {
    const folder = path.join(root, 'user/memory/workspaces/devtools', `domain-${domain}`)
    await mkdir(folder, { recursive: true })
    const entries = Array.from(
      { length: 50 },
      (_, at) =>
        `### [2026-01-${String((at % 28) + 1).padStart(2, '0')}] Decision ${at}\n\n**Category:** architecture\n**Tags:** engine, part-${at}\n\nBecause of this and that, which was tried and measured.\n\n---\n`,
    )
    await writeFile(path.join(folder, 'decisions.md'), entries.join('\n'))
  }
}
