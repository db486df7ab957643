import { describe, expect, it } from 'vitest'
import type { Composed } from '../../src/compose/composed.ts'
import type { FoundConflict } from '../../src/features/conflicts/decide/ports.ts'
import { changeEntry, remember } from '../../src/features/entries/write-entries.ts'
import { search } from '../../src/features/search/search-memory.ts'
import type { Entry } from '../../src/kernel/model/entry.ts'
import type { JournalRecord } from '../../src/kernel/model/journal.ts'
import type { NewEntry } from '../../src/kernel/model/new-entry.ts'
import { textHash } from '../../src/kernel/system/content-hash.ts'
import { fingerprint } from '../../src/kernel/text/fingerprint.ts'
import { planUndo } from '../../src/kernel/vault/undo.ts'

/** Opens the same memory again: a second process, as far as the store can tell. */
export interface StoreUnderTest {
  readonly open: () => Promise<Composed & { close(): Promise<void> }>
  /** It keeps entries in files of the vault, where each has its place. */
  readonly hasFiles: boolean
}

/** What every store must do, whatever it keeps its entries in. `make` gives a memory that is empty. */
export function describeStore(name: string, make: () => Promise<StoreUnderTest>): void {
  const withStore = (work: (engine: Composed, memory: StoreUnderTest) => Promise<void>) => async () => {
    const memory = await make()
    const engine = await memory.open()
    try {
      await work(engine, memory)
    } finally {
      await engine.close()
    }
  }
  const elsewhere = async <T>(memory: StoreUnderTest, work: (engine: Composed) => Promise<T>): Promise<T> => {
    const engine = await memory.open()
    try {
      return await work(engine)
    } finally {
      await engine.close()
    }
  }
  const add = async (engine: Composed, ...inputs: NewEntry[]) =>
    (await remember(engine, inputs)).map(({ entry }) => entry)
  const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
    const collected: T[] = []
    for await (const item of items) collected.push(item)
    return collected
  }
  const all = { filter: {}, limit: 1000, offset: 0 }

  describe(`${name}: entries`, () => {
    it(
      'are found by id, with every field as it was given',
      withStore(async (engine, memory) => {
        const [entry] = await add(engine, {
          content: 'Sessions live in Redis.\n\nFor one hour, not longer.',
          kind: 'decision',
          agent: 'dev',
          tags: ['auth'],
          files: ['src/session.ts'],
          date: '2026-03-16T16:51',
          session: 's1',
          importance: 0.9,
          confidence: 0.8,
          status: 'candidate',
          origin: 'machine',
        })
        expect(entry).toMatchObject({
          agent: 'dev',
          category: 'decisions',
          kind: 'decision',
          tags: ['auth'],
          files: ['src/session.ts'],
          date: '2026-03-16T16:51',
          session: 's1',
          importance: 0.9,
          confidence: 0.8,
          status: 'candidate',
          origin: 'machine',
        })
        expect(await engine.store.findEntry(entry?.id ?? '')).toEqual(entry)
        expect(await elsewhere(memory, other => other.store.findEntry(entry?.id ?? ''))).toEqual(entry)
        expect(await engine.store.findEntry('1773679860000-none')).toBeUndefined()
      }),
    )

    it(
      'are listed newest first, in pages, with the number of all',
      withStore(async engine => {
        await add(engine, { content: 'First.', date: '2026-01-01T10:00' })
        await add(engine, { content: 'Third.', date: '2026-03-01T10:00' })
        await add(engine, { content: 'Second.', date: '2026-02-01T10:00' })
        const first = await engine.store.listEntries({ filter: {}, limit: 2, offset: 0 })
        const rest = await engine.store.listEntries({ filter: {}, limit: 2, offset: 2 })
        expect(first.entries.map(entry => entry.content)).toEqual(['Third.', 'Second.'])
        expect(rest.entries.map(entry => entry.content)).toEqual(['First.'])
        expect([first.total, rest.total]).toEqual([3, 3])
      }),
    )

    it(
      'are narrowed by each filter alone and by all together',
      withStore(async engine => {
        await add(
          engine,
          {
            content: 'A.',
            agent: 'dev',
            kind: 'decision',
            tags: ['x'],
            files: ['src/a/b.ts'],
            date: '2026-01-05T10:00',
          },
          {
            content: 'B.',
            agent: 'shared',
            kind: 'warning',
            tags: ['x', 'y'],
            date: '2026-02-05T10:00',
            status: 'pinned',
          },
          { content: 'C.', agent: 'qa', kind: 'lesson', files: ['src/b.ts'], date: '2026-03-05T10:00' },
        )
        const listed = async (filter: Parameters<typeof engine.store.listEntries>[0]['filter']) => {
          const { entries, total } = await engine.store.listEntries({ filter, limit: 10, offset: 0 })
          expect(total).toBe(entries.length)
          return entries.map(entry => entry.content).join('')
        }
        expect(await listed({ agent: 'dev' })).toBe('A.')
        expect(await listed({ reader: 'dev' })).toBe('B.A.')
        expect(await listed({ category: 'decisions' })).toBe('A.')
        expect(await listed({ kind: 'lesson' })).toBe('C.')
        expect(await listed({ tags: ['y', 'z'] })).toBe('B.')
        expect(await listed({ status: 'pinned' })).toBe('B.')
        expect(await listed({ since: '2026-02', until: '2026-02-28' })).toBe('B.')
        expect(await listed({ file: 'b.ts' })).toBe('C.A.')
        expect(await listed({ file: 'src/a/' })).toBe('A.')
        expect(await listed({ agent: 'dev', kind: 'lesson' })).toBe('')
      }),
    )

    it(
      'are counted by vault, kind and status',
      withStore(async engine => {
        await add(
          engine,
          { content: 'A.', kind: 'decision', agent: 'dev' },
          { content: 'B.', kind: 'task', agent: 'dev' },
          { content: 'C.', kind: 'decision', status: 'pinned' },
        )
        const counts = await engine.store.counts()
        expect(counts).toMatchObject({
          total: 3,
          byAgent: { dev: { decisions: 1, tasks: 1, lessons: 0 }, shared: { decisions: 1 } },
          byKind: { decision: 2, task: 1 },
        })
        expect(counts.byStatus).toMatchObject({ pinned: 1 })
      }),
    )

    it(
      'change and go, and another process sees it',
      withStore(async (engine, memory) => {
        const [one, two] = await add(engine, { content: 'One.' }, { content: 'Two.' })
        await changeEntry(engine, one?.id ?? '', 'update', entry => ({ ...entry, content: 'Uno.' }))
        await changeEntry(engine, two?.id ?? '', 'remove', () => null)
        const { entries } = await elsewhere(memory, other => other.store.listEntries(all))
        expect(entries.map(entry => entry.content)).toEqual(['Uno.'])
        await expect(changeEntry(engine, two?.id ?? '', 'remove', () => null)).rejects.toMatchObject({
          code: 'entry_not_found',
        })
      }),
    )
  })

  describe(`${name}: writing`, () => {
    it(
      'journals what it did, by whom, newest first',
      withStore(async engine => {
        const [entry] = await add(engine, { content: 'One.' })
        await changeEntry(engine, entry?.id ?? '', 'pin', before => ({ ...before, status: 'pinned' }))
        await add(engine, { content: 'Two.' })
        const records = await collect(engine.store.readJournal({}))
        expect(records.map(record => record.action)).toEqual(['add', 'pin', 'add'])
        expect(records[1]).toMatchObject({
          by: engine.actor,
          changes: [{ type: 'entry', before: { status: 'confirmed' }, after: { status: 'pinned' } }],
        })
        const ofOne = await collect(engine.store.readJournal({ entryId: entry?.id ?? '', limit: 1 }))
        expect(ofOne.map(record => record.action)).toEqual(['pin'])
      }),
    )

    it(
      'does nothing when there is nothing to do, and nothing when the decision throws',
      withStore(async engine => {
        await add(engine, { content: 'One.' })
        expect(await engine.store.write(engine.actor, async () => null)).toBeNull()
        const failing = engine.store.write(engine.actor, async () => {
          throw new Error('changed my mind')
        })
        await expect(failing).rejects.toThrow('changed my mind')
        expect(await collect(engine.store.readJournal({}))).toHaveLength(1)
        expect((await engine.store.listEntries(all)).total).toBe(1)
      }),
    )

    it(
      'finds a duplicate in the vaults that are asked for, the first named winning',
      withStore(async engine => {
        const [shared] = await add(engine, { content: 'The same fact.', agent: 'shared' })
        const find = (text: string, agents: string[]) =>
          engine.store
            .write(engine.actor, async view => {
              found = (await view.findDuplicate(fingerprint(text), agents))?.id
              return null
            })
            .then(() => found)
        let found: string | undefined
        expect(await find('the  SAME fact.', ['dev', 'shared'])).toBe(shared?.id)
        expect(await find('the  SAME fact.', ['dev'])).toBeUndefined()
        expect(await find('Another fact.', ['shared'])).toBeUndefined()
      }),
    )

    it(
      'keeps every one of many writers, and no id twice',
      withStore(async (_, memory) => {
        const engines = await Promise.all(Array.from({ length: 4 }, () => memory.open()))
        await Promise.all(
          engines.flatMap((engine, writer) =>
            Array.from({ length: 10 }, (_item, n) =>
              add(engine, { content: `Fact ${n} of writer ${writer}.` }),
            ),
          ),
        )
        const { entries } = await elsewhere(memory, other => other.store.listEntries(all))
        expect(new Set(entries.map(entry => entry.id)).size).toBe(40)
        await Promise.all(engines.map(engine => engine.close()))
      }),
    )

    it(
      'keeps JSON documents, which start empty',
      withStore(async (engine, memory) => {
        const before = await engine.store.readDocument('curation.json')
        const after = { ...before, aliases: { db: ['database'] } }
        await engine.store.write(engine.actor, async () => ({
          action: 'alias',
          changes: [{ type: 'document', name: 'curation.json', before, after }],
        }))
        expect(await elsewhere(memory, other => other.store.readDocument('curation.json'))).toEqual(after)
      }),
    )
  })

  describe(`${name}: search`, () => {
    const FACTS = [
      {
        content: 'Webhook deliveries are retried with exponential back-off.',
        kind: 'decision',
        session: 's1',
      },
      { content: 'The retry queue lives in Redis.', kind: 'architecture', tags: ['queue'], session: 's1' },
      { content: 'As faturas são geradas no primeiro dia do mês.', kind: 'lesson' },
      { content: 'Never edit generated files.', kind: 'warning', files: ['src/generated/client.ts'] },
    ]
    const found = async (engine: Composed, query: string, filter = {}) =>
      (await search(engine, query, { filter, limit: 10 })).hits.map(hit => hit.entry.content)

    it(
      'finds by words, stems, both languages, paths and typos',
      withStore(async engine => {
        await add(engine, ...FACTS)
        expect((await found(engine, 'how do we retry a webhook delivery?'))[0]).toMatch('Webhook')
        expect((await found(engine, 'quando a fatura é gerada'))[0]).toMatch('faturas')
        expect((await found(engine, 'client.ts'))[0]).toMatch('Never edit')
        expect((await found(engine, 'webhok'))[0]).toMatch('Webhook')
        expect(await found(engine, 'kubernetes')).toEqual([])
      }),
    )

    it(
      'follows a change and a removal at once, and obeys the filter',
      withStore(async (engine, memory) => {
        const entries = await add(engine, ...FACTS)
        await changeEntry(engine, entries[1]?.id ?? '', 'update', entry => ({
          ...entry,
          content: 'The zebra queue.',
        }))
        await changeEntry(engine, entries[3]?.id ?? '', 'remove', () => null)
        expect((await elsewhere(memory, other => found(other, 'zebra')))[0]).toBe('The zebra queue.')
        expect(await found(engine, 'redis')).toEqual([])
        expect(await found(engine, 'generated files')).not.toContain('Never edit generated files.')
        expect(await found(engine, 'webhook queue', { kind: 'decision' })).toEqual([FACTS[0]?.content])
      }),
    )

    it(
      'counts documents, tokens and neighbours as ranking needs them',
      withStore(async engine => {
        await add(engine, ...FACTS)
        await engine.store.refresh()
        const statistics = await engine.search.statistics()
        expect(statistics.documentCount).toBe(4)
        expect(statistics.documentsByLanguage).toMatchObject({ en: expect.any(Number) })
        const token = 'redi'
        const frequencies = await engine.search.documentFrequencies([token, 'nosuchtoken'])
        expect([...frequencies]).toEqual([[token, 1]])
        const words = await engine.search.vocabulary({ prefix: 'web', minLength: 4, maxLength: 9 }, 5)
        expect(words).toEqual([{ token: 'webhook', df: 1 }])
        const [hit] = await engine.search.findCandidates({
          match: [[[token]]],
          order: 'bm25',
          weights: { body: 1, tags: 1, files: 1, kind: 1, date: 1 },
          filter: {},
          limit: 5,
        })
        const [around] = await engine.search.findNeighbourhoods(
          [{ session: 's1', order: hit?.order ?? 0, reach: 2 }],
          {},
        )
        expect(around?.map(candidate => candidate.id)).toHaveLength(2)
      }),
    )
  })

  describe(`${name}: graph`, () => {
    const REDIS = 'Sessions live in Redis, see config/session.yml. Ana decided to use Redis.'

    it(
      'resolves links by id, title and vault file, and keeps the ones that lead nowhere',
      withStore(async engine => {
        const [target] = await add(engine, { content: REDIS, kind: 'decision', agent: 'dev' })
        const id = target?.id ?? ''
        const [from] = await add(engine, {
          content: `See [[${id}]], [[Sessions live in Redis, see|there]], [[dev/decisions]] and [[nowhere]].`,
        })
        expect((await engine.graph.linksOf(from?.id ?? '')).map(({ text, to }) => [text, to])).toEqual([
          [id, { kind: 'entry', id }],
          ['there', { kind: 'entry', id }],
          ['dev/decisions', { kind: 'file', agent: 'dev', category: 'decisions' }],
          ['nowhere', { kind: 'dangling', reason: 'unknown' }],
        ])
        const backlinks = await engine.graph.backlinksOf(id)
        expect(backlinks.map(backlink => [backlink.id, backlink.by])).toEqual([
          [from?.id, 'entry'],
          [from?.id, 'entry'],
          [from?.id, 'file'],
        ])
        expect(await engine.graph.linksOf('1773679860000-none')).toEqual([])
        expect(await engine.graph.backlinksOf('1773679860000-none')).toEqual([])
      }),
    )

    it(
      'follows a title that changes and an entry that goes, in another process as well',
      withStore(async (engine, memory) => {
        const [target] = await add(engine, { content: 'A title to link to.' })
        const [from] = await add(engine, { content: 'See [[A title to link to]] in package.json.' })
        const kindOf = (other: Composed) =>
          other.graph.linksOf(from?.id ?? '').then(links => links.map(({ to }) => to.kind))
        expect(await kindOf(engine)).toEqual(['entry'])
        await changeEntry(engine, target?.id ?? '', 'update', entry => ({ ...entry, content: 'Renamed.' }))
        expect(await elsewhere(memory, kindOf)).toEqual(['dangling'])
        expect(await engine.graph.backlinksOf(target?.id ?? '')).toEqual([])
        await changeEntry(engine, target?.id ?? '', 'update', entry => ({
          ...entry,
          content: 'A title to link to!',
        }))
        expect(await kindOf(engine)).toEqual(['entry'])
        await changeEntry(engine, from?.id ?? '', 'remove', () => null)
        expect(await engine.graph.backlinksOf(target?.id ?? '')).toEqual([])
        expect(await engine.graph.findEntities('package.json', 5)).toEqual([])
      }),
    )

    it(
      'knows the entities of entries, the entries of an entity, and what is stated',
      withStore(async engine => {
        const [first] = await add(engine, { content: REDIS, files: ['src/session.ts'] })
        const [second] = await add(engine, { content: 'Never flush redis by hand.' })
        const ids = [first?.id ?? '', second?.id ?? '']
        const entities = await engine.graph.entitiesOf(ids)
        expect(entities.get(ids[0] ?? '')).toEqual([
          { type: 'service', name: 'redis', text: 'Redis', entries: 2 },
          { type: 'file', name: 'config/session.yml', text: 'config/session.yml', entries: 1 },
          { type: 'person', name: 'ana', text: 'Ana', entries: 1 },
          { type: 'file', name: 'src/session.ts', text: 'src/session.ts', entries: 1 },
        ])
        expect(await engine.graph.entriesWith({ type: 'service', name: 'redis' }, 10)).toEqual(ids.reverse())
        expect(await engine.graph.entriesWith({ type: 'package', name: 'redis' }, 10)).toEqual([])
        expect(
          (await engine.graph.findEntities('Redis', 5)).map(({ type, entries }) => [type, entries]),
        ).toEqual([['service', 2]])
        expect((await engine.graph.findEntities('session.ts', 5)).map(({ name: path }) => path)).toEqual([
          'src/session.ts',
        ])
        expect(await engine.graph.findEntities('person:redis', 5)).toEqual([])
        expect(await engine.graph.relationsOf(first?.id ?? '')).toContainEqual({
          from: { type: 'service', name: 'redis' },
          relation: 'decided_by',
          to: { type: 'person', name: 'ana' },
        })
      }),
    )

    it(
      'gives neighbours by link and by rare entity, the strongest first, within the filter',
      withStore(async engine => {
        const [hit] = await add(engine, {
          content: 'Sessions live in Redis, in src/session.ts.',
          kind: 'decision',
        })
        const [linked] = await add(engine, { content: `More about it: [[${hit?.id}]].`, kind: 'lesson' })
        const [sharing] = await add(engine, { content: 'src/session.ts is slow.', kind: 'warning' })
        await add(engine, { content: 'Nothing in common.' })
        const neighbours = await engine.graph.neighbours([hit?.id ?? ''], 10)
        expect(neighbours.map(({ id, weight }) => [id, weight])).toEqual([
          [linked?.id, 1],
          [sharing?.id, expect.closeTo(0.8)],
        ])
        expect(neighbours[1]?.reasons).toEqual([
          { kind: 'entity', entity: { type: 'file', name: 'src/session.ts' }, entries: 2, of: hit?.id },
        ])
        const warnings = await engine.graph.neighbours([hit?.id ?? ''], 10, { kind: 'warning' })
        expect(warnings.map(({ id }) => id)).toEqual([sharing?.id])
        expect(await engine.graph.neighbours([hit?.id ?? ''], 1)).toHaveLength(1)
        expect(await engine.graph.neighbours([], 10)).toEqual([])
      }),
    )

    it(
      'does not take what everybody names for a tie',
      withStore(async engine => {
        const many = Array.from({ length: 70 }, (_, n) => ({ content: `Fact ${n} about Redis.` }))
        const [first] = await add(engine, ...many)
        expect(await engine.graph.neighbours([first?.id ?? ''], 10)).toEqual([])
      }),
    )

    it(
      'draws nodes and edges, around an entity and step by step',
      withStore(async engine => {
        const [a, b] = await add(
          engine,
          { content: 'Redis is used by Ana.' },
          { content: 'redis and src/a.ts' },
        )
        const [c] = await add(engine, { content: 'src/a.ts alone', agent: 'dev' })
        await add(engine, { content: 'See [[nothing]].' })
        const entity = { type: 'service', name: 'redis' } as const
        const near = await engine.graph.graph({ filter: {}, entity, depth: 1, limit: 10 })
        const entriesOf = ({ nodes }: typeof near) =>
          nodes.flatMap(node => (node.kind === 'entry' ? [node.id] : [])).sort()
        expect(entriesOf(near)).toEqual([a?.id, b?.id].sort())
        expect(near.edges).toContainEqual({
          from: `entry:${a?.id}`,
          to: 'service:redis',
          relation: 'mentions',
        })
        expect(near.totals).toEqual({ entries: 4, entities: 2, links: 1, dangling: 1 })
        const far = await engine.graph.graph({ filter: {}, entity, depth: 2, limit: 10 })
        expect(entriesOf(far)).toEqual([a?.id, b?.id, c?.id].sort())
        const whole = await engine.graph.graph({ filter: { agent: 'dev' }, depth: 1, limit: 10 })
        expect(entriesOf(whole)).toEqual([c?.id])
        const one = await engine.graph.graph({ filter: {}, depth: 1, limit: 1 })
        expect(one.nodes.length).toBeLessThanOrEqual(2)
      }),
    )
  })

  describe(`${name}: vectors`, () => {
    const vectorOf = (...values: number[]) => {
      const vector = Float32Array.from({ length: 64 }, (_, i) => values[i] ?? 0.01)
      const length = Math.hypot(...vector)
      return vector.map(value => value / length)
    }
    const embedAll = async (engine: Composed, vectorByContent: Readonly<Record<string, Float32Array>>) => {
      const { vectors } = engine.semantics
      await vectors.startModel('contract.1')
      const waiting = await vectors.waiting(100)
      await vectors.put(
        waiting.map(({ entry, version }) => ({
          id: entry.id,
          version,
          vector: vectorByContent[entry.content] ?? vectorOf(),
        })),
      )
    }

    it(
      'wait for every new and changed entry, and go with it',
      withStore(async (engine, memory) => {
        const [one, two] = await add(engine, { content: 'One.' }, { content: 'Two.' })
        const { vectors } = engine.semantics
        expect(await vectors.state()).toEqual({ model: undefined, count: 0, waiting: 2 })
        await embedAll(engine, {})
        expect(await elsewhere(memory, other => other.semantics.vectors.state())).toEqual({
          model: 'contract.1',
          count: 2,
          waiting: 0,
        })
        await changeEntry(engine, one?.id ?? '', 'update', entry => ({ ...entry, content: 'Uno.' }))
        await changeEntry(engine, two?.id ?? '', 'remove', () => null)
        expect(await vectors.state()).toMatchObject({ count: 0, waiting: 1 })
        await vectors.startModel('contract.2')
        expect(await vectors.state()).toMatchObject({ model: 'contract.2', count: 0, waiting: 1 })
      }),
    )

    it(
      'are found by nearness, within the filter, and measured exactly',
      withStore(async engine => {
        const entries = await add(
          engine,
          { content: 'North.', kind: 'decision' },
          { content: 'East.', kind: 'lesson' },
          { content: 'South.', kind: 'decision' },
        )
        await embedAll(engine, {
          'North.': vectorOf(1, 0),
          'East.': vectorOf(0.8, 0.6),
          'South.': vectorOf(-1, 0.2),
        })
        const { vectors } = engine.semantics
        const nearest = async (filter: { kind?: string }) =>
          (await vectors.findNearest({ vector: vectorOf(1, 0), filter, limit: 2 })).map(({ id }) => id)
        const [north = '', east = '', south = ''] = entries.map(({ id }) => id)
        expect(await nearest({})).toEqual([north, east])
        expect(await nearest({ kind: 'decision' })).toEqual([north, south])
        const { measuredById, mean, count } = await vectors.measure(vectorOf(1, 0), [east, south, 'none'])
        expect([...measuredById.keys()].sort()).toEqual([east, south].sort())
        expect(measuredById.get(east)?.cosine).toBeCloseTo(0.8, 1)
        expect([mean.length, count]).toEqual([64, 3])
        expect((await vectors.vectorOf(north))?.[0]).toBeCloseTo(1, 1)
      }),
    )
  })

  describe(`${name}: conflicts`, () => {
    const pairOf = (older: Entry, newer: Entry): FoundConflict => ({
      older: older.id,
      newer: newer.id,
      type: 'contradictory',
      confidence: 0.8,
      reason: { code: 'value', words: ['session'] },
      detectedAt: 1_000,
      said: [fingerprint(older.content), fingerprint(newer.content)],
    })
    const said = (entry: Entry) => ({ id: entry.id, said: fingerprint(entry.content) })
    const two = async (engine: Composed) =>
      (await add(engine, { content: 'Sessions live here.' }, { content: 'Sessions do not live here.' })) as [
        Entry,
        Entry,
      ]

    it(
      'wait for new entries to be compared, newest first, and keep what comparing gave',
      withStore(async (engine, memory) => {
        const [older, newer] = await two(engine)
        expect((await engine.conflicts.uncompared(1)).map(({ id }) => id)).toEqual([newer.id])
        const pair = pairOf(older, newer)
        // Each of two new entries finds the other.
        await engine.conflicts.putCompared([said(older), said(newer)], [pair, pair])
        const { said: _, ...kept } = pair
        const seen = await elsewhere(memory, async ({ conflicts }) => ({
          waiting: await conflicts.waiting(),
          all: await conflicts.pairs(),
          ofOlder: await conflicts.pairs([older.id]),
          ofNewer: await conflicts.pairs([newer.id, 'none']),
          ofNone: await conflicts.pairs(['none']),
        }))
        expect(seen).toEqual({ waiting: 0, all: [kept], ofOlder: [kept], ofNewer: [kept], ofNone: [] })
      }),
    )

    it(
      'are dropped, and the entry waits again, when it says something else; not when it only counts for more',
      withStore(async engine => {
        const [older, newer] = await two(engine)
        const look = async () => [await engine.conflicts.waiting(), (await engine.conflicts.pairs()).length]
        await engine.conflicts.putCompared([said(older), said(newer)], [pairOf(older, newer)])
        await changeEntry(engine, newer.id, 'update', entry => ({ ...entry, importance: 0.9 }))
        expect(await look()).toEqual([0, 1])
        await changeEntry(engine, newer.id, 'update', entry => ({ ...entry, content: 'They do.' }))
        expect(await look()).toEqual([1, 0])
        await changeEntry(engine, newer.id, 'remove', () => null)
        expect(await look()).toEqual([0, 0])
      }),
    )

    it(
      'are named by entries: the one an entry replaces, in its comment or its text, and the one it is a version of',
      withStore(async engine => {
        const [older] = await two(engine)
        const [claim, text, version, link] = await add(
          engine,
          { content: 'One.', lineage: { supersedes: older.id } },
          { content: `Two. Replaces [[${older.id}]].` },
          { content: 'Three.' },
          { content: `Four, see [[${older.id}]].` },
        )
        await changeEntry(engine, version?.id ?? '', 'update', entry => ({
          ...entry,
          extra: { ...entry.extra, 'version-of': older.id },
        }))
        const named = [
          { older: older.id, newer: claim?.id, code: 'claim' },
          { older: older.id, newer: text?.id, code: 'claim' },
          { older: older.id, newer: version?.id, code: 'versions' },
        ]
        const sorted = (rows: readonly { newer: string }[]) =>
          [...rows].sort((a, b) => (a.newer < b.newer ? -1 : 1))
        expect(sorted(await engine.conflicts.named([older.id, 'none']))).toEqual(named)
        expect(sorted(await engine.conflicts.named())).toEqual(named)
        expect(await engine.conflicts.named([link?.id ?? ''])).toEqual([])
      }),
    )

    it(
      'are not taken from a comparison with what an entry no longer says',
      withStore(async engine => {
        const [older, newer] = await two(engine)
        await changeEntry(engine, newer.id, 'update', entry => ({ ...entry, content: 'They do.' }))
        await engine.conflicts.putCompared([said(older), said(newer)], [pairOf(older, newer)])
        expect(await engine.conflicts.pairs()).toEqual([])
        expect((await engine.conflicts.uncompared(9)).map(({ id }) => id)).toEqual([newer.id])
      }),
    )

    it(
      'are a cache: every entry of a rebuilt index waits again',
      withStore(async engine => {
        const [older, newer] = await two(engine)
        await engine.conflicts.putCompared([said(older), said(newer)], [pairOf(older, newer)])
        await engine.store.rebuildIndex()
        expect([await engine.conflicts.waiting(), (await engine.conflicts.pairs()).length]).toEqual([2, 0])
      }),
    )
  })

  describe(`${name}: briefs`, () => {
    const given = (id: string, session: string, entry: string) => ({
      id,
      at: '2026-03-01T00:00:00.000Z',
      kind: 'prompt' as const,
      host: 'test',
      session,
      prompt: 'why?',
      files: [],
      tokens: 7,
      ms: 3,
      included: [{ id: entry, tier: 'retrieval' as const, tokens: 7 }],
      left: [],
      degraded: [],
    })

    it(
      'are logged newest first, counted, and remembered by session until it is forgotten',
      withStore(async (engine, memory) => {
        await add(engine, { content: 'One.' })
        await engine.briefs.record(given('b1', 's1', 'e1'), 's1')
        await engine.briefs.record(given('b2', 's2', 'e2'), 's2')
        const seen = await elsewhere(memory, async ({ briefs }) => ({
          ids: (await briefs.list(10)).map(({ id }) => id),
          found: await briefs.find('b1'),
          totals: await briefs.totals(),
          sent: [...(await briefs.sentIn('s1'))],
        }))
        expect(seen).toEqual({
          ids: ['b2', 'b1'],
          found: given('b1', 's1', 'e1'),
          totals: { briefs: 2, silent: 0, tokens: 14 },
          sent: ['e1'],
        })
        await engine.briefs.forgetSent('s1')
        expect([...(await engine.briefs.sentIn('s1'))]).toEqual([])
        await engine.briefs.putLatencies([1, 2.04], 'healthy')
        expect(await engine.briefs.latencies()).toEqual({ samplesMs: [1, 2], state: 'healthy' })
      }),
    )

    it(
      'find a word that is cut or misspelt inside its suffix',
      withStore(async engine => {
        const [one] = await add(engine, { content: 'Notifications are sent by the worker.' })
        await add(engine, { content: 'Deploys happen on Tuesdays.' })
        for (const query of ['notificat', 'notificaton', 'notifcations', 'wroker']) {
          const { hits } = await search(engine, query, { filter: {}, limit: 5, wordsOnly: true })
          expect(
            hits.map(({ id }) => id),
            query,
          ).toEqual([one?.id])
        }
      }),
    )

    it(
      'keep the vector of an entry whose words stay as they are',
      withStore(async engine => {
        const [one] = await add(engine, { content: 'Passwords are hashed.', status: 'candidate' })
        const id = one?.id ?? ''
        await engine.semantics.vectors.startModel('m.1')
        const [waiting] = await engine.semantics.vectors.waiting(1)
        const vector = Float32Array.from([1, 0, 0, 0])
        await engine.semantics.vectors.put([{ id, version: waiting?.version ?? '', vector }])
        await changeEntry(engine, id, 'update', before => ({ ...before, status: 'pinned' }))
        expect(await engine.semantics.vectors.state()).toMatchObject({ count: 1, waiting: 0 })
        expect(await engine.semantics.vectors.vectorOf(id)).toBeDefined()
        await changeEntry(engine, id, 'update', before => ({ ...before, content: 'Keys are hashed.' }))
        expect(await engine.semantics.vectors.state()).toMatchObject({ count: 0, waiting: 1 })
      }),
    )

    it(
      'find an entity by another name of it',
      withStore(async engine => {
        await add(engine, { content: 'Postgres keeps the ledger.' })
        expect((await engine.graph.findEntities('postgres', 5)).map(({ name }) => name)).toEqual([
          'postgresql',
        ])
      }),
    )

    it(
      'know how often an entry was fetched',
      withStore(async engine => {
        const [one] = await add(engine, { content: 'One.' })
        await engine.store.recordAccess([one?.id ?? ''])
        await engine.store.recordAccess([one?.id ?? ''])
        expect(await engine.briefs.accesses([one?.id ?? '', 'none'])).toEqual(
          new Map([[one?.id, { accessCount: 2, lastAccessMs: expect.any(Number) }]]),
        )
        expect(await engine.briefs.totalAccesses()).toBe(2)
      }),
    )
  })

  describe(`${name}: upkeep`, () => {
    it(
      'tells all that is needed to bring an entry back, and brings it back to its place by undo',
      withStore(async (engine, { hasFiles }) => {
        const config = { vault: { maxEntriesPerFile: 2, keepEntries: 1 } }
        await engine.store.write(engine.actor, async view => {
          const before = await view.readDocument('config.json')
          const after = { ...before, ...config }
          return { action: 'config', changes: [{ type: 'document', name: 'config.json', before, after }] }
        })
        const candidate = { origin: 'agent', status: 'candidate' } as const
        const entries = await add(
          engine,
          ...['One.', 'Two.', 'Three.'].map(content => ({ content, ...candidate })),
        )
        const id = entries[1]?.id ?? ''
        await engine.store.recordAccess([id])
        const before = await engine.store.listEntries(all)
        const record = await engine.store.write(engine.actor, async view => {
          const standing = (await view.findRestorable([id, '17'])).get(id)
          expect(standing).toMatchObject({
            entry: { id, content: 'Two.' },
            accessCount: 1,
          })
          if (hasFiles)
            expect(standing?.place).toEqual({
              path: expect.stringMatching(/^local\/shared\/lessons\/\d{4}-\d\d\.md$/),
              preview: 0,
            })
          expect(await view.findRestorable(['17'])).toEqual(new Map())
          if (standing === undefined) throw new Error('it is there')
          const { entry, place } = standing
          return {
            action: 'evict',
            changes: [{ type: 'entry', before: entry, after: null, ...(place && { place }) }],
          }
        })
        expect((await engine.store.listEntries(all)).total).toBe(2)
        await engine.store.write(engine.actor, async view =>
          planUndo(record as JournalRecord, view, textHash),
        )
        expect(await engine.store.listEntries(all)).toEqual(before)
        expect(await engine.store.check()).toEqual([])
      }),
    )

    it(
      'knows what the machine captured, when it came, and how often it was asked for',
      withStore(async engine => {
        const [captured] = await add(
          engine,
          { content: 'Captured.', origin: 'machine', date: '2020-01-01T10:00' },
          { content: 'Written.' },
        )
        const before = engine.clock.nowMs()
        await engine.store.recordAccess([captured?.id ?? ''])
        const [found, ...others] = await engine.upkeepIndex.captured()
        expect(others).toEqual([])
        expect(found).toMatchObject({ id: captured?.id, accessCount: 1, date: '2020-01-01T10:00' })
        expect(found?.lastAccessMs).toBeGreaterThanOrEqual(before)
        expect(await engine.upkeepIndex.accessesSinceUpkeep()).toBe(1)
        expect(await engine.upkeepIndex.findDamage({ countsWords: true })).toBe(undefined)
        await engine.upkeepIndex.settle(0)
        expect(await engine.upkeepIndex.accessesSinceUpkeep()).toBe(0)
      }),
    )

    it(
      'is healthy, and stays the same when its index is checked, rebuilt and compacted',
      withStore(async engine => {
        await add(engine, { content: 'One.' }, { content: 'Two.' })
        const before = await engine.store.listEntries(all)
        expect(await engine.store.check()).toEqual([])
        expect(await engine.store.rebuildIndex()).toEqual({ entries: 2 })
        await engine.store.compactIndex()
        expect(await engine.store.listEntries(all)).toEqual(before)
        expect(await engine.store.health()).toMatchObject({ readOnly: undefined, degraded: [], problems: [] })
      }),
    )
  })
}
