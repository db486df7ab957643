/**
 * A row of `posting` holds the entries of one token among 256 keys that follow each other, one number each:
 *
 *   30      23 22                      0
 *   ├ key % 256 ┤├ worth · 4096, rounded ┤      block = key / 256
 *
 * A row for each token and entry took 4.5 KB an entry, this takes 1.5 and is read as fast (ADR 53). Blocks, and not one list a token: a write
 * then rewrites a kilobyte of a frequent token at most, however large the project is.
 */
const BLOCK_BITS = 8
export const WORTH_BITS = 23
const WORTH_STEPS = 4_096

const KEY_MASK = 2 ** BLOCK_BITS - 1
const WORTH_MASK = 2 ** WORTH_BITS - 1

export function blockOf(key: number): number {
  return key >> BLOCK_BITS
}

/** Of a key in its block. */
export function placeOf(key: number): number {
  return key & KEY_MASK
}

export function packPosting(key: number, worth: number): number {
  return (placeOf(key) << WORTH_BITS) | Math.min(Math.round(worth * WORTH_STEPS), WORTH_MASK)
}

/** As SQL, of a packed number and its block. */
export const keySql = (block: string, packed: string) =>
  `(${block} << ${BLOCK_BITS}) + (${packed} >> ${WORTH_BITS})`
export const worthSql = (packed: string) => `(${packed} & ${WORTH_MASK}) / ${WORTH_STEPS}::float8`
