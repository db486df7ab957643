import { appendFileSync, existsSync, readFileSync, statSync, utimesSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeEngine } from '../src/compose/compose.ts'
import type { Composed } from '../src/compose/composed.ts'
import { briefOperation } from '../src/features/brief/verbs/brief.ts'
import { feedbackOperation } from '../src/features/brief/verbs/feedback.ts'
import { resolveConflict } from '../src/features/conflicts/resolve-conflicts.ts'
import { aliasAddOperation } from '../src/features/entries/verbs/alias.ts'
import { logOperation } from '../src/features/entries/verbs/log.ts'
import { undoOperation } from '../src/features/entries/verbs/undo.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { rejectProposals } from '../src/features/learning/reviewing.ts'
import { searchOperation } from '../src/features/search/verbs/search.ts'
import { configSetOperation } from '../src/features/settings/verbs/config.ts'
import { type Disk, nodeDisk } from '../src/kernel/system/disk.ts'
import { readIn, scratchProject, writeIn } from './support/scratch-project.ts'

const JOURNAL = '.memory/history/audit.jsonl'
const FACTS = ['Sessions live in Redis.', 'Deploys run at noon.', 'Invoices have no gaps.']

async function inMemory(
  work: (engine: Composed, root: string, ids: string[]) => Promise<void>,
): Promise<void> {
  const root = scratchProject()
  const engine = composeEngine({ root })
  const kept = await remember(
    engine,
    FACTS.map(content => ({ content, origin: 'machine' as const, status: 'candidate' as const })),
  )
  try {
    await work(
      engine,
      root,
      kept.map(({ entry }) => entry.id),
    )
  } finally {
    await engine.close()
  }
}

const curation = (engine: Composed) => engine.store.readDocument('curation.json')

async function lastRecord(engine: Composed): Promise<string> {
  const { records } = await logOperation.run(engine, { limit: 1 }, {})
  return records[0]?.id ?? ''
}

describe('the journal of documents', () => {
  it('grows with what changed, not with the document', () =>
    inMemory(async (engine, root) => {
      const kept = await remember(
        engine,
        Array.from({ length: 60 }, (_, n) => ({
          content: `Port ${n} belongs to service ${n * 3}.`,
          origin: 'machine' as const,
          status: 'candidate' as const,
        })),
      )
      const sizes: number[] = []
      for (const { entry } of kept) {
        const before = statSync(path.join(root, JOURNAL)).size
        await rejectProposals(engine, [entry.id])
        sizes.push(statSync(path.join(root, JOURNAL)).size - before)
      }
      expect(Math.max(...sizes.slice(1)) - Math.min(...sizes.slice(1))).toBeLessThan(100)
    }))

  /** Each a person's word about other entries than the last one's. */
  const DEEDS: readonly [string, (engine: Composed, ids: string[]) => Promise<unknown>][] = [
    ['a rejection', (engine, ids) => rejectProposals(engine, [ids[0] ?? ''])],
    [
      'feedback',
      (engine, ids) => feedbackOperation.run(engine, { target: ids[1] ?? '', saying: 'useful' }, {}),
    ],
    [
      'a decision about a conflict',
      (engine, ids) => resolveConflict(engine, [ids[1] ?? '', ids[2] ?? ''], { kind: 'both' }),
    ],
    ['an alias', engine => aliasAddOperation.run(engine, { word: 'ledger', meanings: ['book'] }, {})],
    ['another rejection', (engine, ids) => rejectProposals(engine, [ids[2] ?? ''])],
    [
      'an alias for something else',
      engine => aliasAddOperation.run(engine, { word: 'vat', meanings: ['tax'] }, {}),
    ],
  ]

  it.each([
    ['first to last', (records: string[]) => records],
    ['last to first', (records: string[]) => [...records].reverse()],
    ['in any order', (records: string[]) => [3, 0, 5, 1, 4, 2].map(n => records[n] ?? '')],
  ])('lets what people decided be undone %s', (_, order) =>
    inMemory(async (engine, _root, ids) => {
      const records: string[] = []
      for (const [, act] of DEEDS) {
        await act(engine, ids)
        records.push(await lastRecord(engine))
      }
      expect(await curation(engine)).toMatchObject({ rejections: [{}, {}], conflicts: [{}] })
      for (const record of order(records)) await undoOperation.run(engine, { record }, {})
      const { version, ...sections } = await curation(engine)
      expect(version).toBe(1)
      expect(Object.values(sections).map(section => Object.keys(section as object).length)).toEqual(
        Object.keys(sections).map(() => 0),
      )
      const { total } = await engine.store.listEntries({ filter: {}, limit: 10, offset: 0 })
      expect(total).toBe(FACTS.length)
    }),
  )

  it('refuses to take back what says something else by now, and names what shows it', () =>
    inMemory(async (engine, _root, ids) => {
      const target = ids[1] ?? ''
      await feedbackOperation.run(engine, { target, saying: 'useful' }, {})
      const record = await lastRecord(engine)
      await feedbackOperation.run(engine, { target, saying: 'wrong' }, {})
      await expect(undoOperation.run(engine, { record }, {})).rejects.toMatchObject({
        code: 'undo_conflict',
        details: { changed: ['curation.json'] },
        hint: expect.stringContaining('cairn log --entry curation.json'),
      })
      const { records } = await logOperation.run(engine, { entry: 'curation.json' }, {})
      expect(records.map(({ action }) => action)).toEqual(['feedback', 'feedback'])
    }))
})

describe('a line that holds documents whole, as earlier versions wrote it', () => {
  const line = (before: unknown, after: unknown) =>
    `${JSON.stringify({
      id: '1773679871839-k3f9',
      at: '2026-03-16T16:51:11.839Z',
      action: 'alias',
      by: { host: 'cli' },
      changes: [{ type: 'document', name: 'curation.json', before, after }],
    })}\n`
  const before = { version: 1, aliases: {} }
  const after = { version: 1, aliases: { ledger: ['book'] } }

  it('is undone, also after other changes', () =>
    inMemory(async (engine, root) => {
      appendFileSync(path.join(root, JOURNAL), line(before, after))
      writeIn(root, '.memory/curation.json', JSON.stringify({ ...after, feedback: { x: { useful: 1 } } }))
      await undoOperation.run(engine, { record: '1773679871839-k3f9' }, {})
      expect(await curation(engine)).toEqual({ ...before, feedback: { x: { useful: 1 } } })
    }))

  it.each([
    ['was not done is done', before, after],
    ['was done stays', after, after],
    ['was changed since stays', { version: 1, aliases: { ledger: ['by hand'] } }, undefined],
  ])('and what %s when its writer died', (_, found: object, expected: object | undefined) =>
    inMemory(async (engine, root) => {
      await engine.close()
      appendFileSync(path.join(root, JOURNAL), line(before, after))
      writeIn(root, '.memory/curation.json', JSON.stringify(found))
      const next = composeEngine({ root })
      await next.store.refresh()
      expect(await curation(next)).toEqual(expected ?? found)
      await next.close()
    }),
  )
})

describe('a document in memory', () => {
  /** A real disk that counts how often each document is read. */
  function countingDisk(): { disk: Disk; reads: () => Record<string, number> } {
    let reads: Record<string, number> = {}
    const disk: Disk = {
      ...nodeDisk,
      readFile(file) {
        const name = file.replaceAll('\\', '/').replace(/^.*\/\.memory\//, '')
        if (name.endsWith('.json')) reads[name] = (reads[name] ?? 0) + 1
        return nodeDisk.readFile(file)
      },
    }
    return {
      disk,
      reads: () => {
        const counted = reads
        reads = {}
        return counted
      },
    }
  }

  /** As if nobody had touched them for a minute. */
  function age(root: string): void {
    const then = (Date.now() - 60_000.5) / 1000
    for (const name of ['config.json', 'curation.json', 'local/curation.json']) {
      const file = path.join(root, '.memory', name)
      if (existsSync(file)) utimesSync(file, then, then)
    }
  }

  const ONCE = { 'config.json': 1, 'curation.json': 1, 'local/curation.json': 1 }

  it('is read once by a search, and once by a brief', () =>
    inMemory(async (engine, root, ids) => {
      await feedbackOperation.run(engine, { target: ids[0] ?? '', saying: 'useful' }, {})
      age(root)
      for (const act of [
        (other: Composed) => searchOperation.run(other, { query: 'where do sessions live' }, {}),
        (other: Composed) => briefOperation.run(other, { prompt: 'where do sessions live?' }, {}),
        (other: Composed) => briefOperation.run(other, { start: true }, {}),
      ]) {
        const { disk, reads } = countingDisk()
        const other = composeEngine({ root, disk })
        await act(other)
        expect(reads()).toEqual(ONCE)
        await act(other)
        expect(reads()).toEqual({})
        await other.close()
      }
    }))

  it('is read again as soon as its file is another', () =>
    inMemory(async (engine, root) => {
      await configSetOperation.run(engine, { key: 'search.limit', value: '7' }, {})
      await aliasAddOperation.run(engine, { word: 'ledger', meanings: ['book'] }, {})
      age(root)
      const { disk, reads } = countingDisk()
      const other = composeEngine({ root, disk })
      expect((await other.config())['search.limit']).toBe(7)
      await other.config()
      expect(reads()).toEqual({ 'config.json': 1 })
      // Another process, then a person: each is seen by the next question.
      await configSetOperation.run(engine, { key: 'search.limit', value: '8' }, {})
      expect((await other.config())['search.limit']).toBe(8)
      const file = path.join(root, '.memory/config.json')
      for (const limit of [1, 2, 3, 4, 5]) {
        writeIn(
          root,
          '.memory/config.json',
          readFileSync(file, 'utf8').replace(/"limit": \d/, `"limit": ${limit}`),
        )
        expect((await other.config())['search.limit']).toBe(limit)
      }
      expect(readIn(root, '.memory/config.json')).toContain('"limit": 5')
      await other.close()
    }))
})
