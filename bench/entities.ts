import { ENTITY_TYPES, type EntityRef } from '../src/kernel/model/graph.ts'
import { distinctEntities, findMentions } from '../src/kernel/text/entities/find-entities.ts'
import { findRelations } from '../src/kernel/text/entities/find-relations.ts'
import type { Bench } from './bench.ts'
import { ENTITY_SAMPLE, type LabelledEntry } from './entity-sample.ts'
import { check } from './report.ts'
import { roundTo } from './statistics.ts'

const HALVES = ['dev', 'held-out'] as const
const GROUPS = [...ENTITY_TYPES, 'all entities', 'relations'] as const

interface Count {
  expected: number
  found: number
  right: number
}

/** Extraction is pure and has no door of its own in the library, so this bench calls it where it is. */
export const entitiesBench: Bench = {
  name: 'entities',
  summary: 'entities and relations against a labelled sample: precision, recall and F1 by type',
  async run(context) {
    const halves = Object.fromEntries(HALVES.map(half => [half, measureHalf(half)]))
    const entities = halves['held-out']?.['all entities']
    const relations = halves['held-out']?.relations
    for (const miss of context.isQuick ? [] : missesOf('dev')) context.progress(miss)
    return {
      data: {
        entries: Object.fromEntries(HALVES.map(half => [half, ofHalf(half).length])),
        halves,
      },
      // Set before the held-out half was first looked at.
      checks: [
        check('held-out: precision of entities', entities?.precision ?? 0, 'at least', 0.9),
        check('held-out: recall of entities', entities?.recall ?? 0, 'at least', 0.75),
        check('held-out: precision of relations', relations?.precision ?? 0, 'at least', 0.7),
      ],
      tables: HALVES.map(half => ({
        title: `${half}: ${ofHalf(half).length} entries`,
        rows: [
          ['', 'labelled', 'found', 'right', 'precision', 'recall', 'F1'],
          ...GROUPS.map(group => {
            const figures = halves[half]?.[group]
            return [
              group,
              figures?.expected ?? 0,
              figures?.found ?? 0,
              figures?.right ?? 0,
              figures?.precision ?? 0,
              figures?.recall ?? 0,
              figures?.f1 ?? 0,
            ]
          }),
        ],
      })),
    }
  },
}

function ofHalf(half: LabelledEntry['half']): LabelledEntry[] {
  return ENTITY_SAMPLE.filter(entry => entry.half === half)
}

function extract(text: string): { entities: string[]; relations: string[] } {
  const mentions = findMentions(text)
  return {
    entities: distinctEntities(mentions).map(nameOf),
    relations: findRelations(text, mentions).map(
      ({ from, relation, to }) => `${nameOf(from)} ${relation} ${nameOf(to)}`,
    ),
  }
}

function nameOf({ type, name }: EntityRef): string {
  return `${type}:${name}`
}

function measureHalf(half: LabelledEntry['half']) {
  const counts = new Map(GROUPS.map(group => [group as string, { expected: 0, found: 0, right: 0 }]))
  for (const entry of ofHalf(half)) {
    const { entities, relations } = extract(entry.text)
    const typeOf = (name: string) => name.slice(0, name.indexOf(':'))
    for (const type of ENTITY_TYPES) {
      const mine = (names: readonly string[]) => names.filter(name => typeOf(name) === type)
      count(counts.get(type), mine(entry.entities), mine(entities))
    }
    count(counts.get('all entities'), entry.entities, entities)
    count(counts.get('relations'), entry.relations, relations)
  }
  return Object.fromEntries([...counts].map(([group, each]) => [group, figuresOf(each)]))
}

function count(into: Count | undefined, expected: readonly string[], found: readonly string[]): void {
  if (into === undefined) throw new Error('a group without a count')
  into.expected += expected.length
  into.found += found.length
  into.right += found.filter(name => expected.includes(name)).length
}

function figuresOf({ expected, found, right }: Count) {
  const precision = found === 0 ? 1 : right / found
  const recall = expected === 0 ? 1 : right / expected
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  return {
    expected,
    found,
    right,
    precision: roundTo(3, precision),
    recall: roundTo(3, recall),
    f1: roundTo(3, f1),
  }
}

/** What to look at when the rules are tuned: never of the held-out half. */
function missesOf(half: 'dev'): string[] {
  return ofHalf(half).flatMap(entry => {
    const { entities, relations } = extract(entry.text)
    const found = [...entities, ...relations]
    const expected = [...entry.entities, ...entry.relations]
    const missed = expected.filter(name => !found.includes(name)).map(name => `- ${name}`)
    const wrong = found.filter(name => !expected.includes(name)).map(name => `+ ${name}`)
    return missed.length + wrong.length === 0
      ? []
      : [`${entry.text.slice(0, 70)}…\n    ${[...missed, ...wrong].join('\n    ')}`]
  })
}
