import { readFileSync } from 'node:fs'

/** Every half-precision number as a single-precision one: 65,536 of them, so decoding is a look into a table. */
function halfPrecisionTable() {
  const table = new Float32Array(65_536)
  for (let bits = 0; bits < 65_536; bits++) {
    const exponent = (bits >> 10) & 31
    const fraction = bits & 1023
    const magnitude =
      exponent === 0
        ? fraction * 2 ** -24
        : exponent === 31
          ? fraction === 0
            ? Number.POSITIVE_INFINITY
            : Number.NaN
          : (1024 + fraction) * 2 ** (exponent - 25)
    table[bits] = bits & 0x8000 ? -magnitude : magnitude
  }
  return table
}

/**
 * The tensors of a safetensors file in half precision, decoded when asked for.
 *
 *   u64 length of the header │ header, JSON: name → { dtype, shape, data_offsets } │ data
 */
export function readSafetensors(file) {
  const bytes = readFileSync(file)
  const headerBytes = Number(bytes.readBigUInt64LE(0))
  const header = JSON.parse(bytes.toString('utf8', 8, 8 + headerBytes))
  const numberOf = halfPrecisionTable()
  return name => {
    const tensor = header[name]
    if (tensor?.dtype !== 'F16') throw new Error(`${file} has no half-precision tensor ${name}`)
    const [start, end] = tensor.data_offsets
    const values = new Float32Array((end - start) / 2)
    for (let i = 0; i < values.length; i++) {
      values[i] = numberOf[bytes.readUInt16LE(8 + headerBytes + start + i * 2)]
    }
    return values
  }
}
