import { existsSync, readdirSync, utimesSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { nodeDisk } from '../../src/kernel/system/disk.ts'
import { memoryPaths } from '../../src/kernel/system/paths.ts'
import { archiveFolder } from '../../src/stores/files/archive-folder.ts'
import { scratchProject, writeIn } from '../support/scratch-project.ts'
import { describeArchive } from './archive.contract.ts'

const openIn = (root: string) =>
  archiveFolder({ paths: memoryPaths(root), disk: nodeDisk, clock: systemClock })

describeArchive('the archive in a folder', () => {
  const root = scratchProject()
  return { open: () => openIn(root) }
})

it('tells damaged batches and lines, and gives the others', async () => {
  const root = scratchProject({
    '.memory/archive/evict-1/manifest.json': '{"version": 1, "ki',
    '.memory/archive/evict-1/entries.jsonl':
      '{"entry": {"id": "1", "content": "One.", "agent": "dev", "kind": "lesson", "tags": [], "files": []}}\nnot json\n{"entry": {"id": "2", "content": "No tags.", "agent": "dev"}}\n',
    '.memory/archive/audit-1/manifest.json': '{}',
  })
  const archive = openIn(root)
  expect(await archive.list()).toMatchObject({
    batches: [],
    problems: [{ code: 'archive_batch_damaged', path: 'archive/evict-1/manifest.json' }],
  })
  await expect(archive.read('evict-1')).rejects.toMatchObject({ code: 'document_damaged' })
  const problems: unknown[] = []
  const ids: string[] = []
  for await (const { item } of archive.entries(problem => problems.push(problem))) ids.push(item.entry.id)
  expect(ids).toEqual(['1'])
  expect(problems).toMatchObject([
    { code: 'archive_line_damaged', line: 2 },
    { code: 'archive_line_damaged', line: 3 },
  ])
})

it('clears away what a process that died left half done, and nobody else’s work', async () => {
  const root = scratchProject()
  writeIn(root, '.memory/archive/.evict-1-7.cairn-tmp/entries.jsonl', 'half')
  writeIn(root, '.memory/archive/.evict-2-8.cairn-tmp/entries.jsonl', 'half')
  const abandoned = path.join(root, '.memory/archive/.evict-1-7.cairn-tmp')
  utimesSync(abandoned, 1_700_000_000, 1_700_000_000)
  await openIn(root).write({ kind: 'prune', at: '2026-11-15T10:30:00.000Z', files: [] })
  expect(existsSync(abandoned)).toBe(false)
  expect(readdirSync(path.join(root, '.memory/archive')).sort()).toEqual([
    '.evict-2-8.cairn-tmp',
    'prune-2026-11-15T10-30-00-000Z',
  ])
})
