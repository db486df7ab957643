import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { importSync } from '../src/addons/import/import-sync.ts'
import { syncSources } from '../src/addons/import/sync-sources.ts'
import {
  sourceAddOperation,
  sourceAllowOperation,
  sourceRemoveOperation,
} from '../src/addons/import/verbs/source.ts'
import { composeEngine } from '../src/compose/compose.ts'
import type { ComposedCheckout } from '../src/compose/composed.ts'
import type { MemoryEvent } from '../src/kernel/model/event.ts'
import type { ImportSource } from '../src/kernel/model/import-source.ts'
import { scratchProject, writeIn } from './support/scratch-project.ts'

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
/** Long before anything is looked at, so that the times of files tell. */
const LONG_AGO = new Date('2026-01-01T00:00:00Z')

const said = (role: string, content: string, minute = 0) =>
  `${JSON.stringify({ role, content, timestamp: `2026-03-01T10:0${minute}:00Z` })}\n`
const TALK = [
  said('user', '#remember Never keep sessions outside of Redis, because the database is slow.'),
  said('assistant', 'Done: sessions are in Redis now.', 1),
].join('')

/** A project, a folder beside it that another tool writes to, and a home of its own. */
function world(files: Readonly<Record<string, string>>): {
  root: string
  chats: string
  open: () => ComposedCheckout
} {
  const base = scratchProject()
  const root = path.join(base, 'project')
  const chats = path.join(base, 'chats')
  mkdirSync(root)
  mkdirSync(chats)
  for (const [name, text] of Object.entries(files)) writeOld(path.join(chats, name), text)
  const home = process.env.CAIRN_HOME
  process.env.CAIRN_HOME = path.join(base, 'home')
  onTestFinished(() => {
    if (home === undefined) delete process.env.CAIRN_HOME
    else process.env.CAIRN_HOME = home
  })
  return { root, chats, open: () => composeEngine({ root, actor: { host: 'test' } }) }
}

function writeOld(file: string, text: string): void {
  writeFileSync(file, text)
  utimesSync(file, LONG_AGO, LONG_AGO)
}

const add = async (
  engine: ComposedCheckout,
  place: string,
  more: { from?: 'transcript' | 'jsonl' | 'flat' } = {},
) => (await sourceAddOperation.run(engine, { path: place, ...more }, {})).source.id

const counts = async (engine: ComposedCheckout) =>
  (await syncSources(engine)).synced.map(({ status, files, added, duplicates }) => [
    status,
    `${files.read} of ${files.seen}`,
    added,
    duplicates,
  ])

async function eventsOf(engine: ComposedCheckout): Promise<MemoryEvent[]> {
  const events: MemoryEvent[] = []
  for await (const event of engine.events.read()) events.push(event)
  return events
}

describe('a folder of conversations', () => {
  it('is taken in once; afterwards only what is new or has grown is opened', async () => {
    const { chats, open } = world({ 'a.jsonl': TALK, 'b.jsonl': TALK.replaceAll('Redis', 'Kafka') })
    const engine = open()
    const id = await add(engine, chats, { from: 'transcript' })
    expect(await counts(engine)).toEqual([['succeeded', '2 of 2', 2, 0]])
    expect(await counts(engine)).toEqual([['succeeded', '0 of 2', 0, 0]])
    appendFileSync(path.join(chats, 'a.jsonl'), said('user', 'Never call the importer twice.', 2))
    writeOld(path.join(chats, 'c.jsonl'), TALK.replaceAll('Redis', 'Postgres'))
    expect(await counts(engine)).toEqual([['succeeded', '2 of 3', 2, 0]])
    const [source] = (await engine.sourceRegistry.list()).sources
    expect(source).toMatchObject({
      id,
      lastSyncStatus: 'succeeded',
      lastSyncError: null,
      lastImportedCount: 2,
    })
    await engine.close()
  })

  it('leaves events that carry the id of the source', async () => {
    const { chats, open } = world({ 'a.jsonl': TALK })
    const engine = open()
    const id = await add(engine, chats, { from: 'transcript' })
    await syncSources(engine)
    expect((await eventsOf(engine)).map(({ sourceId, kind }) => [sourceId, kind])).toEqual([
      [id, 'imported_session'],
    ])
    await engine.close()
  })

  it('is known again when it was forgotten how far it was taken', async () => {
    const { root, chats, open } = world({ 'a.jsonl': TALK })
    const engine = open()
    await add(engine, chats, { from: 'transcript' })
    await syncSources(engine)
    rmSync(path.join(root, '.memory/.vault/sync'), { recursive: true })
    expect(await counts(engine)).toEqual([['succeeded', '1 of 1', 0, 1]])
    writeIn(root, '.memory/.vault/sync/chats.json', '{"files": {"a.jsonl": 7')
    expect(await counts(engine)).toEqual([['succeeded', '1 of 1', 0, 1]])
    await engine.close()
  })

  it('that was broken off in the middle still tells of what could not be read, and takes nothing twice', async () => {
    const talks = Array.from({ length: 120 }, (_, n) => [
      `t${String(n).padStart(3, '0')}.jsonl`,
      TALK.replaceAll('Redis', `store${n}`),
    ])
    const { root, chats, open } = world({ ...Object.fromEntries(talks), 'a-none.json': 'no conversation' })
    const dying = open()
    await add(dying, chats, { from: 'transcript' })
    const onProgress = (done: number) => {
      if (done === 110) throw new Error('killed')
    }
    await expect(syncSources(dying, { onProgress })).rejects.toThrow('killed')
    await dying.close()

    const engine = open()
    const { synced } = await syncSources(engine)
    expect(synced).toMatchObject([
      { status: 'partial', error: expect.stringContaining('a-none.json'), files: { seen: 121 }, failed: 1 },
    ])
    expect(synced[0]?.files.read).toBeLessThan(30)
    expect((await engine.sessions.list({ limit: 200 })).sessions).toHaveLength(120)
    expect((await engine.store.counts()).total).toBe(120)
    const archive = path.join(root, '.memory/archive')
    const kept = readdirSync(archive, { recursive: true }).filter(name =>
      String(name).endsWith('a-none.json'),
    )
    expect(kept).toHaveLength(1)
    await engine.close()
  })

  it.each([
    ['at other times', { 'chat.jsonl': '2026-03-01', 'other/chat.jsonl': '2026-04-01' }],
    ['in other files, at one time', { 'chat.jsonl': '2026-03-01', 'talk.jsonl': '2026-03-01' }],
    ['in other folders, at no time', { 'chat.jsonl': undefined, 'other/chat.jsonl': undefined }],
    [
      'in other folders, at a time that cannot be',
      { 'chat.jsonl': '9999-01-01', 'other/chat.jsonl': '9999-01-01' },
    ],
  ])('keeps conversations apart that begin with the same words %s', async (_name, days) => {
    const line = (role: string, content: string, day: string | undefined) =>
      `${JSON.stringify({ role, content, ...(day !== undefined && { timestamp: `${day}T10:00:00Z` }) })}\n`
    const { chats, open } = world({})
    mkdirSync(path.join(chats, 'other'))
    for (const [n, [name, day]] of Object.entries(days).entries())
      writeOld(
        path.join(chats, name),
        line('user', 'Hello', day) +
          line(
            'user',
            `#remember Never keep sessions outside of store${n}, because the database is slow.`,
            day,
          ),
      )
    const engine = open()
    await add(engine, chats, { from: 'transcript' })
    expect((await syncSources(engine)).synced).toMatchObject([{ added: 2, duplicates: 0 }])
    for (const name of Object.keys(days))
      appendFileSync(path.join(chats, name), line('user', 'Thanks', undefined))
    await syncSources(engine)
    expect((await engine.sessions.list({ limit: 100 })).sessions).toHaveLength(2)
    const { entries } = await engine.store.listEntries({ filter: {}, limit: 100, offset: 0 })
    expect(entries.map(({ content }) => content).sort()).toEqual([
      'Never keep sessions outside of store0, because the database is slow.',
      'Never keep sessions outside of store1, because the database is slow.',
    ])
    await engine.close()
  })

  it('goes on telling of a file that cannot be read, and of nothing once it is mended', async () => {
    const { chats, open } = world({ 'a.jsonl': TALK, 'bad.jsonl': 'not json\n' })
    const engine = open()
    await add(engine, chats, { from: 'transcript' })
    for (const read of [2, 0]) {
      const [synced] = (await syncSources(engine)).synced
      expect(synced).toMatchObject({ status: 'partial', files: { read } })
      expect(synced?.error).toContain('bad.jsonl')
    }
    writeFileSync(path.join(chats, 'bad.jsonl'), TALK.replaceAll('Redis', 'Kafka'))
    const [mended] = (await syncSources(engine)).synced
    expect(mended).toMatchObject({ status: 'succeeded', error: null })
    await engine.close()
  })

  it('follows no link out of it or in a circle', async () => {
    const { root, chats, open } = world({ 'a.jsonl': TALK })
    symlinkSync(chats, path.join(chats, 'loop'))
    writeIn(root, 'secret.jsonl', TALK.replaceAll('Redis', 'Vault'))
    symlinkSync(path.join(root, 'secret.jsonl'), path.join(chats, 'out.jsonl'))
    const engine = open()
    await add(engine, chats, { from: 'transcript' })
    expect(await counts(engine)).toEqual([['succeeded', '1 of 1', 1, 0]])
    await engine.close()
  })
})

describe('a file of lines', () => {
  const line = (text: string) => `${JSON.stringify({ text })}\n`

  it('is read on from where it ended, and anew when it is another file', async () => {
    const { chats, open } = world({ 'notes.jsonl': line('One.') + line('Two.') })
    const file = path.join(chats, 'notes.jsonl')
    const engine = open()
    await add(engine, file)
    expect(await counts(engine)).toEqual([['succeeded', '1 of 1', 2, 0]])
    appendFileSync(file, line('Three.') + line('Four.').trimEnd())
    // Only the new lines are looked at: the old ones would count as known.
    expect(await counts(engine)).toEqual([['succeeded', '1 of 1', 2, 0]])
    appendFileSync(file, `\n${line('Five.')}`)
    // The last line had no end, so it is looked at again.
    expect(await counts(engine)).toEqual([['succeeded', '1 of 1', 1, 1]])
    writeFileSync(file, line('Six.') + line('One.') + line('Two.') + line('Three.') + line('Four.'))
    expect(await counts(engine)).toEqual([['succeeded', '1 of 1', 1, 4]])
    await engine.close()
  })

  it('names the line of the whole file that could not be taken', async () => {
    const { chats, open } = world({ 'notes.jsonl': line('One.') + line('Two.') })
    const file = path.join(chats, 'notes.jsonl')
    const engine = open()
    await add(engine, file)
    await syncSources(engine)
    appendFileSync(file, 'broken\n')
    const [synced] = (await syncSources(engine)).synced
    expect(synced?.failures.map(failure => failure.line)).toEqual([3])
    await engine.close()
  })
})

describe('what goes wrong', () => {
  it('with one source is noted there, and the others go on', async () => {
    const { chats, open } = world({ 'a.jsonl': TALK, 'notes.md': '## Notes\nFlat.\n' })
    const engine = open()
    const [gone, there] = [path.join(chats, 'a.jsonl'), path.join(chats, 'notes.md')]
    await add(engine, gone, { from: 'transcript' })
    await add(engine, there)
    rmSync(gone)
    const { synced } = await syncSources(engine)
    expect(synced.map(({ id, status }) => [id, status])).toEqual([
      ['a', 'failed'],
      ['notes', 'succeeded'],
    ])
    const { sources } = await engine.sourceRegistry.list()
    expect(sources.map(({ lastSyncStatus }) => lastSyncStatus)).toEqual(['failed', 'succeeded'])
    expect(sources[0]?.lastSyncError).toContain('no longer exists')
    await engine.close()
  })

  it('never brings a secret into sources.json, the cursors, the answer or the memory', async () => {
    const { root, chats, open } = world({
      [`${TOKEN}.jsonl`]: 'not json\n',
      'a.jsonl': TALK.replace('Redis', TOKEN),
    })
    const engine = open()
    const id = await add(engine, chats, { from: 'transcript' })
    const answer = JSON.stringify(await syncSources(engine))
    const kept = ['sources.json', `.vault/sync/${id}.json`, 'history/audit.jsonl'].map(name =>
      readFileSync(path.join(root, '.memory', name), 'utf8'),
    )
    expect([answer, ...kept].filter(text => text.includes(TOKEN))).toEqual([])
    await expect(add(engine, path.join(chats, `${TOKEN}.jsonl`))).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await engine.close()
  })

  it('in sources.json itself is told with its field, and the rest is used', async () => {
    const { root, chats, open } = world({ 'a.jsonl': TALK })
    const engine = open()
    await add(engine, chats, { from: 'transcript' })
    const file = path.join(root, '.memory/sources.json')
    const stored = JSON.parse(readFileSync(file, 'utf8'))
    stored.sources.push({ id: 'Bad Id', type: 'flat', path: '/x' }, 7, { ...stored.sources[0] })
    writeFileSync(file, `\ufeff${JSON.stringify(stored).replaceAll('\n', '\r\n')}`)
    const { synced, problems } = await syncSources(engine)
    expect(synced.map(({ id }) => id)).toEqual(['chats'])
    expect(problems.map(({ code, message }) => [code, message.slice(0, 35)])).toEqual(
      [
        ['source_invalid', '.memory/sources.json, source 2: `id`'],
        ['source_invalid', '.memory/sources.json, source 3: it '],
        ['source_invalid', '.memory/sources.json, source 4: `id`'],
      ].map(([code, text]) => [code, text?.slice(0, 35)]),
    )
    // What is no source stays where it stands.
    expect(readFileSync(file, 'utf8')).toContain('Bad Id')
    await engine.close()
  })

  it('with all of sources.json puts it aside at the next change', async () => {
    const { root, chats, open } = world({ 'a.jsonl': TALK })
    writeIn(root, '.memory/sources.json', '{"sources": [')
    const engine = open()
    expect((await syncSources(engine)).problems.map(({ code }) => code)).toEqual(['sources_damaged'])
    await add(engine, chats, { from: 'transcript' })
    expect((await engine.sourceRegistry.list()).sources.map(({ id }) => id)).toEqual(['chats'])
    await engine.close()
  })
})

describe('a registry that this user did not write', () => {
  const foreign = (place: string): ImportSource => ({
    id: 'loot',
    type: 'transcript',
    path: place,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    lastSyncedAt: null,
    lastSyncStatus: null,
    lastSyncError: null,
    lastImportedCount: 0,
  })
  const bring = (root: string, sources: readonly ImportSource[]) =>
    writeIn(root, '.memory/sources.json', JSON.stringify({ version: 1, sources }))

  it('has nothing read before a yes to exactly that', async () => {
    const { root, chats, open } = world({ 'a.jsonl': TALK })
    bring(root, [foreign(chats)])
    const engine = open()
    expect(await counts(engine)).toEqual([['not_allowed', '0 of 0', 0, 0]])
    await expect(syncSources(engine, { id: 'loot' })).rejects.toMatchObject({ code: 'not_confirmed' })
    const { waiting, code } = await sourceAllowOperation.run(engine, {}, {})
    expect(waiting.map(({ path: place }) => place)).toEqual([chats])
    await expect(sourceAllowOperation.run(engine, { code: '0000000000' }, {})).rejects.toMatchObject({
      code: 'not_confirmed',
    })
    bring(root, [foreign(chats), { ...foreign('/etc'), id: 'more' }])
    // The code was of one source.
    await expect(sourceAllowOperation.run(engine, { code: code ?? '' }, {})).rejects.toMatchObject({
      code: 'not_confirmed',
    })
    bring(root, [foreign(chats)])
    await sourceAllowOperation.run(engine, { code: code ?? '' }, {})
    expect(await counts(engine)).toEqual([['succeeded', '1 of 1', 1, 0]])
    await engine.close()
  })

  it('does not become allowed by what this user adds, nor by another path under a known name', async () => {
    const { root, chats, open } = world({ 'a.jsonl': TALK })
    const other = path.join(root, 'own.jsonl')
    writeIn(root, 'own.jsonl', '{"text":"Mine."}\n')
    bring(root, [foreign(chats)])
    const engine = open()
    await add(engine, other)
    expect((await syncSources(engine)).synced.map(({ id, status }) => [id, status])).toEqual([
      ['loot', 'not_allowed'],
      ['own', 'succeeded'],
    ])
    const { sources } = await engine.sourceRegistry.list()
    bring(
      root,
      sources.map(source => ({ ...source, path: chats })),
    )
    expect((await syncSources(engine)).synced.map(({ status }) => status)).toEqual([
      'not_allowed',
      'not_allowed',
    ])
    await engine.close()
  })
})

it('adding the same path again changes its source; removing one forgets its yes', async () => {
  const { root, chats, open } = world({ 'a.jsonl': TALK })
  const engine = open()
  const id = await add(engine, chats, { from: 'transcript' })
  const again = await sourceAddOperation.run(engine, { path: chats, from: 'transcript', agent: 'dev' }, {})
  expect([again.isNew, again.source.id, again.source.agent]).toEqual([false, id, 'dev'])
  const before = readFileSync(path.join(root, '.memory/sources.json'))
  await sourceRemoveOperation.run(engine, { id }, {})
  writeFileSync(path.join(root, '.memory/sources.json'), before)
  expect(await counts(engine)).toEqual([['not_allowed', '0 of 0', 0, 0]])
  await engine.close()
})

it('a dry run reads and writes nothing', async () => {
  const { root, chats, open } = world({ 'a.jsonl': TALK })
  const engine = open()
  await add(engine, chats, { from: 'transcript' })
  const before = readFileSync(path.join(root, '.memory/sources.json'), 'utf8')
  const [synced] = (await syncSources(engine, { dryRun: true })).synced
  expect([synced?.status, synced?.added]).toEqual(['succeeded', 1])
  expect(readFileSync(path.join(root, '.memory/sources.json'), 'utf8')).toBe(before)
  expect((await engine.store.counts()).total).toBe(0)
  expect(await counts(engine)).toEqual([['succeeded', '1 of 1', 1, 0]])
  await engine.close()
})

it('two at once take everything in once', async () => {
  const { chats, open } = world({ 'a.jsonl': TALK, 'b.jsonl': TALK.replaceAll('Redis', 'Kafka') })
  const [one, other] = [open(), open()]
  await add(one, chats, { from: 'transcript' })
  await Promise.all([syncSources(one), syncSources(other)])
  expect((await eventsOf(one)).length).toBe(2)
  expect((await one.sourceRegistry.list()).sources).toHaveLength(1)
  await one.close()
  await other.close()
})

it('gives recall what is new, and what went wrong', async () => {
  const { chats, open } = world({ 'a.jsonl': TALK, 'notes.md': '## Notes\nFlat.\n' })
  const engine = open()
  await add(engine, path.join(chats, 'a.jsonl'), { from: 'transcript' })
  await add(engine, path.join(chats, 'notes.md'))
  rmSync(path.join(chats, 'notes.md'))
  const port = importSync(() => engine)
  expect(await port.count()).toBe(2)
  const { imported, problems } = await port.sync()
  expect([imported, problems.map(({ code }) => code)]).toEqual([1, ['source_failed']])
  await engine.close()
})
