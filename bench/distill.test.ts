import { describe, expect, it } from 'vitest'
import { distil } from '../src/pipeline/distill/distil.ts'
import { type Labelled, measure, ownSample, secondSample, seedPatterns } from './distill.ts'

const orchard: Labelled = {
  name: 'orchard',
  messages: [
    { role: 'user', text: 'We decided to pick pears first.' },
    { role: 'user', text: 'is it important to pick pears first?' },
    { role: 'agent', text: 'Apples fall when it rains.' },
  ],
  gold: [
    { message: 0, category: 'decisions', gist: 'pears first' },
    { message: 2, category: 'lessons', gist: 'apples fall' },
  ],
  traps: [{ message: 1, text: 'is it important' }],
}

it('counts a finding by its message and its category', () => {
  expect(measure([orchard], seedPatterns)).toEqual({
    precision: 0.5,
    recall: 0.5,
    f1: 0.5,
    junk: 0.5,
    trapsStored: 1,
    findings: 2,
    right: 1,
    gold: 2,
    traps: 1,
  })
})

it('counts the right message with the wrong category neither as right nor as junk', () => {
  const wrong = () => [{ message: 2, category: 'tasks', text: 'Apples fall' }]
  expect(measure([orchard], wrong)).toMatchObject({ precision: 0, junk: 0, trapsStored: 0 })
})

describe.each([
  ['our own sample', ownSample],
  ['the second sample', secondSample],
] as const)('%s', (_, sample) => {
  it.each(['dev', 'held-out'] as const)('is distilled well: %s', half => {
    const { precision, recall, trapsStored } = measure(
      sample(half),
      ({ messages }) => distil(messages).findings,
    )
    expect(precision).toBeGreaterThanOrEqual(0.7)
    expect(recall).toBeGreaterThanOrEqual(0.7)
    expect(trapsStored).toBeLessThanOrEqual(0.1)
  })
})
