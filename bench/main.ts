import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import * as path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { acrossBench } from './across.ts'
import type { Bench, BenchContext, Library } from './bench.ts'
import { briefBench } from './brief.ts'
import { importBench } from './bulk-import.ts'
import { capacityBench } from './capacity.ts'
import { closingBench } from './closing.ts'
import { coldBench } from './cold.ts'
import { concurrencyBench } from './concurrency.ts'
import { conflictsBench } from './conflicts.ts'
import { distillBench } from './distill.ts'
import { documentsBench } from './documents.ts'
import { embedBench } from './embed.ts'
import { entitiesBench } from './entities.ts'
import { healthBench } from './health.ts'
import { hookBench } from './hook.ts'
import { hooksLoadBench } from './hooks-load.ts'
import { hubBench } from './hub.ts'
import { longMemEvalBench } from './longmemeval.ts'
import { mcpBench } from './mcp.ts'
import { mergePairsBench } from './merge-pairs.ts'
import { pageBench } from './page.ts'
import { queryBench } from './query.ts'
import { recallBench } from './recall.ts'
import { DEFAULT_MAX_PROMPTS, type ReplayOptions, replayBench } from './replay.ts'
import { renderReport } from './report.ts'
import { restBench } from './rest.ts'
import { retrievalBench } from './retrieval.ts'
import { scaleBench } from './scale.ts'
import { scopesBench } from './scopes.ts'
import { secretsBench } from './secrets.ts'
import { sourcesBench } from './sources.ts'
import { syncBench } from './sync.ts'
import { tokensBench } from './tokens.ts'
import { upBench } from './up.ts'
import { upkeepBench } from './upkeep.ts'
import { workBench } from './work.ts'
import { writeCostBench } from './write-cost.ts'
import { yearsBench } from './years.ts'

const BENCHES: readonly Bench[] = [
  retrievalBench,
  briefBench,
  longMemEvalBench,
  coldBench,
  hookBench,
  hooksLoadBench,
  scopesBench,
  documentsBench,
  queryBench,
  scaleBench,
  acrossBench,
  importBench,
  mergePairsBench,
  recallBench,
  upkeepBench,
  healthBench,
  mcpBench,
  upBench,
  pageBench,
  restBench,
  writeCostBench,
  concurrencyBench,
  workBench,
  embedBench,
  tokensBench,
  entitiesBench,
  conflictsBench,
  distillBench,
  closingBench,
  sourcesBench,
  yearsBench,
  hubBench,
  syncBench,
  capacityBench,
  secretsBench,
  replayBench,
]

/** They need data of their own, ten minutes, a PostgreSQL server, or what was measured on one. */
const ONLY_BY_NAME: readonly Bench[] = [
  longMemEvalBench,
  secretsBench,
  yearsBench,
  hubBench,
  syncBench,
  capacityBench,
  replayBench,
]

const HELP = `Measures Cairn against its goals, and against other engines in the same run.

  npm run --silent bench -- [name…] [flags]

${BENCHES.map(bench => `  ${bench.name.padEnd(13)}${bench.summary}`).join('\n')}

Without a name all of them run; retrieval and brief only where the data is, longmemeval, secrets, years, hub, sync, capacity and replay only by name.

  --data <folder>   folders in the BEIR layout, directly or in sets (default: ../shared/bench beside the repository)
  --entries <n>     another size for scale, cold, scopes, page, import, upkeep and write-cost; 1000000 takes a while
  --store <url>     a PostgreSQL server for hub; CAIRN_BENCH_POSTGRES says the same
  --full            hub at 10 k, 100 k and 1 M entries; capacity is reckoned from what it leaves in bench/hub-curve.json
  --words           retrieval, brief and hub by words alone, without vectors
  --quick           small sizes: does everything run? Goals that depend on size are not judged
  --json            one JSON document on standard output
  --out <file>      where the JSON is written (default: bench/results/<name>.json)
  --package <folder>  measure another built copy of Cairn, such as an earlier release

replay alone:
  --out <folder>    the results, with the sheet for a judge in judge/
  --project <a,b>   these projects; all for every one (default: those of the data folder itself)
  --limit <n>       at most n sessions of a project
  --prompts <n>     briefs for at most n prompts of a session, the first included (default: ${DEFAULT_MAX_PROMPTS})
  --answers <file>  what a model that played the agent answered, saved before each session is closed
  --facts <file>    more facts that a good memory has, in the form of durable-facts.jsonl
  --questions       also write the question and the tool description that such a model receives
  --sample <n>      at most n items of a kind on the sheet
  --verdicts <a,b>  count the verdicts of earlier rounds, and leave what they judged off the sheet
  --score <a,b>     run nothing: score the run in --out with these verdicts

A goal that is missed is shown and does not change the exit code; that is 1 when something could not be measured.
`

const repository = fileURLToPath(new URL('..', import.meta.url))

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      entries: { type: 'string' },
      out: { type: 'string' },
      store: { type: 'string' },
      full: { type: 'boolean', default: false },
      words: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      package: { type: 'string' },
      project: { type: 'string' },
      limit: { type: 'string' },
      prompts: { type: 'string' },
      answers: { type: 'string' },
      facts: { type: 'string' },
      questions: { type: 'boolean', default: false },
      sample: { type: 'string' },
      verdicts: { type: 'string' },
      score: { type: 'string' },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const entries = values.entries === undefined ? undefined : Number(values.entries)
  if (entries !== undefined && !(Number.isInteger(entries) && entries >= 100)) {
    throw new Error(`--entries takes a whole number from 100, not ${values.entries}`)
  }
  const dataFolder = values.data ?? path.join(repository, '..', 'shared', 'bench')
  const benches = chooseBenches(positionals, existsSync(dataFolder))
  const isReplay = benches.length === 1 && benches[0] === replayBench
  const context: BenchContext = {
    ...(await loadBuilt(path.resolve(values.package ?? repository))),
    dataFolder,
    entries,
    store: values.store ?? process.env.CAIRN_BENCH_POSTGRES,
    isQuick: values.quick,
    isFull: values.full,
    isWordsOnly: values.words,
    replay: replayOptions({ ...values, out: isReplay ? values.out : undefined }),
    progress: message => process.stderr.write(`${message}\n`),
  }

  const documents: Record<string, unknown> = {}
  let failures = 0
  for (const bench of benches) {
    try {
      const report = await bench.run(context)
      documents[bench.name] = {
        bench: bench.name,
        ...report.data,
        checks: report.checks,
        machine: machine(context),
      }
      if (!values.json) process.stdout.write(`${renderReport(bench.name, report)}\n`)
    } catch (error) {
      // The other benches are still worth running; the exit code tells that this one is missing.
      failures++
      process.stderr.write(
        `${bench.name} could not be measured: ${error instanceof Error ? error.stack : error}\n`,
      )
      documents[bench.name] = { bench: bench.name, error: String(error) }
    }
    if (values.out === undefined)
      await writeJson(path.join(repository, 'bench/results', `${bench.name}.json`), documents[bench.name])
  }
  const [only] = benches
  const document = benches.length === 1 && only !== undefined ? documents[only.name] : documents
  if (values.out !== undefined)
    await writeJson(isReplay ? path.join(values.out, 'figures.json') : values.out, document)
  if (values.json) process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
  return failures === 0 ? 0 : 1
}

function chooseBenches(names: readonly string[], hasData: boolean): readonly Bench[] {
  if (names.length === 0) {
    const needData: readonly Bench[] = [retrievalBench, briefBench]
    // LongMemEval's data is not at hand for everybody, so it runs only by its name.
    return BENCHES.filter(bench => !ONLY_BY_NAME.includes(bench) && (hasData || !needData.includes(bench)))
  }
  return names.map(name => {
    const bench = BENCHES.find(candidate => candidate.name === name)
    if (bench === undefined)
      throw new Error(`there is no bench ${name}; there are: ${BENCHES.map(each => each.name).join(', ')}`)
    return bench
  })
}

function replayOptions(values: {
  readonly project?: string
  readonly limit?: string
  readonly prompts?: string
  readonly out?: string | undefined
  readonly answers?: string
  readonly facts?: string
  readonly questions: boolean
  readonly sample?: string
  readonly verdicts?: string
  readonly score?: string
}): ReplayOptions {
  const list = (value: string | undefined) => value?.split(',').filter(each => each !== '')
  const number = (flag: 'limit' | 'prompts' | 'sample') => {
    const value = values[flag]
    if (value === undefined) return undefined
    if (!/^[1-9]\d*$/.test(value)) throw new Error(`--${flag} takes a whole number from 1, not ${value}`)
    return Number(value)
  }
  return {
    projects: list(values.project),
    limit: number('limit'),
    maxPrompts: number('prompts') ?? DEFAULT_MAX_PROMPTS,
    outFolder: values.out,
    answersFile: values.answers,
    factsFile: values.facts,
    withQuestions: values.questions,
    sample: number('sample'),
    verdictFiles: list(values.verdicts) ?? [],
    scoreFiles: list(values.score) ?? [],
  }
}

/** What `npm run build` made: the bench goes through the doors that users have. */
async function loadBuilt(repository: string) {
  const libraryUrl = pathToFileURL(path.join(repository, 'dist/api.js')).href
  const { version } = JSON.parse(await readFile(path.join(repository, 'package.json'), 'utf8')) as {
    version: string
  }
  return {
    library: (await import(libraryUrl)) as Library,
    libraryUrl,
    commandLine: path.join(repository, 'dist/cairn.cjs'),
    writerScript: path.join(repository, 'dist-bench/writer.js'),
    fillScript: path.join(repository, 'dist-bench/hub-fill.js'),
    curveFile: path.join(repository, 'bench/hub-curve.json'),
    modelFolder: path.join(repository, 'dist/model'),
    version,
    build: await hashOfFolder(path.join(repository, 'dist')),
  }
}

async function hashOfFolder(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const item of (await readdir(folder, { recursive: true })).sort()) {
    if (item.endsWith('.js')) hash.update(await readFile(path.join(folder, item)))
  }
  return hash.digest('hex')
}

function machine({ version }: BenchContext) {
  return {
    cairn: version,
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1e9),
    date: new Date().toISOString(),
  }
}

async function writeJson(file: string, document: unknown): Promise<void> {
  await mkdir(path.dirname(path.resolve(file)), { recursive: true })
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`)
}

main().then(
  exitCode => {
    process.exitCode = exitCode
  },
  (error: unknown) => {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  },
)
