import type { Tenant } from './tenant.ts'

const KEY_BYTES = 4
/** Behind its numbers a packed vector has its scale (vectors.ts). */
const SCALE_BYTES = 4

/** Packed vectors by the key of their entry. Inside a reading none is read twice. */
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

/** In one piece: to take apart a row for each would take longer than to compare them. */
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

/** Of entries that were read in this reading already, by id: nobody has to look them up again. */
export function knownKeys(tenant: Tenant): Promise<Map<string, number>> {
  return tenant.once('keys', async () => new Map<string, number>())
}

/** Of entries by id, also of those that were not read yet. An entry that is gone has none. */
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
