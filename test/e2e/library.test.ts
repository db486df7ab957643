import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import * as path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { inWorld } from './world.ts'

it(
  'gives the library to a line of `node --eval` too',
  inWorld(async world => {
    mkdirSync(path.join(world.root, '.memory'))
    const library = pathToFileURL(path.resolve('dist/api.js')).href
    const line = `import(${JSON.stringify(library)}).then(async ({ openMemory }) => {
      const memory = await openMemory({ root: process.cwd() })
      const { entry } = await memory.remember('The zebra lives in src/zebra.ts.')
      console.log(entry.content)
      await memory.close()
    })`
    const run = spawnSync(process.execPath, ['--eval', line], {
      cwd: world.root,
      env: world.environment,
      encoding: 'utf8',
    })
    expect([run.stdout.trim(), run.status]).toEqual(['The zebra lives in src/zebra.ts.', 0])
  }),
)
