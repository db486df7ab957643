import { readFileSync, rmSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkBackup } from '../src/addons/backup/check-backup.ts'
import { backupOperation } from '../src/addons/backup/verbs/backup.ts'
import { openMemory } from '../src/api.ts'
import { composeEngine } from '../src/compose/compose.ts'
import type { ComposedCheckout } from '../src/compose/composed.ts'
import { saveEntries } from '../src/features/agent-saves/save-entries.ts'
import { confirmOperation } from '../src/features/entries/verbs/confirm.ts'
import { editOperation } from '../src/features/entries/verbs/edit.ts'
import { forgetOperation } from '../src/features/entries/verbs/forget.ts'
import { pinOperation } from '../src/features/entries/verbs/pin.ts'
import { undoOperation } from '../src/features/entries/verbs/undo.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { acceptProposals } from '../src/features/learning/reviewing.ts'
import type { Entry } from '../src/kernel/model/entry.ts'
import type { NewEntry } from '../src/kernel/model/new-entry.ts'
import { git, gitRepository } from './support/git-repository.ts'
import { scratchProject, writeIn } from './support/scratch-project.ts'
import { fileSaying, headFile, vaultFiles } from './support/vault-files.ts'

const CANDIDATE: NewEntry = { content: 'The queue is cold at night.', origin: 'agent', status: 'candidate' }
const SUGGESTION: NewEntry = { content: 'Builds may be slow.', origin: 'machine', status: 'candidate' }
const HANDOFF: NewEntry = { content: 'Asked: mend the login.', category: 'handoffs', origin: 'machine' }
const DECISION: NewEntry = { content: 'Sessions live in Redis.', kind: 'decision' }
const OWN_DECISION = /^\.memory\/shared\/decisions\/\d{4}-\d\d-\d\d-sessions-live-in-redis-[0-9a-z]{4}\.md$/
const LOCAL_LESSONS = '.memory/local/shared/lessons.md'
const LOCAL_HANDOFFS = '.memory/local/shared/handoffs.md'

function open(root: string): ComposedCheckout {
  const engine = composeEngine({ root, actor: { host: 'test' } })
  onTestFinished(() => engine.close())
  return engine
}

async function keep(engine: ComposedCheckout, entry: NewEntry): Promise<Entry> {
  const [kept] = await remember(engine, [entry])
  if (kept === undefined) throw new Error('one in, one out')
  return kept.entry
}

/** What git would commit next. */
const unseen = (root: string) => git(root, 'status', '--porcelain', '--untracked-files=all')

function commitAll(root: string): void {
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--message', 'memory')
}

/** A repository in which one decision is committed. */
async function repository(): Promise<{ root: string; engine: ComposedCheckout }> {
  const root = gitRepository(path.join(scratchProject(), 'shop'))
  const engine = open(root)
  await keep(engine, DECISION)
  commitAll(root)
  return { root, engine }
}

describe('what a person writes', () => {
  it('has a file of its own, which keeps its name when the entry is edited and goes when it is forgotten', async () => {
    const root = scratchProject()
    const engine = open(root)
    const { id } = await keep(engine, DECISION)
    const file = fileSaying(root, DECISION.content)
    expect(file).toMatch(OWN_DECISION)
    await editOperation.run(engine, { target: id, content: 'Sessions live in Postgres.' }, {})
    expect(fileSaying(root, 'Sessions live in Postgres.')).toBe(file)
    await keep(engine, { content: 'Invoices are kept for ten years.', kind: 'decision' })
    expect(Object.keys(vaultFiles(root))).toHaveLength(2)
    await forgetOperation.run(engine, { target: id }, {})
    expect(Object.keys(vaultFiles(root))).toEqual([fileSaying(root, 'Invoices are kept for ten years.')])
  })

  it('is all that git sees: candidates, suggestions and handoffs change nothing there', async () => {
    const { root, engine } = await repository()
    await keep(engine, CANDIDATE)
    await keep(engine, SUGGESTION)
    await keep(engine, HANDOFF)
    await saveEntries(engine, {
      entries: [{ statement: 'Staging runs PostgreSQL 15.', why: 'psql said so.' }],
      handoff: 'The tests are left to do.',
      session: 's1',
    })
    expect(unseen(root)).toBe('')
    expect(fileSaying(root, CANDIDATE.content)).toBe(LOCAL_LESSONS)
    expect(fileSaying(root, SUGGESTION.content)).toBe(LOCAL_LESSONS)
    expect(fileSaying(root, HANDOFF.content)).toBe(LOCAL_HANDOFFS)
    expect(fileSaying(root, 'Staging runs PostgreSQL 15.')).toMatch(/^\.memory\/local\//)
    expect(fileSaying(root, 'The tests are left to do.')).toBe(LOCAL_HANDOFFS)
    await keep(engine, { content: 'Deploys need two people.', kind: 'decision' })
    expect(unseen(root)).toBe(`?? ${fileSaying(root, 'Deploys need two people.')}`)
  })
})

describe('a committed entry that is said again', () => {
  it('stays as it is when an agent or an import says it, and gains tags and files from a person', async () => {
    const { root, engine } = await repository()
    for (const origin of ['agent', 'machine'] as const) {
      const [again] = await remember(engine, [{ ...DECISION, origin, status: 'candidate', tags: ['cache'] }])
      expect(again).toMatchObject({ duplicate: true, record: null })
    }
    await remember(engine, [{ ...DECISION, origin: 'machine' }], 'import')
    expect(unseen(root)).toBe('')
    const [merged] = await remember(engine, [{ ...DECISION, tags: ['cache'], files: ['src/session.ts'] }])
    expect(merged).toMatchObject({ duplicate: true, entry: { tags: ['cache'], files: ['src/session.ts'] } })
    expect(unseen(root)).toMatch(/^M /)
  })
})

describe('an agent that is called like a category', () => {
  it('owns what it wrote, beside an agent of 0.1.0 that is called local', async () => {
    const root = scratchProject()
    writeIn(
      root,
      '.memory/local/decisions/2026-02.md',
      headFile([{ content: 'Old.', date: '2026-02-01T10:00' }]),
    )
    const engine = open(root)
    const local = { origin: 'agent', status: 'candidate' } as const
    await keep(engine, { content: 'The cache is warm.', agent: 'decisions', kind: 'lesson', ...local })
    await keep(engine, { content: 'The queue is cold.', agent: 'decisions', kind: 'decision', ...local })
    expect(fileSaying(root, 'The cache is warm.')).toBe('.memory/local/decisions/lessons.md')
    rmSync(path.join(root, '.memory/.vault'), { recursive: true })
    const again = open(root)
    const { entries } = await again.store.listEntries({ filter: {}, limit: 10, offset: 0 })
    expect(entries.map(({ agent, category, content }) => `${agent} ${category} ${content}`).sort()).toEqual([
      'decisions decisions The queue is cold.',
      'decisions lessons The cache is warm.',
      'local decisions Old.',
    ])
    expect(await again.store.check()).toEqual([])
  })
})

describe('a candidate that a person confirms', () => {
  it('moves into the vault, and undo moves it back byte for byte', async () => {
    const { root, engine } = await repository()
    await keep(engine, SUGGESTION)
    const { id } = await keep(engine, CANDIDATE)
    await keep(engine, { ...CANDIDATE, content: 'The cache is warm.' })
    const before = vaultFiles(root)
    await confirmOperation.run(engine, { target: id }, {})
    const file = fileSaying(root, CANDIDATE.content)
    expect(file).toMatch(/^\.memory\/shared\/lessons\/\d{4}-\d\d-\d\d-the-queue-is-cold-at-night-\w{4}\.md$/)
    expect(unseen(root)).toBe(`?? ${file}`)
    expect(readFileSync(path.join(root, LOCAL_LESSONS), 'utf8')).not.toContain(CANDIDATE.content)
    expect(await engine.store.check()).toEqual([])
    await undoOperation.run(engine, {}, {})
    expect(vaultFiles(root)).toEqual(before)
    expect(unseen(root)).toBe('')
    expect(await engine.store.check()).toEqual([])
  })

  it('leaves no file behind where it was the only one, and undo makes it again', async () => {
    const root = scratchProject()
    const engine = open(root)
    const { id } = await keep(engine, CANDIDATE)
    const before = vaultFiles(root)
    await confirmOperation.run(engine, { target: id }, {})
    expect(Object.keys(vaultFiles(root))).toEqual([fileSaying(root, CANDIDATE.content)])
    await undoOperation.run(engine, {}, {})
    expect(vaultFiles(root)).toEqual(before)
  })
})

describe('a pin', () => {
  it('of the agent itself leaves its candidate local, and a person’s moves it into the vault', async () => {
    const { root, engine } = await repository()
    const { id } = await keep(engine, CANDIDATE)
    const { entry } = await pinOperation.run(engine, { target: id }, { isAgent: true })
    expect(entry.status).toBe('pinned')
    expect(fileSaying(root, CANDIDATE.content)).toBe(LOCAL_LESSONS)
    expect(unseen(root)).toBe('')
    await pinOperation.run(engine, { target: id, off: true }, { isAgent: true })
    expect(fileSaying(root, CANDIDATE.content)).toBe(LOCAL_LESSONS)
    const local = vaultFiles(root)
    await pinOperation.run(engine, { target: id }, {})
    expect(fileSaying(root, CANDIDATE.content)).toMatch(/^\.memory\/shared\/lessons\//)
    await undoOperation.run(engine, {}, {})
    expect(vaultFiles(root)).toEqual(local)
  })

  it('of a person makes an agent’s pin theirs, with and without --no-off', async () => {
    for (const off of [undefined, false]) {
      const { root, engine } = await repository()
      const { id } = await keep(engine, CANDIDATE)
      await pinOperation.run(engine, { target: id }, { isAgent: true })
      const { entry, pinned } = await pinOperation.run(engine, { target: id, off }, {})
      expect(pinned).toBe(true)
      expect(entry).toMatchObject({ status: 'pinned', origin: 'agent' })
      expect(entry.extra?.pinnedBy).toBeUndefined()
      expect(fileSaying(root, CANDIDATE.content)).toMatch(/^\.memory\/shared\/lessons\//)
      const again = await pinOperation.run(engine, { target: id }, {})
      expect(again).toMatchObject({ pinned: false, entry: { status: 'confirmed' } })
    }
  })

  it('of an agent, taken away by a person, leaves the candidate that it was', async () => {
    const { root, engine } = await repository()
    const { id } = await keep(engine, CANDIDATE)
    const before = vaultFiles(root)
    await pinOperation.run(engine, { target: id }, { isAgent: true })
    const { entry, pinned } = await pinOperation.run(engine, { target: id, off: true }, {})
    expect(pinned).toBe(false)
    expect(entry.status).toBe('candidate')
    expect(vaultFiles(root)).toEqual(before)
    expect(unseen(root)).toBe('')
  })

  it('of an agent becomes a person’s when they accept it or set the status', async () => {
    const { engine } = await repository()
    const persons = [
      (id: string) => acceptProposals(engine, [id]),
      (id: string) => editOperation.run(engine, { target: id, status: 'pinned' }, {}),
    ]
    for (const [at, act] of persons.entries()) {
      const { id } = await keep(engine, { ...CANDIDATE, content: `Candidate number ${at}.` })
      await pinOperation.run(engine, { target: id }, { isAgent: true })
      await act(id)
      const entry = await engine.store.findEntry(id)
      expect(entry?.status).toBe('pinned')
      expect(entry?.extra?.pinnedBy).toBeUndefined()
    }
  })

  it('of the agent itself, confirmed by a person, moves into the vault as well', async () => {
    const { root, engine } = await repository()
    const { id } = await keep(engine, CANDIDATE)
    await pinOperation.run(engine, { target: id }, { isAgent: true })
    const { entry } = await confirmOperation.run(engine, { target: id }, {})
    expect(entry.status).toBe('pinned')
    expect(fileSaying(root, CANDIDATE.content)).toMatch(/^\.memory\/shared\/lessons\//)
  })
})

describe('vault.share', () => {
  const CLASSES = [
    ['candidates', CANDIDATE],
    ['suggestions', SUGGESTION],
    ['handoffs', HANDOFF],
  ] as const

  it.each(CLASSES)('commits %s, and only those', async (shared, { content }) => {
    const root = scratchProject({
      '.memory/config.json': JSON.stringify({ version: 2, vault: { share: [shared] } }),
    })
    const engine = open(root)
    for (const [, entry] of CLASSES) await keep(engine, entry)
    const committed = Object.keys(vaultFiles(root)).filter(name => !name.startsWith('.memory/local/'))
    expect(committed).toEqual([fileSaying(root, content)])
    expect(committed[0]).toMatch(/^\.memory\/shared\/(?:lessons|handoffs)\/[^/]+\.md$/)
  })
})

describe('local entries', () => {
  it('are found by searches and told in briefs', async () => {
    const root = scratchProject()
    const engine = open(root)
    await keep(engine, CANDIDATE)
    await keep(engine, HANDOFF)
    const memory = await openMemory({ root, vectors: 'never', upkeep: 'never' })
    onTestFinished(() => memory.close())
    expect((await memory.search('queue cold night')).hits.map(({ entry }) => entry.content)).toEqual([
      CANDIDATE.content,
    ])
    const { text } = await memory.brief({ start: true })
    expect(text).toContain(HANDOFF.content)
    const told = await memory.brief({ prompt: 'why is the queue so cold at night?' })
    expect(told.text).toContain(CANDIDATE.content)
  })

  it('are all still there, with their vaults, when .vault is deleted', async () => {
    const { root, engine } = await repository()
    for (const entry of [CANDIDATE, SUGGESTION, HANDOFF]) await keep(engine, entry)
    const list = async (from: ComposedCheckout) =>
      (await from.store.listEntries({ filter: {}, limit: 100, offset: 0 })).entries
    const before = await list(engine)
    const files = vaultFiles(root)
    await engine.close()
    rmSync(path.join(root, '.memory/.vault'), { recursive: true })
    expect(await list(open(root))).toEqual(before)
    expect(vaultFiles(root)).toEqual(files)
    expect(unseen(root)).toBe('')
  })

  it('are in a backup', async () => {
    const { engine } = await repository()
    for (const entry of [CANDIDATE, HANDOFF]) await keep(engine, entry)
    const file = path.join(scratchProject(), 'shop.cairn')
    await backupOperation.run(engine, { file }, {})
    const { copiesByPath } = await checkBackup(file)
    const saved = [...copiesByPath.keys()].filter(name => name.includes('local/'))
    expect(saved.filter(name => name.endsWith('.md')).sort()).toEqual([
      'local/shared/handoffs.md',
      'local/shared/lessons.md',
    ])
  })
})

describe('a memory of 0.1.0', () => {
  const GITIGNORE =
    'private/\nconversations/\nsessions/\nhistory/\narchive/\nstate.json\nsources.json\n.vault/\n*.md.bak\n*.cairn-tmp\n'
  const day = (n: number) => `2026-03-${String(n).padStart(2, '0')}T10:00`
  const many = (count: number, of: string, comment: string) =>
    Array.from({ length: count }, (_, n) => ({ content: `${of} ${n}.`, date: day(1 + (n % 28)), comment }))

  /** More entries than a file has before it rolls over, candidates and handoffs among them, all committed. */
  function memoryOf010(): string {
    const root = gitRepository(path.join(scratchProject(), 'shop'))
    const files = {
      'config.json': '{\n  "version": 1\n}\n',
      '.gitignore': GITIGNORE,
      'shared/decisions.md': headFile(many(40, 'Old decision', '')),
      'shared/lessons.md': headFile(many(35, 'Old candidate', 'status:candidate origin:agent'), 'c'),
      'shared/handoffs.md': headFile(many(35, 'Old handoff', 'origin:machine'), 's'),
    }
    for (const [name, text] of Object.entries(files)) writeIn(root, `.memory/${name}`, text)
    commitAll(root)
    return root
  }

  it('gets no change in a file that git sees from what Cairn and agents write by themselves', async () => {
    const root = memoryOf010()
    const engine = open(root)
    for (const entry of [CANDIDATE, SUGGESTION, HANDOFF]) await keep(engine, entry)
    await saveEntries(engine, {
      entries: [{ statement: 'Staging runs PostgreSQL 15.', why: 'psql said so.' }],
      handoff: 'The tests are left to do.',
      session: 's1',
    })
    await engine.close()
    const memory = await openMemory({ root, vectors: 'never' })
    onTestFinished(() => memory.close())
    await memory.sessions.start({ session: 's2', agent: 'dev' })
    await memory.brief({ start: true, session: 's2', agent: 'dev' })
    await memory.brief({ prompt: 'what about old decision 3?', session: 's2', agent: 'dev' })
    await memory.search('old decision')
    await memory.sessions.append({ session: 's2', agent: 'dev' }, [
      { role: 'user', text: 'The export times out, and old decision 3 says why.' },
      { role: 'agent', text: 'Old decision 3. Decision: the export goes through a queue from now on.' },
    ])
    await memory.sessions.close('s2')
    expect(unseen(root)).toBe('')
    expect(readFileSync(path.join(root, '.memory/config.json'), 'utf8')).toBe('{\n  "version": 1\n}\n')
    expect((await memory.list({ limit: 1000 })).total).toBeGreaterThanOrEqual(40 + 35 + 35 + 5)
  })
})
