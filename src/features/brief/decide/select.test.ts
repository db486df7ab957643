import { expect, it } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import { FLOORS, floorFor, selectEntries } from './select.ts'

const given = { isGeneral: false, isTrouble: false, hasMeaning: true, knownShare: 1 }

it('asks more of the best item the fewer words of a question the memory knows', () => {
  expect(floorFor({ ...given, kind: 'question' }).best).toBeCloseTo(0.13)
  expect(floorFor({ ...given, kind: 'question', knownShare: 0 }).best).toBeCloseTo(0.2)
  expect(floorFor({ ...given, kind: 'question', isGeneral: true }).best).toBe(FLOORS.general)
})

it('asks for meaning and words that agree in a session, and for words alone where there is no meaning', () => {
  expect(floorFor({ ...given, kind: 'session' })).toMatchObject({ agreement: { first: 0.45 } })
  expect(floorFor({ ...given, kind: 'session', hasMeaning: false }).shared?.count).toBe(2)
  expect(floorFor({ ...given, kind: 'command' }).shared?.count).toBe(1)
  expect(floorFor({ ...given, kind: 'question' }).shared).toBeUndefined()
})

it('asks more where a session’s prompt reports trouble: one error is like another', () => {
  expect(floorFor({ ...given, kind: 'session', isTrouble: true }).agreement?.first).toBeCloseTo(0.55)
  expect(floorFor({ ...given, kind: 'question', isTrouble: true })).toEqual(
    floorFor({ ...given, kind: 'question' }),
  )
})

it('takes an item in a session where words and meaning agree, not for one of them alone, and a second only with more', () => {
  const items: Record<string, { meaning: number; worth: number; words?: number }> = {
    both: { meaning: 0.4, worth: 2 },
    second: { meaning: 0.38, worth: 2 },
    good: { meaning: 0.5, worth: 2 },
    meaning: { meaning: 0.44, worth: 0 },
    words: { meaning: 0.05, worth: 6 },
    covered: { meaning: 0.1, worth: 2, words: 0.6 },
  }
  const considered = selectEntries({
    ranked: Object.entries(items).map(([id, { meaning, worth, words = 0.2 }]) => ({
      ...{ id, score: 0.4, words, meaning },
      shared: { count: 2, worth },
    })),
    entryById: new Map(
      Object.keys(items).map(id => [id, { id, date: '2026-03-16T10:00', files: [] } as unknown as Entry]),
    ),
    context: {
      nowMs: Date.parse('2026-03-17T10:00Z'),
      activeFiles: [],
      kindWeights: {},
      accessCountOf: () => 0,
      importanceOf: () => 0.5,
      feedbackOf: () => ({ useful: 0, wrong: 0 }),
      hasDrifted: () => false,
      planStatusOf: () => undefined,
    },
    floor: floorFor({ ...given, kind: 'session' }),
    topK: 15,
  })
  expect(Object.fromEntries(considered.map(({ entry, cut }) => [entry.id, cut]))).toEqual({
    both: undefined,
    second: 'too little in common',
    good: undefined,
    meaning: 'too little in common',
    words: 'too little in common',
    covered: undefined,
  })
})
