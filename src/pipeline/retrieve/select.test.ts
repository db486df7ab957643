import { expect, it } from 'vitest'
import { FLOORS, floorFor } from './select.ts'

const given = { isGeneral: false, hasMeaning: true, knownShare: 1 }

it('asks more of the best item the fewer words of a question the memory knows', () => {
  expect(floorFor({ ...given, kind: 'question' }).best).toBeCloseTo(0.13)
  expect(floorFor({ ...given, kind: 'question', knownShare: 0 }).best).toBeCloseTo(0.2)
  expect(floorFor({ ...given, kind: 'question', isGeneral: true }).best).toBe(FLOORS.general)
})

it('asks for words in common in a session and for a command, and not of a question', () => {
  expect(floorFor({ ...given, kind: 'session' }).shared?.count).toBe(2)
  expect(floorFor({ ...given, kind: 'command' }).shared?.count).toBe(1)
  expect(floorFor({ ...given, kind: 'question' }).shared).toBeUndefined()
})
