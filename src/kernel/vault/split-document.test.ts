import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../model/json-value.ts'
import type { JsonObject } from './ports.ts'
import { joinDocument, splitDocument } from './split-document.ts'

const SECTIONS = ['confirmations', 'feedback', 'rejections', 'dismissals']
const split = (document: JsonObject, tracked: JsonObject, local: JsonObject = { version: 1 }) =>
  splitDocument(document, { tracked, local }, SECTIONS)
const join = (tracked: JsonObject, local: JsonObject) => joinDocument({ tracked, local }, SECTIONS)

const NOTHING = { version: 1, aliases: {} }
const AT = { at: '2026-11-18T09:00:00.000Z', by: 'cli' }
const LATER = { at: '2026-11-19T09:00:00.000Z', by: 'cli' }

describe('splitting a document', () => {
  it('puts what one person does into the local file, and the rest into the tracked one', () => {
    const document = { ...NOTHING, aliases: { ledger: ['book'] }, confirmations: { a: AT }, brandNew: [1] }
    expect(split(document, NOTHING)).toEqual({
      tracked: { version: 1, aliases: { ledger: ['book'] }, brandNew: [1] },
      local: { version: 1, confirmations: { a: AT } },
    })
  })

  it('leaves text of 0.1.0 where it is', () => {
    const tracked = { ...NOTHING, confirmations: { a: AT, b: AT }, rejections: [{ fingerprint: '1' }] }
    const document = {
      ...NOTHING,
      confirmations: { a: AT, b: AT, c: LATER },
      rejections: [{ fingerprint: '1' }, { fingerprint: '2' }],
    }
    expect(split(document, tracked)).toEqual({
      tracked,
      local: { version: 1, confirmations: { c: LATER }, rejections: [{ fingerprint: '2' }] },
    })
  })

  it('takes out of the tracked file what was removed, and leaves there what was changed', () => {
    const tracked = { ...NOTHING, confirmations: { a: AT, b: AT, c: AT }, rejections: ['1', '2'] }
    expect(split({ ...NOTHING, confirmations: { a: AT, b: LATER }, rejections: ['2'] }, tracked)).toEqual({
      tracked: { ...NOTHING, confirmations: { a: AT, b: AT }, rejections: ['2'] },
      local: { version: 1, confirmations: { b: LATER } },
    })
  })

  it('keeps a tracked list as it is when an item comes before it', () => {
    const tracked = { ...NOTHING, rejections: ['1', '2'] }
    expect(split({ ...NOTHING, rejections: ['1', '0', '2', '3'] }, tracked)).toEqual({
      tracked,
      local: { version: 1, rejections: ['0', '2', '3'] },
    })
  })

  it('keeps other values of the local file', () => {
    const local = { version: 1, note: 'mine', confirmations: { a: AT } }
    expect(split(NOTHING, NOTHING, local).local).toEqual({ version: 1, note: 'mine' })
  })
})

describe('joining two files', () => {
  it('lets the local file win for a key, and says each item of a list once', () => {
    const tracked = { ...NOTHING, confirmations: { a: AT, b: AT }, rejections: ['1', '2'] }
    expect(join(tracked, { version: 1, confirmations: { b: LATER }, rejections: ['2', '3'] })).toEqual({
      ...NOTHING,
      confirmations: { a: AT, b: LATER },
      rejections: ['1', '2', '3'],
    })
  })

  it('reads no shared section from the local file', () => {
    expect(join(NOTHING, { version: 1, aliases: { ledger: ['book'] } })).toEqual(NOTHING)
  })
})

const item = fc.oneof(fc.constantFrom('r1', 'r2', 'r3'), fc.record({ n: fc.nat(2) }))
const section = fc.oneof(
  fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), item),
  fc.array(item, { maxLength: 5 }),
  fc.jsonValue({ maxDepth: 1 }),
)
const document = fc
  .dictionary(fc.constantFrom('aliases', 'conflicts', 'brandNew', ...SECTIONS), section)
  .map((sections): JsonObject => ({ version: 1, ...sections }))

describe('any document over any two files', () => {
  it('is itself when the files are joined again', () => {
    fc.assert(
      fc.property(document, document, document, (wanted, tracked, local) => {
        const parts = split(wanted, tracked, local)
        expect(canonicalJson(join(parts.tracked, parts.local))).toBe(canonicalJson(wanted))
      }),
      { numRuns: 2_000 },
    )
  })

  it('does not change the tracked file when it is what the files say', () => {
    fc.assert(
      fc.property(document, document, (tracked, local) => {
        const parts = split(join(tracked, local), tracked, local)
        expect(canonicalJson(parts.tracked)).toBe(canonicalJson(tracked))
        const again = split(join(parts.tracked, parts.local), parts.tracked, parts.local)
        expect(canonicalJson(again)).toBe(canonicalJson(parts))
      }),
      { numRuns: 2_000 },
    )
  })

  it('does not change the tracked file for an item that is only added', () => {
    const lists = fc.array(item, { maxLength: 5 })
    const maps = fc.dictionary(fc.constantFrom('a', 'b', 'c'), item)
    fc.assert(
      fc.property(lists, lists, maps, item, (tracked, local, confirmations, added) => {
        const files = {
          tracked: { version: 1, rejections: tracked, confirmations },
          local: { version: 1, rejections: local },
        }
        const { rejections } = join(files.tracked, files.local)
        const wanted = {
          ...join(files.tracked, files.local),
          rejections: [...(rejections as unknown[]), added],
          confirmations: { ...confirmations, d: added },
        }
        expect(split(wanted, files.tracked, files.local).tracked).toEqual(files.tracked)
      }),
    )
  })
})
