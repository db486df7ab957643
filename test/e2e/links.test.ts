import { existsSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSqlite } from '../../src/stores/sqlite/driver.ts'
import { typeOver } from '../support/vault-files.ts'
import { inWorld, type World } from './world.ts'

const HOSTILE = 'A "quoted" \u001b[31mred\u001b[0m ]] --> %%{init: {"x":1}}%% <img src=x> \u202e Redis'

async function remember(world: World, ...words: string[]): Promise<string> {
  return (await world.json('remember', ...words)).entry.id
}

/** The answer of `links` and `graph`, as far as these tests look at it. */
interface LinksAnswer {
  readonly links: readonly { readonly to: { readonly kind: string; readonly id?: string } }[]
  readonly backlinks: readonly { readonly id: string; readonly by: string }[]
  readonly degraded: readonly unknown[]
}
const linksOf = (world: World, target: string) => world.json<LinksAnswer>('links', target)

describe('cairn links', () => {
  it(
    'shows where links lead, what leads here, what it is about and what is related',
    inWorld(async world => {
      const target = await remember(world, 'Sessions live in Redis since March.', '--kind', 'decision')
      await remember(world, 'Never flush redis; see [[Sessions live in Redis]] and [[shared/decisions]].')
      const shown = await world.ok('links', 'flush')
      expect(shown).toMatch(
        /Links to\n {2}\S+ {2}Sessions live in Redis since March\.\n {2}shared\/decisions/,
      )
      expect(shown).toMatch(/service {2}redis {2}in 2 entries/)
      expect(await world.ok('links', target)).toMatch(/Linked from[\s\S]*Related\n {2}1\.00/)
      expect(await world.ok('show', target)).toContain('1 link leads here')
    }),
  )

  it(
    'says that a link dangles when its title was renamed, and when its entry was forgotten',
    inWorld(async world => {
      const target = await remember(world, 'The deploy window is Tuesday.')
      const from = await remember(world, 'Wait for [[The deploy window is Tuesday]].')
      const leads = async () => (await linksOf(world, from)).links[0]?.to
      expect(await leads()).toMatchObject({ kind: 'entry', id: target })
      await world.ok('edit', target, '--content', 'Deploys happen on Tuesday.')
      expect(await leads()).toEqual({ kind: 'dangling', reason: 'unknown' })
      await world.ok('undo')
      expect(await leads()).toMatchObject({ kind: 'entry', id: target })
      await world.ok('forget', target)
      expect(await leads()).toEqual({ kind: 'dangling', reason: 'unknown' })
      expect(await world.ok('links', from)).toContain('no such entry')
    }),
  )

  it(
    'picks up a link that somebody typed into the file',
    inWorld(async world => {
      const target = await remember(world, 'The deploy window is Tuesday.')
      const from = await remember(world, 'Wait for it.')
      typeOver(world.root, 'Wait for it.', `Wait for it: [[${target}]].`)
      expect((await linksOf(world, from)).links).toMatchObject([{ to: { kind: 'entry', id: target } }])
      expect((await linksOf(world, target)).backlinks).toMatchObject([{ id: from, by: 'entry' }])
    }),
  )

  it(
    'refuses an entry that is not there',
    inWorld(async world => {
      await remember(world, 'One.')
      expect((await world.cairn(['links', 'zebra'])).code).toBe(3)
      expect((await world.cairn(['graph', '--entity', 'zebra', '--json'])).stdout).toContain(
        'entity_not_found',
      )
      expect((await world.cairn(['graph', '--format', 'svg'])).code).toBe(2)
    }),
  )
})

describe('cairn graph', () => {
  it(
    'summarises, and draws for Graphviz and Mermaid',
    inWorld(async world => {
      await remember(world, 'We moved from Memcached to Redis.')
      await remember(world, 'Never flush redis.')
      const text = await world.ok('graph')
      expect(text).toMatch(/^2 entries, 2 entities, 0 links\n/)
      expect(text).toContain('redis replaces memcached')
      expect(await world.ok('graph', '--format', 'dot')).toMatch(
        /^digraph cairn \{\n[\s\S]*label="replaces"\];\n[\s\S]*\}\n$/,
      )
      expect(await world.ok('graph', '--format', 'mermaid')).toMatch(/^graph LR\n[\s\S]*-->\|replaces\| n\d/)
      const json = JSON.parse(await world.ok('graph', '--entity', 'redis', '--format', 'json'))
      expect(json.entity).toEqual({ type: 'service', name: 'redis', entries: 2 })
    }),
  )

  it(
    'lets no entry steer the terminal or the drawing',
    inWorld(async world => {
      await remember(world, HOSTILE)
      await remember(world, 'Also Redis.')
      const runs = await Promise.all(
        [['graph'], ['graph', '--format', 'dot'], ['graph', '--format', 'mermaid'], ['links', 'Also']].map(
          words => world.ok(...words),
        ),
      )
      for (const output of runs) expect(output).not.toMatch(/[\u001b\u202e]/)
      const [, dot, mermaid] = runs
      expect(dot).toContain('\\"quoted\\"')
      const label = mermaid?.split('\n').find(line => line.includes('quoted')) ?? ''
      expect(label).toMatch(/^ {2}n\d+\["[^"[\]{}<>%`]*"\]$/)
    }),
  )

  it(
    'is whole after an index of an older version is rebuilt from the files, without news in the journal',
    inWorld(async world => {
      const target = await remember(world, 'Sessions live in Redis since March.')
      const from = await remember(world, 'See [[Sessions live in Redis]].')
      await world.ok('show', target)
      const file = path.join(world.root, '.memory/.vault/index.db')
      expect(existsSync(file)).toBe(true)
      const database = new (loadSqlite().DatabaseSync)(file)
      database.exec('DROP TABLE title; DROP TABLE link; DROP TABLE about; DROP TABLE entity_use')
      database.exec(
        'DROP INDEX entry_by_status; DROP TABLE given_brief; DROP TABLE brief_totals; DROP TABLE sent; DROP TABLE latency',
      )
      const later =
        `session_read finding finding_concept uncompared conflict judged_anchor model_call looked_at bridged doc_file doc_entry
        doc_analysed doc_fulltext doc_term doc_vector doc_vector_bits doc_vector_totals doc_unembedded`.split(
          /\s+/,
        )
      for (const table of later) database.exec(`DROP TABLE ${table}`)
      database.exec('DROP INDEX entry_by_predecessor; DROP INDEX entry_by_version')
      database.exec('ALTER TABLE entry DROP COLUMN anchors; ALTER TABLE access DROP COLUMN unused')
      database.exec('PRAGMA user_version = 2')
      database.close()
      const { links, degraded } = await linksOf(world, from)
      expect([links[0]?.to.id, degraded]).toEqual([target, []])
      expect((await world.json('search', 'sessions')).hits).toHaveLength(2)
      expect((await world.json('log')).records.map(({ action }) => action)).toEqual(['add', 'add'])
      const reopened = new (loadSqlite().DatabaseSync)(file)
      expect(reopened.prepare('SELECT count FROM access WHERE id = ?').get(target)).toEqual({ count: 1 })
      reopened.close()
      expect((await world.json<{ healthy: boolean }>('doctor')).healthy).toBe(true)
    }),
  )
})
