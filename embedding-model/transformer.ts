// AssemblyScript: the forward pass of all-MiniLM-L6-v2 for one text, compiled to a few KB of WebAssembly SIMD by build-model.mjs.
// docs/adr/0008-embedding-model.md tells why it is written this way, and what each decision gave.
//
//   rows of the text's tokens ─▶ + positions, norm ─▶ 6 × ( attention, norm, feed forward, norm ) ─▶ mean ─▶ unit vector
//
// Weights are int8 with a scale for each row. Activations are rounded to 14 bits with a scale for each token: a product is
// then one `dot_i16x8_s`, the fastest way to multiply that plain SIMD has, and the rounding is far below that of the weights.
// Two inputs of each matrix, those that are loud whatever the text, are multiplied in full precision.
//
// Nothing is allocated: memory is the image of the encoder (as encoder-image.mjs lays it out) and the work areas behind it.

const WIDTH: usize = 384
const INNER: usize = 1536
const HEADS: usize = 12
const HEAD_WIDTH: usize = 32
const LAYERS: usize = 6
const MAX_TOKENS: usize = 256
/** f32 scale, then WIDTH int8. */
const ROW_BYTES: usize = 4 + WIDTH
/** 127 × 8191 × 1536 < 2³¹: no sum of products can overflow. */
const ACTIVATION_MAX: f32 = 8191

// The image: the vectors of the embedding's norm, a row for each position, then the layers.
const EMBEDDING_NORM: usize = 0
const POSITIONS: usize = 2 * WIDTH * 4
const LAYER_START: usize = POSITIONS + MAX_TOKENS * ROW_BYTES
// A dense part: its int8 rows, f32 scales, f32 biases; then the two inputs that are multiplied in full precision: their numbers
// (u32, and 8 bytes to spare) and an f32 for each row of the one and of the other.
const QKV: usize = 0
const MIX: usize = QKV + 3 * WIDTH * (WIDTH + 16) + 16
const MIX_NORM: usize = MIX + WIDTH * (WIDTH + 16) + 16
const GROW: usize = MIX_NORM + 2 * WIDTH * 4
const SHRINK: usize = GROW + INNER * (WIDTH + 16) + 16
const SHRINK_NORM: usize = SHRINK + WIDTH * (INNER + 16) + 16
const LAYER_BYTES: usize = SHRINK_NORM + 2 * WIDTH * 4

const IMAGE_BYTES: usize = LAYER_START + LAYERS * LAYER_BYTES

// The work areas. Rows of tokens that a text does not have are never touched, so a short text makes few pages resident.
const INPUT_ROWS: usize = IMAGE_BYTES
const HIDDEN: usize = INPUT_ROWS + MAX_TOKENS * ROW_BYTES
const ROUNDED: usize = HIDDEN + MAX_TOKENS * WIDTH * 4
const ROUNDED_SCALES: usize = ROUNDED + MAX_TOKENS * INNER * 2
/** Query, key and value of a token side by side, and behind them the context; later the inner row of the feed forward. */
const WIDE: usize = ROUNDED_SCALES + MAX_TOKENS * 4
const CONTEXT: usize = WIDE + MAX_TOKENS * 3 * WIDTH * 4
const ADDED: usize = CONTEXT + MAX_TOKENS * WIDTH * 4
const WEIGHTS_OF_TOKENS: usize = ADDED + MAX_TOKENS * WIDTH * 4
const RESULT: usize = WEIGHTS_OF_TOKENS + MAX_TOKENS * 4

export const imageBytes: usize = IMAGE_BYTES
export const inputRows: usize = INPUT_ROWS
export const result: usize = RESULT
export const memoryBytes: usize = RESULT + WIDTH * 4

/** Reads `tokens` rows at `inputRows` (at most 256), and leaves the unit vector at `result`. */
export function embed(tokens: usize): void {
  for (let t: usize = 0; t < tokens; t++) {
    const hidden = HIDDEN + t * WIDTH * 4
    sumRows(INPUT_ROWS + t * ROW_BYTES, POSITIONS + t * ROW_BYTES, hidden)
    normalise(hidden, EMBEDDING_NORM)
  }
  for (let layer: usize = 0; layer < LAYERS; layer++) {
    const at = LAYER_START + layer * LAYER_BYTES
    dense(at + QKV, HIDDEN, WIDTH, 3 * WIDTH, tokens, WIDE)
    for (let head: usize = 0; head < HEADS; head++) attend(head, tokens)
    dense(at + MIX, CONTEXT, WIDTH, WIDTH, tokens, ADDED)
    addAndNormalise(tokens, at + MIX_NORM)

    dense(at + GROW, HIDDEN, WIDTH, INNER, tokens, WIDE)
    gelu(WIDE, tokens * INNER)
    dense(at + SHRINK, WIDE, INNER, WIDTH, tokens, ADDED)
    addAndNormalise(tokens, at + SHRINK_NORM)
  }
  meanAsUnit(tokens)
}

/** Two int8 rows, scaled and added, as f32. */
function sumRows(a: usize, b: usize, to: usize): void {
  const scaleA = v128.load32_splat(a)
  const scaleB = v128.load32_splat(b)
  for (let i: usize = 0; i < WIDTH; i += 8) {
    const wideA = v128.load8x8_s(a + i, 4)
    const wideB = v128.load8x8_s(b + i, 4)
    const low = f32x4.add(scaledLow(wideA, scaleA), scaledLow(wideB, scaleB))
    const high = f32x4.add(scaledHigh(wideA, scaleA), scaledHigh(wideB, scaleB))
    v128.store(to + i * 4, low)
    v128.store(to + i * 4, high, 16)
  }
}

function scaledLow(wide: v128, scale: v128): v128 {
  return f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(wide)), scale)
}

function scaledHigh(wide: v128, scale: v128): v128 {
  return f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(wide)), scale)
}

/** Layer norm in place: gain and offset lie one behind the other. */
function normalise(row: usize, norm: usize): void {
  let sum = f32x4.splat(0)
  let squares = f32x4.splat(0)
  for (let i: usize = 0; i < WIDTH * 4; i += 16) sum = f32x4.add(sum, v128.load(row + i))
  const mean = f32x4.splat(total(sum) / <f32>WIDTH)
  for (let i: usize = 0; i < WIDTH * 4; i += 16) {
    const off = f32x4.sub(v128.load(row + i), mean)
    squares = f32x4.add(squares, f32x4.mul(off, off))
  }
  const factor = f32x4.splat(1 / sqrt<f32>(total(squares) / <f32>WIDTH + 1e-12))
  for (let i: usize = 0; i < WIDTH * 4; i += 16) {
    const gain = f32x4.mul(factor, v128.load(norm + i))
    const centred = f32x4.sub(v128.load(row + i), mean)
    v128.store(row + i, f32x4.add(f32x4.mul(centred, gain), v128.load(norm + i, WIDTH * 4)))
  }
}

function addAndNormalise(tokens: usize, norm: usize): void {
  for (let i: usize = 0; i < tokens * WIDTH * 4; i += 16) {
    v128.store(HIDDEN + i, f32x4.add(v128.load(HIDDEN + i), v128.load(ADDED + i)))
  }
  for (let t: usize = 0; t < tokens; t++) normalise(HIDDEN + t * WIDTH * 4, norm)
}

function total(v: v128): f32 {
  return (
    f32x4.extract_lane(v, 0) +
    f32x4.extract_lane(v, 1) +
    (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  )
}

/**
 * f32 rows to int16 rows at ROUNDED, with the scale that gives them back at ROUNDED_SCALES. Two tokens lie interleaved, eight
 * numbers of one and eight of the other, as the four rows of weights do: one pointer each then walks through both.
 */
function roundRows(rows: usize, tokens: usize, width: usize): void {
  for (let t: usize = 0; t < tokens; t++) {
    const to = ROUNDED + (t >> 1) * width * 4 + (t & 1) * 16
    roundRow(rows + t * width * 4, to, ROUNDED_SCALES + t * 4, width)
  }
}

export function roundRow(row: usize, to: usize, scale: usize, width: usize): void {
  let most = f32x4.splat(0)
  for (let i: usize = 0; i < width * 4; i += 16) most = f32x4.pmax(most, f32x4.abs(v128.load(row + i)))
  const highest = max<f32>(
    max<f32>(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
    max<f32>(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
  )
  store<f32>(scale, highest / ACTIVATION_MAX)
  const factor = f32x4.splat(highest > 0 ? ACTIVATION_MAX / highest : 0)
  for (let i: usize = 0; i < width * 4; i += 32) {
    const low = f32x4.nearest(f32x4.mul(v128.load(row + i), factor))
    const high = f32x4.nearest(f32x4.mul(v128.load(row + i, 16), factor))
    v128.store(to + i, i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(low), i32x4.trunc_sat_f32x4_s(high)))
  }
}

/** A dense part for every token: `width` f32 each at `input`, `rows` f32 each at `to`. */
function dense(part: usize, input: usize, width: usize, rows: usize, tokens: usize, to: usize): void {
  roundRows(input, tokens, width)
  const scales = part + rows * width
  for (let row: usize = 0; row < rows; row += 4) {
    fourRows(part + row * width, scales + row * 4, width, rows, tokens, to + row * 4)
  }
  const exact = scales + rows * 8
  const first = input + <usize>load<u32>(exact) * 4
  const second = input + <usize>load<u32>(exact, 4) * 4
  for (let t: usize = 0; t < tokens; t++) {
    addExact(first + t * width * 4, second + t * width * 4, exact + 16, rows, to + t * rows * 4)
  }
}

export function addExact(first: usize, second: usize, columns: usize, rows: usize, to: usize): void {
  const x = v128.load32_splat(first)
  const y = v128.load32_splat(second)
  for (let i: usize = 0; i < rows * 4; i += 16) {
    const both = f32x4.add(
      f32x4.mul(x, v128.load(columns + i)),
      f32x4.mul(y, v128.load(columns + rows * 4 + i)),
    )
    v128.store(to + i, f32x4.add(v128.load(to + i), both))
  }
}

/**
 * Four rows of weights times every token. A function of its own that is called often, since V8 replaces a function by its
 * optimised code only between two calls: so that happens within the first text.
 */
export function fourRows(
  weights: usize,
  scales: usize,
  width: usize,
  rows: usize,
  tokens: usize,
  to: usize,
): void {
  const scale = v128.load(scales)
  const bias = v128.load(scales + rows * 4)
  const end = weights + 4 * width
  let x = ROUNDED
  // An odd last token is paired with whatever lies there, and that is thrown away.
  for (let t: usize = 0; t < tokens; t += 2) {
    let a0 = i32x4.splat(0)
    let a1 = i32x4.splat(0)
    let a2 = i32x4.splat(0)
    let a3 = i32x4.splat(0)
    let b0 = i32x4.splat(0)
    let b1 = i32x4.splat(0)
    let b2 = i32x4.splat(0)
    let b3 = i32x4.splat(0)
    // Sums, weights and tokens take 14 of the 16 registers. Written out for 16 numbers at a time it was a sixth slower.
    for (let w = weights; w < end; w += 32) {
      const xa = v128.load(x)
      const xb = v128.load(x, 16)
      let row = v128.load8x8_s(w)
      a0 = i32x4.add(a0, i32x4.dot_i16x8_s(row, xa))
      b0 = i32x4.add(b0, i32x4.dot_i16x8_s(row, xb))
      row = v128.load8x8_s(w, 8)
      a1 = i32x4.add(a1, i32x4.dot_i16x8_s(row, xa))
      b1 = i32x4.add(b1, i32x4.dot_i16x8_s(row, xb))
      row = v128.load8x8_s(w, 16)
      a2 = i32x4.add(a2, i32x4.dot_i16x8_s(row, xa))
      b2 = i32x4.add(b2, i32x4.dot_i16x8_s(row, xb))
      row = v128.load8x8_s(w, 24)
      a3 = i32x4.add(a3, i32x4.dot_i16x8_s(row, xa))
      b3 = i32x4.add(b3, i32x4.dot_i16x8_s(row, xb))
      x += 32
    }
    const first = f32x4.mul(f32x4.convert_i32x4_s(lanesOf(a0, a1, a2, a3)), scale)
    const second = f32x4.mul(f32x4.convert_i32x4_s(lanesOf(b0, b1, b2, b3)), scale)
    const out = to + t * rows * 4
    const scaleOfToken = ROUNDED_SCALES + t * 4
    v128.store(out, f32x4.add(f32x4.mul(first, v128.load32_splat(scaleOfToken)), bias))
    if (t + 1 < tokens) {
      v128.store(out + rows * 4, f32x4.add(f32x4.mul(second, v128.load32_splat(scaleOfToken, 4)), bias))
    }
  }
}

/** [ sum of a, sum of b, sum of c, sum of d ] */
function lanesOf(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7))
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7))
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7))
}

function floatLanesOf(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7))
  const cd = f32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7))
  return f32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7))
}

/** One head for every token. The division by √32 is in the weights of the query. */
function attend(head: usize, tokens: usize): void {
  const query = WIDE + head * HEAD_WIDTH * 4
  for (let t: usize = 0; t < tokens; t++) {
    attendOne(
      query + t * 3 * WIDTH * 4,
      query + WIDTH * 4,
      tokens,
      CONTEXT + (t * WIDTH + head * HEAD_WIDTH) * 4,
    )
  }
}

export function attendOne(query: usize, keys: usize, tokens: usize, to: usize): void {
  const stride: usize = 3 * WIDTH * 4
  const q0 = v128.load(query)
  const q1 = v128.load(query, 16)
  const q2 = v128.load(query, 32)
  const q3 = v128.load(query, 48)
  const q4 = v128.load(query, 64)
  const q5 = v128.load(query, 80)
  const q6 = v128.load(query, 96)
  const q7 = v128.load(query, 112)
  // Four keys at a time; those beyond the last are read from whatever lies there and never used.
  let key = keys
  for (let t: usize = 0; t < tokens; t += 4) {
    let s0 = f32x4.mul(q0, v128.load(key))
    let s1 = f32x4.mul(q0, v128.load(key, 3 * WIDTH * 4))
    let s2 = f32x4.mul(q0, v128.load(key, 6 * WIDTH * 4))
    let s3 = f32x4.mul(q0, v128.load(key, 9 * WIDTH * 4))
    s0 = f32x4.add(s0, f32x4.mul(q1, v128.load(key, 16)))
    s1 = f32x4.add(s1, f32x4.mul(q1, v128.load(key, 3 * WIDTH * 4 + 16)))
    s2 = f32x4.add(s2, f32x4.mul(q1, v128.load(key, 6 * WIDTH * 4 + 16)))
    s3 = f32x4.add(s3, f32x4.mul(q1, v128.load(key, 9 * WIDTH * 4 + 16)))
    s0 = f32x4.add(s0, f32x4.mul(q2, v128.load(key, 32)))
    s1 = f32x4.add(s1, f32x4.mul(q2, v128.load(key, 3 * WIDTH * 4 + 32)))
    s2 = f32x4.add(s2, f32x4.mul(q2, v128.load(key, 6 * WIDTH * 4 + 32)))
    s3 = f32x4.add(s3, f32x4.mul(q2, v128.load(key, 9 * WIDTH * 4 + 32)))
    s0 = f32x4.add(s0, f32x4.mul(q3, v128.load(key, 48)))
    s1 = f32x4.add(s1, f32x4.mul(q3, v128.load(key, 3 * WIDTH * 4 + 48)))
    s2 = f32x4.add(s2, f32x4.mul(q3, v128.load(key, 6 * WIDTH * 4 + 48)))
    s3 = f32x4.add(s3, f32x4.mul(q3, v128.load(key, 9 * WIDTH * 4 + 48)))
    s0 = f32x4.add(s0, f32x4.mul(q4, v128.load(key, 64)))
    s1 = f32x4.add(s1, f32x4.mul(q4, v128.load(key, 3 * WIDTH * 4 + 64)))
    s2 = f32x4.add(s2, f32x4.mul(q4, v128.load(key, 6 * WIDTH * 4 + 64)))
    s3 = f32x4.add(s3, f32x4.mul(q4, v128.load(key, 9 * WIDTH * 4 + 64)))
    s0 = f32x4.add(s0, f32x4.mul(q5, v128.load(key, 80)))
    s1 = f32x4.add(s1, f32x4.mul(q5, v128.load(key, 3 * WIDTH * 4 + 80)))
    s2 = f32x4.add(s2, f32x4.mul(q5, v128.load(key, 6 * WIDTH * 4 + 80)))
    s3 = f32x4.add(s3, f32x4.mul(q5, v128.load(key, 9 * WIDTH * 4 + 80)))
    s0 = f32x4.add(s0, f32x4.mul(q6, v128.load(key, 96)))
    s1 = f32x4.add(s1, f32x4.mul(q6, v128.load(key, 3 * WIDTH * 4 + 96)))
    s2 = f32x4.add(s2, f32x4.mul(q6, v128.load(key, 6 * WIDTH * 4 + 96)))
    s3 = f32x4.add(s3, f32x4.mul(q6, v128.load(key, 9 * WIDTH * 4 + 96)))
    s0 = f32x4.add(s0, f32x4.mul(q7, v128.load(key, 112)))
    s1 = f32x4.add(s1, f32x4.mul(q7, v128.load(key, 3 * WIDTH * 4 + 112)))
    s2 = f32x4.add(s2, f32x4.mul(q7, v128.load(key, 6 * WIDTH * 4 + 112)))
    s3 = f32x4.add(s3, f32x4.mul(q7, v128.load(key, 9 * WIDTH * 4 + 112)))
    v128.store(WEIGHTS_OF_TOKENS + t * 4, floatLanesOf(s0, s1, s2, s3))
    key += 4 * stride
  }
  const sum = softenScores(tokens)

  let c0 = f32x4.splat(0)
  let c1 = f32x4.splat(0)
  let c2 = f32x4.splat(0)
  let c3 = f32x4.splat(0)
  let c4 = f32x4.splat(0)
  let c5 = f32x4.splat(0)
  let c6 = f32x4.splat(0)
  let c7 = f32x4.splat(0)
  let value = keys + WIDTH * 4
  for (let t: usize = 0; t < tokens; t++) {
    const weight = v128.load32_splat(WEIGHTS_OF_TOKENS + t * 4)
    c0 = f32x4.add(c0, f32x4.mul(weight, v128.load(value)))
    c1 = f32x4.add(c1, f32x4.mul(weight, v128.load(value, 16)))
    c2 = f32x4.add(c2, f32x4.mul(weight, v128.load(value, 32)))
    c3 = f32x4.add(c3, f32x4.mul(weight, v128.load(value, 48)))
    c4 = f32x4.add(c4, f32x4.mul(weight, v128.load(value, 64)))
    c5 = f32x4.add(c5, f32x4.mul(weight, v128.load(value, 80)))
    c6 = f32x4.add(c6, f32x4.mul(weight, v128.load(value, 96)))
    c7 = f32x4.add(c7, f32x4.mul(weight, v128.load(value, 112)))
    value += stride
  }
  const share = f32x4.splat(1 / sum)
  v128.store(to, f32x4.mul(c0, share))
  v128.store(to, f32x4.mul(c1, share), 16)
  v128.store(to, f32x4.mul(c2, share), 32)
  v128.store(to, f32x4.mul(c3, share), 48)
  v128.store(to, f32x4.mul(c4, share), 64)
  v128.store(to, f32x4.mul(c5, share), 80)
  v128.store(to, f32x4.mul(c6, share), 96)
  v128.store(to, f32x4.mul(c7, share), 112)
}

/** Scores to e^(score − highest); returns their sum. */
function softenScores(tokens: usize): f32 {
  let highest: f32 = load<f32>(WEIGHTS_OF_TOKENS)
  for (let t: usize = 1; t < tokens; t++) highest = max<f32>(highest, load<f32>(WEIGHTS_OF_TOKENS + t * 4))
  const most = f32x4.splat(highest)
  for (let t: usize = 0; t < tokens; t += 4) {
    const at = WEIGHTS_OF_TOKENS + t * 4
    v128.store(at, exponential(f32x4.sub(v128.load(at), most)))
  }
  let sum: f32 = 0
  for (let t: usize = 0; t < tokens; t++) sum += load<f32>(WEIGHTS_OF_TOKENS + t * 4)
  return sum
}

/**
 * e^x for x ≤ 0, to about 2·10⁻⁷: 2^n · e^r with n the nearest integer to x / ln 2; e^r by its Taylor series to r⁶ (|r| ≤ 0.35).
 * Below −87 the result would be no normal number.
 */
function exponential(x: v128): v128 {
  const bounded = f32x4.pmax(f32x4.splat(-87), f32x4.pmin(x, f32x4.splat(0)))
  const n = f32x4.nearest(f32x4.mul(bounded, f32x4.splat(<f32>Math.LOG2E)))
  // ln 2 in two parts, so that n times the first is exact.
  const r = f32x4.sub(
    f32x4.sub(bounded, f32x4.mul(n, f32x4.splat(0.693359375))),
    f32x4.mul(n, f32x4.splat(-2.1219444e-4)),
  )
  let e = f32x4.add(f32x4.mul(r, f32x4.splat(1.0 / 720)), f32x4.splat(1.0 / 120))
  e = f32x4.add(f32x4.mul(e, r), f32x4.splat(1.0 / 24))
  e = f32x4.add(f32x4.mul(e, r), f32x4.splat(1.0 / 6))
  e = f32x4.add(f32x4.mul(e, r), f32x4.splat(0.5))
  e = f32x4.add(f32x4.mul(e, r), f32x4.splat(1))
  e = f32x4.add(f32x4.mul(e, r), f32x4.splat(1))
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23)
  return f32x4.mul(e, power)
}

/**
 * x · (1 + erf(x / √2)) / 2 in place, with erf as Abramowitz and Stegun 7.1.26 (error below 1.5·10⁻⁷):
 * 1 − (a₁t + a₂t² + … + a₅t⁵) · e^(−z²), t = 1 / (1 + pz), for z ≥ 0.
 */
function gelu(values: usize, count: usize): void {
  for (let i: usize = 0; i < count * 4; i += WIDTH * 4) geluPart(values + i)
}

export function geluPart(values: usize): void {
  for (let i: usize = 0; i < WIDTH * 4; i += 16) {
    const x = v128.load(values + i)
    const z = f32x4.mul(f32x4.abs(x), f32x4.splat(<f32>Math.SQRT1_2))
    const t = f32x4.div(f32x4.splat(1), f32x4.add(f32x4.splat(1), f32x4.mul(z, f32x4.splat(0.3275911))))
    let series = f32x4.add(f32x4.mul(t, f32x4.splat(1.061405429)), f32x4.splat(-1.453152027))
    series = f32x4.add(f32x4.mul(series, t), f32x4.splat(1.421413741))
    series = f32x4.add(f32x4.mul(series, t), f32x4.splat(-0.284496736))
    series = f32x4.add(f32x4.mul(series, t), f32x4.splat(0.254829592))
    const rest = f32x4.mul(f32x4.mul(series, t), exponential(f32x4.neg(f32x4.mul(z, z))))
    // The sign of x on erf(|x|).
    const erf = v128.bitselect(f32x4.sub(f32x4.splat(1), rest), x, i32x4.splat(0x7fffffff))
    v128.store(values + i, f32x4.mul(f32x4.mul(x, f32x4.splat(0.5)), f32x4.add(f32x4.splat(1), erf)))
  }
}

/** The mean over all tokens, to length one. */
function meanAsUnit(tokens: usize): void {
  let squares = f32x4.splat(0)
  for (let i: usize = 0; i < WIDTH * 4; i += 16) {
    let sum = f32x4.splat(0)
    for (let t: usize = 0; t < tokens; t++) sum = f32x4.add(sum, v128.load(HIDDEN + t * WIDTH * 4 + i))
    v128.store(RESULT + i, sum)
    squares = f32x4.add(squares, f32x4.mul(sum, sum))
  }
  const factor = f32x4.splat(1 / sqrt<f32>(max<f32>(total(squares), 1e-24)))
  for (let i: usize = 0; i < WIDTH * 4; i += 16)
    v128.store(RESULT + i, f32x4.mul(v128.load(RESULT + i), factor))
}
