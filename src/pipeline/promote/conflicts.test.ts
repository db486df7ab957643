import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CONFLICT, type ConflictEntry, findConflict } from './conflicts.ts'

const entry = (content: string, fields: Partial<ConflictEntry> = {}): ConflictEntry => ({
  content,
  kind: 'decision',
  tags: [],
  files: [],
  date: '2026-01-01T00:00',
  ...fields,
})
const judge = (a: string, b: string) => findConflict({ a: entry(a), b: entry(b) })
const verdict = (a: string, b: string) => {
  const found = judge(a, b)
  return found.conflict ? `${found.type}: ${found.reason.code}` : found.reason.code
}

describe('findConflict', () => {
  it('finds what one says and the other denies', () => {
    expect(verdict('Seed data is loaded in CI.', 'Never load seed data in CI.')).toBe('opposite: negation')
    expect(verdict('Comentários em SQL são proibidos.', 'Use comentários em SQL.')).toBe('opposite: negation')
    expect(verdict('The linter is disabled.', 'The linter is not disabled.')).toBe('opposite: negation')
  })

  it('finds antonyms, and knows that two negations agree', () => {
    expect(verdict('The audit bucket is public.', 'The audit bucket is private.')).toBe('opposite: antonym')
    expect(verdict('A fila de avisos é síncrona.', 'A fila de avisos é assíncrona.')).toBe(
      'opposite: antonym',
    )
    expect(judge('The audit bucket is not public.', 'The audit bucket is private.').conflict).toBe(false)
  })

  it('finds another name of one class, and another amount of one measure', () => {
    expect(verdict('The ledger is kept in MySQL.', 'The ledger lives in PostgreSQL.')).toBe(
      'value: alternative',
    )
    expect(verdict('The lease lasts 30 seconds.', 'A lease lasts 2 minutes.')).toBe('value: quantity')
    expect(judge('The lease lasts 120 seconds.', 'A lease lasts 2 minutes.').conflict).toBe(false)
    expect(verdict('The gateway needs Node 18.', 'The gateway needs Node 22.')).toBe('value: quantity')
  })

  it('takes a newer entry that says what changed for its successor', () => {
    expect(verdict('The ledger is kept in MySQL.', 'The ledger was moved from MySQL to PostgreSQL.')).toBe(
      'superseded: alternative',
    )
    expect(verdict('Os boletos saem pelo Itaú.', 'Os boletos agora saem por outro banco.')).toBe(
      'superseded: alternative',
    )
    expect(verdict('Os boletos saem pelo Itaú.', 'Os boletos do Itaú mudaram.')).toBe('superseded: change')
  })

  it('lets only what says how things are replace anything', () => {
    const a = entry('Os boletos saem pelo Itaú.')
    const b = entry('Os boletos agora saem por outro banco.', { kind: 'lesson' })
    expect(findConflict({ a, b }).conflict).toBe(false)
  })

  it('goes by the dates where they differ', () => {
    const older = entry('The ledger is kept in MySQL.', { date: '2026-01-01T00:00' })
    const newer = entry('The ledger was moved from MySQL to PostgreSQL.', { date: '2026-02-01T00:00' })
    expect(findConflict({ a: newer, b: older })).toEqual(findConflict({ a: older, b: newer }))
    const early = { ...newer, date: '2025-01-01T00:00' }
    expect(findConflict({ a: early, b: older })).not.toMatchObject({ type: 'superseded' })
  })

  it('asks about two values in one place, where the texts are alike in all else', () => {
    const near = (a: string, b: string) => findConflict({ a: entry(a), b: entry(b), cosine: 0.8 })
    const found = near('Parcels are labelled with stickers.', 'Label parcels with chalk.')
    expect(found).toMatchObject({ conflict: true, type: 'value', reason: { code: 'alternative' } })
    expect(found.confidence).toBeLessThan(0.65)
    expect(near('Parcels are labelled with chalk.', 'Crates are labelled with chalk.').conflict).toBe(false)
    expect(judge('Parcels are labelled with stickers.', 'Label parcels with chalk.').conflict).toBe(false)
  })

  it('knows which way something goes, and what is before a thing from what is in it', () => {
    expect(verdict('Sort parcels heavy to light.', 'Parcels are sorted light to heavy.')).toBe(
      'opposite: antonym',
    )
    expect(judge('Do not open files in the loop.', 'Files are opened before the loop.').conflict).toBe(false)
  })

  it('takes the figures of a report and the number of a thing for no amounts', () => {
    const told = (kind: string) =>
      findConflict({
        a: entry('The queue holds 200 jobs.'),
        b: entry('The queue held 350 jobs.', { kind }),
      }).conflict
    expect([told('decision'), told('error'), told('discovery')]).toEqual([true, false, false])
    expect(judge('Issue 12 broke the login page.', 'Issue 40 broke the login page.').conflict).toBe(false)
  })

  it('needs more than one denied word where only the vectors are alike', () => {
    const a = entry('Units come from the setting, not the locale, in every list of the app.')
    const b = entry('Numbers in exported tracks are written in the plain locale of machines.')
    expect(findConflict({ a, b, cosine: 0.6 }).conflict).toBe(false)
  })

  it('leaves alone what is said of different things', () => {
    expect(verdict('Use tabs in Go files.', 'Never use tabs in Python sources.')).toBe('other_scope')
    expect(verdict('The nightly build is public.', 'The release build is private.')).toBe('other_scope')
    expect(verdict('Retry GET calls.', 'Do not retry POST calls.')).toBe('other_scope')
    expect(judge('The export timeout is 5 s.', 'The import timeout is 9 s.').conflict).toBe(false)
    expect(verdict('Redis holds the sessions.', 'The parser has no recursion.')).toBe('other_subject')
  })

  it('takes a shared path for what is spoken of, not for what is said', () => {
    const holds = '`src/auth/session.ts` holds the session cookie name.'
    const rule = 'Never edit `src/auth/session.ts` by hand; it is generated.'
    const files = ['src/auth/session.ts']
    expect(verdict(holds, rule)).toBe('no_opposition')
    expect(
      findConflict({ a: entry(holds, { files }), b: entry(rule, { files }), cosine: 0.9 }).conflict,
    ).toBe(false)
    expect(verdict('`src/auth/session.ts` is edited by hand.', rule)).toBe('opposite: negation')
    expect(verdict('`session.ts` is edited by hand.', rule)).toBe('opposite: negation')
    expect(verdict(holds, '`src/auth/session.ts` was removed.')).toBe('superseded: negation')
  })

  it('asks whether a denial or a time is of what the other says of the thing', () => {
    const a = entry('The orders table has a unique key.')
    const b = entry('The orders table is never wiped at night.')
    expect(findConflict({ a, b, cosine: 0.6 }).conflict).toBe(false)
    expect(
      judge('`api/main.go` waits 5 s for the lock.', '`api/main.go` drops idle peers after 90 s.').conflict,
    ).toBe(false)
    expect(verdict('`api/main.go` waits 5 s for the lock.', '`api/main.go` waits 9 s for the lock.')).toBe(
      'value: quantity',
    )
  })

  it('knows that a thing has one owner', () => {
    expect(verdict('Dana owns the release checklist.', 'The release checklist belongs to Priya.')).toBe(
      'value: alternative',
    )
    expect(verdict('A fila pertence ao time Atlas.', 'O time Boreal é responsável pela fila.')).toBe(
      'value: alternative',
    )
    expect(judge('Dana owns the release checklist.', 'Priya owns the release notes.').conflict).toBe(false)
    expect(judge('Each team owns its board.', 'The board is owned by Priya.').conflict).toBe(false)
  })

  it('takes a version and a unit for values', () => {
    expect(verdict('Terraform 1.5 is required.', 'Terraform 1.9 is required.')).toBe('value: quantity')
    expect(verdict('`ORDER_TTL` is given in seconds.', '`ORDER_TTL` is given in milliseconds.')).toBe(
      'value: quantity',
    )
  })

  it('takes what is said of two years for no conflict, unless it says what changed', () => {
    expect(verdict('In 2023 the import took 6 hours.', 'In May 2025 the import took 2 hours.')).toBe(
      'other_scope',
    )
    expect(
      verdict('In 2023 we migrated the ledger to MySQL.', 'In 2025 we migrated the ledger to MongoDB.'),
    ).toBe('superseded: alternative')
  })

  it('knows a rule about changes from the news of one', () => {
    expect(
      judge('`MAX_MB` is 50.', '`MAX_MB` is read once at start, a change needs a restart.').conflict,
    ).toBe(false)
    expect(judge('`MAX_MB` is given as a number.', '`MAX_MB` may not be changed at run time.').conflict).toBe(
      false,
    )
    expect(verdict('`MAX_MB` is 50.', '`MAX_MB` was changed to 80.')).toBe('superseded: change')
  })

  it('counts shared files, and a cosine where there is one', () => {
    const a = entry('Amounts are floats.', { files: ['src/money.ts'] })
    const b = entry('Values are integers, in cents.', { files: ['src/money.ts'] })
    expect(findConflict({ a, b }).reason.code).not.toBe('other_subject')
    const apart = { a: { ...a, files: [] }, b: { ...b, files: [] } }
    expect(findConflict(apart).reason.code).toBe('other_subject')
    expect(findConflict({ ...apart, cosine: 0.7 }).reason.code).not.toBe('other_subject')
    expect(findConflict({ ...apart, cosine: CONFLICT.leastCosine - 0.01 }).reason.code).toBe('other_subject')
  })

  it('is surer the more the two share', () => {
    const whole = judge('The audit bucket is public.', 'The audit bucket is private.')
    const part = judge(
      'The audit bucket of the billing account in Frankfurt is public.',
      'Private: the audit bucket, since the review of last spring by the security people.',
    )
    expect(whole.confidence).toBeGreaterThan(part.confidence)
    expect(whole.confidence).toBeLessThanOrEqual(1)
  })

  it('never finds a text in conflict with itself', () => {
    const words =
      'use never tabs public private 10 MB 20 s no longer Redis MySQL cache . , ; é não agora'.split(' ')
    const anyText = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.constantFrom(...words), { maxLength: 20 }).map(parts => parts.join(' ')),
    )
    fc.assert(
      fc.property(anyText, text => {
        expect(judge(text, text)).toMatchObject({ conflict: false })
      }),
    )
  })

  it('judges any two texts, with a confidence from 0 to 1', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const { confidence } = judge(a, b)
        expect(confidence).toBeGreaterThanOrEqual(0)
        expect(confidence).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('reads the beginning of a long text, in time that does not grow with it', () => {
    const long = 'The cache is public and the timeout is 30 s; '.repeat(50_000)
    const start = performance.now()
    judge(long, `Never ${long}`)
    expect(performance.now() - start).toBeLessThan(500)
  })
})
