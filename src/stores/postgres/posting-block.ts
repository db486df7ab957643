/**
 * A row of `posting` holds the entries of one token among 256 keys that follow each other, one number each:
 *
 *   30      23 22               12 11              0
 *   ├ key % 256 ┤├ frequency · 10 ┤├ entry's length ┤      block = key / 256
 *
 * A row for each token and entry took 4.5 KB an entry, this takes 1.5 and is read as fast (ADR 53). Blocks, and not one list a token: a write
 * then rewrites a kilobyte of a frequent token at most, however large the project is. The weights of the fields are whole tenths: up to a
 * frequency of 204 and a length of 4,095 tokens the first cut is as exact as from the text.
 */
const BLOCK_BITS = 8
const FREQUENCY_BITS = 11
const LENGTH_BITS = 12
export const PLACE_SHIFT = FREQUENCY_BITS + LENGTH_BITS
const FREQUENCY_STEPS = 10

const KEY_MASK = 2 ** BLOCK_BITS - 1
const FREQUENCY_MASK = 2 ** FREQUENCY_BITS - 1
const LENGTH_MASK = 2 ** LENGTH_BITS - 1

export function blockOf(key: number): number {
  return key >> BLOCK_BITS
}

/** Of a key in its block. */
export function placeOf(key: number): number {
  return key & KEY_MASK
}

export function packPosting(key: number, frequency: number, length: number): number {
  const steps = Math.min(Math.round(frequency * FREQUENCY_STEPS), FREQUENCY_MASK)
  return (placeOf(key) << PLACE_SHIFT) | (steps << LENGTH_BITS) | Math.min(length, LENGTH_MASK)
}

/** As SQL, of a packed number and its block. */
export const keySql = (block: string, packed: string) =>
  `(${block} << ${BLOCK_BITS}) + (${packed} >> ${PLACE_SHIFT})`
export const frequencySql = (packed: string) =>
  `((${packed} >> ${LENGTH_BITS}) & ${FREQUENCY_MASK}) / ${FREQUENCY_STEPS}::float8`
export const lengthSql = (packed: string) => `(${packed} & ${LENGTH_MASK})`
