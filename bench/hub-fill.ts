/**
 * One process that fills projects of a database, started by hub-data.ts: the same analysis and the same writer as a hub has, in large
 * batches. Vectors are of unit length and random: to embed a million texts would take hours, and what a search pays for is that they are there.
 */
import { parseArgs } from 'node:util'
import { captureEntry } from '../src/features/entries/decide/capture-entry.ts'
import { planRemember } from '../src/features/entries/decide/plan-remember.ts'
import { DEFAULT_CONFIG } from '../src/kernel/model/config.ts'
import type { Entry } from '../src/kernel/model/entry.ts'
import { newEntryId } from '../src/kernel/model/entry-id.ts'
import { textHash } from '../src/kernel/system/content-hash.ts'
import { indexedEntry } from '../src/kernel/vault/indexed-entry.ts'
import { asJournaled } from '../src/kernel/vault/journaled-change.ts'
import { numberOfProject } from '../src/stores/postgres/directory.ts'
import { writeEntries } from '../src/stores/postgres/entry-writer.ts'
import { writeJournal } from '../src/stores/postgres/journal-rows.ts'
import { openPool } from '../src/stores/postgres/node-postgres.ts'
import { postgresVectors } from '../src/stores/postgres/postgres-vectors.ts'
import { lockProject, saveProject } from '../src/stores/postgres/project-row.ts'
import { signCacheOf } from '../src/stores/postgres/sign-cache.ts'
import type { SqlPool } from '../src/stores/postgres/sql-pool.ts'
import { Tenant } from '../src/stores/postgres/tenant.ts'
import { entryAt, type Random, seededRandom } from './synthetic-corpus.ts'

const BATCH = 500
const DIMENSIONS = 384

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    model: { type: 'string' },
    /** `load-0 load-2 …`: the projects, each with its first position. */
    projects: { type: 'string' },
    entries: { type: 'string' },
  },
})

async function main(): Promise<void> {
  const each = Number(values.entries)
  const pool = await openPool({ url: values.url ?? '', most: 2 })
  try {
    for (const given of (values.projects ?? '').split(' ')) {
      const [name = '', first = ''] = given.split('@')
      await fillProject(pool, name, Number(first), each)
      process.stdout.write(`${name}\n`)
    }
  } finally {
    await pool.close()
  }
}

async function fillProject(pool: SqlPool, name: string, first: number, entries: number): Promise<void> {
  const project = await numberOfProject(pool, name, Date.now())
  const tenant = new Tenant(pool, project)
  const vectors = postgresVectors(tenant, { signs: signCacheOf(pool), onWithoutExtension: () => undefined })
  const random = seededRandom(first + 1)
  if (values.model !== undefined) await vectors.startModel(values.model)
  for (let from = 0; from < entries; from += BATCH) {
    const positions = Array.from({ length: Math.min(BATCH, entries - from) }, (_, i) => first + from + i)
    await writeBatch(
      tenant,
      positions.map(position => newEntryAt(position, random)),
    )
  }
  for (;;) {
    const waiting = values.model === undefined ? [] : await vectors.waiting(BATCH)
    if (waiting.length === 0) return
    await vectors.put(
      waiting.map(({ entry, version }) => ({
        id: entry.id,
        version,
        vector: randomVector(random),
      })),
    )
  }
}

function newEntryAt(position: number, random: Random): Entry {
  const { text, metadata } = entryAt(position)
  const { entry } = captureEntry({ content: text, ...metadata }, DEFAULT_CONFIG)
  const newId = () =>
    newEntryId({ nowMs: entry.dateMs ?? 0, lastMs: 0, random: bound => Math.floor(random() * bound) })
  return planRemember(entry, undefined, { newId, nowMs: Date.now() }).after
}

/** As so many single writes: each entry has its own record and its own revision. */
async function writeBatch(tenant: Tenant, entries: readonly Entry[]): Promise<void> {
  await tenant.transaction(async () => {
    const before = await lockProject(tenant)
    const upserts = entries.map(entry => indexedEntry(entry, ''))
    const { after, written } = await writeEntries(tenant, before, { upserts, removes: [], nowMs: Date.now() })
    await written
    await writeJournal(
      tenant,
      entries.map((entry, at) => ({
        number: before.revision + 1 + at,
        record: {
          id: `${entry.id}j`,
          at: new Date().toISOString(),
          action: 'add' as const,
          by: { host: 'bench', agent: entry.agent },
          changes: [asJournaled({ type: 'entry', before: null, after: entry }, textHash)],
        },
      })),
    )
    await saveProject(tenant, { ...after, revision: before.revision + entries.length })
  })
}

function randomVector(random: Random): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() + random() - 1)
  const length = Math.hypot(...vector)
  return vector.map(value => value / length)
}

await main()
