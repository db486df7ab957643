import { mkdir, writeFile } from 'node:fs/promises'
import * as path from 'node:path'
import type { Bench, BenchContext } from './bench.ts'
import { newEntryOf } from './prepared-project.ts'
import { check } from './report.ts'
import { median, roundTo } from './statistics.ts'
import { entryAt, positionsByDate } from './synthetic-corpus.ts'
import { withTemporaryProject } from './temporary-project.ts'

const ENTRIES = 3_000
const EVENTS = 10_000
const RUNS = 5
const GOAL_CPU_MS = 1_000
const MINUTE_MS = 60_000

/** What is asked: a section by its name, words that many events have, a word that nobody has. */
const QUESTIONS = ['what is left to do?', 'tests failed in the session store', 'zygomorphic'] as const

export const queryBench: Bench = {
  name: 'query',
  summary: 'ask the state, 3000 entries and 10000 events together, by words (--entries)',
  async run(context) {
    const entries = context.entries ?? (context.isQuick ? 100 : ENTRIES)
    const events = context.isQuick ? 200 : EVENTS
    return withTemporaryProject(async root => {
      context.progress(`query: ${entries} entries, ${events} events`)
      await fill(context, root, entries, events)
      const rows: { question: string; ms: number; cpuMs: number; answers: number }[] = []
      for (const question of QUESTIONS) rows.push(await measure(context, root, question))
      return {
        data: { entries, events, rows },
        checks: context.isQuick
          ? []
          : rows.map(({ question, cpuMs }) =>
              check(`"${question}", ms of CPU`, cpuMs, 'at most', GOAL_CPU_MS),
            ),
        tables: [
          {
            title: `${entries} entries, ${events} events; median of ${RUNS} runs`,
            rows: [
              ['question', 'ms', 'CPU ms', 'answers'],
              ...rows.map(({ question, ms, cpuMs, answers }) => [question, ms, cpuMs, answers]),
            ],
          },
        ],
      }
    })
  },
}

async function measure({ library }: BenchContext, root: string, question: string) {
  const memory = await library.openMemory({ root, vectors: 'never', upkeep: 'never' })
  try {
    const runs: { ms: number; cpuMs: number; answers: number }[] = []
    for (let run = 0; run < RUNS; run++) {
      const cpu = process.cpuUsage()
      const start = performance.now()
      const { answers } = await memory.query(question)
      const { user, system } = process.cpuUsage(cpu)
      runs.push({ ms: performance.now() - start, cpuMs: (user + system) / 1_000, answers: answers.length })
    }
    return {
      question,
      ms: roundTo(0, median(runs.map(({ ms }) => ms))),
      cpuMs: roundTo(0, median(runs.map(({ cpuMs }) => cpuMs))),
      answers: runs[0]?.answers ?? 0,
    }
  } finally {
    await memory.close()
  }
}

async function fill({ library }: BenchContext, root: string, entries: number, events: number): Promise<void> {
  const memory = await library.openMemory({ root, vectors: 'never', upkeep: 'never' })
  const positions = positionsByDate(entries)
  await memory.importEntries(Array.from(positions, position => newEntryOf(entryAt(position))))
  await memory.close()
  await mkdir(path.join(root, '.memory/history'), { recursive: true })
  await writeFile(
    path.join(root, '.memory/history/events.jsonl'),
    Array.from({ length: events }, eventLine).join(''),
  )
  await writeFile(path.join(root, '.memory/state.json'), JSON.stringify(STATE))
}

const SUBJECTS = [
  'session store',
  'payment flow',
  'search index',
  'auth middleware',
  'stone catalogue',
] as const

function eventLine(_: unknown, at: number): string {
  const subject = SUBJECTS[at % SUBJECTS.length]
  const event = {
    id: `${1_770_000_000_000 + at}-aaaa`,
    kind: 'tool_run',
    sourceId: `session:s${at % 40}`,
    createdAt: new Date(1_770_000_000_000 + at * MINUTE_MS).toISOString(),
    contentHash: String(at),
    summary: `\`npm test\` failed: expected ${at} rows of the ${subject} and got ${at + 1}`,
    signals: {
      decisions: [],
      gotchas: [],
      nextStepHints: [],
      keyPaths: [`src/part-${at % 97}.ts`],
      validationObservations: [{ command: 'npm test', outcome: 'failed' }],
    },
    sourceRef: `s${at % 40}#1`,
  }
  return `${JSON.stringify(event)}\n`
}

const statements = (count: number, about: string) =>
  Array.from({ length: count }, (_, at) => ({
    text: `${about} ${at} of the ${SUBJECTS[at % SUBJECTS.length]}`,
    since: '2026-03-16T10:00:00.000Z',
    sources: [],
  }))

const STATE = {
  schemaVersion: 1,
  generatorVersion: '0',
  provider: 'rules',
  generatedAt: '2026-03-16T11:00:00.000Z',
  bundleHash: '0'.repeat(64),
  bundle: {
    project: { name: 'shop' },
    projectMap: { languages: [], packages: [], entryPoints: [], scripts: [], folders: [] },
    currentFocus: statements(5, 'Work on part'),
    gotchas: statements(20, 'Mind the corner'),
    nextSteps: statements(20, 'Finish piece'),
    validationCommands: [{ command: 'npm test', sources: [] }],
  },
  maintenance: {
    lastRecalledAt: null,
    lastRecalledEventId: null,
    latestCheckpointId: null,
    historyEventCount: 0,
    importSourceCount: 0,
    recallCursors: {},
  },
}
