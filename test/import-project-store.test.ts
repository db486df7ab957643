import { readFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { importOperation } from '../src/addons/import/verbs/import.ts'
import { openAt } from './support/aged-vault.ts'
import { scratchProject } from './support/scratch-project.ts'

const STORE = JSON.stringify({
  version: 1,
  entries: [
    { id: 'u1', content: 'Always use SSE for streaming.', category: 'decision', status: 'confirmed' },
  ],
  aliases: {},
  conflicts: [],
  metadata: { autoMemoryEnabled: false, configPreset: 'aggressive', totalAccesses: 3 },
})

async function importing(config?: string) {
  const source = scratchProject({ 'old/project.json': STORE })
  const root = scratchProject(config === undefined ? {} : { '.memory/config.json': config })
  const engine = openAt(root)
  const report = await importOperation.run(engine, { file: path.join(source, 'old/project.json') }, {})
  const settings = await engine.config()
  await engine.close()
  return { root, report, settings }
}

describe('the settings of a project.json', () => {
  it('are taken over where nothing is set: automatic memory stays off', async () => {
    const { report, settings, root } = await importing()
    expect(report.remarks).toEqual([])
    expect(settings).toMatchObject({ 'memory.auto': false, 'promotion.preset': 'aggressive' })
    expect(readFileSync(path.join(root, '.memory/config.json'), 'utf8')).toContain('"auto": false')
  })

  it('are taken over beside settings of the project that say something else', async () => {
    const { report, settings } = await importing('{ "version": 2, "search": { "limit": 5 } }')
    expect(settings).toMatchObject({
      'memory.auto': false,
      'promotion.preset': 'aggressive',
      'search.limit': 5,
    })
    expect(report.remarks).toEqual([])
  })

  it('are named where the project has set the same otherwise, and not where it has set them alike', async () => {
    const { report, settings } = await importing(
      '{ "version": 2, "memory": { "auto": false }, "promotion": { "preset": "conservative" } }',
    )
    expect(settings).toMatchObject({ 'memory.auto': false, 'promotion.preset': 'conservative' })
    expect(report.remarks).toMatchObject([
      { code: 'settings_left', message: expect.stringMatching(/^not taken over: promotion\.preset;/) },
    ])
  })
})
