import { describe, expect, it } from 'vitest'
import type { Composed } from '../../src/compose/composed.ts'
import { changeEntry, remember } from '../../src/features/entries/write-entries.ts'
import type { MemoryPart } from '../../src/kernel/layout.ts'
import type { SessionFinding, SessionMemory } from '../../src/kernel/model/session.ts'
import type { StoreUnderTest } from './store.contract.ts'

const finding = (id: string, content: string, more: Partial<SessionFinding> = {}): SessionFinding => ({
  id,
  fingerprint: `print of ${content}`,
  content,
  category: 'decision',
  importance: 0.7,
  confidence: 0.8,
  promotedToProjectMemory: false,
  ...more,
})
const memoryOf = (sessionId: string, findings: readonly SessionFinding[], at: number): SessionMemory => ({
  version: 1,
  sessionId,
  agentId: 'dev',
  findings,
  summary: `What ${sessionId} was about.`,
  createdAt: at,
  finalizedAt: at,
})
const call = (more: object = {}) => ({
  day: '2026-11-15',
  at: '2026-11-15T10:00',
  model: 'openai:m',
  inputTokens: 100,
  outputTokens: 50,
  microUsd: 10,
  capTokens: 460,
  capMicroUsd: 25,
  ...more,
})

/** What every store must answer about all it keeps: at one glance, for a review, of sessions, of money, and when something changes. */
export function describeStoreIndexes(name: string, make: () => Promise<StoreUnderTest>): void {
  const withStore = (work: (engine: Composed, memory: StoreUnderTest) => Promise<void>) => async () => {
    const memory = await make()
    const engine = await memory.open()
    try {
      await work(engine, memory)
    } finally {
      await engine.close()
    }
  }

  describe(`${name}: at one glance`, () => {
    it(
      'counts tags, the most used first, also after a change',
      withStore(async engine => {
        const [first] = await remember(engine, [
          { content: 'A.', tags: ['auth', 'db'] },
          { content: 'B.', tags: ['db'] },
          { content: 'C.' },
        ])
        expect(await engine.overview.tags(10)).toEqual([
          { tag: 'db', count: 2 },
          { tag: 'auth', count: 1 },
        ])
        expect(await engine.overview.tags(1)).toEqual([{ tag: 'db', count: 2 }])
        await changeEntry(engine, first?.entry.id ?? '', 'remove', () => null)
        expect(await engine.overview.tags(10)).toEqual([{ tag: 'db', count: 1 }])
        expect(await engine.overview.staleEntries()).toBe(0)
      }),
    )

    it(
      'has another stamp when a conflict is found',
      withStore(async engine => {
        const [one, two] = await remember(engine, [{ content: 'Use Redis.' }, { content: 'No Redis.' }])
        const before = await engine.overview.conflictStamp()
        const said = await Promise.all(
          [one, two].map(async each => {
            const [found] = (await engine.reviewIndex.entries()).filter(({ id }) => id === each?.entry.id)
            return found?.fingerprint ?? ''
          }),
        )
        await engine.conflicts.putCompared(
          [],
          [
            {
              older: one?.entry.id ?? '',
              newer: two?.entry.id ?? '',
              said: [said[0] ?? '', said[1] ?? ''],
              type: 'contradictory',
              confidence: 0.9,
              reason: { code: 'value', words: ['redis'] },
              detectedAt: 1_763_000_000_000,
            },
          ],
        )
        expect(await engine.overview.conflictStamp()).not.toBe(before)
      }),
    )
  })

  describe(`${name}: for a review`, () => {
    it(
      'shows every entry with how it was used, newest first, and of its words the beginning',
      withStore(async engine => {
        const [old, long] = await remember(engine, [
          { content: 'Old.', date: '2026-01-01T10:00', agent: 'dev', kind: 'lesson' },
          { content: `é${'x'.repeat(500)}`, date: '2026-02-01T10:00' },
        ])
        await engine.store.recordAccess([old?.entry.id ?? '', old?.entry.id ?? ''])
        const entries = await engine.reviewIndex.entries()
        expect(entries.map(({ id }) => id)).toEqual([long?.entry.id, old?.entry.id])
        expect(entries[1]).toMatchObject({
          agent: 'dev',
          category: 'lessons',
          kind: 'lesson',
          status: 'confirmed',
          path: expect.stringMatching(/^dev\/lessons(\.md$|\/2026-01-01-old-[0-9a-z]{4}\.md$)/),
          text: 'Old.',
          bytes: 4,
          accessCount: 2,
        })
        expect(entries[0]).toMatchObject({ text: `é${'x'.repeat(399)}`, bytes: 502, accessCount: 0 })
      }),
    )
  })

  describe(`${name}: findings of sessions`, () => {
    it(
      'are found by their fingerprint, by entry and by id, and go with their session',
      withStore(async engine => {
        const same = finding('f1', 'the cache is keyed by tenant')
        const near = finding('f2', 'the cache expires by tenant', {
          promotedToProjectMemory: true,
          promotedEntryId: 'e1',
        })
        const far = finding('f3', 'deploys happen on fridays')
        const put = (session: string, findings: readonly SessionFinding[], at: number) =>
          engine.findings.put({ memory: memoryOf(session, findings, at), stamp: `s${at}`, root: 's0' })
        await put('s1', [same, far], 1)
        await put('s2', [near], 2)
        await put('s2', [near], 2)
        const found = await engine.findings.findSame(same.fingerprint, 5)
        expect(found.map(({ id }) => id)).toEqual(['f1'])
        expect(await engine.findings.pending({ limit: 1, offset: 1 })).toMatchObject({
          findings: [{ id: 'f3', session: 's1', root: 's0', agent: 'dev' }],
          total: 2,
        })
        expect((await engine.findings.findByEntry('e1'))?.id).toBe('f2')
        expect((await engine.findings.find('f3'))?.content).toBe('deploys happen on fridays')
        expect(await engine.findings.rootOf('s1')).toBe('s0')
        await engine.findings.drop(['s1'])
        expect([...(await engine.findings.stamps())]).toEqual([['s2', 's2']])
        expect(await engine.findings.find('f1')).toBeUndefined()
      }),
    )
  })

  describe(`${name}: what models were paid`, () => {
    it(
      'is reserved before, and never goes over the caps, also of two at once',
      withStore(async (engine, memory) => {
        // A memory that is not there yet has no place to write down what was spent.
        await remember(engine, [{ content: 'There is a memory.' }])
        const other = await memory.open()
        const made = await Promise.all([1, 2, 3].map(n => (n === 2 ? other : engine).spend.reserve(call())))
        await other.close()
        expect(made.map(({ kind }) => kind).sort()).toEqual(['refused', 'reserved', 'reserved'])
        expect(made.find(({ kind }) => kind === 'refused')).toMatchObject({ by: 'money' })
        expect(await engine.spend.spentOn('2026-11-15')).toEqual({
          calls: 2,
          inputTokens: 200,
          outputTokens: 100,
          microUsd: 20,
        })
        expect(await engine.spend.reserve(call({ inputTokens: 200, microUsd: 0 }))).toMatchObject({
          kind: 'refused',
          by: 'tokens',
        })
      }),
    )

    it(
      'becomes what was used, or nothing when it was refused, and tells the last failure until a call succeeds',
      withStore(async engine => {
        const first = await engine.spend.reserve(call())
        const second = await engine.spend.reserve(call())
        if (first.kind !== 'reserved' || second.kind !== 'reserved') throw new Error('both fit')
        await engine.spend.fail(second.id, { spent: 'nothing', message: 'no key' })
        expect(await engine.spend.lastFailure()).toEqual({
          at: '2026-11-15T10:00',
          model: 'openai:m',
          message: 'no key',
        })
        await engine.spend.settle(first.id, { inputTokens: 7, outputTokens: 3, microUsd: 1 })
        expect(await engine.spend.spentOn('2026-11-15')).toMatchObject({
          inputTokens: 7,
          outputTokens: 3,
          microUsd: 1,
        })
        expect(await engine.spend.spentOn('2026-11-16')).toMatchObject({ calls: 0, microUsd: 0 })
      }),
    )
  })

  describe(`${name}: changes`, () => {
    it(
      'of another process are told with their part, until nobody listens',
      withStore(async (engine, memory) => {
        const told = new Set<MemoryPart>()
        let onTold: () => void = () => undefined
        const stop = await engine.changes.listen({
          onChange: parts => {
            for (const part of parts) told.add(part)
            onTold()
          },
          onFailure: error => {
            throw error
          },
        })
        const until = (part: MemoryPart) =>
          new Promise<void>(resolve => {
            onTold = () => told.has(part) && resolve()
            onTold()
          })
        const other = await memory.open()
        await remember(other, [{ content: 'Told to whoever listens.' }])
        await until('entries')
        await other.sessions.start({
          session: 's1',
          agent: 'dev',
          host: 'test',
          startedAt: '2026-03-16T10:00:00.000Z',
        })
        await until('sessions')
        stop()
        told.clear()
        await remember(other, [{ content: 'Told to nobody.' }])
        await other.close()
        expect([...told]).toEqual([])
      }),
    )
  })
}
