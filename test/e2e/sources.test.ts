import { mkdirSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { inWorld, type World } from './world.ts'

interface SourceAnswer {
  readonly source: { readonly id: string; readonly type: string; readonly path: string }
  readonly sources: readonly {
    readonly id: string
    readonly allowed: boolean
    readonly lastSyncStatus: string | null
    readonly lastImportedCount: number
  }[]
  readonly synced: readonly {
    readonly id: string
    readonly status: string
    readonly added: number
    readonly files: { readonly seen: number; readonly read: number }
  }[]
  readonly code: string | null
}

const TALK = [
  {
    role: 'user',
    content: '#remember Never keep sessions outside of Redis, because the database is slow.',
    timestamp: '2026-03-01T10:00:00Z',
  },
  { role: 'assistant', content: 'Done: sessions are in Redis now.', timestamp: '2026-03-01T10:01:00Z' },
]
  .map(line => JSON.stringify(line))
  .join('\n')

/** A folder beside the project, where another tool leaves conversations. */
function chats(world: World): string {
  const folder = path.join(world.temporary, 'chats')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'monday.jsonl'), TALK)
  return folder
}

describe.concurrent('cairn source', () => {
  it(
    'add, sync, list and remove, as a person sees them',
    inWorld(async world => {
      const folder = chats(world)
      const added = await world.json<SourceAnswer>('source', 'add', folder, '--from', 'transcript')
      expect(added.source).toMatchObject({ id: 'chats', type: 'transcript', path: folder })
      expect(await world.ok('source', 'sync', '--dry-run')).toBe(
        'chats  1 of 1 file read, 1 would be added, 0 known already, 0 not taken\n',
      )
      expect(await world.ok('source', 'sync')).toBe(
        'chats  1 of 1 file read, 1 added, 0 known already, 0 not taken\n',
      )
      expect((await world.json('search', 'where do sessions live')).hits[0]?.entry.content).toContain('Redis')
      expect((await world.json<SourceAnswer>('source', 'list')).sources).toMatchObject([
        { id: 'chats', allowed: true, lastSyncStatus: 'succeeded', lastImportedCount: 1 },
      ])
      expect(await world.ok('source', 'remove', 'chats')).toContain('What it gave stays')
      expect(await world.ok('source', 'list')).toBe(
        'No import sources. `cairn source add <path>` names one.\n',
      )
      expect((await world.json('search', 'where do sessions live')).hits).not.toEqual([])
    }),
  )

  it(
    'a registry that came with a clone has nothing read before a yes',
    inWorld(async world => {
      const folder = chats(world)
      const source = { id: 'loot', type: 'transcript', path: folder }
      world.write('.memory/sources.json', JSON.stringify({ version: 1, sources: [source] }))
      expect((await world.json<SourceAnswer>('source', 'sync')).synced).toMatchObject([
        { id: 'loot', status: 'not_allowed', added: 0 },
      ])
      expect(await world.failure('source', 'sync', 'loot')).toMatchObject({ exit: 5, code: 'not_confirmed' })
      const { code } = await world.json<SourceAnswer>('source', 'allow')
      expect(await world.failure('source', 'allow', 'ffffffffff')).toMatchObject({ code: 'not_confirmed' })
      expect(await world.ok('source', 'allow', code ?? '')).toBe('Allowed on this machine: loot\n')
      expect((await world.json<SourceAnswer>('source', 'sync')).synced).toMatchObject([
        { status: 'succeeded', added: 1 },
      ])
    }),
  )

  it(
    'says what it needs',
    inWorld(async world => {
      expect(await world.failure('source', 'add', 'nowhere')).toMatchObject({
        exit: 3,
        code: 'file_not_found',
      })
      expect(await world.failure('source', 'add', '.')).toMatchObject({ exit: 2, code: 'invalid_input' })
      expect(await world.failure('source', 'sync', 'none')).toMatchObject({
        exit: 3,
        code: 'source_not_found',
      })
      expect(await world.failure('source', 'remove', 'none')).toMatchObject({ code: 'source_not_found' })
    }),
  )
})
