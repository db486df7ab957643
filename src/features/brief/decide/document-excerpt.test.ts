import { expect, it } from 'vitest'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import { documentExcerpt } from './document-excerpt.ts'

const FILLER = 'The numbers are looked at again each week. '.repeat(40)

it('tells a short text whole', () => {
  expect(documentExcerpt('Keys\n\nRotate them.', () => 'unasked')).toBe('Keys\n\nRotate them.')
})

it('tells of a long text its beginning, and the place that is asked for where that is further on', () => {
  const late = documentExcerpt(`Quarter\n\n${FILLER}`, () => '…the zebra gateway…')
  expect(late.startsWith('Quarter')).toBe(true)
  expect(late.endsWith('…the zebra gateway…')).toBe(true)
  const early = documentExcerpt(`Quarter\n\n${FILLER}`, () => 'Quarter The numbers are looked at…')
  expect(early.endsWith('[…]')).toBe(true)
  for (const text of [late, early]) expect(estimateTokens(text)).toBeLessThan(135)
})
