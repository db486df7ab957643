import { EMPTY_SLOT, farthestOf, signDistances } from '../../features/search/decide/vectors.ts'
import type { SqlPool } from './sql-pool.ts'
import type { Tenant } from './tenant.ts'

/** Room for the signs of 1.2 million entries. */
const MAX_BYTES = 64 * 1024 * 1024
const KEY_BYTES = 4
/** Batch size: the capacity of the program that compares. */
const SLOTS = 768

/** The signs of all vectors of a project, as they were at `stamp`. */
interface KeptSigns {
  readonly stamp: string
  readonly keys: Int32Array
  /** Concatenated in the order of the keys. */
  readonly signs: Uint8Array
}

const cacheByPool = new WeakMap<SqlPool, SignCache>()

/** All projects of a database share this limit. */
export function signCacheOf(pool: SqlPool): SignCache {
  const cache = cacheByPool.get(pool) ?? new SignCache()
  cacheByPool.set(pool, cache)
  return cache
}

/**
 * Preselects vectors of a project without reading them: 48 bytes for each are cached here while the database's stamp is unchanged. The
 * least recently used projects are evicted. Counting bits for every row took the database longer than all other queries of a search
 * together.
 */
export class SignCache {
  readonly #kept = new Map<number, KeptSigns>()
  /** Loads in progress: concurrent requests share one. */
  readonly #coming = new Map<string, Promise<KeptSigns>>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** Whether the cache may hold the project. If not, reading its signs for every query would be slower than letting the database compare. */
  hasRoomFor(count: number, dimensions: number): boolean {
    return count * (KEY_BYTES + wholeWords(dimensions)) <= this.#maxBytes
  }

  /** The keys of the `count` nearest to `vector`, with ties. */
  async pick(
    tenant: Tenant,
    { stamp, vector, count }: { stamp: string; vector: Float32Array; count: number },
  ): Promise<number[]> {
    const { keys, signs } = await this.#signsOf(tenant, stamp, vector.length)
    const distances = distancesTo(signBytes(vector), signs, keys.length)
    const frequencies = new Uint32Array(vector.length + 1)
    for (const distance of distances)
      if (distance !== EMPTY_SLOT) frequencies[distance] = (frequencies[distance] ?? 0) + 1
    const cut = farthestOf(frequencies, count)
    const picked: number[] = []
    for (const [at, key] of keys.entries()) if ((distances[at] ?? EMPTY_SLOT) <= cut) picked.push(key)
    return picked
  }

  async #signsOf(tenant: Tenant, stamp: string, dimensions: number): Promise<KeptSigns> {
    const known = this.#kept.get(tenant.project)
    if (known?.stamp === stamp) {
      // Move to the end: eviction begins at the front.
      this.#kept.delete(tenant.project)
      this.#kept.set(tenant.project, known)
      return known
    }
    const name = `${tenant.project} ${stamp}`
    const coming = this.#coming.get(name) ?? this.#read(tenant, stamp, dimensions)
    this.#coming.set(name, coming)
    try {
      return await coming
    } finally {
      this.#coming.delete(name)
    }
  }

  async #read(tenant: Tenant, stamp: string, dimensions: number): Promise<KeptSigns> {
    const kept = { stamp, ...(await readSigns(tenant, dimensions)) }
    this.#keep(tenant.project, kept)
    return kept
  }

  #keep(project: number, kept: KeptSigns): void {
    this.#forget(project)
    if (bytesOf(kept) > this.#maxBytes) return
    this.#kept.set(project, kept)
    this.#bytes += bytesOf(kept)
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#forget(oldest)
    }
  }

  #forget(project: number): void {
    const kept = this.#kept.get(project)
    if (kept === undefined) return
    this.#kept.delete(project)
    this.#bytes -= bytesOf(kept)
  }
}

function bytesOf({ keys, signs }: KeptSigns): number {
  return keys.byteLength + signs.byteLength
}

/** As one array: parsing a row for each would take longer than comparing. `varbit_send` begins with the number of bits. */
async function readSigns(tenant: Tenant, dimensions: number): Promise<Omit<KeptSigns, 'stamp'>> {
  const row = await tenant.one<{ packed: string | null }>(
    `SELECT encode(string_agg(int4send(v.key) || substr(varbit_send(v.signs), 5), ''::bytea), 'base64') AS packed
     FROM meaning v WHERE v.project = $1`,
  )
  const packed = Buffer.from(row?.packed ?? '', 'base64')
  const width = Math.ceil(dimensions / 8)
  const stride = wholeWords(dimensions)
  const count = Math.floor(packed.length / (KEY_BYTES + width))
  const keys = new Int32Array(count)
  const signs = new Uint8Array(count * stride)
  for (let slot = 0; slot < count; slot++) {
    const at = slot * (KEY_BYTES + width)
    keys[slot] = packed.readInt32BE(at)
    signs.set(packed.subarray(at + KEY_BYTES, at + KEY_BYTES + width), slot * stride)
  }
  return { keys, signs }
}

function distancesTo(query: Uint8Array, signs: Uint8Array, count: number): Uint16Array {
  const distances = new Uint16Array(count)
  for (let slot = 0; slot < count; slot += SLOTS) {
    const some = signs.subarray(slot * query.length, (slot + SLOTS) * query.length)
    distances.set(signDistances(some, query), slot)
  }
  return distances
}

/** As in `varbit_send`: the first number is the highest bit of the first byte. */
function signBytes(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(wholeWords(vector.length))
  for (let i = 0; i < vector.length; i++)
    if ((vector[i] ?? 0) > 0) bytes[i >> 3] = (bytes[i >> 3] ?? 0) | (0x80 >> (i & 7))
  return bytes
}

/** In bytes: bits are compared 32 at a time. */
function wholeWords(bits: number): number {
  return Math.ceil(bits / 32) * 4
}
