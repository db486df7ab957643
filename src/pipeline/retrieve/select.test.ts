import { expect, it } from 'vitest'
import { FLOORS, floorFor } from './select.ts'

const given = { isGeneral: false, hasMeaning: true, knownShare: 1 }

it('asks more of the best item the fewer words of a question the memory knows', () => {
  expect(floorFor({ ...given, kind: 'question' }).best).toBeCloseTo(0.13)
  expect(floorFor({ ...given, kind: 'question', knownShare: 0 }).best).toBeCloseTo(0.2)
  expect(floorFor({ ...given, kind: 'question', isGeneral: true }).best).toBe(FLOORS.general)
})

it('asks for nearness in meaning in a session, and for words in common where there is no meaning', () => {
  expect(floorFor({ ...given, kind: 'session' })).toMatchObject({ relevance: 0.33, near: { meaning: 0.3 } })
  expect(floorFor({ ...given, kind: 'session', hasMeaning: false }).shared?.count).toBe(2)
  expect(floorFor({ ...given, kind: 'command' }).shared?.count).toBe(1)
  expect(floorFor({ ...given, kind: 'question' }).shared).toBeUndefined()
})
