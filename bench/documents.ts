import { mkdir, writeFile } from 'node:fs/promises'
import * as path from 'node:path'
import type { Bench, BenchContext } from './bench.ts'
import { cpuOfNodeRuns } from './child-cpu.ts'
import { type ColdFigure, compareWithNode } from './cold.ts'
import { prepareProject, withCopyOf } from './prepared-project.ts'
import { type Check, check } from './report.ts'
import { roundTo } from './statistics.ts'
import { entryAt, questionsAbout } from './synthetic-corpus.ts'

const ENTRIES = 3_000
const DOCUMENTS = 2_000
const ROUNDS = 15
/** Entries of the corpus that the body of one plan is made of: some 3,000 characters. */
const PARTS_A_PLAN = 12
/** A look at each of two thousand files is most of it, and nothing but a look tells that a file was edited. */
const GOALS: Readonly<Record<string, number>> = { search: 3, brief: 3.5 }

export const documentsBench: Bench = {
  name: 'documents',
  summary: 'CPU of a cold search and brief beside 2000 documents of workspaces, and of taking those in',
  async run(context) {
    const entries = context.entries ?? (context.isQuick ? 300 : ENTRIES)
    const documents = context.isQuick ? 100 : DOCUMENTS
    const rounds = context.isQuick ? 3 : ROUNDS
    const project = await prepareProject(context, entries)
    const without = await withCopyOf(project, root => measure(context, { root, entries, rounds }))
    const { figures, indexingLimitMs } = await withCopyOf(project, async root => {
      await writeDocuments(root, documents)
      const search = [context.commandLine, 'search', 'anything', '--words', '--root', root]
      await cpuOfNodeRuns([[...search, '--entries-only']])
      // What was written a moment ago is read twice: the clock of the files has a grain.
      await new Promise(resolve => setTimeout(resolve, 2_200))
      context.progress(`documents: taking in ${documents}`)
      const took = await cpuOfNodeRuns([search])
      return { figures: await measure(context, { root, entries, rounds }), indexingLimitMs: took }
    })
    const checks: Check[] = Object.entries(GOALS).flatMap(([name, goal]) =>
      context.isQuick
        ? []
        : [
            check(
              `cold ${name} beside ${documents} documents, times node -e 0`,
              figures[name]?.ratio ?? 0,
              'at most',
              goal,
            ),
          ],
    )
    const heading = ['', 'node -e 0, CPU ms', 'without, CPU ms', 'ratio', 'with documents, CPU ms', 'ratio']
    const rows = Object.entries(figures).map(([name, figure]) => [
      name,
      figure.nodeMs,
      without[name]?.commandMs ?? 0,
      without[name]?.ratio ?? 0,
      figure.commandMs,
      figure.ratio,
    ])
    return {
      data: {
        entries,
        documents,
        rounds,
        without,
        withDocuments: figures,
        indexingLimitMs: roundTo(0, indexingLimitMs),
      },
      checks,
      tables: [
        { title: `${entries} entries, ${documents} documents`, rows: [heading, ...rows] },
        {
          title: 'Taken in',
          rows: [
            ['', 'CPU ms'],
            [`${documents} documents, once`, roundTo(0, indexingLimitMs)],
          ],
        },
      ],
    }
  },
}

async function measure(
  context: BenchContext,
  { root, entries, rounds }: { root: string; entries: number; rounds: number },
): Promise<Record<string, ColdFigure>> {
  const questions = questionsAbout(entries, 40)
  const question = (n: number) => questions[n % questions.length]?.text ?? ''
  const commands: Record<string, (n: number) => string[]> = {
    search: n => ['search', question(n), '--words'],
    brief: n => ['brief', '--prompt', question(n)],
  }
  const figures: Record<string, ColdFigure> = {}
  for (const [name, words] of Object.entries(commands)) {
    const argumentsOf = (n: number) => [context.commandLine, ...words(n), '--root', root]
    await cpuOfNodeRuns([argumentsOf(0)])
    context.progress(`documents: cold ${name}`)
    figures[name] = await compareWithNode({ name, argumentsOf }, rounds)
  }
  return figures
}

/** Plans in a hundred repositories of twenty domains of five workspaces, an overview for each repository. */
async function writeDocuments(root: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const folder = path.join(root, 'resources/workspaces', `w${n % 5}`, `d${n % 20}`, `r${n % 100}`)
    const isOverview = n >= count - 100
    const file = path.join(
      folder,
      isOverview ? 'OVERVIEW.md' : `_plans/26${String(n).padStart(5, '0')}-plan.md`,
    )
    const parts = Array.from(
      { length: isOverview ? 3 : PARTS_A_PLAN },
      (_, i) => entryAt(n * 31 + i * 7).text,
    )
    const head = isOverview
      ? `name: Repository ${n % 100}\ndescription: ${JSON.stringify(parts[0])}\nupdated: 2026-03-01`
      : `name: Plan ${n}\ndescription: ${JSON.stringify(parts[0])}\nstatus: ${n % 3 === 0 ? 'done' : 'in_progress'}\ncreated: 2026-02-08`
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, `---\n${head}\n---\n\n${parts.slice(1).join('\n\n')}\n`)
  }
}
