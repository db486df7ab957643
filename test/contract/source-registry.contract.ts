import { describe, expect, it } from 'vitest'
import type { SourceRegistry } from '../../src/addons/import/decide/source-registry.ts'
import type { ImportSource } from '../../src/kernel/model/import-source.ts'

export const SOURCE: ImportSource = {
  id: 'chats',
  type: 'transcript',
  path: '/home/ana/chats',
  createdAt: '2026-11-15T10:00:00.000Z',
  updatedAt: '2026-11-15T10:00:00.000Z',
  lastSyncedAt: null,
  lastSyncStatus: null,
  lastSyncError: null,
  lastImportedCount: 0,
}
const CURSORS = { a1b2: { size: 10, mtimeMs: 5.5, inode: 7, checkedMs: 9_000 } }

/** What every keeper of import sources does. `open` opens the same registry again. */
export function sourceRegistryContract(
  name: string,
  makeWorld: () => { open(): SourceRegistry } | Promise<{ open(): SourceRegistry }>,
): void {
  describe(`${name} as a registry of sources`, () => {
    it('has none at first', async () => {
      const registry = (await makeWorld()).open()
      expect(await registry.list()).toEqual({ sources: [], problems: [] })
      expect(await registry.cursors('chats')).toEqual({})
    })

    it('keeps what is put into it, and edits what is there', async () => {
      const { open } = await makeWorld()
      await open().edit(sources => [...sources, SOURCE])
      await open().edit(sources => [...sources, { ...SOURCE, id: 'notes', agent: 'dev' }])
      await open().edit(sources =>
        sources.map(source => (source.id === 'chats' ? { ...source, lastSyncStatus: 'failed' } : source)),
      )
      expect((await open().list()).sources).toEqual([
        { ...SOURCE, lastSyncStatus: 'failed' },
        { ...SOURCE, id: 'notes', agent: 'dev' },
      ])
    })

    it('loses no edit when many are made at once', async () => {
      const { open } = await makeWorld()
      await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          open().edit(sources => [...sources, { ...SOURCE, id: `chats-${n}` }]),
        ),
      )
      expect((await open().list()).sources).toHaveLength(12)
    })

    it('keeps how far a source is taken in, until that is forgotten', async () => {
      const { open } = await makeWorld()
      await open().keepCursors('chats', CURSORS)
      expect(await open().cursors('chats')).toEqual(CURSORS)
      expect(await open().cursors('notes')).toEqual({})
      await open().forgetCursors('chats')
      await open().forgetCursors('chats')
      expect(await open().cursors('chats')).toEqual({})
    })
  })
}
