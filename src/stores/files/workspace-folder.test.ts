import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Disk, nodeDisk } from '../../kernel/system/disk.ts'
import { memoryPaths } from '../../kernel/system/paths.ts'
import { workspaceFolder } from './workspace-folder.ts'

const ROOTS = { resources: 'r', learnings: 'l' }

function project(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'cairn-test-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  return root
}

/** A disk on which one folder may not be listed. */
function without(folder: string): Disk {
  return {
    ...nodeDisk,
    listFolder(name) {
      if (!name.endsWith(folder)) return nodeDisk.listFolder(name)
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
    },
  }
}

test('a folder that may not be read is told, and the others are walked', () => {
  const root = project({ 'r/k/a/_plans/260101-p.md': '', 'r/k/b/_plans/260102-q.md': '' })
  const { places, problems } = workspaceFolder(memoryPaths(root), without('k/a'), ROOTS).survey()
  expect(places.map(place => place.path)).toEqual(['r/k/b/_plans/260102-q.md'])
  expect(problems).toEqual([
    {
      code: 'unreadable',
      path: 'r/k/a',
      message: 'r/k/a could not be read (EACCES); it was left out.',
      hint: 'Check its permissions.',
    },
  ])
})

test('the head of a file is its front matter, however the file goes on', () => {
  const long = `---\nname: ${'x'.repeat(9_000)}\n---\nbody`
  const root = project({
    'r/k/_plans/a.md': '---\nname: a\n---\nbody\n',
    'r/k/_plans/b.md': '---\nname: b\n----\nmore: b\n---\nbody\n',
    'r/k/_plans/c.md': '---\nname: c\n---',
    'r/k/_plans/d.md': long,
    'r/k/_plans/e.md': `---\nname: ${'x'.repeat(70_000)}\n---\n`,
    'r/k/_plans/f.md': '\ufeff---\r\nname: f\r\n---\r\nbody',
    'r/k/_plans/g.md': 'no front matter',
    'r/k/_plans/h.md': '',
  })
  const folder = workspaceFolder(memoryPaths(root), nodeDisk, ROOTS)
  const heads = Object.fromEntries(
    folder.survey().places.map(place => {
      const file = folder.readHead(place.path)
      return [place.id, file.kind === 'read' ? file.text.slice(0, 40) : file.kind]
    }),
  )
  expect(heads).toEqual({
    a: '---\nname: a\n---\n',
    b: '---\nname: b\n----\nmore: b\n---\nbody\n',
    c: '---\nname: c\n---',
    d: long.slice(0, 40),
    e: `---\nname: ${'x'.repeat(30)}`,
    f: '\ufeff---\r\nname: f\r\n---\r\n',
    g: 'no front matter',
    h: '',
  })
  expect(folder.readHead('r/k/_plans/e.md')).toMatchObject({ isWhole: false })
  expect(folder.readHead('r/k/_plans/gone.md')).toEqual({ kind: 'gone' })
})

test('a stamp is that of the file, and nothing is stamped outside', () => {
  const root = project({ 'r/k/OVERVIEW.md': 'text' })
  const folder = workspaceFolder(memoryPaths(root), nodeDisk, ROOTS)
  expect(folder.stamp('r/k/OVERVIEW.md')).toMatchObject({ path: 'r/k/OVERVIEW.md', size: 4 })
  expect(folder.stamp('r/k/gone.md')).toBeUndefined()
  expect(folder.stamp('../../etc/passwd')).toBeUndefined()
  expect(folder.readText('../../../../../../etc/passwd')).toMatchObject({ kind: 'unreadable' })
})
