import type { Bench, BenchContext } from './bench.ts'
import { cpuOfNodeRuns } from './child-cpu.ts'
import { prepareProject, withCopyOf } from './prepared-project.ts'
import { type Check, check } from './report.ts'
import { median, roundTo } from './statistics.ts'
import { entryAt, questionsAbout } from './synthetic-corpus.ts'
import { withTemporaryProject } from './temporary-project.ts'

const ROUNDS = 15
const RUNS_A_ROUND = 5
/** Times the CPU of `node -e 0`, by the number of entries and the command. */
const GOALS: Readonly<Record<number, Readonly<Record<string, number>>>> = {
  3000: { search: 1.5, brief: 1.4, 'brief, with vectors': 2 },
  100000: { search: 1.9 },
}
/** To make the vectors of more would take longer than all else here. */
const MAX_EMBEDDED = 3_000

export interface ColdCommand {
  readonly name: string
  /** What follows `node`, for the nth run. */
  readonly argumentsOf: (n: number) => readonly string[]
  /** A file for its standard input. */
  readonly inputOf?: (n: number) => string
}

export const coldBench: Bench = {
  name: 'cold',
  summary: 'CPU of a command as a fresh process, against `node -e 0` (--entries, default 3000 and 100000)',
  async run(context) {
    const sizes =
      context.entries !== undefined ? [context.entries] : context.isQuick ? [300] : [3_000, 100_000]
    const rounds = context.isQuick ? 3 : ROUNDS
    const vaults: Record<string, Record<string, ColdFigure>> = {}
    const checks: Check[] = []
    for (const entries of sizes) {
      const project = await prepareProject(context, entries)
      vaults[entries] = await withCopyOf(project, async root => {
        const commands = commandsFor({ commandLine: context.commandLine, root, entries })
        // The copy's files are new to the index, and the file cache is cold: one search settles both.
        await cpuOfNodeRuns([commands.search.argumentsOf(0)])
        const figures: Record<string, ColdFigure> = {}
        for (const command of Object.values(commands)) {
          context.progress(`cold: ${command.name}, ${entries} entries`)
          figures[command.name] = await compareWithNode(command, rounds)
        }
        await withUserMemory(context, async () => {
          context.progress(`cold: brief, with a memory of one's own, ${entries} entries`)
          await cpuOfNodeRuns([commands.brief.argumentsOf(0)])
          figures['brief, with 50 preferences of one’s own'] = await compareWithNode(commands.brief, rounds)
        })
        if (entries <= MAX_EMBEDDED) {
          context.progress(`cold: making ${entries} vectors`)
          await makeVectors(context, root)
          for (const command of [commands.search, commands.brief]) {
            context.progress(`cold: ${command.name}, with vectors, ${entries} entries`)
            figures[`${command.name}, with vectors`] = await compareWithNode(command, rounds)
          }
        }
        for (const [name, goal] of Object.entries(GOALS[entries] ?? {})) {
          const ratio = figures[name]?.ratio
          if (ratio !== undefined)
            checks.push(check(`cold ${name}, ${entries} entries, times node -e 0`, ratio, 'at most', goal))
        }
        return figures
      })
    }
    const rows = Object.entries(vaults).flatMap(([entries, figures]) =>
      Object.entries(figures).map(([name, figure]) => [
        `${name}, ${entries} entries`,
        figure.nodeMs,
        figure.commandMs,
        figure.ratio,
        figure.bestRatio,
      ]),
    )
    const heading = ['', 'node -e 0, CPU ms', 'command, CPU ms', 'ratio of medians', 'ratio of minima']
    return {
      data: { rounds, runsPerRound: RUNS_A_ROUND, vaults },
      checks,
      tables: [{ title: 'Cold start', rows: [heading, ...rows] }],
    }
  },
}

function commandsFor({ commandLine, root, entries }: { commandLine: string; root: string; entries: number }) {
  const questions = questionsAbout(entries, 40)
  const question = (n: number) => questions[n % questions.length]?.text ?? ''
  const command = (name: string, ...verb: ((n: number) => string)[]): ColdCommand => ({
    name,
    argumentsOf: n => [commandLine, ...verb.map(part => part(n)), '--root', root],
  })
  return {
    search: command('search', () => 'search', question),
    searchWords: command(
      'search --words',
      () => 'search',
      question,
      () => '--words',
    ),
    brief: command(
      'brief',
      () => 'brief',
      () => '--prompt',
      question,
    ),
    list: command(
      'list --limit 5',
      () => 'list',
      () => '--limit',
      () => '5',
    ),
    remember: command(
      'remember',
      () => 'remember',
      n => entryAt(entries + 1 + n).text,
    ),
  }
}

async function makeVectors({ library }: BenchContext, root: string): Promise<void> {
  const memory = await library.openMemory({ root, upkeep: 'never' })
  try {
    await memory.embed()
  } finally {
    await memory.close()
  }
}

const PREFERENCES = 50

/** As if the user had a memory of their own, for as long as the work takes. */
async function withUserMemory({ library }: BenchContext, work: () => Promise<void>): Promise<void> {
  const before = process.env.CAIRN_HOME
  await withTemporaryProject(async folder => {
    process.env.CAIRN_HOME = folder
    try {
      const own = await library.openUserMemory({ vectors: 'never', upkeep: 'never' })
      for (let n = 0; n < PREFERENCES; n++) await own.remember(entryAt(n).text)
      await own.close()
      await work()
    } finally {
      if (before === undefined) delete process.env.CAIRN_HOME
      else process.env.CAIRN_HOME = before
    }
  })
}

export interface ColdFigure {
  readonly nodeMs: number
  readonly commandMs: number
  readonly ratio: number
  readonly bestRatio: number
}

/** Rounds in turn, and in changing order, so that a machine that slows down does so for both. */
export async function compareWithNode(command: ColdCommand, rounds: number): Promise<ColdFigure> {
  const nodeMs: number[] = []
  const commandMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const numbers = Array.from({ length: RUNS_A_ROUND }, (_, i) => round * RUNS_A_ROUND + i)
    const measureNode = async () => nodeMs.push(await cpuOfNodeRuns(numbers.map(() => ['-e', '0'])))
    const measureCommand = async () =>
      commandMs.push(
        await cpuOfNodeRuns(
          numbers.map(command.argumentsOf),
          numbers.map(n => command.inputOf?.(n)),
        ),
      )
    if (round % 2 === 0) await measureNode()
    await measureCommand()
    if (round % 2 === 1) await measureNode()
  }
  const each = (total: number) => roundTo(1, total / RUNS_A_ROUND)
  return {
    nodeMs: each(median(nodeMs)),
    commandMs: each(median(commandMs)),
    ratio: roundTo(2, median(commandMs) / median(nodeMs)),
    bestRatio: roundTo(2, Math.min(...commandMs) / Math.min(...nodeMs)),
  }
}
