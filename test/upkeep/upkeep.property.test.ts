import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { restoreBatch } from '../../src/features/upkeep/restore.ts'
import { compact } from '../../src/features/upkeep/upkeep.ts'
import {
  type AgedEntry,
  captured,
  DAY_MS,
  furnishAged,
  LOCAL,
  NOW_MS,
  openAt,
  treeOf,
  VAULT_ONLY,
} from '../support/aged-vault.ts'
import { scratchProject } from '../support/scratch-project.ts'

/** A small vault whose limits are small too, so that everything happens in it. */
const CONFIG = {
  version: 1,
  vault: { maxEntriesPerFile: 6, keepEntries: 4 },
  upkeep: { maxEntries: 8, keepEntries: 6 },
}

const agedEntry: fc.Arbitrary<AgedEntry> = fc
  .record({
    word: fc.stringMatching(/^[a-z]{3,8}$/),
    number: fc.nat(100_000),
    extra: fc.constantFrom('', '\n\n---\n\n## not a heading', '\n<!-- id:1 -->', '\r\n`code`', ' é ü'),
    ageDays: fc.integer({ min: 0, max: 200 }),
    kind: fc.constantFrom('discovery', 'decision', 'warning', 'task_progress', 'preference'),
    status: fc.constantFrom('candidate', 'candidate', 'confirmed', 'pinned'),
    origin: fc.constantFrom('machine', 'machine', 'machine', 'person'),
    importance: fc.double({ min: 0.05, max: 1, noNaN: true }),
    agent: fc.constantFrom('dev', 'shared'),
  })
  .map(({ word, number, extra, ageDays, ...entry }) =>
    captured(`The ${word} ${number} is kept in the cache.${extra}`, ageDays, entry as object),
  )

const world = fc.uniqueArray(agedEntry, { minLength: 3, maxLength: 24, selector: entry => entry.content })
const RUNS = { numRuns: 25, endOnFailure: true }

async function furnish(entries: readonly AgedEntry[], accessed: readonly number[]): Promise<string> {
  const root = scratchProject({ '.memory/config.json': JSON.stringify(CONFIG) })
  const ids = await furnishAged(root, entries)
  const engine = openAt(root, NOW_MS - 2 * DAY_MS)
  await engine.store.recordAccess(accessed.flatMap(at => ids[at % ids.length] ?? []))
  await engine.close()
  return root
}

async function everything(root: string) {
  const engine = openAt(root)
  const { entries } = await engine.store.listEntries({ filter: {}, limit: 1_000, offset: 0 })
  expect(await engine.store.check()).toEqual([])
  await engine.close()
  return entries
}

async function compactOnce(root: string) {
  const engine = openAt(root)
  const { result } = await compact(engine)
  await engine.close()
  if (result === undefined) throw new Error('it was no dry run')
  return result
}

async function idsOf(root: string, batches: readonly string[], later: readonly string[]) {
  const engine = openAt(root)
  const read = async (ids: readonly string[]) =>
    (await Promise.all(ids.map(id => engine.archive.read(id)))).flatMap(batch =>
      (batch?.archived ?? []).map(({ entry }) => entry.id),
    )
  const found = { restored: await read(batches), gone: new Set(await read(later)) }
  await engine.close()
  return found
}

const accesses = fc.array(fc.nat(30), { maxLength: 6 })

describe('upkeep', () => {
  it('never loses what is pinned or what a person wrote, and whatever leaves is in the archive', async () => {
    await fc.assert(
      fc.asyncProperty(world, accesses, async (entries, accessed) => {
        const root = await furnish(entries, accessed)
        const before = await everything(root)
        await compactOnce(root)
        const after = new Map((await everything(root)).map(entry => [entry.id, entry]))
        const engine = openAt(root)
        const archived = new Set<string>()
        for await (const { item } of engine.archive.entries()) archived.add(item.entry.id)
        await engine.close()
        for (const entry of before) {
          if (entry.status === 'pinned' || entry.origin === 'person')
            expect(after.get(entry.id)).toEqual(entry)
          expect(after.has(entry.id) !== archived.has(entry.id)).toBe(true)
        }
      }),
      RUNS,
    )
  }, 120_000)

  it('done twice equals done once, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(world, accesses, async (entries, accessed) => {
        const root = await furnish(entries, accessed)
        await compactOnce(root)
        const except = new RegExp(`${LOCAL.source}|^\\.vault/compact-log\\.json$`)
        const once = treeOf(root, except)
        const result = await compactOnce(root)
        expect(treeOf(root, except)).toEqual(once)
        expect(result).toMatchObject({ batches: [], entriesEvicted: 0, entriesConfirmed: 0 })
      }),
      RUNS,
    )
  }, 120_000)

  it('taken back by restore leaves the vault as it was, byte for byte, and the same answers', async () => {
    await fc.assert(
      fc.asyncProperty(world, async entries => {
        const root = await furnish(entries, [])
        const before = treeOf(root, VAULT_ONLY)
        const listed = await everything(root)
        const { batches, vaultEntriesMerged } = await compactOnce(root)
        expect(vaultEntriesMerged).toBe(0)
        const engine = openAt(root)
        for (const batch of batches) await restoreBatch(engine, batch)
        await engine.close()
        expect(await everything(root)).toEqual(listed)
        expect(treeOf(root, VAULT_ONLY)).toEqual(before)
        // Who brought them back wants them: they stay, whatever else goes.
        const again = await compactOnce(root)
        const { restored, gone } = await idsOf(root, batches, again.batches)
        expect(restored.filter(id => gone.has(id))).toEqual([])
      }),
      RUNS,
    )
  }, 120_000)
})
