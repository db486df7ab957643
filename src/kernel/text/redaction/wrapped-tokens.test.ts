import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

/** Written in two parts so that no scanner of this repository takes the made-up tokens for real ones. */
const GITHUB = ['ghp', 'aK3mZ8qL1xW7vT5nR2bY9cD4eF6gH0jS1uPo'].join('_')
const JWT = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiI0MiJ9', 'x9QmTz4LkPw2RsVb8YdEfGh1'].join('.')

describe('tokens that were broken over lines', () => {
  it.each([
    ['a line break', `key ${GITHUB.slice(0, 20)}\n${GITHUB.slice(20)} end`],
    ['an early line break', `key ${GITHUB.slice(0, 9)}\n${GITHUB.slice(9)} end`],
    ['an indent', `key ${GITHUB.slice(0, 20)}\r\n    ${GITHUB.slice(20)} end`],
    ['two line breaks', `key ${GITHUB.slice(0, 12)}\n${GITHUB.slice(12, 25)}\n${GITHUB.slice(25)} end`],
    ['a quoted mail', `> key ${GITHUB.slice(0, 20)}\n> ${GITHUB.slice(20)} end`],
    ['joined strings', `"key ${GITHUB.slice(0, 20)}" +\n  "${GITHUB.slice(20)} end"`],
  ])('removes all of a token with %s in it', (_, text) => {
    const out = redact(text).text
    expect(out).toContain('key [redacted:github_token] end')
  })

  it('removes a JSON web token that a terminal wrapped', () => {
    expect(redact(`${JWT.slice(0, 30)}\n${JWT.slice(30, 60)}\n${JWT.slice(60)}`).text).toBe('[redacted:jwt]')
  })

  it('keeps the line after a whole token', () => {
    expect(redact(`${GITHUB}\nretrying in 5 seconds`).text).toBe(
      '[redacted:github_token]\nretrying in 5 seconds',
    )
    expect(redact(`${GITHUB}\n2026-03-16 retrying`).text).toBe('[redacted:github_token]\n2026-03-16 retrying')
  })

  it('keeps lines of prose and code', () => {
    const text =
      'src/components/\nUserProfileV2.tsx uses sk-\nlearn and ghp_\nis the prefix of GitHub2 tokens'
    expect(redact(text)).toEqual({ text, redacted: [] })
  })
})

describe('text with invisible characters', () => {
  it('finds a token that has zero-width characters in it, and removes them with it', () => {
    const hidden = `${GITHUB.slice(0, 10)}\u200b${GITHUB.slice(10, 20)}\u2060${GITHUB.slice(20)}`
    expect(redact(`key \ufeff${hidden} end`)).toEqual({
      text: 'key \ufeff[redacted:github_token] end',
      redacted: [{ type: 'github_token', line: 1, column: 6, length: 42 }],
    })
  })

  it('finds a password behind a name with a soft hyphen', () => {
    expect(redact('pass\u00adword=Xk9vTz').text).toBe('pass\u00adword=[redacted:password]')
  })

  it('keeps emoji and text that has nothing to hide', () => {
    const text = 'done \u2764\ufe0f and \u{1f468}\u200d\u{1f4bb}'
    expect(redact(text)).toEqual({ text, redacted: [] })
  })
})
