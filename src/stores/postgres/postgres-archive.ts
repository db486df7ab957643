import {
  type Archive,
  archivedLines,
  BATCH_NAME,
  type BatchManifest,
  batchName,
  batchTime,
  ENTRIES,
  EVENTS,
  FILES,
  isArchivedEntry,
  isEvent,
  isPlainPath,
  MANIFEST,
  manifestOf,
  parseManifest,
} from '../../features/upkeep/decide/archive.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { MemoryBlobs } from './memory-blobs.ts'
import { announce } from './postgres-changes.ts'
import type { Tenant } from './tenant.ts'

const ROOT = 'archive/'
const inBatch = (batch: string, name: string) => `${ROOT}${batch}/${name}`
const lines = (values: readonly unknown[]) => values.map(value => `${JSON.stringify(value)}\n`).join('')
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** A batch is written in one transaction: whole, or not at all. */
export function postgresArchive(tenant: Tenant, blobs: MemoryBlobs): Archive {
  const batchNames = async (): Promise<string[]> =>
    (await blobs.list(ROOT))
      .flatMap(({ path }) => {
        const [, batch = '', name] = path.split('/')
        return name === MANIFEST && BATCH_NAME.test(batch) ? [batch] : []
      })
      .sort((a, b) => (batchTime(a) < batchTime(b) ? 1 : -1))
  const readManifest = async (batch: string) =>
    parseManifest(await blobs.readText(inBatch(batch, MANIFEST)), batch)
  const linesOf = async <T>(
    batch: string,
    name: string,
    isOne: (value: unknown) => value is T,
    onProblem: ((problem: Problem) => void) | undefined,
  ): Promise<T[]> => {
    const text = await blobs.readText(inBatch(batch, name))
    return text === undefined ? [] : [...archivedLines(text, { batch, name, isOne, onProblem })]
  }

  return {
    write: batch =>
      tenant.transaction(async () => {
        const { entries = [], events = [], files = [] } = batch
        for (const { path } of files)
          if (!isPlainPath(path)) throw new Error(`${path} is not a path inside the memory`)
        const manifest = await addManifest(manifestOf(batch, batchName(batch)))
        if (entries.length > 0) await blobs.write(inBatch(manifest.id, ENTRIES), lines(entries))
        if (events.length > 0) await blobs.write(inBatch(manifest.id, EVENTS), lines(events))
        for (const { path, bytes } of files)
          await blobs.write(inBatch(manifest.id, `${FILES}/${path}`), bytes)
        await announce(tenant, ['upkeep'])
        return manifest
      }),

    async list() {
      const batches: BatchManifest[] = []
      const problems: Problem[] = []
      for (const name of await batchNames()) {
        const manifest = await readManifest(name)
        if ('message' in manifest) problems.push(manifest)
        else batches.push(manifest)
      }
      return { batches, problems }
    },

    async read(id) {
      if (!BATCH_NAME.test(id) || (await blobs.facts(inBatch(id, MANIFEST))) === undefined) return undefined
      const manifest = await readManifest(id)
      if ('message' in manifest)
        throw new CairnError({
          code: 'document_damaged',
          message: manifest.message,
          hint: manifest.hint,
        })
      const problems: Problem[] = []
      const note = (problem: Problem) => void problems.push(problem)
      return {
        ...manifest,
        archived: await linesOf(id, ENTRIES, isArchivedEntry, note),
        archivedEvents: await linesOf(id, EVENTS, isEvent, note),
        problems,
      }
    },

    async readFile(batch, file) {
      return BATCH_NAME.test(batch) && isPlainPath(file)
        ? blobs.read(inBatch(batch, `${FILES}/${file}`))
        : undefined
    },

    async *entries(onProblem) {
      for (const batch of await batchNames())
        for (const item of await linesOf(batch, ENTRIES, isArchivedEntry, onProblem)) yield { batch, item }
    },

    async markRestored(batch, at) {
      await tenant.transaction(async () => {
        const manifest = await readManifest(batch)
        if ('message' in manifest) return
        await blobs.write(inBatch(batch, MANIFEST), json({ ...manifest, restoredAt: at }))
        await announce(tenant, ['upkeep'])
      })
    },

    async remove(batch) {
      if (!BATCH_NAME.test(batch)) return
      await tenant.transaction(async () => {
        await blobs.removeFolder(`${ROOT}${batch}/`)
        await announce(tenant, ['upkeep'])
      })
    },
  }

  /** Two batches of the same millisecond get different numbers. */
  async function addManifest(manifest: BatchManifest): Promise<BatchManifest> {
    for (let number = 1; ; number++) {
      const named = number === 1 ? manifest : { ...manifest, id: `${manifest.id}-${number}` }
      if (await blobs.add(inBatch(named.id, MANIFEST), json(named))) return named
    }
  }
}
