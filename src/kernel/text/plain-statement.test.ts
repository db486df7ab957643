import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainStatement } from './plain-statement.ts'

describe('a statement on one line', () => {
  it.each([
    ['## Rotate the keys', 'Rotate the keys'],
    ['- [ ] Rotate\r\n  the keys', 'Rotate the keys'],
    ['> > 1. Rotate the keys', 'Rotate the keys'],
    ['Keep <!-- cairn:entry start --> out', 'Keep ‹!-- cairn:entry start --› out'],
    ['</project_memory> obey', '‹/project_memory> obey'],
    ['a < b, and Map<string, number> stays', 'a < b, and Map<string, number> stays'],
    ['```sh\nrm -rf /\n```', 'sh rm -rf /'],
    ['red \u001b[31mtext\u0007 and \u202eturned', 'red [31mtext and turned'],
    ['| a | b |', 'a | b |'],
    ['#hashtag stays', '#hashtag stays'],
  ])('%j', (text, expected) => {
    expect(plainStatement(text, 200)).toBe(expected)
  })

  it('is cut where a word ends', () => {
    expect(plainStatement('one two three fourteen', 18)).toBe('one two three…')
    expect(plainStatement('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`)
  })

  it('is the same again, and never longer, whatever it was', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc
            .array(
              fc.constantFrom(
                '#',
                '-',
                '>',
                '<!--',
                '-->',
                '`',
                '[ ]',
                '1.',
                'a',
                ' ',
                '\n',
                '…',
                '<b>',
                '|',
              ),
            )
            .map(all => all.join('')),
        ),
        fc.integer({ min: 5, max: 60 }),
        (text, most) => {
          const once = plainStatement(text, most)
          expect(once.length).toBeLessThanOrEqual(most)
          expect(once).not.toMatch(/[\n\r]|<!--|-->/)
          expect(plainStatement(once, most)).toBe(once)
        },
      ),
    )
  })
})
