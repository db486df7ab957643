import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonErrorOffset, lineOfKey, readJson } from './json-text.ts'

const read = (text: string) => readJson(new TextEncoder().encode(text))

it('says at which line a file stops being JSON, and never what stands there', () => {
  expect(read('\ufeff{"a": 1}')).toMatchObject({ kind: 'read', value: { a: 1 } })
  expect(read('{\n  "a": 1,\n  "b": secret\n}')).toEqual({ kind: 'damaged', line: 3, why: 'it is not JSON' })
  expect(read('{\n  "a": [1,\n')).toMatchObject({ kind: 'damaged', line: 3 })
  expect(read('{\n<<<<<<< HEAD\n')).toEqual({ kind: 'damaged', line: 2, why: 'git left a conflict in it' })
})

it('finds the line of a key by the keys that lead to it', () => {
  const text = '{\n  "b": "a",\n  "a": {\n    "b": 1\n  }\n}\n'
  expect([lineOfKey(text, ['b']), lineOfKey(text, ['a', 'b']), lineOfKey(text, ['c'])]).toEqual([
    2,
    4,
    undefined,
  ])
})

it('says where JSON ends where a character that cannot be there was put, and finds no fault before the end of what is whole', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, at) => {
      expect(jsonErrorOffset(json)).toBe(json.length)
      const place = at % (json.length + 1)
      const offset = jsonErrorOffset(`${json.slice(0, place)}\u0001${json.slice(place)}`)
      // A string or a number is one thing: it is wrong where it begins.
      expect(offset).toBeLessThanOrEqual(place)
    }),
  )
  expect(jsonErrorOffset('['.repeat(200_000))).toBe(200_000)
  expect(jsonErrorOffset('{"a": 1,\n  "b" 2}')).toBe(15)
})
