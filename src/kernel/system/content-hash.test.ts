import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contentHash, textHash } from './content-hash.ts'

it('a text has the hash of its bytes', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), text => {
      expect(textHash(text)).toBe(contentHash(new TextEncoder().encode(text)))
    }),
  )
})
