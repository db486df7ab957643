import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchProject, writeIn } from '../../../test/support/scratch-project.ts'
import { systemClock } from '../../kernel/system/clock.ts'
import { nodeDisk } from '../../kernel/system/disk.ts'
import { memoryPaths } from '../../kernel/system/paths.ts'
import { archiveFolder } from './archive-folder.ts'

const MANIFEST = JSON.stringify({
  version: 1,
  kind: 'evict',
  at: '2026-01-01T00:00:00.000Z',
  files: ['a.md'],
})

describe.skipIf(process.platform === 'win32')('a batch that leads out of the archive', () => {
  it('is neither read nor written, whichever part of it is the link', async () => {
    const outside = scratchProject({ 'manifest.json': MANIFEST, 'files/a.md': 'theirs' })
    const root = scratchProject()
    const paths = memoryPaths(root)
    mkdirSync(paths.archive, { recursive: true })
    symlinkSync(outside, path.join(paths.archive, 'evict-folder'))
    writeIn(root, '.memory/archive/evict-file/files/b.md', 'ours')
    symlinkSync(path.join(outside, 'manifest.json'), path.join(paths.archive, 'evict-file', 'manifest.json'))
    symlinkSync(path.join(outside, 'files/a.md'), path.join(paths.archive, 'evict-file/files/a.md'))
    const archive = archiveFolder({ paths, disk: nodeDisk, clock: systemClock })

    const { batches, problems } = await archive.list()
    expect(batches).toEqual([])
    expect(problems.map(({ code, path: file }) => `${code} ${file}`)).toEqual([
      'memory_link_outside archive/evict-file/manifest.json',
    ])
    const refused = { code: 'memory_outside_project' }
    await expect(archive.read('evict-folder')).rejects.toMatchObject(refused)
    await expect(archive.readFile('evict-folder', 'a.md')).rejects.toMatchObject(refused)
    await expect(archive.readFile('evict-file', 'a.md')).rejects.toMatchObject(refused)
    await expect(archive.markRestored('evict-folder', 'now')).rejects.toMatchObject(refused)
    expect(readFileSync(path.join(outside, 'manifest.json'), 'utf8')).toBe(MANIFEST)
  })
})
