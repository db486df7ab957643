import { unpackVector } from '../../features/search/decide/vectors.ts'
import type { IndexedEntry } from '../../kernel/vault/entry-index.ts'
import { packList } from '../sql/entry-fields.ts'
import type { StatementSource } from './driver.ts'
import { type Collection, ENTRIES_COLLECTION } from './text-rows.ts'

/**
 * Sign bits of 256 entries are in one row, so that a search reads a few rows instead of all entries. The bits of an entry are in row `key /
 * 256` at `key % 256`.
 */
export const BLOCK = 256

/** Totals of all vectors. */
export interface VectorTotals {
  model: string | undefined
  count: number
  /** Of all vectors; empty before the first. */
  sum: Float32Array
}

/** Call for every new or changed entry. */
export function awaitVector(
  index: StatementSource,
  key: number,
  collection: Collection = ENTRIES_COLLECTION,
): void {
  index.statement(`INSERT OR IGNORE INTO ${collection}unembedded (key) VALUES (?)`).run(key)
}

interface EmbeddedRow {
  readonly key: number
  readonly fingerprint: string
  readonly tags: string
  readonly files: string
}

/** A vector is made from these three fields: pinning or confirming an entry does not change it. */
function isEmbeddedAs(
  before: EmbeddedRow,
  { entry, fingerprint }: Pick<IndexedEntry, 'entry' | 'fingerprint'>,
): boolean {
  return (
    before.fingerprint === fingerprint &&
    before.tags === packList(entry.tags) &&
    before.files === packList(entry.files)
  )
}

/** Removes the vectors of entries in one transaction; each row of bits is read and written once. */
export class ForgottenVectors {
  readonly #index: StatementSource
  readonly #collection: Collection
  readonly #blocks: BitBlocks
  #totals: VectorTotals | undefined

  constructor(index: StatementSource, collection: Collection = ENTRIES_COLLECTION) {
    this.#index = index
    this.#collection = collection
    this.#blocks = new BitBlocks(index, collection)
  }

  forget(key: number): void {
    const index = this.#index
    const collection = this.#collection
    index.statement(`DELETE FROM ${collection}unembedded WHERE key = ?`).run(key)
    const row = index.statement(`DELETE FROM ${collection}vector WHERE key = ? RETURNING code`).get(key) as
      | { code: Uint8Array }
      | undefined
    if (row !== undefined) this.#takeOut(key, row.code)
  }

  /** Whether the vector of a changed entry is still valid; removes it if not. */
  keep(before: EmbeddedRow, now: Pick<IndexedEntry, 'entry' | 'fingerprint'>): boolean {
    if (isEmbeddedAs(before, now)) return true
    this.forget(before.key)
    return false
  }

  /** The same for a JSON list of keys of entries. */
  forgetMany(keys: string): void {
    const removed = (what: string) => `DELETE FROM ${what} IN (SELECT value FROM json_each(?))`
    this.#index.statement(removed('unembedded WHERE key')).run(keys)
    const rows = this.#index.statement(`${removed('vector WHERE key')} RETURNING key, code`).all(keys) as {
      key: number
      code: Uint8Array
    }[]
    for (const { key, code } of rows) this.#takeOut(key, code)
  }

  #takeOut(key: number, code: Uint8Array): void {
    this.#blocks.clear(key)
    const kept = this.#totals ?? totals(this.#index, this.#collection)
    this.#totals = { ...kept, count: kept.count - 1, sum: added(kept.sum, unpackVector(code), -1) }
  }

  write(): void {
    if (this.#totals === undefined) return
    this.#blocks.write()
    putTotals(this.#index, this.#totals, this.#collection)
  }
}

export function totals(index: StatementSource, collection: Collection = ENTRIES_COLLECTION): VectorTotals {
  const row = index.statement(`SELECT model, count, sum FROM ${collection}vector_totals`).get() as
    | { model: string; count: number; sum: Uint8Array }
    | undefined
  if (row === undefined) return { model: undefined, count: 0, sum: new Float32Array(0) }
  // A copy: the bytes of a row may not be aligned for four-byte numbers.
  return { model: row.model, count: row.count, sum: new Float32Array(row.sum.slice().buffer) }
}

export function putTotals(
  index: StatementSource,
  { model, count, sum }: VectorTotals,
  collection: Collection = ENTRIES_COLLECTION,
): void {
  if (model === undefined) return
  index
    .statement(
      `INSERT OR REPLACE INTO ${collection}vector_totals (only, model, count, sum) VALUES (0, ?, ?, ?)`,
    )
    .run(model, count, new Uint8Array(sum.buffer, sum.byteOffset, sum.byteLength))
}

export function added(sum: Float32Array, vector: Float32Array, sign: 1 | -1): Float32Array {
  return vector.map((value, i) => (sum[i] ?? 0) + sign * value)
}

/** The rows of bits that one transaction changes, read and written once each. */
export class BitBlocks {
  readonly #changed = new Map<number, Uint8Array>()

  constructor(
    readonly index: StatementSource,
    readonly collection: Collection = ENTRIES_COLLECTION,
  ) {}

  put(key: number, bits: Uint8Array): void {
    const number = Math.floor(key / BLOCK)
    const block = this.#load(number) ?? new Uint8Array(BLOCK * bits.length)
    block.set(bits, (key % BLOCK) * bits.length)
    this.#changed.set(number, block)
  }

  clear(key: number): void {
    const block = this.#load(Math.floor(key / BLOCK))
    if (block !== undefined) this.put(key, new Uint8Array(block.length / BLOCK))
  }

  write(): void {
    for (const [number, bits] of this.#changed) {
      this.index
        .statement(`INSERT OR REPLACE INTO ${this.collection}vector_bits (block, bits) VALUES (?, ?)`)
        .run(number, bits)
    }
  }

  #load(number: number): Uint8Array | undefined {
    const changed = this.#changed.get(number)
    if (changed !== undefined) return changed
    const known = this.index
      .statement(`SELECT bits FROM ${this.collection}vector_bits WHERE block = ?`)
      .get(number) as { bits: Uint8Array } | undefined
    return known && new Uint8Array(known.bits)
  }
}
