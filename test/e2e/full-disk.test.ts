import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { contentsOf, inWorld, makeWorld } from './world.ts'

const mount = (...words: string[]) => spawnSync('mount', words).status === 0

/** Whether this process may mount file systems, as root in most containers may. Tried, not guessed. */
function canMount(): boolean {
  if (process.platform !== 'linux') return false
  const world = makeWorld()
  const isMounted = mount('-t', 'tmpfs', '-o', 'size=64k', 'none', world.root)
  if (isMounted) spawnSync('umount', [world.root])
  world.remove()
  return isMounted
}

const WHY_NOT = canMount() ? '' : ' (skipped: mounting a disk is not permitted here)'

/** Verbs that need no write to answer. */
const READS: readonly (readonly string[])[] = [
  ['list'],
  ['search', 'zebra'],
  ['show', 'zebra'],
  ['status'],
  ['brief', '--prompt', 'what about the zebra'],
  ['brief', '--start'],
  ['log'],
  ['query', 'what about the zebra'],
  ['why', '--prompt', 'what about the zebra'],
  ['conflicts'],
  ['review'],
  ['fresh'],
  ['links', 'zebra'],
  ['graph'],
  ['sessions'],
  ['config', 'list'],
  ['validate'],
  ['briefs'],
  ['work'],
  ['work', 'list'],
]

describe(`a full disk${WHY_NOT}`, () => {
  it.skipIf(WHY_NOT !== '').each([
    { name: 'the index is there', hasIndex: true },
    { name: 'the index has to be built', hasIndex: false },
  ])(
    'keeps no read from answering, and refuses a write: $name',
    ({ hasIndex }) =>
      inWorld(async world => {
        const memory = path.join(world.root, '.memory')
        mkdirSync(memory)
        expect(mount('-t', 'tmpfs', '-o', 'size=2m', 'none', memory)).toBe(true)
        try {
          await world.ok('remember', 'The zebra lives in src/zebra.ts.', '--kind', 'decision')
          await world.ok('work', 'add', 'Feed the zebra')
          if (!hasIndex) spawnSync('sh', ['-c', `rm -rf '${path.join(memory, '.vault')}'/index.db*`])
          spawnSync('dd', ['if=/dev/zero', `of=${path.join(memory, 'filler')}`, 'bs=1k'])
          const failed: string[] = []
          for (const words of READS) {
            const run = await world.cairn([...words, '--json'])
            if (run.code !== 0) failed.push(`${words.join(' ')}: ${run.stdout}${run.stderr}`)
          }
          expect(failed).toEqual([])
          expect(contentsOf((await world.json('list')).entries)).toEqual(['The zebra lives in src/zebra.ts.'])
          expect(await world.failure('remember', 'Another. '.repeat(800))).toMatchObject({
            code: 'disk_full',
          })
        } finally {
          spawnSync('umount', ['-l', memory])
        }
      })(),
    120_000,
  )
})

describe('input that a database or a file system does not take', () => {
  it(
    'is refused as bad input, with its limit',
    inWorld(async world => {
      await world.ok('remember', 'The zebra lives in src/zebra.ts.')
      const many = Array.from({ length: 2_500 }, (_, n) => `tag${n}`).join(',')
      for (const words of [
        ['search', 'zebra', '--tags', many],
        ['list', '--tags', many],
        ['list', '--file', 'x'.repeat(100_000)],
        ['search', 'zebra', '--file', 'x'.repeat(100_000)],
        ['import', `/${'x'.repeat(5_000)}`],
      ]) {
        const failure = await world.failure(...words)
        expect([words[0], failure.code]).toEqual([
          words[0],
          words[0] === 'import'
            ? expect.stringMatching(/^(?:invalid_input|file_not_found)$/)
            : 'invalid_input',
        ])
      }
    }),
  )

  it(
    'says that a path to be read is too long',
    inWorld(async world => {
      const long = path.join(world.root, 'c'.repeat(3_000))
      expect(await world.failure('import', long)).toMatchObject({
        code: 'invalid_input',
        message: 'A path is longer than this system allows.',
      })
    }),
  )

  it(
    'names a path that is too long as the cause',
    inWorld(async world => {
      const root = path.join(world.root, ...Array.from({ length: 5 }, (_, n) => `${n}`.repeat(95)))
      mkdirSync(root, { recursive: true })
      writeFileSync(path.join(root, 'package.json'), '{}')
      const failure = await world.failure('remember', 'Too deep.', '--root', root)
      expect(failure).toMatchObject({
        code: 'store_io',
        message: expect.stringContaining('is longer than SQLite allows'),
      })
      const run = await world.cairn(['list', '--json', '--root', root])
      expect(run.code).toBe(0)
    }),
  )
})
