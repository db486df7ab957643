import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/api.ts'
import type { Composed } from '../../src/compose/composed.ts'
import { resolveConflict } from '../../src/features/conflicts/resolve-conflicts.ts'
import { undoOperation } from '../../src/features/entries/verbs/undo.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { applyProposals } from '../../src/features/review/apply-proposals.ts'
import { dismissProposals, reviewStale } from '../../src/features/review/stale-review.ts'
import { restoreBatch } from '../../src/features/upkeep/restore.ts'
import type { NewEntry } from '../../src/kernel/model/new-entry.ts'
import { captured, furnishAged, NOW_MS, openAt, treeOf, VAULT_ONLY } from '../support/aged-vault.ts'
import { scratchProject, writeIn } from '../support/scratch-project.ts'
import { fileSaying, headFile, typeOver, vaultFiles } from '../support/vault-files.ts'

/** Rollover is off, so that a file may have as many entries as it likes. */
const CONFIG = {
  '.memory/config.json':
    '{"version": 1, "vault": {"maxEntriesPerFile": 0, "keepEntries": 2}, "review": {"maxEntriesPerFile": 4}}',
}
const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`

const CLOUD_KEY = 'AKIAQ7RWTMPLEKEY7Q2Z'

const lesson = (content: string, date: string): NewEntry => ({ content, date, agent: 'dev', kind: 'lesson' })
const LESSONS = [
  lesson('The first lesson.', '2026-09-01T10:00'),
  lesson('The second lesson.', '2026-09-02T10:00'),
  lesson('The third lesson.', '2026-10-01T10:00'),
  lesson('The fourth lesson.', '2026-10-02T10:00'),
  lesson('The fifth lesson.', '2026-11-01T10:00'),
  lesson('The sixth lesson.', '2026-11-02T10:00'),
]
/** Of a person, in a head file of format 1. */
const HEAD = headFile(LESSONS.map(({ content, date = '' }) => ({ content, date, comment: 'kind:lesson' })))
const candidate = (entry: NewEntry): NewEntry => ({ ...entry, origin: 'agent', status: 'candidate' })

function withLessons(): string {
  return scratchProject({ ...CONFIG, '.memory/dev/lessons.md': HEAD })
}

/** The same, of an agent: they are local. */
async function withCandidates(): Promise<string> {
  const root = scratchProject(CONFIG)
  await inProject(root, engine => remember(engine, LESSONS.map(candidate), 'import'))
  return root
}

async function inProject<T>(root: string, work: (engine: Composed) => Promise<T>): Promise<T> {
  const engine = openAt(root)
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

const fileOf = (root: string, name: string) => path.join(root, '.memory', name)
const contentsIn = (root: string, name: string) =>
  readFileSync(fileOf(root, name), 'utf8')
    .split('\n')
    .filter(line => /^The \w+ lesson/.test(line))

/** The kinds of what is proposed, and what about. */
const told = async (engine: Composed) =>
  (await reviewStale(engine)).proposals.map(({ kind, what }) => `${kind} ${what}`)

describe('a split', () => {
  it('gives the older entries of a committed file files of their own, and undo puts every byte back', async () => {
    const root = withLessons()
    const before = treeOf(root, VAULT_ONLY)
    await inProject(root, async engine => {
      const [split] = (await reviewStale(engine)).proposals
      const { applied } = await applyProposals(engine, { ids: [split?.id ?? ''] })
      expect(applied.map(({ proposal }) => proposal.what)).toEqual(['dev/lessons.md'])
      expect(contentsIn(root, 'dev/lessons.md')).toEqual(['The sixth lesson.', 'The fifth lesson.'])
      expect(readFileSync(fileOf(root, 'dev/lessons.md'), 'utf8')).not.toContain('Compacted')
      const own = Object.keys(treeOf(root, VAULT_ONLY)).filter(name => name.startsWith('dev/lessons/'))
      expect(own.map(name => [name, ...contentsIn(root, name)])).toEqual([
        ['dev/lessons/2026-09-01-the-first-lesson-h000.md', 'The first lesson.'],
        ['dev/lessons/2026-09-02-the-second-lesson-h001.md', 'The second lesson.'],
        ['dev/lessons/2026-10-01-the-third-lesson-h002.md', 'The third lesson.'],
        ['dev/lessons/2026-10-02-the-fourth-lesson-h003.md', 'The fourth lesson.'],
      ])
      expect(await told(engine)).toEqual([])
      expect(await engine.store.check()).toEqual([])
      await undoOperation.run(engine, {}, {})
      expect(treeOf(root, VAULT_ONLY)).toEqual(before)
      expect(await told(engine)).toEqual(['split dev/lessons.md'])
    })
  })

  it('moves the older entries of a local file to the pages of their months, and undo puts every byte back', async () => {
    const root = await withCandidates()
    const before = treeOf(root, VAULT_ONLY)
    await inProject(root, async engine => {
      const { applied } = await applyProposals(engine, { allOf: 'split' })
      expect(applied.map(({ proposal }) => proposal.what)).toEqual(['local/dev/lessons.md'])
      const inLocal = (name: string) => contentsIn(root, `local/dev/${name}`)
      expect(inLocal('lessons.md')).toEqual(['The sixth lesson.', 'The fifth lesson.'])
      expect(inLocal('lessons/2026-10.md')).toEqual(['The fourth lesson.', 'The third lesson.'])
      expect(inLocal('lessons/2026-09.md')).toEqual(['The second lesson.', 'The first lesson.'])
      expect(readFileSync(fileOf(root, 'local/dev/lessons.md'), 'utf8')).toContain(
        'Compacted 4 older entries:',
      )
      expect(await told(engine)).not.toContain('split local/dev/lessons.md')
      expect(await engine.store.check()).toEqual([])
      await undoOperation.run(engine, {}, {})
      expect(treeOf(root, VAULT_ONLY)).toEqual(before)
      expect(await told(engine)).toContain('split local/dev/lessons.md')
    })
  })

  it('keeps what a person wrote as it was written: tabs, CRLF, a heading of their own', async () => {
    const root = withLessons()
    const file = fileOf(root, 'dev/lessons.md')
    const text = readFileSync(file, 'utf8').replace(
      'The first lesson.',
      'The first lesson.\n\n\tindented   text',
    )
    writeFileSync(file, text.replaceAll('\n', '\r\n'))
    await inProject(root, async engine => {
      const before = readFileSync(file, 'latin1')
      await applyProposals(engine, { allOf: 'split' })
      const own = fileSaying(root, 'The first lesson.')
      expect(own).toBe('.memory/dev/lessons/2026-09-01-the-first-lesson-h000.md')
      expect(readFileSync(path.join(root, own), 'latin1')).toContain(
        'The first lesson.\r\n\r\n\tindented   text\r\n',
      )
      await undoOperation.run(engine, {}, {})
      expect(readFileSync(file, 'latin1')).toBe(before)
    })
  })

  it('of a local page goes on to numbered pages', async () => {
    const root = scratchProject(CONFIG)
    await inProject(root, async engine => {
      const all = Array.from({ length: 11 }, (_, n) => lesson(`Lesson ${n}.`, `2026-09-${10 + n}T10:00`))
      await remember(engine, all.map(candidate), 'import')
      await applyProposals(engine, { allOf: 'split' })
      const counts = async () =>
        (await engine.upkeepIndex.headFiles()).map(({ path: file, entries }) => [file, entries])
      expect(await counts()).toEqual([['local/dev/lessons.md', 2]])
      expect(Object.keys(treeOf(root, VAULT_ONLY)).filter(name => name.includes('lessons/'))).toEqual([
        'local/dev/lessons/2026-09.2.md',
        'local/dev/lessons/2026-09.3.md',
        'local/dev/lessons/2026-09.md',
      ])
      expect((await told(engine)).filter(proposal => proposal.startsWith('split'))).toEqual([])
    })
  })

  it('of a committed page is not proposed', async () => {
    const root = scratchProject({ ...CONFIG, '.memory/dev/lessons/2026-09.md': HEAD })
    await inProject(root, async engine => expect(await told(engine)).toEqual([]))
  })

  it('is refused when the file changed since, and names what it is now', async () => {
    const root = withLessons()
    await inProject(root, async engine => {
      const [split] = (await reviewStale(engine)).proposals
      const seventh = headFile([
        { content: 'The seventh lesson.', date: '2026-11-03T10:00', comment: 'kind:lesson' },
      ])
      writeIn(root, '.memory/dev/lessons.md', `${seventh}\n${HEAD}`)
      const [now] = (await reviewStale(engine)).proposals
      await expect(applyProposals(engine, { ids: [split?.id ?? ''] })).rejects.toMatchObject({
        code: 'file_changed',
        details: { now: now?.id },
      })
      expect(contentsIn(root, 'dev/lessons.md')).toHaveLength(7)
    })
  })

  it('cannot be undone when an entry moved on since', async () => {
    const root = withLessons()
    await inProject(root, async engine => {
      const { applied } = await applyProposals(engine, { allOf: 'split' })
      const own = path.join(root, fileSaying(root, 'The third lesson.'))
      renameSync(own, own.replace('third', '3rd'))
      const record = applied[0]?.record ?? ''
      await expect(undoOperation.run(engine, { record }, {})).rejects.toMatchObject({ code: 'undo_conflict' })
    })
  })

  it('leaves a file with conflict markers alone, and the review says why', async () => {
    const root = withLessons()
    appendFileSync(fileOf(root, 'dev/lessons.md'), '\n<<<<<<< ours\nfoo\n=======\nbar\n>>>>>>> theirs\n')
    await inProject(root, async engine => {
      const { proposals, problems } = await reviewStale(engine)
      expect(proposals.map(({ kind }) => kind)).not.toContain('split')
      expect(problems.map(({ code, path: at }) => [code, at])).toEqual([
        ['conflict_markers', 'dev/lessons.md'],
      ])
    })
  })

  it('puts no secret into the journal or the name of a file that a person typed into the file', async () => {
    const root = withLessons()
    typeOver(root, 'The first lesson.', `The token is ${TOKEN}.`)
    typeOver(root, 'The second lesson.', `Use ${CLOUD_KEY}.`)
    await inProject(root, async engine => {
      await applyProposals(engine, { allOf: 'split' })
      expect(fileSaying(root, TOKEN)).toMatch(/^\.memory\/dev\/lessons\/2026-09-01-/)
      expect(fileSaying(root, CLOUD_KEY)).toMatch(/^\.memory\/dev\/lessons\/2026-09-02-/)
      const places = readFileSync(fileOf(root, 'history/audit.jsonl'), 'utf8') + Object.keys(vaultFiles(root))
      expect(places).not.toContain(TOKEN)
      expect(places.toLowerCase()).not.toContain(CLOUD_KEY.toLowerCase())
    })
  })

  it('loses nothing and doubles nothing, twice is once, and undo is exact, whatever is where', async () => {
    const days = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 25 })
    await fc.assert(
      fc.asyncProperty(days, fc.integer({ min: 1, max: 5 }), async (ages, most) => {
        const root = scratchProject({
          '.memory/config.json': `{"version": 1, "vault": {"maxEntriesPerFile": 0}, "review": {"maxEntriesPerFile": ${most}}}`,
        })
        await inProject(root, async engine => {
          const dates = ages.map(age => new Date(NOW_MS - age * 86_400_000).toISOString().slice(0, 16))
          const all = dates.map((date, n) => ({ ...lesson(`Lesson ${n}.`, date), date }))
          const [local, committed] = [all.filter((_, n) => n % 3 > 0), all.filter((_, n) => n % 3 === 0)]
          await remember(engine, local.map(candidate), 'import')
          writeIn(root, '.memory/dev/lessons.md', headFile(committed))
          const list = async () =>
            (await engine.store.listEntries({ filter: {}, limit: 100, offset: 0 })).entries
          const before = await list()
          const tree = treeOf(root, VAULT_ONLY)
          const { applied } = await applyProposals(engine, { allOf: 'split' })
          expect(await list()).toEqual(before)
          expect(await engine.store.check()).toEqual([])
          const once = treeOf(root, VAULT_ONLY)
          expect((await applyProposals(engine, { allOf: 'split' })).applied).toEqual([])
          expect(treeOf(root, VAULT_ONLY)).toEqual(once)
          for (const _ of applied) await undoOperation.run(engine, {}, {})
          expect(treeOf(root, VAULT_ONLY)).toEqual(tree)
        })
      }),
      { numRuns: 15 },
    )
  })
})

describe('archiving', () => {
  const OLD = [captured('The cache is warm.', 200), captured('The queue is cold.', 150)]

  it('takes captured entries that nobody used, in one batch that undo or restore brings back to stay', async () => {
    const root = scratchProject()
    await furnishAged(root, OLD)
    const before = treeOf(root, VAULT_ONLY)
    await inProject(root, async engine => {
      const { applied, batch } = await applyProposals(engine, { allOf: 'archive' })
      expect(applied.map(({ proposal }) => proposal.text)).toEqual([
        'The cache is warm.',
        'The queue is cold.',
      ])
      expect((await engine.store.counts()).total).toBe(0)
      expect((await engine.archive.list()).batches.map(({ id, entries }) => [id, entries])).toEqual([
        [batch, 2],
      ])
      await undoOperation.run(engine, {}, {})
      expect(treeOf(root, VAULT_ONLY)).toEqual(before)
      expect(await told(engine)).toEqual([])
    })
    const again = scratchProject()
    await furnishAged(again, OLD)
    const whole = treeOf(again, VAULT_ONLY)
    await inProject(again, async engine => {
      const { batch } = await applyProposals(engine, { allOf: 'archive' })
      await restoreBatch(engine, batch ?? '')
      expect(treeOf(again, VAULT_ONLY)).toEqual(whole)
    })
  })

  it('passes over what a person wrote, pinned or confirmed, unless it is named: that is their word', async () => {
    const root = scratchProject()
    const [older = '', newer = ''] = await furnishAged(root, [
      captured('We deploy on Mondays.', 20, { origin: 'person', status: 'confirmed', kind: 'decision' }),
      captured('We deploy on Tuesdays.', 10, { origin: 'person', status: 'confirmed', kind: 'decision' }),
    ])
    await inProject(root, async engine => {
      await resolveConflict(engine, [older, newer], { kind: 'supersede', id: older })
      expect(await told(engine)).toEqual([`archive ${older}`])
      expect(await applyProposals(engine, { allOf: 'archive' })).toMatchObject({ applied: [], toBeNamed: 1 })
      const [proposal] = (await reviewStale(engine)).proposals
      await applyProposals(engine, { ids: [proposal?.id ?? ''] })
      expect(await engine.store.findEntry(older)).toBeUndefined()
      expect(await engine.store.findEntry(newer)).toBeDefined()
    })
  })

  it('is refused for an entry that somebody used since it was proposed', async () => {
    const root = scratchProject()
    const [id = ''] = await furnishAged(root, [captured('The cache is warm.', 200)])
    await inProject(root, async engine => {
      const [proposal] = (await reviewStale(engine)).proposals
      await engine.store.recordAccess([id])
      await expect(applyProposals(engine, { ids: [proposal?.id ?? ''] })).rejects.toMatchObject({
        code: 'finding_not_found',
      })
      expect(await engine.store.findEntry(id)).toBeDefined()
    })
  })

  it('does nothing when one of the names is wrong', async () => {
    const root = scratchProject()
    await furnishAged(root, OLD)
    await inProject(root, async engine => {
      const [first] = (await reviewStale(engine)).proposals
      const ids = [first?.id ?? '', 'r00000000-0000']
      await expect(applyProposals(engine, { ids })).rejects.toMatchObject({ code: 'finding_not_found' })
      expect((await engine.store.counts()).total).toBe(2)
    })
  })
})

describe('what a person wrote and nobody used', () => {
  const [OWN] = [captured('Backups run at four.', 200, { origin: 'person', status: 'confirmed' })]

  it('is to be confirmed, and then it is not named any more', async () => {
    const root = scratchProject()
    const [id = ''] = await furnishAged(root, [OWN as ReturnType<typeof captured>])
    await inProject(root, async engine => {
      expect(await told(engine)).toEqual([`confirm ${id}`])
      const [proposal] = (await reviewStale(engine)).proposals
      await applyProposals(engine, { ids: [proposal?.id ?? ''] })
      expect(await told(engine)).toEqual([])
      await undoOperation.run(engine, {}, {})
      expect((await engine.store.readDocument('curation.json')).confirmations ?? {}).toEqual({})
    })
  })

  it('goes to the archive when its name says so', async () => {
    const root = scratchProject()
    const [id = ''] = await furnishAged(root, [OWN as ReturnType<typeof captured>])
    await inProject(root, async engine => {
      const [proposal] = (await reviewStale(engine)).proposals
      await applyProposals(engine, { ids: [proposal?.id ?? ''], toArchive: true })
      expect(await engine.store.findEntry(id)).toBeUndefined()
      await undoOperation.run(engine, {}, {})
      expect(await engine.store.findEntry(id)).toBeDefined()
    })
  })
})

it('names an entry whose file changed, and confirming anchors it to the file as it is', async () => {
  const words = (word: string) => Array.from({ length: 60 }, (_, n) => `${word}${n}`).join(' ')
  const root = scratchProject({ 'src/auth.ts': words('old') })
  const [id = ''] = await furnishAged(root, [
    captured('Tokens are checked in src/auth.ts.', 1, { files: ['src/auth.ts'] }),
  ])
  writeIn(root, 'src/auth.ts', words('new'))
  await inProject(root, async engine => {
    const [proposal] = (await reviewStale(engine)).proposals
    expect(proposal).toMatchObject({
      kind: 'confirm',
      what: id,
      reasons: [{ code: 'drifted', files: ['src/auth.ts changed a lot'], paths: ['src/auth.ts'] }],
    })
    await applyProposals(engine, { ids: [proposal?.id ?? ''] })
    expect(await told(engine)).toEqual([])
  })
})

it('settles a contradiction for the later word, which can be undone', async () => {
  const root = scratchProject()
  const [older = '', newer = ''] = await furnishAged(root, [
    captured('The importer retry limit is 1.', 3, { kind: 'decision', status: 'confirmed' }),
    captured('The importer retry limit is 2.', 2, { kind: 'decision', status: 'confirmed' }),
  ])
  await inProject(root, async engine => {
    const [proposal] = (await reviewStale(engine)).proposals
    expect(proposal).toMatchObject({ kind: 'settle', does: { holds: newer, retires: older } })
    await applyProposals(engine, { ids: [proposal?.id ?? ''] })
    expect(await told(engine)).toEqual([`archive ${older}`])
    await undoOperation.run(engine, {}, {})
    expect((await told(engine))[0]).toBe(`settle ${older}`)
  })
})

describe('a no', () => {
  it('is remembered in curation.json, and undone', async () => {
    const root = scratchProject()
    const [id = ''] = await furnishAged(root, [captured('The cache is warm.', 200)])
    await inProject(root, async engine => {
      const [proposal] = (await reviewStale(engine)).proposals
      await dismissProposals(engine, [proposal?.id ?? ''])
      expect(await reviewStale(engine)).toMatchObject({ proposals: [], dismissed: 1 })
      expect((await applyProposals(engine, { allOf: 'archive' })).applied).toEqual([])
      await undoOperation.run(engine, {}, {})
      expect(await told(engine)).toEqual([`archive ${id}`])
    })
  })
})

it('is there for programs: stale, apply, dismiss', async () => {
  const root = scratchProject()
  await furnishAged(root, [captured('The cache is warm.', 200), captured('The queue is cold.', 150)])
  const memory = await openMemory({ root, now: () => NOW_MS, vectors: 'never', upkeep: 'never' })
  const { proposals, total, totals } = await memory.review.stale({ kind: 'archive', limit: 1 })
  expect([proposals.length, total, totals]).toEqual([1, 2, { split: 0, settle: 0, archive: 2, confirm: 0 }])
  const [first] = proposals
  expect((await memory.review.dismiss(first?.id ?? '')).what).toBe(first?.what)
  expect(await memory.review.apply({ all: 'archive' }, { dryRun: true })).toMatchObject({ batch: null })
  const { applied } = await memory.review.apply({ all: 'archive' })
  expect(applied.map(({ proposal }) => proposal.text)).toEqual(['The queue is cold.'])
  expect((await memory.list()).total).toBe(1)
  await memory.close()
})

it('reviews the vault when the roots of workspaces cannot be used, and says so', async () => {
  const root = scratchProject({
    '.memory/config.json': '{"version": 1, "workspaces": {"learnings": "../elsewhere"}}',
  })
  await furnishAged(root, [captured('The cache is warm.', 200)])
  await inProject(root, async engine => {
    const { proposals, problems } = await reviewStale(engine)
    expect([proposals.length, problems.map(({ path: at }) => at)]).toEqual([1, ['config.json']])
  })
})

describe('a file of a workspace', () => {
  const FILE = 'user/memory/workspaces/devtools/common/decisions.md'
  const entry = (date: string, title: string) =>
    `### [${date}] ${title}\n\n**Category:** architecture\n**Tags:** a\n\nAbout ${title}.\n\n---\n\n`
  const TEXT = ['2024-05-01', '2025-01-01', '2025-02-01', '2026-01-01', '2026-02-01', '2026-03-01']
    .map((date, n) => entry(date, `Choice ${'abcdef'[n]}`))
    .join('')

  it('with too many decisions is split by year, which the reader still reads, and undo puts it back', async () => {
    const root = scratchProject({ ...CONFIG, [FILE]: TEXT })
    await inProject(root, async engine => {
      const titles = async () => {
        const source = await engine.documents()
        return source
          .survey()
          .flatMap(({ path: file }) => source.read(file)?.documents.map(({ title }) => title) ?? [])
          .sort()
      }
      const before = await titles()
      const [split] = (await reviewStale(engine)).proposals
      expect(split).toMatchObject({ kind: 'split', what: FILE, does: { of: 'workspace', stays: 2 } })
      await applyProposals(engine, { ids: [split?.id ?? ''] })
      expect(readFileSync(path.join(root, FILE), 'utf8')).toBe(
        entry('2026-02-01', 'Choice e') + entry('2026-03-01', 'Choice f'),
      )
      expect(readFileSync(path.join(root, FILE.replace('.md', '-2025.md')), 'utf8')).toBe(
        entry('2025-01-01', 'Choice b') + entry('2025-02-01', 'Choice c'),
      )
      expect(await titles()).toEqual(before)
      expect(await told(engine)).toEqual([])
      await undoOperation.run(engine, {}, {})
      expect(readFileSync(path.join(root, FILE), 'utf8')).toBe(TEXT)
    })
  })

  it('is refused when somebody wrote to it since', async () => {
    const root = scratchProject({ ...CONFIG, [FILE]: TEXT })
    await inProject(root, async engine => {
      const [split] = (await reviewStale(engine)).proposals
      appendFileSync(path.join(root, FILE), entry('2026-04-01', 'Choice g'))
      await expect(applyProposals(engine, { ids: [split?.id ?? ''] })).rejects.toMatchObject({
        code: 'file_changed',
      })
    })
  })
})
