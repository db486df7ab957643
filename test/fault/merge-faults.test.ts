import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  installDriver,
  type MergeDriverParts,
  uninstallDriver,
} from '../../src/features/git-merge/install-driver.ts'
import { driveMerge } from '../../src/features/git-merge/merge-driver.ts'
import { nodeDisk } from '../../src/kernel/system/disk.ts'
import { type Git, runGit } from '../../src/kernel/system/git.ts'
import { BINARY } from '../e2e/world.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { readIn, scratchProject, writeIn } from '../support/scratch-project.ts'

const MARKERS = { size: 7, ours: 'ours', theirs: 'theirs' }
const noGit: Git = () => ({ kind: 'failed', why: 'there is no git' })

function entry(id: string, content: string): string {
  return `<!-- id:${id} -->\n## 2026-03-16T16:51\n\n${content}\n\n---\n`
}

function callIn(root: string, name = '.memory/dev/decisions.md') {
  const [base, ours, theirs] = ['o', 'a', 'b'].map(file => path.join(root, file)) as [string, string, string]
  return { base, ours, theirs, markers: MARKERS, path: name }
}

describe('a merge whose disk fails', () => {
  it('leaves our file as it was or the merged one, and never says that half is merged', () => {
    for (const forGood of [true, false]) {
      for (let failAt = 1; failAt <= 4; failAt++) {
        const root = scratchProject({ o: '', a: entry('1', 'ours'), b: entry('2', 'theirs') })
        const { disk } = failingDisk(failAt, { forGood })
        const { exitCode } = driveMerge(callIn(root), { disk, git: runGit, folder: root })
        const text = readIn(root, 'a')
        if (exitCode === 0) expect(text).toBe(`${entry('2', 'theirs')}\n${entry('1', 'ours')}`)
        else expect([exitCode, text]).toEqual([129, entry('1', 'ours')])
      }
    }
  })

  it('keeps both versions where neither we nor git can merge them', () => {
    const root = scratchProject({ o: '{}', a: '{ broken', b: '{"b":1}' })
    const { exitCode, messages } = driveMerge(callIn(root, '.memory/config.json'), {
      disk: nodeDisk,
      git: noGit,
      folder: root,
    })
    expect(exitCode).toBe(65)
    expect(readIn(root, 'a')).toBe('<<<<<<< ours\n{ broken\n=======\n{"b":1}\n>>>>>>> theirs\n')
    expect(messages.at(-1)).toBe('.memory/config.json: the file has both whole versions')
  })

  it('leaves what is no text alone, in conflict', () => {
    const utf16 = Buffer.from('\uFEFF# Ours', 'utf16le')
    const root = scratchProject({ o: '', a: utf16, b: entry('1', 'theirs') })
    const { exitCode, messages } = driveMerge(callIn(root), { disk: nodeDisk, git: runGit, folder: root })
    expect(exitCode).toBe(65)
    expect(nodeDisk.readFile(path.join(root, 'a'))).toEqual(utf16)
    expect(messages.join('\n')).toContain('git checkout --theirs')
  })

  it('fails as a whole when their version cannot be read', () => {
    const root = scratchProject({ o: '', a: entry('1', 'ours') })
    const { exitCode } = driveMerge(callIn(root), { disk: nodeDisk, git: runGit, folder: root })
    expect([exitCode, readIn(root, 'a')]).toEqual([129, entry('1', 'ours')])
  })
})

describe('a driver that is killed', () => {
  it('leaves our file whole, old or merged', async () => {
    const many = (side: string) =>
      Array.from({ length: 3000 }, (_, n) => entry(`${9000 - n}-${side}`, `${side} ${n}`)).join('\n')
    const [ours, theirs] = [many('ours'), many('theirs')]
    for (const waitMs of [60, 120, 180, 240, 300, 400]) {
      const root = scratchProject({ o: '', a: ours, b: theirs })
      const child = spawn(
        process.execPath,
        [BINARY, 'merge-driver', 'o', 'a', 'b', '7', '.memory/dev/decisions.md'],
        { cwd: root, stdio: 'ignore' },
      )
      setTimeout(() => child.kill('SIGKILL'), waitMs)
      await once(child, 'close')
      const text = readIn(root, 'a')
      if (text !== ours) expect(text.match(/^<!-- id:/gm)).toHaveLength(6000)
    }
  })
})

describe('an installation whose disk or git fails', () => {
  const partsIn = (root: string, more: Partial<MergeDriverParts>): MergeDriverParts => ({
    disk: nodeDisk,
    git: runGit,
    memory: path.join(root, '.memory'),
    root,
    program: { node: '/usr/bin/node', script: "/opt/it's 100%/cairn.cjs" },
    ...more,
  })

  it('leaves the attributes as they were or as they should be, and can be repeated', () => {
    for (let failAt = 1; failAt <= 3; failAt++) {
      const root = scratchProject({ '.memory/.gitattributes': 'mine\n' })
      runGit(['init', '-q'], root)
      const { disk } = failingDisk(failAt, { forGood: true })
      try {
        installDriver(partsIn(root, { disk }))
      } catch (error) {
        expect(String(error)).toContain('EIO')
        expect(readIn(root, '.memory/.gitattributes')).toBe('mine\n')
      }
      installDriver(partsIn(root, {}))
      uninstallDriver(partsIn(root, {}))
      expect(readIn(root, '.memory/.gitattributes')).toBe('mine\n')
    }
  })

  it('says what git said', () => {
    const root = scratchProject({ '.memory/config.json': '{}' })
    expect(() => installDriver(partsIn(root, { git: noGit }))).toThrow('git answered: there is no git')
    expect(readdirSync(path.join(root, '.memory'))).toEqual(['config.json'])
    writeIn(root, '.memory/.gitattributes', Uint8Array.of(0xff, 0x00))
    expect(() => installDriver(partsIn(root, {}))).toThrow()
  })
})
