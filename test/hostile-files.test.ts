import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import * as path from 'node:path'
import { expect, test } from 'vitest'
import { openMemory } from '../src/api.ts'
import { scratchProject } from './support/scratch-project.ts'

const NO_PIPES = process.platform === 'win32'
const quiet = { vectors: 'never', upkeep: 'never' } as const

test.each([
  'loop',
  'shared/tasks.md',
  'shared/projects',
  'local/shared',
  'local/dev/lessons.md',
  'shared/decisions/2026-01.md',
  '_project.md',
  'state.json',
  'sessions',
  'conversations',
  'history/events.jsonl',
  'archive',
])('a link to itself in a clone (%s) ends no read, and the rest is found and told', async name => {
  const root = scratchProject()
  const memory = await openMemory({ root, ...quiet })
  await memory.remember({ content: 'Sessions live in Redis.', kind: 'warning' })
  const loop = path.join(root, '.memory', name)
  mkdirSync(path.dirname(loop), { recursive: true })
  symlinkSync(path.basename(name), loop)
  expect((await memory.search('redis')).hits).toHaveLength(1)
  expect((await memory.brief({ start: true })).text).toContain('Sessions live in Redis.')
  expect((await memory.list()).total).toBe(1)
  expect((await memory.status()).entries).toBe(1)
  expect((await memory.validate()).findings.map(({ code }) => code)).toContain('link_broken')
  await memory.remember('Never log tokens.')
  await memory.close()
})

test
  .skipIf(NO_PIPES)
  .each(['config.json', 'curation.json', 'state.json', 'history/audit.jsonl', '_project.md'])(
  'a pipe where %s belongs is named, and nobody waits for it',
  async name => {
    const root = scratchProject()
    const pipe = path.join(root, '.memory', name)
    mkdirSync(path.dirname(pipe), { recursive: true })
    execFileSync('mkfifo', [pipe])
    const memory = await openMemory({ root, ...quiet })
    const said = await memory.status().then(JSON.stringify, (error: Error) => error.message)
    expect(said).toContain(path.basename(name))
    expect((await memory.validate()).findings.map(({ path: at }) => at)).toContain(`.memory/${name}`)
    await memory.close()
  },
)

test('folders that a clone configures outside the project stop neither status nor validate, and are told once', async () => {
  const root = scratchProject({
    '.memory/config.json':
      '{"version":1,"workspaces":{"resources":"../../","learnings":"/"},"hot":{"rules":"../x"}}',
  })
  const memory = await openMemory({ root, ...quiet })
  const { problems } = await memory.status()
  expect(problems.map(({ code, path: at }) => `${code} ${at}`)).toEqual(['config_value_invalid config.json'])
  const { findings } = await memory.validate({ only: ['config', 'workspaces', 'projections'] })
  expect(findings.map(({ code, path: at }) => `${code} ${at}`)).toEqual([
    'config_path_outside .memory/config.json',
    'config_path_outside .memory/config.json',
    'config_path_outside .memory/config.json',
  ])
  await memory.close()
})
