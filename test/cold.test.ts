import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { importSyncOperation } from '../src/addons/import/verbs/import-sync.ts'
import type { ComposedCheckout } from '../src/compose/composed.ts'
import { passagesOf } from '../src/features/cold/cold-search.ts'
import { coldOperation, coldRemoveOperation, coldShowOperation } from '../src/features/cold/verbs/cold.ts'
import { showOperation } from '../src/features/entries/verbs/show.ts'
import { wordFilter } from '../src/features/search/decide/scan-entries.ts'
import { searchOperation } from '../src/features/search/verbs/search.ts'
import { configSetOperation } from '../src/features/settings/verbs/config.ts'
import { openAt } from './support/aged-vault.ts'
import { claudeLines, type TranscriptWorld, transcriptWorld } from './support/transcript-world.ts'

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`

async function inEngine<T>(
  { root }: TranscriptWorld,
  work: (engine: ComposedCheckout) => Promise<T>,
): Promise<T> {
  const engine = openAt(root)
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

/** Two sessions that are too old to be distilled. */
function furnish(): TranscriptWorld {
  const world = transcriptWorld()
  const { user, agent, run } = claudeLines('s1', world.root)
  world.claude(
    's1',
    [
      user('Why does the websocket drop?'),
      agent('The proxy closes idle sockets after a minute.'),
      ...run('curl -v', `Authorization: Bearer ${TOKEN} heartbeat refused`),
      user('<private>the vpn password is tulip</private> add a heartbeat then'),
    ],
    { ageDays: 60 },
  )
  const other = claudeLines('s2', world.root)
  world.claude('s2', [other.user('Rename the invoice table.'), other.agent('Renamed.')], { ageDays: 50 })
  return world
}

const find = (world: TranscriptWorld, query: string, more = {}) =>
  inEngine(world, engine => searchOperation.run(engine, { query, cold: true, words: undefined, ...more }, {}))

const rowsOf = (found: Awaited<ReturnType<typeof find>>) =>
  found.cold?.map(({ ref, role, snippet }) => `${ref} ${role}: ${snippet}`)

describe('cairn search --cold', () => {
  it('finds what was said in any session here, with where it stands', async () => {
    const world = furnish()
    const found = await find(world, 'websockets dropped')
    expect(rowsOf(found)).toEqual(['cold:claude-code/s1:1 user: Why does the websocket drop?'])
    expect(found.cold?.[0]).toMatchObject({
      host: 'claude-code',
      session: 's1',
      line: 1,
      at: '2026-11-14T10:00:00.000Z',
      matches: [
        { start: 13, end: 22 },
        { start: 23, end: 27 },
      ],
    })
    expect(existsSync(path.join(world.root, '.memory/conversations'))).toBe(false)
  })

  it('is no part of any other search', async () => {
    const world = furnish()
    await inEngine(world, async engine => {
      const found = await searchOperation.run(engine, { query: 'websocket' }, {})
      expect([found.hits, found.cold]).toEqual([[], undefined])
    })
  })

  it('tells no secret and no private part, found by the words beside them', async () => {
    const world = furnish()
    const found = await find(world, 'heartbeat')
    expect(rowsOf(found)?.sort()).toEqual([
      'cold:claude-code/s1:4 tool: …[redacted:github_token] heartbeat refused',
      'cold:claude-code/s1:5 user: [private] add a heartbeat then',
    ])
    expect(rowsOf(await find(world, 'tulip'))).toEqual([])
    expect(rowsOf(await find(world, TOKEN))?.join()).not.toContain(TOKEN)
    const shown = await inEngine(world, engine =>
      coldShowOperation.run(engine, { ref: 'cold:claude-code/s1:4' }, {}),
    )
    expect(JSON.stringify(shown)).not.toMatch(/tulip|ghp_/)
  })

  it('can be narrowed by date, and refuses what only an entry has', async () => {
    const world = furnish()
    expect(rowsOf(await find(world, 'websocket', { since: '2026-11' }))).toEqual([])
    expect(rowsOf(await find(world, 'websocket', { until: '2026-10' }))).toEqual([])
    await expect(find(world, 'websocket', { kind: 'decision' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  it('tells how many lines it could not read', async () => {
    const world = furnish()
    world.claude('s3', [claudeLines('s3', world.root).user('hello'), '{"type":"user","websocket'])
    expect((await find(world, 'websocket')).degraded).toMatchObject([{ code: 'cold_lines_damaged' }])
  })

  it('finds words in other forms, cases and accents', () => {
    const mayHave = (query: string, text: string) =>
      wordFilter({ query, aliases: {}, now: '2026-11-15T12:00' }).mayHave(text)
    for (const [query, text] of [
      ['configuração', 'CONFIGURACAO do servidor'],
      ['configuracao', 'a configuração'],
      ['happy', 'happier'],
      ['write', 'who wrote it'],
      ['buildOrder', 'const buildOrder = 1'],
      ['the', 'the'],
    ] as const)
      expect([query, text, mayHave(query, text)]).toEqual([query, text, true])
    expect(mayHave('websocket', 'a plain socket')).toBe(false)
    expect(mayHave('', 'anything')).toBe(false)
  })
})

describe('a passage', () => {
  it('is shown with what was said around it, by a reference or a part of one', async () => {
    const world = furnish()
    await inEngine(world, async engine => {
      const { messages, file } = await coldShowOperation.run(
        engine,
        { ref: 'cold:claude-code/s1:2', around: 1 },
        {},
      )
      expect(messages.map(({ line, isMeant, text }) => [line, isMeant, text.split('\n')[0]])).toEqual([
        [1, false, 'Why does the websocket drop?'],
        [2, true, 'The proxy closes idle sockets after a minute.'],
        [4, false, 'curl -v'],
      ])
      expect(path.basename(file)).toBe('s1.jsonl')
      const { entry } = await showOperation.run(engine, { target: 'cold:claude-code/s2:1' }, {})
      expect(entry).toMatchObject({ id: 'cold:claude-code/s2:1', session: 's2', kind: 'transcript' })
      expect(entry.content).toContain('Rename the invoice table.')
      await expect(coldShowOperation.run(engine, { ref: 'cold:codex/s1:1' }, {})).rejects.toMatchObject({
        code: 'transcript_not_found',
      })
    })
  })

  it('is a part of the text, and all of them are the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 6_000, unit: fc.constantFrom('a', ' ', '\n', 'é', '😀') }), text => {
        expect([...passagesOf(text)].join('')).toBe(text)
      }),
    )
  })
})

describe('cold.keep', () => {
  async function keeping(world: TranscriptWorld): Promise<void> {
    await inEngine(world, async engine => {
      await configSetOperation.run(engine, { key: 'cold.keep', value: 'true' }, {})
      await importSyncOperation.run(engine, {}, {})
    })
  }
  const filesOf = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(item => item.isFile())
      .map(item => path.join(item.parentPath, item.name))

  it('copies what was said, without secrets, for nobody else to see, and searches it when the host has it no more', async () => {
    const world = furnish()
    await keeping(world)
    const cold = path.join(world.home, '.cairn/cold')
    const kept = filesOf(cold)
    expect(kept.length).toBe(4)
    for (const file of kept) {
      expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
      const bytes = readFileSync(file)
      const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
      expect(text).not.toMatch(/tulip|ghp_/)
    }
    expect((statSync(cold).mode & 0o777).toString(8)).toBe('700')
    const before = await find(world, 'websocket')
    expect(before.cold?.[0]?.isKept).toBeUndefined()
    rmSync(path.join(world.home, '.claude'), { recursive: true })
    const after = await find(world, 'websocket')
    expect(rowsOf(after)).toEqual(rowsOf(before))
    expect(after.cold?.[0]?.isKept).toBe(true)
    await inEngine(world, async engine => {
      expect(await coldOperation.run(engine, {}, {})).toMatchObject({
        hosts: [],
        kept: { isOn: true, copies: 2, gone: 2 },
      })
      const { messages } = await coldShowOperation.run(engine, { ref: 'claude-code/s1:4', around: 1 }, {})
      expect(messages.map(({ line }) => line)).toEqual([2, 4, 5])
    })
  })

  it('a copy that cannot be unpacked any more is told, and is not an empty answer', async () => {
    const world = furnish()
    await keeping(world)
    rmSync(path.join(world.home, '.claude'), { recursive: true })
    const parts = filesOf(path.join(world.home, '.cairn/cold')).filter(file => file.endsWith('.gz'))
    for (const part of parts) writeFileSync(part, 'no gzip at all')
    expect(await find(world, 'websocket')).toMatchObject({
      cold: [],
      degraded: [{ code: 'cold_lines_damaged' }],
    })
  })

  it('adds what is new in a part of its own', async () => {
    const world = furnish()
    await keeping(world)
    const { user, agent, run } = claudeLines('s2', world.root)
    world.claude('s2', [user('Rename the invoice table.'), agent('Renamed.'), ...run('npm test', 'ok')], {
      ageDays: 49,
    })
    await keeping(world)
    expect(
      filesOf(path.join(world.home, '.cairn/cold'))
        .map(file => path.basename(file))
        .sort(),
    ).toEqual(['0.jsonl.gz', '0.jsonl.gz', '2.jsonl.gz', 'copy.json', 'copy.json'])
    rmSync(path.join(world.home, '.claude'), { recursive: true })
    expect(rowsOf(await find(world, 'npm'))).toEqual(['cold:claude-code/s2:4 tool: npm test ok'])
  })

  it('is off unless it is set, and copies are removed only when it is said which', async () => {
    const world = furnish()
    await inEngine(world, engine => importSyncOperation.run(engine, {}, {}))
    expect(existsSync(path.join(world.home, '.cairn/cold'))).toBe(false)
    await keeping(world)
    await inEngine(world, async engine => {
      await expect(coldRemoveOperation.run(engine, {}, {})).rejects.toMatchObject({ code: 'invalid_input' })
      expect(await coldRemoveOperation.run(engine, { all: true, dryRun: true }, {})).toMatchObject({
        removed: 2,
      })
      expect(await coldRemoveOperation.run(engine, { before: '2026-09-20' }, {})).toMatchObject({
        removed: 1,
      })
      expect((await coldOperation.run(engine, {}, {})).kept.copies).toBe(1)
    })
  })
})
