import { unpackVector } from '../../features/search/decide/vectors.ts'
import type { IndexedEntry } from '../../kernel/vault/entry-index.ts'
import { packList } from '../sql/entry-fields.ts'
import type { SqliteStatement } from './driver.ts'
import { type Shelf, VAULT_SHELF } from './shelf.ts'

interface StatementSource {
  statement(sql: string): SqliteStatement
}

/**
 * Sign bits lie together, 256 entries a row, so that a search reads a few rows instead of all entries. An entry's bits
 * are at its key: row `key / 256`, place `key % 256`.
 */
export const BLOCK = 256

/** What is known of all vectors together. */
export interface VectorTotals {
  model: string | undefined
  count: number
  /** Of all vectors; empty before the first. */
  sum: Float32Array
}

/** Called with every entry that is new or has changed. */
export function awaitVector(index: StatementSource, key: number, shelf: Shelf = VAULT_SHELF): void {
  index.statement(`INSERT OR IGNORE INTO ${shelf}unembedded (key) VALUES (?)`).run(key)
}

interface EmbeddedRow {
  readonly key: number
  readonly fingerprint: string
  readonly tags: string
  readonly files: string
}

/** A vector is made from these three: pinning or confirming an entry leaves it as it is. */
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

/** The vectors of entries that go or change, in one transaction: what lies together is read and written once. */
export class ForgottenVectors {
  readonly #index: StatementSource
  readonly #shelf: Shelf
  readonly #blocks: BitBlocks
  #totals: VectorTotals | undefined

  constructor(index: StatementSource, shelf: Shelf = VAULT_SHELF) {
    this.#index = index
    this.#shelf = shelf
    this.#blocks = new BitBlocks(index, shelf)
  }

  forget(key: number): void {
    const index = this.#index
    const shelf = this.#shelf
    index.statement(`DELETE FROM ${shelf}unembedded WHERE key = ?`).run(key)
    const row = index.statement(`DELETE FROM ${shelf}vector WHERE key = ? RETURNING code`).get(key) as
      | { code: Uint8Array }
      | undefined
    if (row !== undefined) this.#takeOut(key, row.code)
  }

  /** Whether the vector of an entry that changes is still its own; forgets it if not. */
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
    const kept = this.#totals ?? totals(this.#index, this.#shelf)
    this.#totals = { ...kept, count: kept.count - 1, sum: added(kept.sum, unpackVector(code), -1) }
  }

  write(): void {
    if (this.#totals === undefined) return
    this.#blocks.write()
    putTotals(this.#index, this.#totals, this.#shelf)
  }
}

export function totals(index: StatementSource, shelf: Shelf = VAULT_SHELF): VectorTotals {
  const row = index.statement(`SELECT model, count, sum FROM ${shelf}vector_totals`).get() as
    | { model: string; count: number; sum: Uint8Array }
    | undefined
  if (row === undefined) return { model: undefined, count: 0, sum: new Float32Array(0) }
  // A copy: the bytes of a row need not lie where four-byte numbers may.
  return { model: row.model, count: row.count, sum: new Float32Array(row.sum.slice().buffer) }
}

export function putTotals(
  index: StatementSource,
  { model, count, sum }: VectorTotals,
  shelf: Shelf = VAULT_SHELF,
): void {
  if (model === undefined) return
  index
    .statement(`INSERT OR REPLACE INTO ${shelf}vector_totals (only, model, count, sum) VALUES (0, ?, ?, ?)`)
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
    readonly shelf: Shelf = VAULT_SHELF,
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
        .statement(`INSERT OR REPLACE INTO ${this.shelf}vector_bits (block, bits) VALUES (?, ?)`)
        .run(number, bits)
    }
  }

  #load(number: number): Uint8Array | undefined {
    const changed = this.#changed.get(number)
    if (changed !== undefined) return changed
    const known = this.index
      .statement(`SELECT bits FROM ${this.shelf}vector_bits WHERE block = ?`)
      .get(number) as { bits: Uint8Array } | undefined
    return known && new Uint8Array(known.bits)
  }
}
