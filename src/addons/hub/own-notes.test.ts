import { expect, it } from 'vitest'
import { composeSemantics } from '../../compose/compose-semantics.ts'
import type { VectorIndex } from '../../features/search/decide/ports.ts'
import { ownNotes } from './own-notes.ts'

it('says of an answer what was noted for it, once, and what is noted for all to the next', () => {
  const shared = composeSemantics({
    vectors: {} as VectorIndex,
    config: () => Promise.reject(new Error('nobody asks')),
    standing: () => Promise.reject(new Error('nobody asks')),
  })
  const [one, other] = [ownNotes(shared), ownNotes(shared)]
  one.note({ code: 'embedder_busy', message: 'Words alone decided.' })
  one.note({ code: 'embedder_busy', message: 'Words alone decided.' })
  shared.note({ code: 'vectors_by_signs', message: 'No pgvector.' })
  expect(other.takeDegraded().map(({ code }) => code)).toEqual(['vectors_by_signs'])
  expect(one.takeDegraded().map(({ code }) => code)).toEqual(['embedder_busy'])
  expect([...one.takeDegraded(), ...other.takeDegraded()]).toEqual([])
})
