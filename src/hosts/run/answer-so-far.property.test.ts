import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { answerSoFar } from './answer-so-far.ts'

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
const KEY = `-----BEGIN ${'RSA PRIVATE KEY'}-----\nMIIEpAIBAAKCAQEA7${'x'.repeat(60)}\n${'y'.repeat(64)}\n-----END ${'RSA PRIVATE KEY'}-----\n`

function tell(text: string, sizes: readonly number[], clean: (text: string) => string): string[] {
  const answer = answerSoFar(clean)
  const pieces: string[] = []
  let at = 0
  for (let n = 0; at < text.length; n++) {
    const size = sizes[n % sizes.length] ?? 1
    pieces.push(...answer.add(text.slice(at, at + size)))
    at += size
  }
  const { pieces: last, message } = answer.finish()
  expect(message).toBe(text)
  expect(answer.shown()).toBe([...pieces, ...last].join(''))
  return [...pieces, ...last]
}

const SIZES = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 })

describe('an answer that comes in pieces', () => {
  it('is the text, however it is cut', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2_000, unit: 'binary' }), SIZES, (text, sizes) => {
        expect(tell(text, sizes, each => each).join('')).toBe(text)
      }),
    )
  })

  it('never tells a secret, wherever its pieces end', () => {
    const words = fc.constantFrom(
      'The key is ',
      'see below. ',
      `${TOKEN} `,
      `${TOKEN}\n`,
      '\n',
      KEY,
      'and so on. ',
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), SIZES, (parts, sizes) => {
        const told = tell(parts.join(''), sizes, text => redact(text).text).join('')
        expect(told).not.toContain(TOKEN.slice(0, 20))
        expect(told).not.toContain('yyyyyyyy')
      }),
    )
  })

  it('is told line by line, and a long line sentence by sentence', () => {
    const long = 'A sentence that says a little more than the one before it, so that it is quite long. '
    expect(tell(`One.\nTwo. Three.\n${long}${long}End`, [7], each => each)).toEqual([
      'One.\n',
      'Two. Three.\n',
      long,
      long,
      'End',
    ])
  })

  it('has a blank line between two messages, and none before the first', () => {
    const answer = answerSoFar(text => text)
    answer.add('First.')
    answer.finish()
    answer.add('Second.\n')
    answer.finish()
    expect(answer.shown()).toBe('First.\n\nSecond.\n')
  })
})
