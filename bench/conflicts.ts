import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import * as path from 'node:path'
import { findValueConflict } from '../src/features/conflicts/decide/stated-values.ts'
import type { Bench, BenchContext } from './bench.ts'
import { LITERAL_SAMPLE } from './conflict-sample-literal.ts'
import { check } from './report.ts'
import { roundTo } from './statistics.ts'

interface Pair {
  readonly a: string
  readonly b: string
  readonly conflict: boolean
}

/** The second form of SPEC section 5, `<subject> <attribute> is|=|: <value>`. The first, an entry that names another, needs no measuring. */
export const conflictsBench: Bench = {
  name: 'conflicts',
  summary: 'pairs of entries that literally state different values: share of right reports, and recall',
  async run(context) {
    const groups = new Map<string, readonly Pair[]>([
      ['literal, dev', LITERAL_SAMPLE.filter(({ half }) => half === 'dev')],
      ['literal, held-out', LITERAL_SAMPLE.filter(({ half }) => half === 'held-out')],
    ])
    // Contradictions in free text: none is literal, so that silence is right for all of them.
    const free = await readPairs(context)
    if (free.length > 0) groups.set('free text', free)
    const figures = new Map([...groups].map(([group, pairs]) => [group, measure(pairs)]))
    const heldOut = figures.get('literal, held-out')
    const freeText = figures.get('free text')
    return {
      data: { groups: Object.fromEntries(figures) },
      checks: [
        check('held-out: share of right reports', heldOut?.precision ?? 0, 'at least', 0.9),
        check('held-out: recall', heldOut?.recall ?? 0, 'at least', 0.4),
        ...(freeText === undefined
          ? []
          : [check('free text: wrong reports', freeText.found - freeText.right, 'at most', 0)]),
      ],
      tables: [
        {
          title: 'pairs that literally state different values',
          rows: [
            ['', 'pairs', 'in conflict', 'reported', 'right', 'precision', 'recall'],
            ...[...figures].map(([group, { pairs, conflicts, found, right, precision, recall }]) => [
              group,
              pairs,
              conflicts,
              found,
              right,
              precision,
              recall,
            ]),
          ],
        },
      ],
    }
  },
}

function entryOf(content: string) {
  return { content, kind: 'decision', category: 'decisions' as const, files: [] }
}

async function readPairs({ dataFolder }: BenchContext): Promise<readonly Pair[]> {
  const file = [dataFolder, path.join(dataFolder, 'coding')]
    .map(folder => path.join(folder, 'conflicts.jsonl'))
    .find(existsSync)
  if (file === undefined) return []
  return (await readFile(file, 'utf8'))
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => JSON.parse(line) as Pair)
}

function measure(pairs: readonly Pair[]) {
  const found = pairs.filter(({ a, b }) => findValueConflict(entryOf(a), entryOf(b)) !== undefined)
  const right = found.filter(({ conflict }) => conflict).length
  const conflicts = pairs.filter(({ conflict }) => conflict).length
  return {
    pairs: pairs.length,
    conflicts,
    found: found.length,
    right,
    precision: roundTo(3, found.length === 0 ? 0 : right / found.length),
    recall: roundTo(3, conflicts === 0 ? 0 : right / conflicts),
  }
}
