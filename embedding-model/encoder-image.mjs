export const WIDTH = 384
export const INNER = 1536
export const LAYERS = 6
export const MAX_TOKENS = 256
export const ROW_BYTES = 4 + WIDTH

/**
 * Inputs that are ten times as large as most, or more, in every text that was looked at: the rounding of their weights would be
 * most of the error (cosine 0.996 instead of 0.9993 for an empty text), so these weights are kept as they are. Found by printing
 * the largest activations of some texts in full precision.
 */
const LOUD_HIDDEN = [99, 223]
const LOUD_INNER = [[856, 691], [607, 1004], [1004, 218], [358, 206], [], []]

/**
 * The part of the model that every text needs, byte for byte as it lies in the memory of transformer.ts:
 *
 *   norm │ positions (a row each) │ 6 × [ query, key, value │ mix │ norm │ grow │ shrink │ norm ]
 *
 * norm: gain, offset. row: f32 scale, int8 numbers. dense part: its int8 rows, four interleaved, f32 scale of each,
 * f32 bias of each │ u32 numbers of two columns, 8 bytes │ these two columns in f32 (their int8 are 0).
 */
export function encoderImage(tensor) {
  const parts = [...norm(tensor, 'embeddings.LayerNorm')]
  // Every text is of type 0, so that row is added here once.
  const type = tensor('embeddings.token_type_embeddings.weight').subarray(0, WIDTH)
  const positions = tensor('embeddings.position_embeddings.weight').slice(0, MAX_TOKENS * WIDTH)
  parts.push(
    rowsWithScale(
      positions.map((value, i) => value + type[i % WIDTH]),
      WIDTH,
    ),
  )
  for (let layer = 0; layer < LAYERS; layer++) {
    const at = `encoder.layer.${layer}`
    // Scores are divided by √(width of a head): done here to the query, once and for all.
    const query = linear(tensor, `${at}.attention.self.query`, 1 / Math.sqrt(WIDTH / 12))
    const key = linear(tensor, `${at}.attention.self.key`)
    const value = linear(tensor, `${at}.attention.self.value`)
    parts.push(
      ...densePart([query, key, value], WIDTH, LOUD_HIDDEN),
      ...densePart([linear(tensor, `${at}.attention.output.dense`)], WIDTH, []),
      ...norm(tensor, `${at}.attention.output.LayerNorm`),
      ...densePart([linear(tensor, `${at}.intermediate.dense`)], WIDTH, LOUD_HIDDEN),
      ...densePart([linear(tensor, `${at}.output.dense`)], INNER, LOUD_INNER[layer]),
      ...norm(tensor, `${at}.output.LayerNorm`),
    )
  }
  return Buffer.concat(parts)
}

/** Rows of `width` numbers, each as f32 scale and int8 numbers: a row can be read by itself. */
export function rowsWithScale(values, width) {
  const { numbers, scales } = toInt8(values, width)
  const bytes = Buffer.alloc(scales.length * (4 + width))
  for (let row = 0; row < scales.length; row++) {
    bytes.writeFloatLE(scales[row], row * (4 + width))
    bytes.set(new Uint8Array(numbers.buffer, row * width, width), row * (4 + width) + 4)
  }
  return bytes
}

function linear(tensor, name, factor = 1) {
  const scaled = values => (factor === 1 ? values : values.map(value => value * factor))
  return { weight: scaled(tensor(`${name}.weight`)), bias: scaled(tensor(`${name}.bias`)) }
}

function densePart(linears, width, loud) {
  // Where none is loud, two are as good as any others.
  const exact = loud.length === 2 ? loud : [0, 1]
  const columns = exact.map(column =>
    Buffer.concat(linears.map(({ weight }) => littleEndian(weight.filter((_, i) => i % width === column)))),
  )
  const rounded = linears.map(({ weight }) =>
    toInt8(
      weight.map((value, i) => (exact.includes(i % width) ? 0 : value)),
      width,
    ),
  )
  const numbers = Buffer.alloc(16)
  exact.forEach((column, i) => {
    numbers.writeUInt32LE(column, i * 4)
  })
  return [
    ...rounded.map(part => interleaved(part.numbers, width)),
    ...rounded.map(({ scales }) => littleEndian(scales)),
    ...linears.map(({ bias }) => littleEndian(bias)),
    numbers,
    ...columns,
  ]
}

/** Eight numbers of each of four rows, the next eight of each, …: in the order in which they are multiplied. */
function interleaved(numbers, width) {
  const bytes = Buffer.alloc(numbers.length)
  let at = 0
  for (let row = 0; row < numbers.length; row += 4 * width) {
    for (let i = 0; i < width; i += 8) {
      for (let r = 0; r < 4; r++) {
        const start = row + r * width + i
        bytes.set(new Uint8Array(numbers.buffer, start, 8), at)
        at += 8
      }
    }
  }
  return bytes
}

function norm(tensor, name) {
  return [littleEndian(tensor(`${name}.weight`)), littleEndian(tensor(`${name}.bias`))]
}

/** number ≈ scale × int8, scale = largest of the row ÷ 127. */
function toInt8(values, width) {
  const numbers = new Int8Array(values.length)
  const scales = new Float32Array(values.length / width)
  for (let row = 0; row < scales.length; row++) {
    let most = 0
    for (let i = row * width; i < (row + 1) * width; i++) most = Math.max(most, Math.abs(values[i]))
    scales[row] = most / 127
    const factor = most === 0 ? 0 : 127 / most
    for (let i = row * width; i < (row + 1) * width; i++) numbers[i] = Math.round(values[i] * factor)
  }
  return { numbers, scales }
}

function littleEndian(values) {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, i) => {
    bytes.writeFloatLE(value, i * 4)
  })
  return bytes
}
