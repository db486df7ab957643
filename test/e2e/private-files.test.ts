import { readdirSync, statSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { BINARY, inWorld, runProcess } from './world.ts'

const isPosix = process.platform !== 'win32'

it.runIf(isPosix)(
  'what git ignores is for its owner alone, whatever the umask',
  inWorld(async world => {
    const open = (...words: string[]) =>
      runProcess('/bin/sh', ['-c', 'umask 000; exec "$0" "$@"', process.execPath, BINARY, ...words], {
        cwd: world.root,
        env: world.environment,
      })
    for (const words of [
      ['remember', 'For everybody.'],
      ['remember', 'For me alone.', '--agent', 'private'],
      ['session', 'append', 's1', '--agent', 'dev', '--text', 'We decided to use a queue.'],
      ['session', 'close', 's1'],
      ['work', 'add', 'Build it'],
      ['recall'],
      ['compact'],
    ])
      expect(await open(...words), words.join(' ')).toMatchObject({ code: 0 })
    const seen = new Set<string>()
    const wide: string[] = []
    const look = (folder: string, prefix: string) => {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        const top = name.split('/')[0] ?? ''
        if (!prefix && ['shared', 'config.json', 'curation.json', '.gitignore', '_project.md'].includes(top))
          continue
        seen.add(top)
        const { mode } = statSync(path.join(folder, name))
        // In a folder that nobody else may enter, SQLite's own files may have the rights it gives them.
        if ((mode & 0o077) !== 0 && !/\.db(?:-\w+)?$|\.json\.lock$/.test(name))
          wide.push(`${prefix}${name} ${mode.toString(8)}`)
      }
    }
    look(path.join(world.root, '.memory'), '')
    expect([...seen]).toEqual(expect.arrayContaining(['private', 'conversations', 'history', '.vault']))
    look(path.join(world.home, '.cairn'), '~/.cairn/')
    expect(wide).toEqual([])
    expect(statSync(path.join(world.home, '.cairn')).mode & 0o077).toBe(0)
  }),
)
