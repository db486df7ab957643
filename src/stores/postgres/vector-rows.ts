import { unpackVector } from '../../features/search/decide/vectors.ts'
import type { Tenant } from './tenant.ts'

const KEY_BYTES = 4
/** A packed vector ends with its scale (vectors.ts). */
const SCALE_BYTES = 4

/** Packed vectors by the key of their entry. Inside a reading each is read once. */
export async function codesOf(
  tenant: Tenant,
  keys: readonly number[],
  dimensions: number,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const known = await tenant.once('codes', async () => new Map<number, Uint8Array>())
  const missing = keys.filter(key => !known.has(key))
  if (missing.length > 0)
    for (const [key, code] of await readCodes(tenant, missing, dimensions)) known.set(key, code)
  return known
}

/** As one array: parsing a row for each would take longer than comparing. */
async function readCodes(
  tenant: Tenant,
  keys: readonly number[],
  dimensions: number,
): Promise<[number, Uint8Array][]> {
  const row = await tenant.one<{ packed: string | null }>(
    `SELECT encode(string_agg(int4send(v.key) || v.code, ''::bytea), 'base64') AS packed
     FROM meaning v WHERE v.project = $1 AND v.key = ANY ($2::int[])`,
    keys,
  )
  const packed = Buffer.from(row?.packed ?? '', 'base64')
  const length = KEY_BYTES + dimensions + SCALE_BYTES
  const codes: [number, Uint8Array][] = []
  for (let at = 0; at + length <= packed.length; at += length)
    codes.push([packed.readInt32BE(at), packed.subarray(at + KEY_BYTES, at + length)])
  return codes
}

/** Entries already read in this reading, by id: they need no lookup. */
export function knownKeys(tenant: Tenant): Promise<Map<string, number>> {
  return tenant.once('keys', async () => new Map<string, number>())
}

/** Vectors of entries by id, including entries not read yet. A removed entry has none. */
export async function keysOf(tenant: Tenant, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const known = await knownKeys(tenant)
  const missing = ids.filter(id => !known.has(id))
  if (missing.length > 0) {
    const rows = await tenant.query<{ id: string; key: number }>(
      'SELECT e.id, e.key FROM entry e WHERE e.project = $1 AND e.id = ANY ($2::text[])',
      missing,
    )
    for (const { id, key } of rows) known.set(id, key)
  }
  return known
}

/** Statistics of all vectors of a project. */
export interface VectorTotals {
  readonly model: string | undefined
  readonly count: number
  /** Of all vectors; empty before the first. */
  readonly sum: Float32Array
}

export async function readTotals(tenant: Tenant): Promise<VectorTotals> {
  const row = await tenant.one<{ model: string; count: number; sum: Uint8Array }>(
    'SELECT t.model, t.count, t.sum FROM meaning_totals t WHERE t.project = $1',
  )
  if (row === undefined) return { model: undefined, count: 0, sum: new Float32Array(0) }
  // A copy: the bytes of a row may not be aligned for floats.
  return { model: row.model, count: row.count, sum: new Float32Array(Uint8Array.from(row.sum).buffer) }
}

export async function putTotals(tenant: Tenant, { model, count, sum }: VectorTotals): Promise<void> {
  if (model === undefined) return
  await tenant.query(
    `INSERT INTO meaning_totals (project, model, count, sum) VALUES ($1, $2, $3, $4)
     ON CONFLICT (project) DO UPDATE SET model = excluded.model, count = excluded.count, sum = excluded.sum`,
    model,
    count,
    new Uint8Array(sum.buffer, sum.byteOffset, sum.byteLength),
  )
}

export function added(sum: Float32Array, vector: Float32Array, sign: 1 | -1): Float32Array {
  return vector.map((value, i) => (sum[i] ?? 0) + sign * value)
}

/** Removes the vectors of deleted or changed entries, under the lock of the project. */
export async function forgetVectors(tenant: Tenant, keys: readonly number[]): Promise<void> {
  const rows = await tenant.query<{ code: Uint8Array }>(
    'DELETE FROM meaning v WHERE v.project = $1 AND v.key = ANY ($2::int[]) RETURNING v.code',
    keys,
  )
  if (rows.length === 0) return
  if (await hasNear(tenant))
    await tenant.query('DELETE FROM meaning_near n WHERE n.project = $1 AND n.key = ANY ($2::int[])', keys)
  const kept = await readTotals(tenant)
  const sum = rows.reduce((rest, { code }) => added(rest, unpackVector(Uint8Array.from(code)), -1), kept.sum)
  await putTotals(tenant, { ...kept, count: kept.count - rows.length, sum })
}

/** Whether the database has a table for pgvector's operators. */
export async function hasNear(tenant: Tenant): Promise<boolean> {
  const row = await tenant.one<{ is_there: boolean }>(
    "SELECT $1::int IS NOT NULL AND to_regclass('meaning_near') IS NOT NULL AS is_there",
  )
  return row?.is_there === true
}

/** In the syntax of pgvector: `[0.1,-0.2]`. */
export function vectorText(vector: Float32Array): string {
  return `[${vector.join(',')}]`
}

/** In the syntax of `varbit`: a 1 for every positive number. */
export function signText(vector: Float32Array): string {
  return Array.from(vector, value => (value > 0 ? '1' : '0')).join('')
}
