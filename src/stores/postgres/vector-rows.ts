import { unpackVector } from '../../features/search/decide/vectors.ts'
import type { Tenant } from './tenant.ts'

/** What is known of all vectors of a project together. */
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
  // A copy: the bytes of a row need not lie where four-byte numbers may.
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

/** The vectors of entries that go or change, under the lock of the project. */
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

/** As pgvector reads it: `[0.1,-0.2]`. */
export function vectorText(vector: Float32Array): string {
  return `[${vector.join(',')}]`
}

/** As `varbit` is read: a 1 for every number that is positive. */
export function signText(vector: Float32Array): string {
  return Array.from(vector, value => (value > 0 ? '1' : '0')).join('')
}
