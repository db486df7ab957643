import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'
import { serviceFormats } from './token-formats.ts'
import { TOKEN_RULES } from './token-rules.ts'

/** The beginnings of the rules: the literal start of each token's pattern, and the names, marks and separators of the others. */
const TOKEN_PREFIXES = [
  ...serviceFormats().map(({ prefix }) => prefix),
  ...TOKEN_RULES.map(({ pattern }) => /^[\w-]+/.exec(pattern.source.replace(/^[^A-Za-z]*/, ''))?.[0] ?? 'x'),
]
const NAMES =
  'password secret token api_key A_KEY PW pat pin senha contraseña Passwort mot_de_passe clave db_pass Authorization cookie bearer basic login user'.split(
    ' ',
  )
const SEPARATORS = [
  '=',
  ': ',
  ' is ',
  ' to ',
  ' auf ',
  '="',
  "='",
  ':\n  ',
  ': |\n  ',
  ' | ',
  '**: ',
  '>',
  '(',
  '", "',
  ' for the a b c d e is ',
]
const VALUES = [
  '',
  'a',
  'aB3',
  '1',
  'aK3mZ8qL1xW7vT5nR2bY9cD4',
  ',a=',
  ';a',
  '&a',
  '<',
  "'",
  '"',
  '\\',
  '|',
  '\u200b',
]
const PLACES = [
  'a@',
  'a@a.',
  '/a@b.com/',
  '://',
  'a://b:c/@d',
  '-----BEGIN PRIVATE KEY-----',
  'curl -u a:',
  'mysql -p',
  'docker login -p ',
  'h:1:d:u:p',
  'bob:',
  'kind: Secret\ndata:\n  a: b\n',
  '{"kind":"Secret","data":{"a":"',
  '| a | password |\n|---|---|\n',
  'a,password\n',
  '4539 ',
  '4539578763621486 ',
  'BR15 0000 ',
  '+55 11 9',
  'tel ',
  '529.982.247-',
  'data:image;base64,',
  '123456789012345|',
  'heroku=',
  'heroku aB3cD4 ',
  'Qm',
  '0x',
  'a\n',
  'ghp_aB3\n',
  '"aB3c" +\n"',
  '\ufeff',
]

/** Beginnings of single rules, at the length of a long message and ten times that. */
const LONG_UNITS = [
  'a',
  'aB3',
  ' ',
  '\n',
  '-',
  'a.',
  'a/',
  '"',
  '\\',
  'password=',
  'password="',
  'password is ',
  'password for a a a a ',
  'pwd=a;',
  'a@',
  'a@a.',
  '://',
  'a://b:c/@d',
  'eyJa-',
  'eyJaaaaaaaaa.',
  'sk-',
  'ghp_',
  'SG.aaaaaaaaaaaaa',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAA\n',
  'mysql ',
  'curl -u a:',
  'authorization: ',
  'cookie: ',
  'login a password b ',
  'credentials: a / ',
  '[redacted:',
  '[redacted:email]',
  'data:image;base64,',
  'AKIAQ7ZLM2X9RTW4KPB8',
  'x9QmTz4LkPw2RsVb8YdEfGh1.',
  'password\n value:',
  'password" {default',
  'password>',
  '12345678:',
  'password (a ',
]
const LONG_LENGTH = 50_000
const LONG_GROWTH = 10

const LENGTH = 4_096
const GROWTH = 4
/** A text n times as long may take n times as long; the slack is for a busy machine. */
const SLACK = 3
const SLACK_MS = 60

function elapsedMs(unit: string, length: number): number {
  const text = unit.repeat(Math.ceil(length / unit.length))
  const once = () => {
    const start = process.cpuUsage().user
    redact(text)
    return (process.cpuUsage().user - start) / 1_000
  }
  return Math.min(once(), once())
}

/** The time is that of the whole process, in which other tests run: linear code passes in one of a few tries, other code in none. */
const MAX_TRIES = 6

function expectLinear(unit: string, length = LENGTH, growth = GROWTH): void {
  const tries: string[] = []
  while (tries.length < MAX_TRIES) {
    const short = elapsedMs(unit, length)
    const long = elapsedMs(unit, growth * length)
    if (long < growth * SLACK * short + SLACK_MS) return
    tries.push(`${short.toFixed(1)} ms, then ${long.toFixed(1)} ms`)
  }
  expect.fail(`${JSON.stringify(unit)}: ${tries.join('; ')}`)
}

describe('the time that redaction takes', () => {
  it('grows with the length of a text that repeats the beginning of any token', () => {
    for (const prefix of new Set(TOKEN_PREFIXES)) expectLinear(prefix)
  })

  it('grows with the length of a text that repeats any name and separator', () => {
    for (const name of NAMES) for (const separator of SEPARATORS) expectLinear(name + separator)
  })

  it('grows with the length of a text that repeats any place of a secret', () => {
    for (const place of PLACES) expectLinear(place)
  })

  it('grows with the length of a text that repeats beginnings put together', () => {
    const unit = fc
      .array(fc.constantFrom(...TOKEN_PREFIXES, ...NAMES, ...SEPARATORS, ...VALUES, ...PLACES), {
        minLength: 1,
        maxLength: 5,
      })
      .map(parts => parts.join(''))
      .filter(joined => joined !== '')
    fc.assert(
      fc.property(unit, joined => expectLinear(joined)),
      { numRuns: 150 },
    )
  })

  it.each(LONG_UNITS)('grows with the length of a long text of %j', unit => {
    expectLinear(unit, LONG_LENGTH, LONG_GROWTH)
  })

  it('grows with the length of 64 KB of names that nothing follows', () => {
    expect(elapsedMs('A_KEY=', 65_400)).toBeLessThan(3_000)
  })
})
