import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { centreOf, FUSION, meaningOf, nearness } from './fuse.ts'

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1
  return Float32Array.from(values, value => value / length)
}
function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
}

const vectors = fc.array(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 4, maxLength: 4 }), {
  minLength: 3,
  maxLength: 6,
})

describe('nearness', () => {
  it('is the cosine after part of the mean was subtracted from both sides', () => {
    fc.assert(
      fc.property(vectors, raw => {
        const [query = new Float32Array(4), ...entries] = raw.map(unit)
        const mean = new Float32Array(4)
        for (const entry of entries)
          for (const [i, value] of entry.entries()) mean[i] = (mean[i] ?? 0) + value / entries.length
        const centre = centreOf(query, { mean, count: 1e9 })
        const away = (v: Float32Array) => v.map((value, i) => value - FUSION.centring * (mean[i] ?? 0))
        for (const entry of entries) {
          if (dot(entry, entry) < 0.5 || dot(query, query) < 0.5) continue
          const [a, b] = [away(entry), away(query)]
          const lengths = Math.sqrt(dot(a, a) * dot(b, b))
          if (lengths < 1e-3) continue
          const expected = Math.max(0, Math.min(1, dot(a, b) / lengths))
          const measured = { cosine: dot(entry, query), toMean: dot(entry, mean) }
          expect(nearness(measured, centre)).toBeCloseTo(expected, 3)
        }
      }),
    )
  })

  it('is nothing where the angle is wide, and never above 1', () => {
    const none = centreOf(new Float32Array(4), { mean: new Float32Array(4), count: 0 })
    expect(nearness({ cosine: -0.4, toMean: 0 }, none)).toBe(0)
    expect(nearness({ cosine: 1.01, toMean: 0 }, none)).toBe(1)
  })
})

describe('meaning', () => {
  it('of a few words is held back, of a paragraph hardly', () => {
    expect(meaningOf(0.5, 3)).toBeCloseTo(0.13, 2)
    expect(meaningOf(0.5, 40)).toBeCloseTo(0.49, 2)
  })
})
