import { readFileSync } from 'node:fs'
import { main } from 'assemblyscript/asc'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COMPARE_PROGRAM, startComparer } from './compare-program.ts'

const comparer = startComparer()

test('is what embedding-model/compare.ts compiles to', async () => {
  const source = readFileSync(new URL('../../../../embedding-model/compare.ts', import.meta.url), 'utf8')
  const made = new Map<string, Uint8Array | string>()
  const { error } = await main(
    [
      'compare.ts',
      '--outFile',
      'compare.wasm',
      '--runtime',
      'stub',
      '-O3',
      '--noAssert',
      '--initialMemory',
      '1',
    ],
    {
      readFile: name => (name === 'compare.ts' ? source : null),
      writeFile: (name, contents) => {
        made.set(name, contents)
      },
      listFiles: () => [],
    },
  )
  expect(error).toBeNull()
  expect(Buffer.from(made.get('compare.wasm') ?? '').toString('base64')).toBe(COMPARE_PROGRAM)
})

test('counts the bits in which each slot differs, and marks what is empty', () => {
  const block = Uint8Array.of(0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1)
  expect(comparer?.distances(block, Uint8Array.of(0, 0, 0, 1))).toEqual(Uint16Array.of(8, 0xffff, 0))
})

test('multiplies whatever numbers, two questions in turn', () => {
  const eight = fc.array(fc.integer({ min: -127, max: 127 }), { minLength: 8, maxLength: 8 })
  fc.assert(
    fc.property(fc.array(fc.tuple(eight, eight, eight), { minLength: 1, maxLength: 5 }), rows => {
      for (const [numbers, first, second] of rows) {
        const codes = new Uint8Array(Int8Array.from(numbers).buffer)
        for (const other of [Float32Array.from(first), Float32Array.from(second)]) {
          const sum = numbers.reduce((total, value, i) => total + value * (other[i] ?? 0), 0)
          expect(comparer?.dot(codes, 8, other)).toBe(sum)
          expect(comparer?.dot(codes, 8, other)).toBe(sum)
        }
      }
    }),
  )
})

test('leaves to others what does not fit', () => {
  expect(comparer?.distances(new Uint8Array(50_000), new Uint8Array(48))).toBeUndefined()
  expect(comparer?.distances(new Uint8Array(2_049 * 4), new Uint8Array(4))).toBeUndefined()
  expect(comparer?.dot(new Uint8Array(10), 6, new Float32Array(6))).toBeUndefined()
  expect(comparer?.dot(new Uint8Array(4_100), 4_096, new Float32Array(4_096))).toBeUndefined()
})
