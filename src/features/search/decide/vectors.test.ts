import { readFileSync } from 'node:fs'
import { main } from 'assemblyscript/asc'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  COMPARE_PROGRAM,
  EMPTY_SLOT,
  packVector,
  signBits,
  signDistances,
  startComparer,
  unpackDot,
  unpackVector,
} from './vectors.ts'

const numbers = fc.float32Array({ minLength: 384, maxLength: 384, noNaN: true, min: -1, max: 1 })
const vector = numbers.map(values => {
  const length = Math.hypot(...values)
  return length === 0 ? values : values.map(value => value / length)
})

test('packs 384 numbers into 388 bytes', () => {
  const packed = packVector(Float32Array.from({ length: 384 }, (_, i) => (i === 3 ? -2 : 1)))
  expect(packed).toHaveLength(388)
  expect([...packed.subarray(0, 5)]).toEqual([64, 64, 64, 256 - 127, 64])
  expect(new DataView(packed.buffer).getFloat32(384, true)).toBeCloseTo(2 / 127, 6)
})

test('keeps each number within half of its scale', () => {
  fc.assert(
    fc.property(vector, values => {
      const packed = packVector(values)
      const scale = Math.max(...values.map(Math.abs)) / 127
      values.forEach((value, i) => {
        const axis = new Float32Array(384)
        axis[i] = 1
        expect(Math.abs(unpackDot(packed, axis) - value)).toBeLessThanOrEqual(scale / 2 + 1e-6)
      })
    }),
    { numRuns: 10 },
  )
})

test('gives dot products to a hundredth, with a vector or with a packed one', () => {
  fc.assert(
    fc.property(vector, vector, (a, b) => {
      const exact = a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
      // Each number is off by scale / 2 at most: √384 of that, times the length of the other.
      const bound = (v: Float32Array) => (Math.max(...v.map(Math.abs)) / 254) * Math.sqrt(384)
      expect(Math.abs(unpackDot(packVector(a), b) - exact)).toBeLessThanOrEqual(bound(a) + 1e-5)
      expect(Math.abs(unpackDot(packVector(a), packVector(b)) - exact)).toBeLessThanOrEqual(
        bound(a) + bound(b) + bound(a) * bound(b) + 1e-5,
      )
    }),
  )
})

test('packs a vector of nothing', () => {
  expect(unpackDot(packVector(new Float32Array(384)), new Float32Array(384).fill(1))).toBe(0)
})

test('reads packed vectors where they lie in a block', () => {
  const a = Float32Array.from({ length: 384 }, (_, i) => Math.sin(i))
  const block = new Uint8Array(1 + 388 * 2)
  block.set(packVector(a), 1 + 388)
  expect(unpackDot(block.subarray(1 + 388), a)).toBe(unpackDot(packVector(a), a))
  expect(unpackVector(block.subarray(1 + 388))).toEqual(unpackVector(packVector(a)))
})

test('keeps a bit for each positive number', () => {
  const values = new Float32Array(384).fill(-1)
  values[0] = 0.5
  values[9] = 0.1
  values[383] = 3
  values[5] = 0
  const bits = signBits(values)
  expect(bits).toHaveLength(48)
  expect([bits[0], bits[1], bits[47]]).toEqual([1, 2, 128])
  expect(bits.reduce((sum, byte) => sum + byte, 0)).toBe(131)
})

function countEveryBit(block: Uint8Array, query: Uint8Array): number[] {
  return Array.from({ length: Math.floor(block.length / query.length) }, (_, slot) => {
    const signs = block.subarray(slot * query.length, (slot + 1) * query.length)
    if (signs.every(byte => byte === 0)) return EMPTY_SLOT
    return query.reduce(
      (sum, byte, i) => sum + (byte ^ (signs[i] ?? 0)).toString(2).replaceAll('0', '').length,
      0,
    )
  })
}

test('tells in how many signs each slot differs, as counting every bit does, and which hold nothing', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(4, 8, 12, 48, 128),
      fc.nat(40),
      fc.boolean(),
      fc.infiniteStream(fc.constantFrom(0, 0, 1, 3, 129, 255)),
      (width, slots, isAligned, stream) => {
        const bytes = (length: number) => Uint8Array.from({ length }, () => stream.next().value ?? 0)
        const query = bytes(width)
        const block = isAligned ? bytes(width * slots) : bytes(width * slots + 1).subarray(1)
        expect([...signDistances(block, query)]).toEqual(countEveryBit(block, query))
      },
    ),
  )
})

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
