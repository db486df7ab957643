import { beforeEach, describe, expect, it } from 'vitest'
import type { Archive, ArchivedEntry } from '../../src/features/upkeep/decide/archive.ts'
import type { Entry } from '../../src/kernel/model/entry.ts'
import type { Problem } from '../../src/kernel/model/search.ts'

const AT = '2026-11-15T10:30:00.000Z'
const bytes = (text: string) => new TextEncoder().encode(text)

function archived(id: string, content: string): ArchivedEntry {
  const entry: Entry = {
    id,
    agent: 'dev',
    category: 'lessons',
    kind: 'discovery',
    status: 'candidate',
    origin: 'machine',
    date: '2026-02-03T10:00',
    content,
    tags: [],
    files: [],
    importance: 0.5,
  }
  return {
    entry,
    reason: { code: 'expired', idleDays: 30, ttlDays: 21 },
    place: { path: 'dev/lessons/2026-02.md', preview: 3 },
    accessCount: 2,
    lastAccessMs: 1_763_000_000_000,
  }
}

/** What every archive does. `open` gives another handle on the same one, as another process would have it. */
export function describeArchive(
  name: string,
  make: () => { open: () => Archive } | Promise<{ open: () => Archive }>,
): void {
  describe(name, () => {
    let open: () => Archive
    beforeEach(async () => {
      open = (await make()).open
    })

    const idsOf = async (archive: Archive, onProblem?: (problem: Problem) => void) => {
      const ids: string[] = []
      for await (const { item } of archive.entries(onProblem)) ids.push(item.entry.id)
      return ids
    }

    it('is empty at first', async () => {
      expect(await open().list()).toEqual({ batches: [], problems: [] })
      expect(await open().read('evict-1')).toBe(undefined)
      expect(await idsOf(open())).toEqual([])
    })

    it('gives back what was put in, to every process', async () => {
      const items = [archived('1', 'One.\n---\n"quoted" é'), archived('2', 'Two.')]
      const { id } = await open().write({ kind: 'evict', at: AT, entries: items })
      expect(id).toBe('evict-2026-11-15T10-30-00-000Z')
      expect(await open().read(id)).toEqual({
        version: 1,
        id,
        kind: 'evict',
        at: AT,
        entries: 2,
        events: 0,
        files: [],
        archived: items,
        archivedEvents: [],
        problems: [],
      })
    })

    it('keeps files by their path, byte for byte', async () => {
      const files = [
        { path: 'conversations/dev/s1.json', bytes: bytes('{"é": 1}\r\n') },
        { path: '.vault/checkpoints/dev/s1.json', bytes: new Uint8Array([0, 255, 10]) },
      ]
      const { id } = await open().write({ kind: 'prune', at: AT, files })
      expect((await open().list()).batches[0]?.files).toEqual(files.map(({ path }) => path))
      for (const file of files)
        expect(Buffer.compare((await open().readFile(id, file.path)) as Uint8Array, file.bytes)).toBe(0)
      expect(await open().readFile(id, 'nothing.json')).toBe(undefined)
    })

    it('never gives two batches one name, also when they are made at the same moment', async () => {
      const ids = await Promise.all(
        Array.from({ length: 4 }, async (_, n) => {
          const { id } = await open().write({
            kind: 'evict',
            at: AT,
            entries: [archived(String(n), `E${n}.`)],
          })
          return id
        }),
      )
      expect(new Set(ids).size).toBe(4)
      expect((await idsOf(open())).sort()).toEqual(['0', '1', '2', '3'])
    })

    it('lists the newest first, whatever their kind', async () => {
      await open().write({
        kind: 'prune',
        at: '2026-11-13T10:00:00.000Z',
        files: [{ path: 'a', bytes: bytes('a') }],
      })
      await open().write({
        kind: 'evict',
        at: '2026-11-15T10:00:00.000Z',
        entries: [archived('new', 'New.')],
      })
      await open().write({
        kind: 'evict',
        at: '2026-11-14T10:00:00.000Z',
        entries: [archived('old', 'Old.')],
      })
      expect((await open().list()).batches.map(({ at }) => at.slice(8, 10))).toEqual(['15', '14', '13'])
      expect(await idsOf(open())).toEqual(['new', 'old'])
    })

    it('remembers that a batch was restored, and forgets one that is removed', async () => {
      const { id } = await open().write({ kind: 'evict', at: AT, entries: [archived('1', 'One.')] })
      await open().markRestored(id, '2026-11-16T08:00:00.000Z')
      expect((await open().list()).batches).toMatchObject([{ id, restoredAt: '2026-11-16T08:00:00.000Z' }])
      await open().remove(id)
      await open().remove(id)
      expect((await open().list()).batches).toEqual([])
    })

    it('reads nothing and removes nothing outside of itself', async () => {
      const { id } = await open().write({ kind: 'evict', at: AT, entries: [archived('1', 'One.')] })
      for (const name of ['../..', '..', '', 'evict-1/../../..', 'audit-1']) {
        expect(await open().read(name)).toBe(undefined)
        await open().remove(name)
      }
      expect(await open().readFile(id, '../manifest.json')).toBe(undefined)
      expect((await open().list()).batches).toHaveLength(1)
    })
  })
}
