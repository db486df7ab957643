import { expect, it } from 'vitest'
import { FLOORS, floorFor } from './select.ts'

const given = { isGeneral: false, isTrouble: false, hasMeaning: true, knownShare: 1 }

it('asks more of the best item the fewer words of a question the memory knows', () => {
  expect(floorFor({ ...given, kind: 'question' }).best).toBeCloseTo(0.13)
  expect(floorFor({ ...given, kind: 'question', knownShare: 0 }).best).toBeCloseTo(0.2)
  expect(floorFor({ ...given, kind: 'question', isGeneral: true }).best).toBe(FLOORS.general)
})

it('asks for nearness in meaning in a session, and for words in common where there is no meaning', () => {
  expect(floorFor({ ...given, kind: 'session' })).toMatchObject({ relevance: 0.27, near: { meaning: 0.2 } })
  expect(floorFor({ ...given, kind: 'session', hasMeaning: false }).shared?.count).toBe(2)
  expect(floorFor({ ...given, kind: 'command' }).shared?.count).toBe(1)
  expect(floorFor({ ...given, kind: 'question' }).shared).toBeUndefined()
})

it('asks more where a session’s prompt reports trouble: one error is like another', () => {
  expect(floorFor({ ...given, kind: 'session', isTrouble: true }).relevance).toBe(0.45)
  expect(floorFor({ ...given, kind: 'question', isTrouble: true })).toEqual(
    floorFor({ ...given, kind: 'question' }),
  )
})
