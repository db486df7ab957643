import * as path from 'node:path'
import { type BeirFolder, findBeirFolders, readBeirFolder } from './beir-folder.ts'
import { withMemoryOf } from './beir-memory.ts'
import type { Bench, Library } from './bench.ts'
import { averageMetrics, type Judgement, judge, type Metrics } from './ranking-metrics.ts'
import { type Check, check, type Table } from './report.ts'
import { latencyOf } from './statistics.ts'

const HITS = 20
/** Questions whose premise is false: ranking them well is no merit, so they are reported apart. */
const ADVERSARIAL = 'adversarial'

/** From the project's own requirements: words and meaning together, and words alone (`--words`). */
type Goals = Readonly<Record<string, Partial<Record<keyof Metrics, number>>>>
const GOALS: Goals = {
  locomo: { 'recall@10': 0.74, mrr: 0.56 },
  cosqa: { 'recall@10': 0.76, mrr: 0.46 },
  coding: { 'hit@5': 0.74, mrr: 0.6 },
}
const WORD_GOALS: Goals = {
  locomo: { 'recall@10': 0.68, mrr: 0.52 },
  cosqa: { 'recall@10': 0.57, mrr: 0.34 },
}

export interface AnsweredQuery {
  readonly set: string
  readonly folder: string
  readonly category: string
  readonly judgement: Judgement
}

export interface FolderRun {
  readonly set: string
  readonly folder: string
  readonly documents: number
  /** Documents whose text another one had already: one entry stands for both. */
  readonly merged: number
  /** Documents that could not be kept, for example because they are longer than an entry may be. */
  readonly failed: number
  readonly negatives: number
  readonly answered: readonly AnsweredQuery[]
  readonly searchMs: readonly number[]
}

export const retrievalBench: Bench = {
  name: 'retrieval',
  summary: 'recall, MRR and nDCG on folders in the BEIR layout (--data)',
  async run({ library, dataFolder, isWordsOnly, progress }) {
    const places = findBeirFolders(dataFolder)
    if (places.length === 0)
      throw new Error(`${dataFolder} has no folder with corpus.jsonl, queries.jsonl and qrels.tsv`)
    const runs: FolderRun[] = []
    for (const place of places) {
      progress(`retrieval: ${place.name}`)
      runs.push(await runFolder(library, readBeirFolder(place), isWordsOnly))
    }
    const data = summarise(runs)
    return {
      data,
      checks: checksOf(
        { [path.basename(path.resolve(dataFolder))]: data.overall, ...data.sets },
        isWordsOnly ? WORD_GOALS : GOALS,
      ),
      tables: tablesOf(data),
    }
  },
}

/** One folder in a project of its own, through the public library: import, then ask every question. */
export async function runFolder(
  library: Library,
  folder: BeirFolder,
  isWordsOnly = false,
): Promise<FolderRun> {
  return withMemoryOf(
    library,
    { folder, isWordsOnly },
    async ({ memory, report, entryByDocument, askedAt }) => {
      const answered: AnsweredQuery[] = []
      const searchMs: number[] = []
      for (const query of folder.queries) {
        askedAt(query)
        const start = performance.now()
        const { hits } = await memory.search(query.text, { limit: HITS })
        searchMs.push(performance.now() - start)
        if (query.facts.length === 0) continue
        const facts = query.facts.map(documents => documents.flatMap(id => entryByDocument.get(id) ?? []))
        const judgement = judge(
          hits.map(hit => hit.id),
          facts,
        )
        answered.push({ set: folder.set, folder: folder.name, category: query.category, judgement })
      }
      return {
        set: folder.set,
        folder: folder.name,
        documents: folder.documents.length,
        merged: report.duplicates,
        failed: report.failed,
        negatives: folder.queries.length - answered.length,
        answered,
        searchMs,
      }
    },
  )
}

interface FolderSummary extends Metrics {
  readonly documents: number
  readonly merged: number
  readonly failed: number
  readonly negatives: number
  readonly latency: { readonly p50Ms: number; readonly p95Ms: number }
}

interface SetSummary extends Metrics {
  readonly categories: Readonly<Record<string, Metrics>>
  readonly folders: Readonly<Record<string, FolderSummary>>
}

export function summarise(runs: readonly FolderRun[]) {
  const all = runs.flatMap(run => run.answered)
  const plain = all.filter(answer => answer.category !== ADVERSARIAL)
  const adversarial = all.filter(answer => answer.category === ADVERSARIAL)
  const sets: Record<string, SetSummary> = {}
  for (const set of new Set(runs.map(run => run.set))) {
    const ofSet = plain.filter(answer => answer.set === set)
    const folders: Record<string, FolderSummary> = {}
    for (const run of runs.filter(candidate => candidate.set === set)) {
      const { documents, merged, failed, negatives } = run
      const metrics = metricsOf(ofSet.filter(answer => answer.folder === run.folder))
      folders[run.folder] = {
        ...metrics,
        documents,
        merged,
        failed,
        negatives,
        latency: latencyOf(run.searchMs),
      }
    }
    sets[set] = { ...metricsOf(ofSet), categories: byCategory(ofSet), folders }
  }
  return {
    overall: metricsOf(plain),
    sets,
    categories: byCategory(plain),
    ...(adversarial.length > 0 && { adversarial: metricsOf(adversarial) }),
    latency: latencyOf(runs.flatMap(run => run.searchMs)),
    failedImports: runs.reduce((sum, run) => sum + run.failed, 0),
  }
}

function metricsOf(answers: readonly AnsweredQuery[]): Metrics {
  return averageMetrics(answers.map(answer => answer.judgement))
}

function byCategory(answers: readonly AnsweredQuery[]): Record<string, Metrics> {
  const categories = [...new Set(answers.map(answer => answer.category))].sort()
  return Object.fromEntries(
    categories.map(category => [category, metricsOf(answers.filter(answer => answer.category === category))]),
  )
}

function checksOf(sets: Readonly<Record<string, Metrics>>, goals: Goals): Check[] {
  return Object.entries(sets).flatMap(([set, metrics]) =>
    Object.entries(goals[set] ?? {}).map(([metric, least]) =>
      check(`${set} ${metric}`, metrics[metric as keyof Metrics], 'at least', least),
    ),
  )
}

function tablesOf(data: ReturnType<typeof summarise>): Table[] {
  const heading = ['', 'queries', 'recall@5', 'recall@10', 'recall@20', 'mrr', 'ndcg@10', 'hit@5']
  const row = (name: string, metrics: Metrics) => [
    name,
    metrics.queries,
    ...(['recall@5', 'recall@10', 'recall@20', 'mrr', 'ndcg@10', 'hit@5'] as const).map(key =>
      metrics[key].toFixed(3),
    ),
  ]
  const setRows = Object.entries(data.sets).flatMap(([set, summary]) => [
    row(set, summary),
    ...Object.entries(summary.categories).map(([category, metrics]) => row(`  ${category}`, metrics)),
  ])
  const apart = data.adversarial === undefined ? [] : [row('adversarial, apart', data.adversarial)]
  const folders = Object.values(data.sets).flatMap(set =>
    Object.entries(set.folders).map(([name, folder]) => [
      name,
      folder.documents,
      folder.failed,
      folder['recall@10'].toFixed(3),
      folder.mrr.toFixed(3),
      folder.latency.p50Ms.toFixed(2),
      folder.latency.p95Ms.toFixed(2),
    ]),
  )
  return [
    {
      title: 'Retrieval, averaged over queries',
      rows: [heading, row('overall', data.overall), ...setRows, ...apart],
    },
    {
      title: 'Folders',
      rows: [['', 'documents', 'failed', 'recall@10', 'mrr', 'p50 ms', 'p95 ms'], ...folders],
    },
  ]
}
