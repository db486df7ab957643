import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeEngine } from '../src/compose/compose.ts'
import type { Composed } from '../src/compose/composed.ts'
import { feedbackOperation } from '../src/features/brief/verbs/feedback.ts'
import { aliasAddOperation, aliasListOperation } from '../src/features/entries/verbs/alias.ts'
import { listOperation } from '../src/features/entries/verbs/list.ts'
import { logOperation } from '../src/features/entries/verbs/log.ts'
import { undoOperation } from '../src/features/entries/verbs/undo.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { embedderStatusOperation } from '../src/features/search/verbs/embedder.ts'
import {
  configGetOperation,
  configListOperation,
  configSetOperation,
} from '../src/features/settings/verbs/config.ts'
import { budgetOperation } from '../src/features/settings/verbs/single-settings.ts'
import { statusOperation } from '../src/features/status/verbs/status.ts'
import { scratchProject } from './support/scratch-project.ts'

const fileOf = (root: string, name: string) => path.join(root, '.memory', name)

async function inEngine<T>(root: string, work: (engine: Composed) => Promise<T>): Promise<T> {
  const engine = composeEngine({ root })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

const set = (engine: Composed, key: string, value: string) =>
  configSetOperation.run(engine, { key, value } as never, {})

describe('a damaged config.json', () => {
  async function damaged(): Promise<string> {
    const root = scratchProject()
    await inEngine(root, async engine => {
      await set(engine, 'search.limit', '7')
      await set(engine, 'brief.maxTokens', '700')
    })
    writeFileSync(fileOf(root, 'config.json'), '{"search": {"lim')
    return root
  }

  it('is answered from a copy as new as the last change, and every verb that shows a value says so', async () => {
    const root = await damaged()
    const restored = [{ code: 'document_restored' }]
    await inEngine(root, async engine => {
      expect(await configGetOperation.run(engine, { key: 'brief.maxTokens' }, {})).toMatchObject({
        setting: { value: 700, default: false },
        degraded: restored,
      })
      expect(await configGetOperation.run(engine, { key: 'search.limit' }, {})).toMatchObject({
        setting: { value: 7 },
        degraded: restored,
      })
      expect((await configListOperation.run(engine, {}, {})).degraded).toMatchObject(restored)
    })
    await inEngine(root, async engine => {
      expect((await budgetOperation.run(engine, {}, {})).degraded).toMatchObject(restored)
      // A verb without such a field leaves the note to whoever shows its answer.
      await embedderStatusOperation.run(engine, {}, {})
      expect(engine.store.takeDegraded()).toMatchObject(restored)
    })
  })
})

describe('values in config.json that cannot be used', () => {
  it('are not shown as if they were used', async () => {
    const root = scratchProject()
    await inEngine(root, engine => set(engine, 'brief.maxTokens', '700'))
    const settings = { version: 2, search: { limit: 'lots' }, brief: { maxTokens: 700 } }
    writeFileSync(fileOf(root, 'config.json'), JSON.stringify(settings))
    const note = [
      { code: 'config_value_invalid', message: expect.stringContaining('not "lots"; the default') },
    ]
    await inEngine(root, async engine => {
      expect(await configGetOperation.run(engine, { key: 'search.limit' }, {})).toMatchObject({
        setting: { value: 10 },
        degraded: note,
      })
      expect((await configGetOperation.run(engine, { key: 'brief.maxTokens' }, {})).degraded).toEqual([])
      expect((await configListOperation.run(engine, {}, {})).degraded).toMatchObject(note)
    })
  })
})

describe('the file of an entry that holds none any more', () => {
  it.each([
    ['zeros, as a crash of the system leaves them', '\0'.repeat(120)],
    ['nothing', ''],
    ['its comment line alone', '<!-- id:1795120496255-azp5 -->\n'],
  ])('is told, and the entry comes back: %s', async (_, left) => {
    const root = scratchProject()
    const name = await inEngine(root, async engine => {
      await remember(engine, [{ content: 'The gates open at six.' }])
      const folder = fileOf(root, 'shared/lessons')
      return path.join(folder, readdirSync(folder)[0] ?? '')
    })
    writeFileSync(name, left)
    await inEngine(root, async engine => {
      const { problems } = await statusOperation.run(engine, {}, {})
      expect(problems).toMatchObject([
        { code: 'unread_text', message: expect.stringContaining('no longer contains an entry') },
      ])
      const { records } = await logOperation.run(engine, { limit: 1 }, {})
      await undoOperation.run(engine, { record: records[0]?.id ?? '' }, {})
      expect((await listOperation.run(engine, {}, {})).entries.map(({ content }) => content)).toEqual([
        'The gates open at six.',
      ])
      expect((await statusOperation.run(engine, {}, {})).problems).toEqual([])
    })
  })
})

describe('curation.json of a newer version', () => {
  it('is refused and not overwritten, and reads go on', async () => {
    const root = scratchProject()
    const id = await inEngine(root, async engine => {
      const [kept] = await remember(engine, [{ content: 'The accounting export runs at night.' }])
      await aliasAddOperation.run(engine, { word: 'ledger', meanings: ['accounting'] }, {})
      return kept?.entry.id ?? ''
    })
    const file = fileOf(root, 'curation.json')
    const newer = JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version: 99 })
    writeFileSync(file, newer)
    await inEngine(root, async engine => {
      await expect(aliasAddOperation.run(engine, { word: 'x', meanings: ['y'] }, {})).rejects.toMatchObject({
        code: 'vault_newer',
      })
      await expect(feedbackOperation.run(engine, { target: id, saying: 'useful' }, {})).rejects.toMatchObject(
        {
          code: 'vault_newer',
        },
      )
      expect(
        (await aliasListOperation.run(engine, {}, {})).aliases.some(({ word }) => word === 'ledger'),
      ).toBe(true)
      expect((await statusOperation.run(engine, {}, {})).problems).toEqual([
        {
          code: 'vault_newer',
          path: 'curation.json',
          message: 'It has version 99: a newer Cairn has written it. It is read-only.',
          hint: 'Update Cairn to write aliases, feedback and decisions about entries.',
        },
      ])
      // What does not concern the file is written.
      await remember(engine, [{ content: 'Another entry.' }])
    })
    expect(readFileSync(file, 'utf8')).toBe(newer)
  })
})
