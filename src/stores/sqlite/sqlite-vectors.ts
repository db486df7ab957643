import type { Measured, VectorIndex } from '../../features/search/decide/ports.ts'
import {
  EMPTY_SLOT,
  farthestOf,
  packVector,
  signBits,
  signDistances,
  unpackDot,
  unpackVector,
} from '../../features/search/decide/vectors.ts'
import type { EntryFilter } from '../../kernel/model/search.ts'
import { storedJson } from '../sql/stored-value.ts'
import { ENTRY_COLUMNS, type EntryRow, entryOfRow } from './entry-rows.ts'
import { conditionOf } from './filter-sql.ts'
import type { SqliteIndex } from './sqlite-index.ts'
import { loadCandidates } from './sqlite-search.ts'
import { type Collection, ENTRIES_COLLECTION } from './text-rows.ts'
import { added, awaitVector, BitBlocks, BLOCK, putTotals, totals } from './vector-queue.ts'

/** The bits only preselect; this many times the limit are measured exactly. */
const PICKED_PER_WANTED = 3

/** The vectors of one collection. */
export function sqliteCollectionVectors(index: () => SqliteIndex, collection: Collection): VectorIndex {
  return {
    async state() {
      const { count, model } = totals(index(), collection)
      const { n } = index().statement(`SELECT count(*) AS n FROM ${collection}unembedded`).get() as {
        n: number
      }
      return { model, count, waiting: n }
    },

    async startModel(model) {
      index().transaction(() => {
        if (totals(index(), collection).model === model) return
        for (const table of [`${collection}vector`, `${collection}vector_bits`])
          index().statement(`DELETE FROM ${table}`).run()
        index()
          .statement(`INSERT OR IGNORE INTO ${collection}unembedded SELECT key FROM ${collection}entry`)
          .run()
        putTotals(index(), { model, count: 0, sum: new Float32Array(0) }, collection)
      })
    },

    async waiting(limit) {
      const rows = index()
        .statement(
          `SELECT ${ENTRY_COLUMNS}, e.fingerprint FROM ${collection}unembedded u JOIN ${collection}entry e ON e.key = u.key ORDER BY u.key DESC LIMIT ?`,
        )
        .all(limit) as (EntryRow & { fingerprint: string })[]
      return rows.map(row => ({ entry: entryOfRow(row), version: versionOf(row) }))
    },

    async put(vectors) {
      index().transaction(() => {
        const kept = totals(index(), collection)
        const blocks = new BitBlocks(index(), collection)
        for (const { id, version, vector } of vectors) {
          const row = index()
            .statement(`SELECT key, fingerprint, tags, files FROM ${collection}entry WHERE id = ?`)
            .get(id) as (Pick<EntryRow, 'key' | 'tags' | 'files'> & { fingerprint: string }) | undefined
          const isWaiting =
            row !== undefined &&
            index().statement(`DELETE FROM ${collection}unembedded WHERE key = ?`).run(row.key).changes
          if (!isWaiting) continue
          if (versionOf(row) !== version) {
            awaitVector(index(), row.key, collection)
            continue
          }
          index()
            .statement(`INSERT INTO ${collection}vector (key, code) VALUES (?, ?)`)
            .run(row.key, packVector(vector))
          blocks.put(row.key, signBits(vector))
          kept.sum = added(kept.sum, vector, 1)
          kept.count += 1
        }
        blocks.write()
        putTotals(index(), kept, collection)
      })
    },

    async findNearest({ vector, filter, limit }) {
      const picked = pickByBits(index(), collection, signBits(vector), {
        limit: limit * PICKED_PER_WANTED,
        filter,
      })
      const nearest = codesOf<number>(
        index(),
        `SELECT v.key AS name, v.code FROM json_each(?) j CROSS JOIN ${collection}vector v ON v.key = j.value`,
        picked,
      )
        .map(({ name: key, code }) => ({ key, cosine: unpackDot(code, vector) }))
        .sort((a, b) => b.cosine - a.cosine || a.key - b.key)
        .slice(0, limit)
        .map(({ key }) => key)
      const found = loadCandidates(index(), collection, 'SELECT value AS key FROM json_each(?)', [
        JSON.stringify(nearest),
      ])
      const candidateByKey = new Map(found.map(candidate => [candidate.key, candidate]))
      return nearest.flatMap(key => candidateByKey.get(key) ?? [])
    },

    async mean() {
      return meanOf(totals(index(), collection))
    },

    async measure(vector, ids, around) {
      const { mean, count } = around ?? meanOf(totals(index(), collection))
      const rows = codesOf<string>(
        index(),
        `SELECT e.id AS name, v.code FROM json_each(?) j CROSS JOIN ${collection}entry e ON e.id = j.value
           CROSS JOIN ${collection}vector v ON v.key = e.key`,
        ids,
      )
      const measuredById = new Map<string, Measured>(
        rows.map(({ name, code }) => [
          name,
          { cosine: unpackDot(code, vector), toMean: unpackDot(code, mean) },
        ]),
      )
      return { measuredById, mean, count }
    },

    async vectorOf(id) {
      const row = index()
        .statement(
          `SELECT v.code FROM ${collection}entry e JOIN ${collection}vector v ON v.key = e.key WHERE e.id = ?`,
        )
        .get(id) as { code: Uint8Array } | undefined
      return row && unpackVector(row.code)
    },
  }
}

export function sqliteVectors(index: () => SqliteIndex): VectorIndex {
  return sqliteCollectionVectors(index, ENTRIES_COLLECTION)
}

/**
 * Packed vectors are read from SQLite as one blob with a list of names: an object for each row cost three times as much. All vectors of an
 * index have the same model, so the same length.
 */
function codesOf<Name extends string | number>(
  index: SqliteIndex,
  rows: string,
  wanted: readonly Name[],
): { readonly name: Name; readonly code: Uint8Array }[] {
  const found = index
    .statement(
      `SELECT json_group_array(name) AS names, CAST(group_concat(code, '') AS BLOB) AS codes FROM (${rows})`,
    )
    .get(JSON.stringify(wanted)) as { names: string; codes: Uint8Array | null }
  const names = storedJson<Name[]>('a list of names', found.names)
  const { codes } = found
  if (codes === null) return []
  const bytes = codes.length / names.length
  return names.map((name, i) => ({ name, code: codes.subarray(i * bytes, (i + 1) * bytes) }))
}

function meanOf({ sum, count }: { readonly sum: Float32Array; readonly count: number }) {
  return { mean: sum.map(value => value / Math.max(1, count)), count }
}

/** The input of the vector: the content, the tags and the files. */
function versionOf(row: Pick<EntryRow, 'tags' | 'files'> & { fingerprint: string }): string {
  return `${row.fingerprint}${row.tags}${row.files}`
}

function pickByBits(
  index: SqliteIndex,
  collection: Collection,
  bits: Uint8Array,
  { limit, filter }: { limit: number; filter: EntryFilter },
): number[] {
  const allowed = allowedKeys(index, collection, filter)
  const blocks: { firstKey: number; distances: Uint16Array }[] = []
  const frequencies = new Uint32Array(bits.length * 8 + 1)
  for (const row of index.statement(`SELECT block, bits FROM ${collection}vector_bits`).iterate()) {
    const { block, bits: ofBlock } = row as { block: number; bits: Uint8Array }
    const distances = signDistances(ofBlock, bits)
    const firstKey = block * BLOCK
    for (let place = 0; place < distances.length; place += 1) {
      const distance = distances[place] ?? EMPTY_SLOT
      if (distance === EMPTY_SLOT) continue
      if (allowed?.has(firstKey + place) === false) distances[place] = EMPTY_SLOT
      else frequencies[distance] = (frequencies[distance] ?? 0) + 1
    }
    blocks.push({ firstKey, distances })
  }
  const cut = farthestOf(frequencies, limit)
  const picked: number[] = []
  for (const { firstKey, distances } of blocks) {
    for (let place = 0; place < distances.length; place += 1) {
      if ((distances[place] ?? EMPTY_SLOT) <= cut) picked.push(firstKey + place)
    }
  }
  return picked
}

/** undefined: every entry. */
function allowedKeys(
  index: SqliteIndex,
  collection: Collection,
  filter: EntryFilter,
): ReadonlySet<number> | undefined {
  const { sql, values } = conditionOf(filter)
  if (sql === '') return undefined
  const rows = index.statement(`SELECT e.key FROM ${collection}entry e WHERE 1${sql}`).all(...values) as {
    key: number
  }[]
  return new Set(rows.map(row => row.key))
}
