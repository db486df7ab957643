import type { Measured, NearestQuery, VectorIndex, VectorMean } from '../../features/search/decide/ports.ts'
import { packVector, unpackDot, unpackVector } from '../../features/search/decide/vectors.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOfRow } from './entry-row.ts'
import { conditionOf } from './filter-sql.ts'
import { loadCandidates } from './postgres-search.ts'
import { glanceAt, lockProject } from './project-row.ts'
import type { SignCache } from './sign-cache.ts'
import { inOneGo } from './sql-pool.ts'
import type { Tenant } from './tenant.ts'
import {
  added,
  codesOf,
  hasNear,
  keysOf,
  putTotals,
  readTotals,
  signText,
  vectorText,
} from './vector-rows.ts'

interface VectorSource {
  readonly signs: SignCache
  /** Called when the server has no pgvector, so that candidates were selected differently. */
  readonly onWithoutExtension: () => void
  /** Called when a read finds entries without a vector. */
  readonly onBehind?: (() => void) | undefined
}

/** The signs only select candidates: this multiple of the wanted number is measured, with ties, as over files. */
const PICKED_PER_WANTED = 3
/** Keys begin with 1. */
const NO_KEY = 0

/** All vectors of a project are compared: projects are small, and an index over all projects would first find neighbours of others. */
export function postgresVectors(
  tenant: Tenant,
  { signs, onWithoutExtension, onBehind }: VectorSource,
): VectorIndex {
  let keptMean: { readonly stamp: string | null; readonly mean: VectorMean } | undefined
  /** Every change of the sum of the vectors changes the stamp: until then it need not be read again. */
  const meanNow = async (): Promise<VectorMean> => {
    const { vectors_stamp: stamp } = await glanceAt(tenant)
    if (keptMean === undefined || keptMean.stamp !== stamp)
      keptMean = { stamp, mean: meanOf(await readTotals(tenant)) }
    return keptMean.mean
  }
  return {
    async state() {
      const { model, count, waiting } = await glanceAt(tenant)
      if (waiting > 0) onBehind?.()
      return { model: model ?? undefined, count, waiting }
    },

    async startModel(model) {
      await tenant.transaction(async () => {
        await lockProject(tenant)
        if ((await readTotals(tenant)).model === model) return
        await tenant.query('DELETE FROM meaning v WHERE v.project = $1')
        if (await hasNear(tenant)) await tenant.query('DELETE FROM meaning_near n WHERE n.project = $1')
        await tenant.query(
          'INSERT INTO unembedded (project, key) SELECT $1, e.key FROM entry e WHERE e.project = $1 ON CONFLICT DO NOTHING',
        )
        await putTotals(tenant, { model, count: 0, sum: new Float32Array(0) })
      })
    },

    async waiting(limit) {
      const rows = await tenant.query<EntryRow & { fingerprint: string }>(
        `SELECT ${ENTRY_COLUMNS}, e.fingerprint FROM unembedded u JOIN entry e ON e.project = $1 AND e.key = u.key
         WHERE u.project = $1 ORDER BY u.key DESC LIMIT $2`,
        limit,
      )
      return rows.map(row => ({ entry: entryOfRow(row), version: versionOf(row) }))
    },

    async put(vectors) {
      await tenant.transaction(async () => {
        await lockProject(tenant)
        const rows = await tenant.query<
          Pick<EntryRow, 'key' | 'id' | 'tags' | 'files'> & { fingerprint: string }
        >(
          `SELECT e.key, e.id, e.tags, e.files, e.fingerprint FROM entry e JOIN unembedded u ON u.project = $1 AND u.key = e.key
           WHERE e.project = $1 AND e.id = ANY ($2::text[])`,
          vectors.map(({ id }) => id),
        )
        const rowById = new Map(rows.map(row => [row.id, row]))
        const made = vectors.flatMap(({ id, version, vector }) => {
          const row = rowById.get(id)
          return row === undefined || versionOf(row) !== version ? [] : [{ key: row.key, vector }]
        })
        if (made.length === 0) return
        const keys = made.map(({ key }) => key)
        await tenant.query('DELETE FROM unembedded u WHERE u.project = $1 AND u.key = ANY ($2::int[])', keys)
        await tenant.query(
          `INSERT INTO meaning (project, key, code, signs)
           SELECT $1, r.key, decode(r.code, 'hex'), r.signs::varbit FROM json_to_recordset($2::json) AS r(key int, code text, signs text)
           ON CONFLICT DO NOTHING`,
          JSON.stringify(
            made.map(({ key, vector }) => ({
              key,
              code: Buffer.from(packVector(vector)).toString('hex'),
              signs: signText(vector),
            })),
          ),
        )
        if (await hasNear(tenant))
          await tenant.query(
            `INSERT INTO meaning_near (project, key, near)
             SELECT $1, r.key, r.near::vector FROM json_to_recordset($2::json) AS r(key int, near text) ON CONFLICT DO NOTHING`,
            JSON.stringify(made.map(({ key, vector }) => ({ key, near: vectorText(vector) }))),
          )
        const kept = await readTotals(tenant)
        const sum = made.reduce((rest, { vector }) => added(rest, vector, 1), kept.sum)
        await putTotals(tenant, { ...kept, count: kept.count + made.length, sum })
      })
    },

    async findNearest(query) {
      const { has_near, vectors_stamp, count } = await glanceAt(tenant)
      if (has_near) return loadCandidates(tenant, await nearestByVector(tenant, query))
      onWithoutExtension()
      if (vectors_stamp === null) return []
      const kept = signs.hasRoomFor(count, query.vector.length) ? { signs, stamp: vectors_stamp } : undefined
      return loadCandidates(tenant, await nearestBySigns(tenant, query, kept))
    },

    mean: () => tenant.reading(meanNow),

    async measure(vector, ids, around) {
      const [{ mean, count }, { keyById, codeByKey }] = await inOneGo([
        around === undefined ? meanNow() : Promise.resolve(around),
        codesById(tenant, ids, vector.length),
      ])
      const measuredById = new Map<string, Measured>()
      for (const id of ids) {
        const code = codeByKey.get(keyById.get(id) ?? NO_KEY)
        if (code !== undefined)
          measuredById.set(id, { cosine: unpackDot(code, vector), toMean: unpackDot(code, mean) })
      }
      return { measuredById, mean, count }
    },

    async vectorOf(id) {
      const row = await tenant.one<{ code: Uint8Array }>(
        `SELECT v.code FROM entry e JOIN meaning v ON v.project = $1 AND v.key = e.key WHERE e.project = $1 AND e.id = $2`,
        id,
      )
      return row && unpackVector(bytesOf(row.code))
    },
  }
}

async function nearestByVector(tenant: Tenant, { vector, filter, limit }: NearestQuery): Promise<number[]> {
  const { sql, values } = conditionOf(filter, 4)
  const rows = await tenant.query<{ key: number }>(
    `SELECT n.key FROM meaning_near n ${joinEntry(sql, 'n')} WHERE n.project = $1${sql}
     ORDER BY n.near <#> $2::vector, n.key LIMIT $3`,
    vectorText(vector),
    limit,
    ...values,
  )
  return rows.map(({ key }) => key)
}

async function nearestBySigns(
  tenant: Tenant,
  { vector, filter, limit }: NearestQuery,
  kept: { readonly signs: SignCache; readonly stamp: string } | undefined,
): Promise<number[]> {
  const count = limit * PICKED_PER_WANTED
  const { sql, values } = conditionOf(filter, 4)
  const keys =
    sql === '' && kept !== undefined
      ? await kept.signs.pick(tenant, { stamp: kept.stamp, vector, count })
      : (
          await tenant.query<{ key: number }>(
            `SELECT v.key FROM meaning v ${joinEntry(sql, 'v')} WHERE v.project = $1${sql}
             ORDER BY bit_count(v.signs # $2::varbit) FETCH FIRST ($3) ROWS WITH TIES`,
            signText(vector),
            count,
            ...values,
          )
        ).map(({ key }) => key)
  const codeByKey = await codesOf(tenant, keys, vector.length)
  return keys
    .flatMap(key => {
      const code = codeByKey.get(key)
      return code === undefined ? [] : [{ key, cosine: unpackDot(code, vector) }]
    })
    .sort((a, b) => b.cosine - a.cosine || a.key - b.key)
    .slice(0, limit)
    .map(({ key }) => key)
}

async function codesById(tenant: Tenant, ids: readonly string[], dimensions: number) {
  const keyById = await keysOf(tenant, ids)
  const keys = ids.flatMap(id => keyById.get(id) ?? [])
  return { keyById, codeByKey: await codesOf(tenant, keys, dimensions) }
}

function joinEntry(condition: string, alias: string): string {
  return condition === '' ? '' : `JOIN entry e ON e.project = $1 AND e.key = ${alias}.key`
}

/** A copy: the bytes of a row may not be aligned for floats. */
function bytesOf(code: Uint8Array): Uint8Array {
  return Uint8Array.from(code)
}

function meanOf({ sum, count }: { readonly sum: Float32Array; readonly count: number }) {
  return { mean: sum.map(value => value / Math.max(1, count)), count }
}

/** The fields that a vector is made from: the content, the tags and the files. */
function versionOf(row: Pick<EntryRow, 'tags' | 'files'> & { fingerprint: string }): string {
  return `${row.fingerprint}${row.tags}${row.files}`
}
