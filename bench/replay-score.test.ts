import { expect, it } from 'vitest'
import { indexVerdicts, promptFigures, type RunTotals, scoreKey, sharesOf } from './replay-score.ts'
import type { KeyRow } from './replay-sheet.ts'

const TOTALS: RunTotals = {
  sessions: 4,
  prompts: 10,
  silentPrompts: 6,
  answeredSessions: 2,
  maxWaiting: 3,
}
const NONE = new Map<string, string>()

const entry = (id: string, more: Partial<KeyRow> = {}): KeyRow => ({
  id,
  what: 'entry',
  project: 'pottery',
  injectable: true,
  writer: 'rule',
  ...more,
})
const promptItem = (id: string, prompt: number, label?: string): KeyRow => ({
  id,
  what: 'prompt item',
  project: 'pottery',
  session: 's1',
  prompt,
  label,
})

it('lets a judged sample stand for everything without a label', () => {
  const rows = [
    entry('a', { label: 'good' }),
    entry('b', { label: 'junk' }),
    ...['c', 'd', 'e', 'f'].map(id => entry(id)),
  ]
  const verdicts = new Map([
    ['c', 'good'],
    ['d', 'junk'],
  ])
  expect(sharesOf(rows, verdicts)).toEqual({
    total: 6,
    labelled: 2,
    judged: 2,
    unjudged: 2,
    counts: { good: 2, junk: 2 },
    shares: { good: 0.5, weak: 0, junk: 0.5 },
  })
  const allGood = new Map([['c', 'good']])
  // 1 labelled good, and 4 without a label of which the sample says all are good.
  expect(sharesOf(rows, allGood).shares).toEqual({ good: 0.833, weak: 0, junk: 0.167 })
})

it('gives no share where nothing is labelled or judged', () => {
  expect(sharesOf([entry('a')], NONE)).toMatchObject({ total: 1, unjudged: 1, shares: null })
  expect(sharesOf([], NONE)).toMatchObject({ total: 0, shares: null })
})

it('counts a prompt only when all of its items have a verdict', () => {
  const rows = [
    promptItem('a', 0, 'noise'),
    promptItem('b', 0),
    promptItem('c', 1, 'neutral'),
    promptItem('d', 1, 'noise'),
    promptItem('e', 2, 'helpful'),
    promptItem('f', 3, 'noise'),
  ]
  expect(promptFigures(rows, NONE, TOTALS)).toEqual({
    judgedPrompts: 3,
    promptsWithItems: 4,
    withHelpful: 1,
    nothingHelpful: 2,
    onlyNoise: 1,
    // Two of three judged prompts, times the four of ten that got items.
    nothingHelpfulShare: 0.267,
    answerable: 0,
    answered: 0,
  })
})

it('counts the prompts for which memory had the right entry, silent ones included', () => {
  const whole = (id: string, prompt: number): KeyRow => ({
    id,
    what: 'prompt as a whole',
    project: 'pottery',
    session: 's1',
    prompt,
  })
  const rows = [promptItem('a', 0, 'helpful'), whole('w0', 0), whole('w1', 1), whole('w2', 2), whole('w3', 3)]
  const verdicts = new Map([
    ['w0', 'complete'],
    ['w1', 'lacking'],
    ['w2', 'complete'],
  ])
  expect(promptFigures(rows, verdicts, TOTALS)).toMatchObject({ answerable: 2, answered: 1 })
})

it('scores one handoff once, however often it was shown', () => {
  const handoff = (id: string, label?: string): KeyRow => ({ id, what: 'handoff', project: 'pottery', label })
  const key = [handoff('a', 'useful'), handoff('a', 'useful'), handoff('b', 'useless')]
  expect(scoreKey(key, NONE, TOTALS).groups['handoffs at a start']).toMatchObject({
    total: 2,
    counts: { useful: 1, useless: 1 },
  })
})

it('holds only judged figures against the goals', () => {
  const key = [
    entry('a', { writer: 'agent' }),
    entry('b', { writer: 'agent' }),
    entry('c', { label: 'good' }),
  ]
  const { checks } = scoreKey(key, new Map([['a', 'good']]), TOTALS)
  expect(checks).toEqual([
    {
      what: 'replay: entries, injectable, by the agent, good',
      value: 1,
      goal: { kind: 'at least', value: 0.85 },
      met: true,
    },
    {
      what: 'replay: entries by the agent for each answered session',
      value: 1,
      goal: { kind: 'at least', value: 1.5 },
      met: false,
    },
    {
      what: 'replay: entries, injectable, by others, good',
      value: 1,
      goal: { kind: 'at least', value: 0.75 },
      met: true,
    },
    {
      what: 'replay: entries, injectable, by others, junk',
      value: 0,
      goal: { kind: 'at most', value: 0.08 },
      met: true,
    },
    {
      what: 'replay: suggestions waiting in one project',
      value: 3,
      goal: { kind: 'at most', value: 30 },
      met: true,
    },
  ])
})

it('refuses a verdict that the rubric does not have', () => {
  expect(() =>
    indexVerdicts([{ id: 'a', verdict: 'helpful' }], [entry('a', { what: 'suggestion' })]),
  ).toThrow('the verdict for a suggestion is good, weak, junk, not helpful')
  expect(indexVerdicts([{ id: 'of another run', verdict: 'fine' }], [entry('a')]).size).toBe(1)
})
