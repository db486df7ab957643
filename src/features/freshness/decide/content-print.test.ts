import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPrint, judgePrint, makePrint, nameHashes, profileOf, resemblance } from './content-print.ts'
import { wordHashes } from './file-words.ts'

const encode = (text: string) => profileOf({ kind: 'whole', bytes: new TextEncoder().encode(text) })
const judge = (before: string, after: string, about = '') =>
  judgePrint(makePrint(encode(before), about), encode(after), about)

const SESSION = `import { connect } from './redis.ts'
import type { Logger } from './log.ts'

const ONE_HOUR_MS = 3_600_000

export interface Session {
  readonly id: string
  readonly user: string
  readonly expires: number
}

/** Keeps sessions in Redis, so that any worker can answer. */
export class SessionStore {
  constructor(readonly logger: Logger) {}

  async open(user: string): Promise<Session> {
    const client = await connect()
    const session = { id: crypto.randomUUID(), user, expires: Date.now() + ONE_HOUR_MS }
    await client.set('session:' + session.id, JSON.stringify(session))
    this.logger.info('opened', session.id)
    return session
  }

  async find(id: string): Promise<Session | undefined> {
    const client = await connect()
    const text = await client.get('session:' + id)
    return text === null ? undefined : JSON.parse(text)
  }
}
`

const REFORMATTED = `import {connect} from "./redis.ts";
import type {Logger} from "./log.ts";
const ONE_HOUR_MS = 3_600_000;
export interface Session { readonly id: string; readonly user: string; readonly expires: number }
/**
 * Keeps sessions in Redis,
 * so that any worker can answer.
 */
export class SessionStore
{
\tconstructor(readonly logger: Logger) {}
\tasync open(user: string): Promise<Session>
\t{
\t\tconst client = await connect();
\t\tconst session = {
\t\t\tid: crypto.randomUUID(),
\t\t\tuser,
\t\t\texpires: (Date.now() + ONE_HOUR_MS),
\t\t};
\t\tawait client.set("session:" + session.id, JSON.stringify(session));
\t\tthis.logger.info("opened", session.id);
\t\treturn session;
\t}
\tasync find(id: string): Promise<Session | undefined>
\t{
\t\tconst client = await connect();
\t\tconst text = await client.get("session:" + id);
\t\treturn text === null ? undefined : JSON.parse(text);
\t}
}
`

const WITH_ANOTHER_FUNCTION = SESSION.replace(
  /\}\n$/,
  `
  async close(id: string): Promise<boolean> {
    const client = await connect()
    const removed = await client.del('session:' + id)
    this.logger.info('closed', id)
    return removed === 1
  }
}
`,
)

const REWRITTEN = `import jwt from 'jsonwebtoken'
import { readKey } from '../keys/rotation.ts'

/** Stateless: whatever is signed by the current key, or the one before it, is good. */
export function issueToken(subject: string, scopes: readonly string[]): string {
  return jwt.sign({ sub: subject, scopes }, readKey('current'), { algorithm: 'EdDSA', expiresIn: '15m' })
}

export function verifyToken(token: string): { sub: string; scopes: string[] } {
  for (const name of ['current', 'previous'] as const) {
    const claims = tryVerify(token, readKey(name))
    if (claims !== undefined) return claims
  }
  throw new Error('the token is not ours')
}

function tryVerify(token: string, key: string) {
  try {
    return jwt.verify(token, key, { algorithms: ['EdDSA'] })
  } catch (error) {
    if (error instanceof jwt.JsonWebTokenError) return undefined
    throw error
  }
}
`

describe('the print of a file', () => {
  it('is short enough for a comment', () => {
    const lengths = [SESSION, REFORMATTED, REWRITTEN, readFileSync(new URL(import.meta.url), 'utf8')].map(
      text => makePrint(encode(text), 'see `SessionStore`').length,
    )
    expect(Math.max(...lengths)).toBeLessThanOrEqual(29)
    expect(isPrint(makePrint(encode(SESSION), 'SessionStore'))).toBe(true)
  })

  it('stays the same across versions: it lies in people’s repositories', () => {
    expect(makePrint(encode(SESSION), 'Sessions: see `SessionStore`.')).toBe('AFby6s3YfFdFEbGtL_iHbSNg.1')
    expect(makePrint(encode(''), '')).toBe('qz58CyA')
    expect(makePrint(profileOf({ kind: 'whole', bytes: Uint8Array.of(1, 0, 2) }), '')).toBe('=3FPKE3FPKE')
  })
})

describe('a file that its entry was anchored to', () => {
  it('is fresh when it was only formatted anew', () => {
    expect(encode(REFORMATTED)).toEqual(encode(SESSION))
    expect(judge(SESSION, REFORMATTED)).toBe('fresh')
  })

  it('is fresh with other line ends and a changed case', () => {
    expect(judge(SESSION, SESSION.replaceAll('\n', '\r\n'))).toBe('fresh')
    expect(judge('SELECT a FROM b WHERE c', 'select a\nfrom b\nwhere c')).toBe('fresh')
  })

  it('is fresh when a function was added, and when it grew to ten times its size', () => {
    expect(judge(SESSION, WITH_ANOTHER_FUNCTION)).toBe('fresh')
    const grown =
      SESSION + Array.from({ length: 300 }, (_, n) => `export const added${n} = other(${n})\n`).join('')
    expect(judge(SESSION, grown)).toBe('fresh')
  })

  it('is fresh when its parts were put in another order', () => {
    const [imports = '', ...rest] = SESSION.split('\n\n')
    expect(judge(SESSION, [imports, ...rest.reverse()].join('\n\n'))).toBe('fresh')
  })

  it('is fresh after a small change in one place', () => {
    expect(judge(SESSION, SESSION.replace('3_600_000', '7_200_000'))).toBe('fresh')
  })

  it('has drifted when it was rewritten, or emptied', () => {
    expect(judge(SESSION, REWRITTEN)).toBe('drifted')
    expect(judge(SESSION, '')).toBe('drifted')
  })

  it('has drifted when what the entry names is gone from it, however small the change', () => {
    const about = 'Sessions expire after `ONE_HOUR_MS`.'
    expect(judge(SESSION, SESSION.replaceAll('ONE_HOUR_MS', 'LIFETIME'), about)).toBe('drifted')
    expect(judge(SESSION, SESSION.replaceAll('Session', 'Visit'), about)).toBe('fresh')
  })

  it('may change further while what the entry names is all still there', () => {
    const about = 'Call connect() and SessionStore, never `client` by hand.'
    const half = `${SESSION.slice(0, SESSION.indexOf('async open'))}}\n${REWRITTEN}\nconst client = connect()`
    expect([judge(SESSION, half, ''), judge(SESSION, half, about)]).toEqual(['drifted', 'fresh'])
  })

  it('that is binary or long has drifted when its ends are not what they were', () => {
    const image = (last: number) =>
      profileOf({ kind: 'whole', bytes: Uint8Array.of(0x89, 0x50, 0, 0, 7, last) })
    expect(judgePrint(makePrint(image(1), ''), image(1), '')).toBe('fresh')
    expect(judgePrint(makePrint(image(1), ''), image(2), '')).toBe('drifted')
    const end = (word: string, lineEnd: string) =>
      new TextEncoder().encode(Array.from({ length: 3_000 }, (_, n) => `${word} ${n}`).join(lineEnd))
    const long = (word: string, lineEnd = '\n') =>
      profileOf({ kind: 'ends', head: end('a', lineEnd), tail: end(word, lineEnd), size: 2_000_000 })
    expect(judgePrint(makePrint(long('b'), ''), long('b', '\r\n'), '')).toBe('fresh')
    expect(judgePrint(makePrint(long('b'), ''), long('c'), '')).toBe('drifted')
  })

  it('is not judged by a print that this version cannot read', () => {
    expect(judgePrint('!!', encode(SESSION), '')).toBeUndefined()
  })

  it('is known again under another name, also after a small change', () => {
    const print = makePrint(encode(SESSION), '')
    expect(resemblance(print, encode(SESSION), false)).toBe(1)
    expect(resemblance(print, encode(WITH_ANOTHER_FUNCTION), false)).toBeGreaterThan(0.75)
    expect(resemblance(print, encode(REWRITTEN), true)).toBe(0)
    const empty = makePrint(encode(''), '')
    expect([resemblance(empty, encode(''), false), resemblance(empty, encode(''), true)]).toEqual([0, 1])
  })
})

describe('any text', () => {
  const word = fc.stringMatching(/^[A-Za-z_$][\w$]{0,11}$/)
  const words = fc.array(word, { maxLength: 200, size: 'large' })

  it('judged against itself is fresh', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (text, about) => judge(text, text, about) === 'fresh'))
    fc.assert(
      fc.property(fc.uint8Array(), bytes => {
        const profile = profileOf({ kind: 'whole', bytes })
        return judgePrint(makePrint(profile, ''), profile, '') === 'fresh'
      }),
    )
  })

  it('formatted anew is fresh', () => {
    const gap = fc.constantFrom(' ', '\n', '\r\n', '\t', ' ( ', ');\n', ' {\n  ', ', ', '"', "'")
    const styled = words.chain(list =>
      fc.tuple(
        fc.constant(list.join(' ')),
        fc
          .array(gap, { minLength: list.length, maxLength: list.length })
          .map(gaps => list.map((word, at) => word + gaps[at]).join('')),
      ),
    )
    fc.assert(fc.property(styled, ([before, after]) => judge(before, after) === 'fresh'))
  })

  it('that only grew is fresh, and one with no word left of it has drifted', () => {
    fc.assert(
      fc.property(
        words,
        words,
        (old, added) => judge(old.join(' '), [...old, ...added].join(' ')) === 'fresh',
      ),
    )
    const other = fc.array(word, { minLength: 30, maxLength: 90 })
    fc.assert(
      fc.property(other, other, (old, next) => {
        const before = old.map(word => `old_${word}`).join(' ')
        return judge(before, next.map(word => `new_${word}`).join(' ')) === 'drifted'
      }),
    )
  })
})

const hashesOf = (name: string) => wordHashes(new TextEncoder().encode(name))

it('finds what only code is written like', () => {
  expect(
    nameHashes('Call retryLimit, MAX_RETRIES or close() and set `brief.reranker`; SessionStore is Fine.'),
  ).toEqual(['brief.reranker', 'retryLimit', 'MAX_RETRIES', 'close', 'SessionStore'].map(hashesOf))
})

it('leaves prose, file names and commands alone', () => {
  expect(nameHashes('We use Redis. See src/auth_store.ts, `package.json` and run `npm run build`.')).toEqual(
    [],
  )
})
