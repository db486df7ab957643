import { mkdir, writeFile } from 'node:fs/promises'
import * as path from 'node:path'
import type { Memory } from '../src/api.ts'
import type { MemoryEvent } from '../src/model/event.ts'
import type { Bench, BenchContext } from './bench.ts'
import { HELD_OUT_PROJECT } from './recall-project-held-out.ts'
import { type Expected, type ScriptedProject, type ScriptedStep, TUNED_PROJECTS } from './recall-projects.ts'
import { check } from './report.ts'
import { median, roundTo } from './statistics.ts'
import { withTemporaryProject } from './temporary-project.ts'

const GOAL_EVENTS = 10_000
const GOAL_MS = 1_000
const RUNS = 3
const DAY_MS = 86_400_000
const BEGIN_MS = Date.UTC(2026, 2, 2, 9)
const SECTIONS = ['currentFocus', 'gotchas', 'nextSteps', 'validationCommands'] as const

export const recallBench: Bench = {
  name: 'recall',
  summary:
    'recall over many events (--entries, default 10000), and three scripted projects: what the bundle says',
  async run(context) {
    const events = context.entries ?? (context.isQuick ? 500 : GOAL_EVENTS)
    const speed = await measureSpeed(context, events)
    const scores: Score[] = []
    for (const project of [...TUNED_PROJECTS, HELD_OUT_PROJECT]) {
      context.progress(`recall: ${project.name}`)
      scores.push(await scoreProject(context, project))
    }
    const sum = (pick: (score: Score) => number) => scores.reduce((total, score) => total + pick(score), 0)
    const heldOut = scores.at(-1)
    return {
      data: { events, ...speed, scores },
      checks: [
        ...(context.isQuick
          ? []
          : [
              check(
                `recall of ${events} events, ms`,
                speed.recallMs,
                'at most',
                (GOAL_MS * events) / GOAL_EVENTS,
              ),
            ]),
        check(
          'wrong statements, all projects',
          sum(score => score.wrong.length),
          'exactly',
          0,
        ),
        check(
          'recall, all projects',
          share(
            sum(({ found }) => found),
            sum(({ wanted }) => wanted),
          ),
          'at least',
          0.8,
        ),
        check(
          'precision, all projects',
          share(
            sum(({ right }) => right),
            sum(({ told }) => told),
          ),
          'at least',
          0.8,
        ),
        check('wrong statements, held out', heldOut?.wrong.length ?? 0, 'exactly', 0),
      ],
      tables: [
        {
          title: `${events} events not folded in yet, two statements and a check each; median of ${RUNS} runs`,
          rows: [
            ['', 'ms'],
            ['bare node: read the log and parse it', speed.bareMs],
            ['recall', speed.recallMs],
            ['  of that, CPU', speed.cpuMs],
            ['again, nothing new', speed.againMs],
          ],
        },
        {
          title: 'Scripted projects through the real library, recalled after every session',
          rows: [
            ['project', 'must say', 'said', 'recall', 'told', 'right', 'precision', 'wrong'],
            ...scores.map(score => [
              score.name,
              score.wanted,
              score.found,
              share(score.found, score.wanted),
              score.told,
              score.right,
              share(score.right, score.told),
              score.wrong.length,
            ]),
          ],
        },
        {
          title: 'Missed, wrong, and not foreseen (tuned projects)',
          rows: scores
            .slice(0, -1)
            .flatMap(({ missed, wrong, other }) => [
              ...missed.map(text => ['missed', text]),
              ...wrong.map(text => ['WRONG', text]),
              ...other.map(text => ['other', text]),
            ]),
        },
      ],
    }
  },
}

async function measureSpeed({ library, progress }: BenchContext, count: number) {
  return withTemporaryProject(async root => {
    const file = path.join(root, '.memory/history/events.jsonl')
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, Array.from({ length: count }, (_, n) => `${JSON.stringify(eventAt(n))}\n`).join(''))
    const runs: { bareMs: number; recallMs: number; cpuMs: number; againMs: number }[] = []
    const { readFile, rm } = await import('node:fs/promises')
    for (let run = 0; run < RUNS; run++) {
      progress(`recall: run ${run + 1} of ${RUNS} over ${count} events`)
      await rm(path.join(root, '.memory/state.json'), { force: true })
      const bareMs = await timed(async () => {
        let signals = 0
        for (const line of (await readFile(file, 'utf8')).split('\n'))
          if (line !== '') signals += (JSON.parse(line) as MemoryEvent).signals.gotchas.length
        if (signals === 0) throw new Error('the log is empty')
      })
      const memory = await library.openMemory({ root, vectors: 'never', upkeep: 'never', recall: 'never' })
      const before = process.cpuUsage()
      const recallMs = await timed(() => memory.recall())
      const { user, system } = process.cpuUsage(before)
      const againMs = await timed(() => memory.recall())
      await memory.close()
      runs.push({ bareMs, recallMs, cpuMs: (user + system) / 1_000, againMs })
    }
    const middle = (pick: (run: (typeof runs)[number]) => number) => roundTo(0, median(runs.map(pick)))
    return {
      bareMs: middle(run => run.bareMs),
      recallMs: middle(run => run.recallMs),
      cpuMs: middle(run => run.cpuMs),
      againMs: middle(run => run.againMs),
    }
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const PARTS = 'parser cache router queue mailer importer ledger session renderer scheduler'.split(' ')
const TROUBLES = [
  'drops the last row',
  'needs the flag',
  'waits for the lock of',
  'fails without',
  'is slow because of',
]
const THINGS = 'orders invoices refunds tokens uploads reports tenants locales timeouts retries'.split(' ')

export function eventAt(n: number): MemoryEvent {
  const part = PARTS[n % 10]
  const thing = THINGS[Math.floor(n / 10) % 10]
  const trouble = TROUBLES[Math.floor(n / 100) % 5]
  return {
    id: `e${n}`,
    kind: n % 4 === 0 ? 'imported_session' : 'tool_run',
    sourceId: `session:s${Math.floor(n / 20)}`,
    createdAt: new Date(BEGIN_MS + n * 60_000).toISOString(),
    contentHash: `hash${n}`,
    summary: `Asked for “Look at the ${part} of ${thing}, number ${n}”. 2 findings.`,
    signals: {
      decisions: n % 7 === 0 ? [`The ${part} keeps ${thing} for ${n % 90} days.`] : [],
      gotchas: [`The ${part} ${trouble} ${thing} in case ${n % 900}.`],
      nextStepHints: [
        n % 3 === 0 ? `The ${part} of ${thing} is done.` : `The ${part} still needs tests for ${thing}.`,
      ],
      keyPaths: [`src/${part}/${thing}.ts`],
      validationObservations: [{ command: 'npm test', outcome: n % 5 === 0 ? 'failed' : 'passed' }],
    },
    sourceRef: `sessions/s${n}.memory.json`,
  }
}

interface Score {
  readonly name: string
  readonly wanted: number
  readonly found: number
  readonly told: number
  readonly right: number
  readonly missed: readonly string[]
  readonly wrong: readonly string[]
  readonly other: readonly string[]
}

async function scoreProject({ library }: BenchContext, project: ScriptedProject): Promise<Score> {
  return withTemporaryProject(async root => {
    for (const [name, text] of Object.entries(project.files)) {
      await mkdir(path.dirname(path.join(root, name)), { recursive: true })
      await writeFile(path.join(root, name), text)
    }
    let nowMs = BEGIN_MS
    const memory = await library.openMemory({
      root,
      vectors: 'never',
      upkeep: 'never',
      recall: 'never',
      // A person takes a while for everything.
      now: () => (nowMs += 1_000),
      actor: { host: 'bench', agent: 'dev' },
    })
    for (const step of project.steps) {
      nowMs = BEGIN_MS + step.day * DAY_MS
      await takeStep(memory, step)
    }
    const { bundle } = await memory.recall()
    await memory.close()
    const score = { wanted: 0, found: 0, told: 0, right: 0 }
    const [missed, wrong, other]: string[][] = [[], [], []]
    for (const section of SECTIONS) {
      const expected = project.expected[section]
      const texts =
        section === 'validationCommands'
          ? bundle.validationCommands.map(({ command }) => command)
          : bundle[section].map(({ text }) => text)
      score.wanted += expected.must.length
      for (const wanted of expected.must) {
        if (texts.some(text => hasAll(text, wanted))) score.found++
        else missed?.push(`${section}: ${wanted}`)
      }
      for (const text of texts) {
        score.told++
        const fate = fateOf(text, expected)
        if (fate === 'right') score.right++
        else (fate === 'wrong' ? wrong : other)?.push(`${section}: ${text}`)
      }
    }
    return { name: project.name, ...score, missed: missed ?? [], wrong: wrong ?? [], other: other ?? [] }
  })
}

export async function takeStep(memory: Memory, step: ScriptedStep): Promise<void> {
  if ('remember' in step)
    await memory.remember({ content: step.remember, ...(step.kind !== undefined && { kind: step.kind }) })
  else if ('task' in step) await memory.remember({ content: `- [ ] ${step.task}`, category: 'tasks' })
  else if ('ticked' in step) {
    const { entries } = await memory.list({ category: 'tasks' })
    const task = entries.find(({ content }) => content.includes(step.ticked))
    await memory.update(task?.id ?? '', { content: `- [x] ${step.ticked}` })
  } else if ('forgotten' in step) {
    const { entries } = await memory.list({})
    await memory.forget(entries.find(({ content }) => content.includes(step.forgotten))?.id ?? '')
  } else {
    const { session, said, runs = [] } = step
    await memory.sessions.start({ session, agent: 'dev', host: 'bench' })
    const half = Math.ceil(said.length / 2)
    const append = (part: typeof said) =>
      memory.sessions.append(
        session,
        part.map(([role, text]) => ({ role, text })),
      )
    await append(said.slice(0, half))
    await memory.sessions.record(
      session,
      runs.map(({ command, ok, output, edits }) =>
        edits === undefined
          ? { tool: 'Bash', command: command ?? '', ok: ok ?? true, ...(output !== undefined && { output }) }
          : { tool: 'Edit', isEdit: true, files: edits, ok: true },
      ),
    )
    await append(said.slice(half))
    await memory.sessions.close(session)
    await memory.recall()
  }
}

function fateOf(text: string, { must, may = [], wrong }: Expected): 'right' | 'wrong' | 'other' {
  if (wrong.some(words => hasAll(text, words))) return 'wrong'
  return [...must, ...may].some(words => hasAll(text, words)) ? 'right' : 'other'
}

/** By letters alone, without accents. */
function hasAll(text: string, words: string): boolean {
  const folded = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
  return words.split(' ').every(word => folded.includes(word))
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : roundTo(2, part / whole)
}
