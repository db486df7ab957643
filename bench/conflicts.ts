import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { findConflict } from '../src/pipeline/promote/conflicts.ts'
import { openBuiltInEmbedder } from '../src/providers/embedder/built-in-embedder.ts'
import type { Bench, BenchContext } from './bench.ts'
import { CONFLICT_SAMPLE } from './conflict-sample.ts'
import { NAMED_SAMPLE } from './conflict-sample-named.ts'
import { OTHER_TRADES_SAMPLE } from './conflict-sample-other-trades.ts'
import { check } from './report.ts'
import { roundTo } from './statistics.ts'

interface Pair {
  readonly a: string
  readonly b: string
  readonly conflict: boolean
  readonly cosine: number
}

interface Judge {
  readonly name: string
  readonly says: (pair: Pair) => boolean
}

/** The seed's opposition pairs, which need the same file or category: here every pair is taken to have it. */
const OPPOSITIONS: readonly (readonly [RegExp, RegExp])[] = [
  [/\buse\b/i, /\b(?:don't|do not) use\b/i],
  [/\balways\b/i, /\bnever\b/i],
  [/\benable\b/i, /\bdisable\b/i],
  [/\badd\b/i, /\bremove\b/i],
  [/\bshould\b/i, /\b(?:shouldn't|should not)\b/i],
]

const JUDGES: readonly Judge[] = [
  {
    name: 'Cairn',
    says: ({ a, b, cosine }) => findConflict({ a: entryOf(a), b: entryOf(b), cosine }).conflict,
  },
  { name: 'Cairn, no vectors', says: ({ a, b }) => findConflict({ a: entryOf(a), b: entryOf(b) }).conflict },
  {
    name: 'the seed’s pairs',
    says: ({ a, b }) =>
      OPPOSITIONS.some(([one, other]) => (one.test(a) && other.test(b)) || (one.test(b) && other.test(a))),
  },
]

const HALVES = ['dev', 'held-out', 'late', 'other trades', 'unseen', 'named, dev', 'named'] as const

/** Detection is pure and has no door of its own in the library, so this bench calls it where it is. */
export const conflictsBench: Bench = {
  name: 'conflicts',
  summary:
    'pairs of entries that cannot both hold: precision, recall and F1, beside the opposition pairs of the seed',
  async run(context) {
    const groups = new Map<string, Pair[]>()
    const own = [...CONFLICT_SAMPLE, ...OTHER_TRADES_SAMPLE, ...NAMED_SAMPLE]
    for (const half of HALVES) {
      groups.set(`own sample, ${half}`, await withCosines(own.filter(pair => pair.half === half)))
    }
    const labelled = await readPairs(context)
    const isAmbiguous = (pair: { type: string }) => pair.type === 'ambiguous'
    if (labelled.length > 0) {
      groups.set('coding', await withCosines(labelled.filter(pair => !isAmbiguous(pair))))
      groups.set('coding, ambiguous', await withCosines(labelled.filter(isAmbiguous)))
    }
    if (!context.isQuick)
      for (const half of ['dev', 'named, dev'])
        for (const miss of missesOf(groups.get(`own sample, ${half}`) ?? [])) context.progress(miss)
    const figures = Object.fromEntries(
      [...groups].map(([group, pairs]) => [
        group,
        Object.fromEntries(JUDGES.map(judge => [judge.name, measure(judge, pairs)])),
      ]),
    )
    const f1 = figures.coding?.Cairn?.f1
    return {
      data: {
        overall: figures.coding?.Cairn,
        baseline: figures.coding?.['the seed’s pairs'],
        groups: figures,
      },
      checks: [
        ...(f1 === undefined ? [] : [check('coding: F1', f1, 'at least', 0.6)]),
        check('own sample, held-out: F1', figures['own sample, held-out']?.Cairn?.f1 ?? 0, 'at least', 0.6),
      ],
      tables: [...groups].map(([group, pairs]) => ({
        title: `${group}: ${pairs.length} pairs, ${pairs.filter(pair => pair.conflict).length} in conflict`,
        rows: [
          ['', 'found', 'right', 'precision', 'recall', 'F1'],
          ...JUDGES.map(judge => {
            const { found, right, precision, recall, f1 } = measure(judge, pairs)
            return [judge.name, found, right, precision, recall, f1]
          }),
        ],
      })),
    }
  },
}

/** On the labelled pairs of the data folder, the ambiguous ones left out. */
export async function conflictF1(context: BenchContext): Promise<{ ours: number; seed: number }> {
  const pairs = await withCosines((await readPairs(context)).filter(({ type }) => type !== 'ambiguous'))
  const [ours, , seed] = JUDGES.map(judge => measure(judge, pairs).f1)
  return { ours: ours ?? 0, seed: seed ?? 0 }
}

/** `b` is taken to be the newer one; without dates of their own both have the same. */
function entryOf(content: string) {
  return { content, kind: 'decision', tags: [], files: [], date: '2026-01-01T00:00' }
}

async function readPairs({ dataFolder }: BenchContext) {
  const file = [dataFolder, path.join(dataFolder, 'coding')]
    .map(folder => path.join(folder, 'conflicts.jsonl'))
    .find(existsSync)
  if (file === undefined) return []
  return (await readFile(file, 'utf8'))
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => JSON.parse(line) as { a: string; b: string; conflict: boolean; type: string })
}

async function withCosines(pairs: readonly Omit<Pair, 'cosine'>[]): Promise<Pair[]> {
  const embedder = openBuiltInEmbedder(fileURLToPath(new URL('../dist/model', import.meta.url)))
  try {
    const vectors = await embedder.embed(pairs.flatMap(({ a, b }) => [a, b]))
    return pairs.map((pair, i) => ({ ...pair, cosine: dot(vectors[2 * i], vectors[2 * i + 1]) }))
  } finally {
    await embedder.close()
  }
}

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) throw new Error('a text without a vector')
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
}

function measure(judge: Judge, pairs: readonly Pair[]) {
  const found = pairs.filter(judge.says)
  const right = found.filter(pair => pair.conflict).length
  const expected = pairs.filter(pair => pair.conflict).length
  const precision = found.length === 0 ? 0 : right / found.length
  const recall = expected === 0 ? 0 : right / expected
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  return {
    pairs: pairs.length,
    found: found.length,
    right,
    precision: roundTo(3, precision),
    recall: roundTo(3, recall),
    f1: roundTo(3, f1),
  }
}

/** What to look at when the rules are tuned: never of the held-out half. */
function missesOf(pairs: readonly Pair[]): string[] {
  return pairs.flatMap(pair => {
    const verdict = findConflict({ a: entryOf(pair.a), b: entryOf(pair.b), cosine: pair.cosine })
    return verdict.conflict === pair.conflict
      ? []
      : [`${pair.conflict ? '-' : '+'} ${pair.a} | ${pair.b}\n    ${JSON.stringify(verdict.reason)}`]
  })
}
