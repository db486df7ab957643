import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import * as path from 'node:path'
import type { Bench, BenchContext } from './bench.ts'
import { listTools, readAnswers } from './replay-answers.ts'
import { findReplayFolder, readJsonLines, readLabels, readSessions } from './replay-data.ts'
import { figuresOf, figureTables, totalsOf } from './replay-figures.ts'
import { type ReplayedProject, replayProject, withTemporaryHome } from './replay-run.ts'
import { indexVerdicts, type RunTotals, scoreKey, type Verdict } from './replay-score.ts'
import { type KeyRow, makeSheet, type Sheet } from './replay-sheet.ts'
import { type BenchReport, check } from './report.ts'
import { withTemporaryProject } from './temporary-project.ts'

/** The flags of this bench alone. */
export interface ReplayOptions {
  readonly projects: readonly string[] | undefined
  /** At most this many sessions of each project. */
  readonly limit: number | undefined
  readonly maxPrompts: number
  readonly outFolder: string | undefined
  readonly answersFile: string | undefined
  /** Facts in addition to those of the data folder. */
  readonly factsFile: string | undefined
  readonly withQuestions: boolean
  /** At most this many items of each kind on the judging sheet. */
  readonly sample: number | undefined
  /** Verdicts of earlier rounds, which count in this run. */
  readonly verdictFiles: readonly string[]
  /** Only scores the run that lies in `outFolder`. */
  readonly scoreFiles: readonly string[]
}

export const DEFAULT_MAX_PROMPTS = 7

export const replayBench: Bench = {
  name: 'replay',
  summary: 'real sessions replayed: what is stored, injected, waiting, and how good it is (--data)',
  async run(context) {
    return context.replay.scoreFiles.length > 0 ? scoreRun(context.replay) : replay(context)
  },
}

async function replay({
  library,
  commandLine,
  dataFolder,
  replay: options,
  progress,
}: BenchContext): Promise<BenchReport> {
  const folder = findReplayFolder(dataFolder)
  const labels = readLabels(folder, options.factsFile)
  const answers = readAnswers(options.answersFile)
  const verdicts = readVerdicts(options.verdictFiles)
  const setUp = (root: string) => {
    execFileSync(process.execPath, [commandLine, 'init', '--yes'], { cwd: root, stdio: 'ignore' })
  }
  const run = { library, setUp, answers, progress, ...options }
  const { projects, tools } = await withTemporaryHome(async () => {
    const replayed: ReplayedProject[] = []
    for (const sessions of readSessions(folder, options).values())
      replayed.push(await withTemporaryProject(root => replayProject(run, sessions, root)))
    const listed = options.withQuestions
      ? await withTemporaryProject(root => listTools(commandLine, root))
      : undefined
    return { projects: replayed, tools: listed }
  })
  const figures = figuresOf(projects, labels)
  const totals = totalsOf(figures)
  const judgedIds = new Set(verdicts.map(({ id }) => id))
  const sheet = makeSheet(projects, labels, { isKnown: id => judgedIds.has(id), sample: options.sample })
  const { groups, prompts, tables, checks } = scoreKey(sheet.key, indexVerdicts(verdicts, sheet.key), totals)
  if (options.outFolder !== undefined)
    await writeResults(options.outFolder, { projects, sheet, totals, tools: tools ?? [] }, options)
  const unlabelled = sheet.key.filter(({ label }) => label === undefined).length
  return {
    data: {
      figures,
      quality: groups,
      prompts,
      items: sheet.key.length,
      unlabelled,
      onSheet: sheet.rows.length,
    },
    checks: [
      ...checks,
      check('lines that git would commit, nothing confirmed', figures.trackedLines, 'exactly', 0),
    ],
    tables: [
      ...figureTables(figures),
      ...tables,
      {
        title: 'Judging sheet',
        rows: [
          ['items of all kinds', sheet.key.length],
          ['without a label', unlabelled],
          ['on the sheet, each text once', sheet.rows.length],
        ],
      },
    ],
  }
}

interface Results {
  readonly projects: readonly ReplayedProject[]
  readonly sheet: Sheet
  readonly totals: RunTotals
  readonly tools: readonly { readonly name: string }[]
}

/** `judge/` is all that a judge may see. */
async function writeResults(
  folder: string,
  { projects, sheet, totals, tools }: Results,
  { withQuestions }: ReplayOptions,
): Promise<void> {
  await mkdir(path.join(folder, 'judge'), { recursive: true })
  const write = (name: string, rows: readonly unknown[]) =>
    writeFile(path.join(folder, name), rows.map(row => `${JSON.stringify(row)}\n`).join(''))
  const sessions = projects.flatMap(each => each.sessions)
  await write('judge/sheet.jsonl', sheet.rows)
  await write('key.jsonl', sheet.key)
  await write('totals.jsonl', [totals])
  await write(
    'entries.jsonl',
    projects.flatMap(({ project, entries, atEnd }) =>
      entries.map(entry => ({ project, isAtEnd: atEnd.has(entry.id), ...entry })),
    ),
  )
  await write(
    'suggestions.jsonl',
    projects.flatMap(({ project, suggestions }) => suggestions.map(each => ({ project, ...each }))),
  )
  await write(
    'conflicts.jsonl',
    projects.flatMap(({ project, conflicts }) => conflicts.map(each => ({ project, ...each }))),
  )
  await write(
    'state.jsonl',
    projects.flatMap(({ project, state }) => state.map(each => ({ project, ...each }))),
  )
  await write(
    'briefs.jsonl',
    sessions.flatMap(({ start, prompts }) => [start, ...prompts]),
  )
  await write(
    'sessions.jsonl',
    sessions.map(({ project, session, waiting, saved, errors }) => ({
      project,
      session,
      waiting,
      saved,
      errors,
    })),
  )
  if (!withQuestions) return
  const tool = tools.find(({ name }) => /remember/.test(name))
  await write(
    'questions.jsonl',
    sessions.map(({ project, session, question }) => ({
      project,
      session,
      question: question ?? null,
      tool,
    })),
  )
}

async function scoreRun({ outFolder, scoreFiles }: ReplayOptions): Promise<BenchReport> {
  const file = (name: string) => path.join(outFolder ?? '', name)
  if (outFolder === undefined || !existsSync(file('key.jsonl')))
    throw new Error('--score needs --out with the folder of a run')
  const key = readJsonLines<KeyRow>(file('key.jsonl'))
  const [totals] = readJsonLines<RunTotals>(file('totals.jsonl'))
  if (totals === undefined) throw new Error(`${file('totals.jsonl')} is empty`)
  const score = scoreKey(key, indexVerdicts(readVerdicts(scoreFiles), key), totals)
  return {
    data: { quality: score.groups, prompts: score.prompts, totals },
    checks: score.checks,
    tables: score.tables,
  }
}

function readVerdicts(files: readonly string[]): Verdict[] {
  return files.flatMap(file => {
    if (!existsSync(file)) throw new Error(`there is no file ${file}`)
    return readJsonLines<Verdict>(file)
  })
}
