import { describe, expect, it } from 'vitest'
import type { EventLog } from '../../src/features/sessions/decide/event-log.ts'
import type { MemoryEvent } from '../../src/kernel/model/event.ts'
import type { Problem } from '../../src/kernel/model/search.ts'

export interface EventLogUnderTest {
  /** The same log again: another process, as far as it can tell. */
  readonly open: () => Promise<{ readonly log: EventLog; close(): Promise<void> }>
  /** Puts a line that is no event behind those that are there. */
  readonly damage: (line: string) => void | Promise<void>
}

export function event(n: number, more: Partial<MemoryEvent> = {}): MemoryEvent {
  return {
    id: `${1_773_679_871_000 + n}-test`,
    kind: 'tool_run',
    sourceId: 'session:s1',
    createdAt: new Date(1_773_679_871_000 + n).toISOString(),
    contentHash: `hash-${n}`,
    summary: `npm test passed (${n})`,
    signals: {
      decisions: [],
      gotchas: [],
      nextStepHints: [],
      keyPaths: ['src/auth.ts'],
      validationObservations: [{ command: 'npm test', outcome: 'passed' }],
    },
    sourceRef: `conversations/dev/s1#${n}`,
    ...more,
  }
}

/** What every event log must do. `make` gives one that is empty. */
export function describeEventLog(name: string, make: () => Promise<EventLogUnderTest>): void {
  const withLog = (work: (log: EventLog, memory: EventLogUnderTest) => Promise<void>) => async () => {
    const memory = await make()
    const { log, close } = await memory.open()
    try {
      await work(log, memory)
    } finally {
      await close()
    }
  }
  const summaries = async (log: EventLog, onProblem?: (problem: Problem) => void) => {
    const found: string[] = []
    for await (const { summary } of log.read(onProblem)) found.push(summary)
    return found
  }

  describe(name, () => {
    it(
      'gives events back as they were, oldest first and newest first',
      withLog(async log => {
        expect(await log.newest(5)).toEqual({ events: [], problems: [] })
        expect(await log.count()).toBe(0)
        await log.append([event(1)])
        await log.append([
          event(2, { kind: 'imported_session', summary: 'Sessões 🎉\nin two lines' }),
          event(3),
        ])
        const all: MemoryEvent[] = []
        for await (const item of log.read()) all.push(item)
        expect(all).toEqual([
          event(1),
          event(2, { kind: 'imported_session', summary: 'Sessões 🎉\nin two lines' }),
          event(3),
        ])
        expect((await log.newest(2)).events.map(({ id }) => id)).toEqual([event(3).id, event(2).id])
        expect((await log.newest(50)).events).toHaveLength(3)
        expect(await log.count()).toBe(3)
      }),
    )

    it(
      'leaves out what it holds already, from this process or another, and says what it added',
      withLog(async (log, memory) => {
        expect(await log.append([event(1), event(2)])).toHaveLength(2)
        const other = await memory.open()
        expect(
          (await other.log.append([event(2, { id: 'another' }), event(3), event(3, { id: 'again' })])).map(
            ({ id }) => id,
          ),
        ).toEqual([event(3).id])
        await other.close()
        expect(await log.append([event(3), event(1)])).toEqual([])
        expect(await log.append([])).toEqual([])
        expect(await log.count()).toBe(3)
      }),
    )

    it(
      'knows a hash again in a long log, whoever wrote it',
      withLog(async (log, memory) => {
        const many = (from: number) => Array.from({ length: 2_000 }, (_, n) => event(from + n))
        await log.append(many(0))
        const other = await memory.open()
        await other.log.append(many(2_000))
        await other.close()
        await log.append([event(4_000)])
        await log.append([event(4_001)])
        expect(await log.append([event(0), event(1_999), event(3_999), event(4_000), event(5_000)])).toEqual([
          event(5_000),
        ])
        expect(await log.count()).toBe(4_003)
        expect((await log.newest(3_000)).events[2_999]?.id).toBe(event(1_003).id)
      }),
    )

    it(
      'two at once lose nothing and double nothing',
      withLog(async (log, memory) => {
        const other = await memory.open()
        await Promise.all(
          Array.from({ length: 20 }, (_, n) =>
            (n % 2 === 0 ? log : other.log).append([event(n), event(n + 1)]),
          ),
        )
        await other.close()
        expect(await log.count()).toBe(21)
      }),
    )

    it(
      'a damaged line is a problem with its number, and the others are read',
      withLog(async (log, memory) => {
        await log.append([event(1)])
        await memory.damage('{"id":"half of a li')
        await log.append([event(2)])
        await memory.damage('{"id":"x","kind":"unheard_of"}')
        const problems: Problem[] = []
        expect(await summaries(log, problem => problems.push(problem))).toEqual([
          event(1).summary,
          event(2).summary,
        ])
        expect(problems.map(({ code, line }) => [code, line])).toEqual([
          ['event_line_damaged', 2],
          ['event_line_damaged', 4],
        ])
        const newest = await log.newest(10)
        expect(newest.events).toHaveLength(2)
        expect(newest.problems.map(({ line }) => line)).toEqual([4, 2])
      }),
    )

    it(
      'removes what it is told to, keeps the rest and the damaged lines, and takes what was removed again',
      withLog(async (log, memory) => {
        await log.append([event(1), event(2), event(3)])
        await memory.damage('not an event')
        await log.remove(new Set([event(1).id, event(3).id, 'unknown']))
        expect(await summaries(log)).toEqual([event(2).summary])
        expect((await log.newest(5)).problems).toHaveLength(1)
        expect(await log.append([event(1), event(2)])).toEqual([event(1)])
        expect(await summaries(log)).toEqual([event(2).summary, event(1).summary])
      }),
    )

    it(
      'puts events back by their date, once, and keeps what cannot be read',
      withLog(async (log, memory) => {
        await log.append([event(1), event(3), event(5)])
        await memory.damage('not an event')
        await log.remove(new Set([event(1).id, event(3).id]))
        await log.append([event(6)])
        expect(await log.putBack([event(3), event(1), event(5)])).toEqual([event(3), event(1)])
        expect(await log.putBack([event(3)])).toEqual([])
        expect(await summaries(log)).toEqual([1, 3, 5, 6].map(n => event(n).summary))
        expect((await log.newest(5)).problems).toHaveLength(1)
        expect(await log.append([event(1)])).toEqual([])
      }),
    )
  })
}
