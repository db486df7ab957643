import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyDocumentEdits, diffDocument, editsOf, invertEdits } from './document-edits.ts'
import type { JsonObject } from './ports.ts'

/** The values of JSON: no -0, and keys such as `__proto__` are keys. */
const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** Few keys and few values, so that two documents have much in common. */
const { value: smallValue } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(0, 1, 'x', null, true),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('value'), { maxKeys: 4 }),
  ),
}))
const smallDocument = fc
  .dictionary(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), smallValue)
  .map(document => asJson(document) as JsonObject)
const anyDocument = fc.dictionary(fc.string(), fc.jsonValue()).map(document => asJson(document) as JsonObject)
const twoDocuments = fc.oneof(
  fc.tuple(smallDocument, smallDocument),
  fc.tuple(anyDocument, anyDocument),
  fc.tuple(anyDocument, smallDocument).map(([one, other]) => [one, { ...one, ...other }] as const),
)
const RUNS = { numRuns: 1_000 }

describe('edits of a document', () => {
  it('make the later document of the earlier one, and know how to go back', () => {
    fc.assert(
      fc.property(twoDocuments, ([before, after]) => {
        const edits = asJson(diffDocument(before, after))
        expect(applyDocumentEdits(before, edits)).toEqual({ document: after, refused: [] })
        expect(applyDocumentEdits(after, invertEdits(edits))).toEqual({ document: before, refused: [] })
        expect(applyDocumentEdits(after, invertEdits(edits), { amongOthers: true })).toEqual({
          document: before,
          refused: [],
        })
      }),
      RUNS,
    )
  })

  it('are applied once, however often', () => {
    fc.assert(
      fc.property(twoDocuments, ([before, after]) => {
        const edits = diffDocument(before, after)
        expect(applyDocumentEdits(after, edits)).toEqual({ document: after, refused: edits })
      }),
      RUNS,
    )
  })

  it('change neither document', () => {
    fc.assert(
      fc.property(twoDocuments, ([before, after]) => {
        const was = JSON.stringify([before, after])
        const edits = diffDocument(before, after)
        applyDocumentEdits(before, edits)
        applyDocumentEdits(after, invertEdits(edits), { amongOthers: true })
        expect(JSON.stringify([before, after])).toBe(was)
      }),
    )
  })

  const section = fc.record(
    { list: fc.uniqueArray(fc.nat(5)), byId: fc.dictionary(fc.constantFrom('p', 'q'), fc.nat(3)) },
    { requiredKeys: [] },
  )

  /** Additions to a list or to an object that leave other values alone. */
  const additions = fc.uniqueArray(fc.integer({ min: 10, max: 15 }), { minLength: 1 })
  const withAdded = (document: JsonObject, added: readonly number[]): JsonObject => ({
    ...document,
    list: [...((document.list as number[]) ?? []), ...added],
    byId: { ...(document.byId as object), ...Object.fromEntries(added.map(n => [`id${n}`, { n }])) },
  })
  const withoutEmpty = (document: JsonObject) =>
    Object.fromEntries(
      Object.entries(document).filter(([, value]) => Object.keys(value as object).length > 0),
    )

  it('of two that added something are taken back in either order', () => {
    fc.assert(
      fc.property(section, additions, additions, (start, first, others) => {
        const second = others.map(n => n + 100)
        const middle = withAdded(start, first)
        const end = withAdded(middle, second)
        const [one, two] = [diffDocument(start, middle), diffDocument(middle, end)]
        for (const [now, later] of [
          [one, two],
          [two, one],
        ] as const) {
          const half = applyDocumentEdits(end, invertEdits(now), { amongOthers: true })
          const whole = applyDocumentEdits(half.document, invertEdits(later), { amongOthers: true })
          expect([half.refused, whole.refused]).toEqual([[], []])
          // The first change may leave an empty list or object.
          expect(withoutEmpty(whole.document)).toEqual(withoutEmpty(start as JsonObject))
        }
      }),
      RUNS,
    )
  })

  it('of two that touch other keys are taken back in either order', () => {
    fc.assert(
      fc.property(smallDocument, smallValue, smallValue, (start, one, two) => {
        const first = asJson({ ...start, one: { value: one } }) as JsonObject
        const second = asJson({ ...first, two: { value: two } }) as JsonObject
        const undone = applyDocumentEdits(second, invertEdits(diffDocument(start, first)), {
          amongOthers: true,
        })
        expect(undone).toEqual({ document: asJson({ ...start, two: { value: two } }), refused: [] })
        expect(
          applyDocumentEdits(undone.document, invertEdits(diffDocument(first, second)), {
            amongOthers: true,
          }),
        ).toEqual({ document: start, refused: [] })
      }),
    )
  })
})

describe('what is noted', () => {
  it('of an append is what was appended', () => {
    const list = Array.from({ length: 200 }, (_, n) => ({ n }))
    expect(diffDocument({ version: 1, list }, { version: 1, list: [...list, { n: 200 }] })).toEqual([
      { path: ['list'], at: 200, of: 200, removed: [], added: [{ n: 200 }] },
    ])
  })

  it('of one item that takes the place of another at the end of the list is the two of them', () => {
    expect(diffDocument({ list: ['a', 'b', 'c', 'd'] }, { list: ['a', 'c', 'd', 'B'] })).toEqual([
      { path: ['list'], at: 1, of: 4, removed: ['b'], added: [] },
      { path: ['list'], at: 3, of: 3, removed: [], added: ['B'] },
    ])
  })

  it('of keys is each key, and whether it was there', () => {
    expect(
      diffDocument(
        { search: { limit: 5 }, feedback: { x: { useful: 1, wrong: 0 } } },
        { search: { limit: 6, other: true }, feedback: {} },
      ),
    ).toEqual([
      { path: ['search', 'limit'], before: 5, after: 6 },
      { path: ['search', 'other'], after: true },
      { path: ['feedback', 'x'], before: { useful: 1, wrong: 0 } },
    ])
  })

  it('of a whole document on an old line is the same', () => {
    const change = { type: 'document', name: 'config.json', before: { a: 1 }, after: { a: 2 } } as const
    const edits = [{ path: ['a'], before: 1, after: 2 }]
    expect(editsOf(change)).toEqual(edits)
    expect(editsOf({ type: 'document', name: 'config.json', edits })).toBe(edits)
  })
})

describe('undoing one edit after others', () => {
  const takenBack = (before: JsonObject, after: JsonObject, now: JsonObject) =>
    applyDocumentEdits(now, invertEdits(diffDocument(before, after)), { amongOthers: true })

  it('finds an item at any position', () => {
    expect(takenBack({ list: ['a'] }, { list: ['a', 'b'] }, { list: ['c', 'b', 'd', 'a'] })).toEqual({
      document: { list: ['c', 'd', 'a'] },
      refused: [],
    })
  })

  it('leaves what others put into the list or object that it made', () => {
    expect(
      takenBack({}, { list: ['a'], byId: { x: 1 } }, { list: ['a', 'b'], byId: { x: 1, y: 2 } }),
    ).toEqual({ document: { list: ['b'], byId: { y: 2 } }, refused: [] })
  })

  it.each([
    ['a value that has changed', { a: 1 }, { a: 2 }, { a: 3 }],
    ['a key that is gone', {}, { a: 2 }, {}],
    ['a key that is there again', { a: 1 }, {}, { a: 5 }],
    ['an item that is gone', { list: [1] }, { list: [1, 2] }, { list: [1] }],
    ['one item of several that is gone', { list: [1] }, { list: [1, 2, 3] }, { list: [1, 3] }],
    ['an item that is there again', { list: [1, 2] }, { list: [1] }, { list: [2, 1, 3] }],
    ['a value that is no longer a list', { list: [1] }, { list: [1, 2] }, { list: 'none' }],
    ['a value that is no longer an object', { a: { x: 1 } }, { a: { x: 2 } }, { a: 7 }],
    ['what it made and others changed', {}, { byId: { x: 1 } }, { byId: { x: 2 } }],
  ])('refuses %s, and leaves it', (_, before: JsonObject, after: JsonObject, now: JsonObject) => {
    const taken = takenBack(before, after, now)
    expect(taken.refused).toHaveLength(1)
    expect(taken.document).toEqual(now)
  })
})
