import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { REDACTION_TYPES } from './placeholder.ts'
import { redact } from './redact.ts'

/** Parts that make the detectors meet: names, separators, quotes, token heads, walls. */
const PIECES = [
  'password',
  'senha',
  'token',
  'api_key',
  'SECRET_KEY',
  '=',
  ': ',
  ' is ',
  ' é ',
  '"',
  "'",
  '`',
  '\\"',
  '\n',
  '\\n',
  ' ',
  '  ',
  '://',
  'https://',
  'postgres://',
  'user:',
  '@',
  'host.com',
  '/',
  '.',
  ',',
  ';',
  '&',
  '-',
  '_',
  'AKIA',
  'ghp_',
  'sk-',
  'eyJ',
  'aK3mZ8qL1xW7vT5nR2bY9cD4',
  'hunter2',
  'Xk9#vTz!2',
  'Q7ZLM2X9RTW4KPB8',
  'ana',
  'the',
  'curl -u ',
  'mysql -p',
  'Authorization: Bearer ',
  'Basic ',
  'YWRtaW46aHVudGVyMg=',
  'cookie: ',
  '-----BEGIN PRIVATE KEY-----',
  '-----END PRIVATE KEY-----',
  'MIIEaK3mZ8qL1xW7vT5n',
  '[redacted:',
  '[redacted:email]',
  ']',
  '<',
  '>',
  '$',
  '{',
  '}',
  'data:image/png;base64,',
  'é',
  '\u{1f511}',
  '\ud800',
]
const text = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map(pieces => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 200 }),
)

describe('redact', () => {
  it('says where each secret stood, in the original text, and how long it was', () => {
    const original = 'first line\n  password=hunter2 and\r\nana@shop.com, Bearer 8d7f6a5b4c3d2e1f\n'
    expect(redact(original)).toEqual({
      text: 'first line\n  password=[redacted:password] and\r\n[redacted:email], Bearer [redacted:authorization]\n',
      redacted: [
        { type: 'password', line: 2, column: 12, length: 7 },
        { type: 'email', line: 3, column: 1, length: 12 },
        { type: 'authorization', line: 3, column: 22, length: 16 },
      ],
    })
  })

  it('removes what is certain, whatever is allowed', () => {
    const allow = [/.*/, /(?:)/]
    const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
    const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA1234567890\n-----END RSA PRIVATE KEY-----'
    for (const [text, type] of [
      [`use ${token}`, 'github_token'],
      [`token=${token}`, 'github_token'],
      [key, 'private_key'],
      ['postgres://ana:hunter2@db.local/shop', 'connection_string'],
      ['https://ana:hunter2@shop.local/', 'connection_string'],
      ['mysql -u root -phunter2pass shop', 'password'],
    ] as const) {
      const { redacted } = redact(text, { allow })
      expect([text, redacted.map(one => one.type)]).toEqual([text, [type]])
    }
    const guesses = 'password=hunter2 ana@shop.com kX9vQ2mL7pR4tY8wZ1nB5cD3'
    expect(redact(guesses, { allow }).text).toBe(guesses)
  })

  it('leaves what the caller allows', () => {
    const allow = [/^hunter2$/, /@shop\.com$/g]
    expect(redact('password=hunter2 ana@shop.com bob@else.com', { allow }).text).toBe(
      'password=hunter2 ana@shop.com [redacted:email]',
    )
  })

  it('covers all of two secrets that overlap', () => {
    expect(redact('password=x1ana@shop.com').text).toBe('password=[redacted:password]')
  })

  it('does not take an unknown type for a placeholder', () => {
    expect(redact('see [redacted:AKIAQ7ZLM2X9RTW4KPB8]').text).toBe(
      'see [redacted:[redacted:aws_access_key]]',
    )
  })

  it('keeps every placeholder that is already there', () => {
    const text = REDACTION_TYPES.map(type => `password=[redacted:${type}]`).join('\n')
    expect(redact(text)).toEqual({ text, redacted: [] })
  })

  it('finds a secret that only shows once its neighbour is gone', () => {
    const glued = `https://x.io/${'dapi'}0f1e2d3c4b5a69788796a5b4c3d2e1f0AKIAQ7ZLM2X9RTW4KPB8`
    expect(redact(glued).text).toBe('https://x.io/[redacted:databricks_token][redacted:aws_access_key]')
  })

  it('changes nothing on a second pass', () => {
    fc.assert(
      fc.property(text, input => {
        const once = redact(input).text
        expect(redact(once)).toEqual({ text: once, redacted: [] })
      }),
      { numRuns: 3000 },
    )
  })

  it('reports positions that, cut out of the original, give the redacted text', () => {
    fc.assert(
      fc.property(text, input => {
        const { text: output, redacted } = redact(input)
        const lineStarts = [0, ...Array.from(input.matchAll(/\n/g), match => match.index + 1)]
        let rebuilt = ''
        let kept = 0
        for (const { type, line, column, length } of redacted) {
          const start = (lineStarts[line - 1] ?? 0) + column - 1
          rebuilt += `${input.slice(kept, start)}[redacted:${type}]`
          kept = start + length
        }
        expect(rebuilt + input.slice(kept)).toBe(output)
      }),
      { numRuns: 1000 },
    )
  })

  it('reports nothing but type, place and length', () => {
    const { redacted } = redact('password=hunter2')
    expect(redacted.map(entry => Object.keys(entry))).toEqual([['type', 'line', 'column', 'length']])
    expect(JSON.stringify(redacted)).not.toContain('hunter2')
  })
})

describe('a secret that a text gives away in one place', () => {
  const value = 'ze1z7svucm5z17kyizcve7gin44socz5'

  it('is removed where nothing says what it is', () => {
    expect(redact(`token = '${value}'\ncurl https://api.shop.io/${value}/items\n${value}`).text).toBe(
      "token = '[redacted:token]'\ncurl https://api.shop.io/[redacted:token]/items\n[redacted:token]",
    )
    expect(redact(`It says ${value}. The token is ${value}!`).text).toBe(
      'It says [redacted:token]. The token is [redacted:token]',
    )
  })

  it('is reported for each place', () => {
    expect(redact(`x ${value}\ntoken=${value}`).redacted).toEqual([
      { type: 'token', line: 1, column: 3, length: 32 },
      { type: 'token', line: 2, column: 7, length: 32 },
    ])
  })

  it('leaves a word that a text uses as a password', () => {
    expect(redact('DB_PASSWORD=postgres\nimage: postgres').text).toBe(
      'DB_PASSWORD=[redacted:password]\nimage: postgres',
    )
  })
})

describe('redact on hostile text', () => {
  it('gives up what is left of a stretch that shows a new secret in every round', () => {
    const chain = `${'dapi'}0f1e2d3c4b5a69788796a5b4c3d2e1f0`.repeat(9)
    expect(redact(`https://x.io/${chain}`).text).toBe(
      `https://x.io/${'[redacted:databricks_token]'.repeat(6)}[redacted:unsafe_text]`,
    )
  })
})
