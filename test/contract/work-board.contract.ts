import { describe, expect, it } from 'vitest'
import type { AskedClaim, WorkBoard } from '../../src/addons/work/decide/work-board.ts'
import type { TaskResult } from '../../src/kernel/model/task.ts'

/** Opens the same board again: another process, as far as the table can tell. */
export interface BoardUnderTest {
  readonly open: () => Promise<WorkBoard>
}

const LONG_MS = 60_000
/** Leases that are to run out run out by themselves: the clock of a server is nobody's to turn. */
const SHORT_MS = 40
const result = (text: string, more: Partial<TaskResult> = {}): TaskResult => ({
  text,
  entries: [],
  files: [],
  ...more,
})
const asked = (more: Partial<AskedClaim> = {}): AskedClaim => ({
  worker: 'w1',
  leaseMs: LONG_MS,
  waitMs: 0,
  ...more,
})
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

async function claim(board: WorkBoard, more: Partial<AskedClaim> = {}) {
  const claimed = await board.claim(asked(more))
  if (claimed === undefined) throw new Error('a task was to be ready')
  return claimed
}

async function states(board: WorkBoard): Promise<Record<string, string>> {
  const { tasks } = await board.list({ limit: 100, offset: 0 })
  return Object.fromEntries(tasks.map(({ id, standing }) => [id, standing.state]).sort())
}

const refusal = async (promise: Promise<unknown>) => {
  try {
    await promise
  } catch (error) {
    return (error as { code: string }).code
  }
  return 'accepted'
}

const failure = (message: string, more: object = {}) => ({ message, isFinal: false, ...more })

export function describeWorkBoard(name: string, world: () => Promise<BoardUnderTest>): void {
  describe(name, () => {
    const open = async () => (await world()).open()

    it('hands out what waits for nothing, by priority and then by age', async () => {
      const board = await open()
      await board.add('g', [
        { name: 'a', title: 'A' },
        { name: 'b', title: 'B', priority: 5 },
        { name: 'c', title: 'C', after: ['a'] },
        { name: 'd', title: 'D', priority: 5 },
      ])
      const ready = await board.list({ states: ['ready'], limit: 10, offset: 0 })
      expect(ready.tasks.map(({ id }) => id)).toEqual(['g.b', 'g.d', 'g.a'])
      const given = [await claim(board), await claim(board), await claim(board)].map(({ task }) => task.id)
      expect(given).toEqual(['g.b', 'g.d', 'g.a'])
      expect(await board.claim(asked())).toBeUndefined()
      await board.close()
    })

    it('gives a task to one of several who ask at once', async () => {
      const { open } = await world()
      const boards = await Promise.all([open(), open(), open(), open()])
      await boards[0]?.add('g', [{ title: 'One' }, { title: 'Two' }])
      const claims = await Promise.all(boards.map((board, n) => board.claim(asked({ worker: `w${n}` }))))
      expect(claims.flatMap(each => each?.task.id ?? []).sort()).toEqual(['g.1', 'g.2'])
      await Promise.all(boards.map(board => board.close()))
    })

    it('frees what waits once everything before it is done', async () => {
      const board = await open()
      await board.add('g', [
        { name: 'a', title: 'A' },
        { name: 'b', title: 'B' },
        { name: 'c', title: 'C', after: ['a', 'b'] },
      ])
      const a = await claim(board)
      const b = await claim(board)
      expect((await board.finish(a.lease, result('did A'))).freed).toEqual([])
      expect(await states(board)).toEqual({ 'g.a': 'done', 'g.b': 'running', 'g.c': 'waiting' })
      expect((await board.finish(b.lease, result('did B'))).freed).toEqual(['g.c'])
      expect((await claim(board)).task.id).toBe('g.c')
      await board.close()
    })

    it('gives a task anew when its lease ran out, and takes nothing from who had it before', async () => {
      const board = await open()
      await board.add('g', [{ title: 'One' }])
      const first = await claim(board, { worker: 'sleepy', leaseMs: SHORT_MS })
      await pause(SHORT_MS + 20)
      const second = await claim(board, { worker: 'awake' })
      expect([first.lease.split('.')[2], second.lease.split('.')[2]]).toEqual(['1', '2'])
      expect(await refusal(board.heartbeat(first.lease))).toBe('lease_lost')
      expect(await refusal(board.finish(first.lease, result('late')))).toBe('lease_lost')
      expect(await refusal(board.fail(first.lease, failure('late')))).toBe('lease_lost')
      const { task } = await board.finish(second.lease, result('in time'))
      expect(task.standing).toMatchObject({ state: 'done', result: { text: 'in time' } })
      expect(task.attempts.map(({ worker, outcome }) => [worker, outcome])).toEqual([
        ['sleepy', 'expired'],
        ['awake', 'done'],
      ])
      await board.close()
    })

    it('keeps a lease that is beaten in time', async () => {
      const board = await open()
      await board.add('g', [{ title: 'One' }])
      const { lease } = await claim(board, { leaseMs: 1_000 })
      for (let beat = 1; beat <= 3; beat++) {
        await pause(400)
        const progress = { note: `step ${beat}`, share: beat / 3 }
        expect(await board.heartbeat(lease, { progress })).toMatchObject({ kind: 'holds', task: 'g.1' })
      }
      expect((await board.find(['g.1'])).get('g.1')?.progress).toMatchObject({ note: 'step 3', share: 1 })
      expect((await board.finish(lease, result('done'))).isRepeated).toBe(false)
      await board.close()
    })

    it('answers a finish whose answer was lost as the first time, and takes no second result', async () => {
      const board = await open()
      await board.add('g', [
        { name: 'a', title: 'A' },
        { name: 'b', title: 'B', after: ['a'] },
      ])
      const { lease } = await claim(board)
      await board.finish(lease, result('first'))
      expect(await board.finish(lease, result('first'))).toMatchObject({ isRepeated: true, freed: [] })
      expect(await refusal(board.finish(lease, result('second')))).toBe('task_state_conflict')
      expect(await refusal(board.fail(lease, failure('no')))).toBe('lease_lost')
      expect((await board.find(['g.a'])).get('g.a')?.standing).toMatchObject({ result: { text: 'first' } })
      expect((await board.find(['g.b'])).get('g.b')?.waitsFor).toBe(0)
      await board.close()
    })

    it('tries again after a pause, and not more often than was said', async () => {
      const board = await open()
      await board.add('long', [{ title: 'Paused', retry: { attempts: 2, backoffMs: LONG_MS } }])
      await board.fail((await claim(board)).lease, failure('not now'))
      expect(await board.claim(asked())).toBeUndefined()

      await board.add('g', [{ title: 'One', retry: { attempts: 2, backoffMs: SHORT_MS * 5 } }])
      const first = await claim(board)
      const told = await board.fail(first.lease, failure('flaky', { code: 'timeout' }))
      expect(told.task.standing.state).toBe('ready')
      expect((await board.fail(first.lease, failure('flaky', { code: 'timeout' }))).isRepeated).toBe(true)
      const second = await claim(board, { waitMs: 5_000 })
      expect((await board.fail(second.lease, failure('flaky again'))).task.standing.state).toBe('failed')
      expect(await board.claim(asked())).toBeUndefined()
      expect((await board.retry('g.1')).map(({ id, tries }) => [id, tries])).toEqual([['g.1', 0]])
      expect((await claim(board)).task.attempts.map(({ failure: why }) => why?.message)).toEqual([
        'flaky',
        'flaky again',
      ])
      await board.close()
    })

    it('does not try again what cannot be mended', async () => {
      const board = await open()
      await board.add('g', [
        { name: 'said', title: 'The worker says so' },
        { name: 'policy', title: 'The policy says so', retry: { finalCodes: ['bad_input'] } },
      ])
      await board.fail((await claim(board)).lease, failure('no such table', { isFinal: true }))
      await board.fail((await claim(board)).lease, failure('cannot be read', { code: 'bad_input' }))
      expect(await states(board)).toEqual({ 'g.policy': 'failed', 'g.said': 'failed' })
      await board.close()
    })

    it('ends a task that kills its workers', async () => {
      const board = await open()
      await board.add('g', [{ title: 'Poison', retry: { attempts: 2 } }])
      for (let attempt = 1; attempt <= 2; attempt++) {
        await claim(board, { leaseMs: SHORT_MS })
        await pause(SHORT_MS + 20)
      }
      expect(await states(board)).toEqual({ 'g.1': 'failed' })
      await board.close()
    })

    it('cancels a task with all that waits for it; who works on it is told by the next heartbeat', async () => {
      const board = await open()
      await board.add('g', [
        { name: 'a', title: 'A' },
        { name: 'b', title: 'B', after: ['a'] },
        { name: 'c', title: 'C', after: ['b'] },
        { name: 'other', title: 'Other' },
      ])
      const { lease } = await claim(board)
      expect((await board.cancel({ task: 'g.a' }, 'not needed')).map(({ id }) => id)).toEqual([
        'g.a',
        'g.b',
        'g.c',
      ])
      expect(await board.heartbeat(lease)).toEqual({ kind: 'cancelled', why: 'not needed', task: 'g.a' })
      expect(await refusal(board.finish(lease, result('anyway')))).toBe('task_state_conflict')
      expect(await board.cancel({ task: 'g.a' }, 'again')).toEqual([])
      expect(await states(board)).toEqual({
        'g.a': 'cancelled',
        'g.b': 'cancelled',
        'g.c': 'cancelled',
        'g.other': 'ready',
      })
      expect((await board.retry('g.a')).map(({ id }) => id).sort()).toEqual(['g.a', 'g.b', 'g.c'])
      expect(await states(board)).toEqual({
        'g.a': 'ready',
        'g.b': 'waiting',
        'g.c': 'waiting',
        'g.other': 'ready',
      })
      expect(await refusal(board.finish(lease, result('from before')))).toBe('lease_lost')
      expect((await board.cancel({ graph: 'g' }, 'all of it')).length).toBe(4)
      await board.close()
    })

    it('refuses tasks that wait for each other, or for nothing that is there', async () => {
      const board = await open()
      const circle = [
        { name: 'a', title: 'A', after: ['c'] },
        { name: 'b', title: 'B', after: ['a'] },
        { name: 'c', title: 'C', after: ['b'] },
      ]
      expect(await refusal(board.add('g', circle))).toBe('invalid_input')
      expect(await refusal(board.add('g', [{ name: 'a', title: 'A', after: ['gone'] }]))).toBe(
        'task_not_found',
      )
      expect(await refusal(board.add('g', [{ name: 'a', title: 'A', after: ['a'] }]))).toBe('invalid_input')
      expect(await states(board)).toEqual({})
      await board.close()
    })

    it('takes the same graph twice as once, and adds to one that is there', async () => {
      const board = await open()
      const graph = [
        { name: 'a', title: 'A' },
        { name: 'b', title: 'B', after: ['a'] },
      ]
      expect(await board.add('g', graph)).toEqual({ graph: 'g', added: ['g.a', 'g.b'], already: [] })
      expect(await board.add('g', graph)).toEqual({ graph: 'g', added: [], already: ['g.a', 'g.b'] })
      expect(await refusal(board.add('g', [{ name: 'a', title: 'Another' }]))).toBe('task_state_conflict')
      await board.finish((await claim(board)).lease, result('did A'))
      await board.add('h', [{ name: 'late', title: 'Late', after: ['g.a', 'g.b'] }])
      expect((await board.find(['h.late'])).get('h.late')).toMatchObject({
        waitsFor: 1,
        standing: { state: 'waiting' },
      })
      await board.close()
    })

    it('gives each worker what is of its kind and for its name', async () => {
      const board = await open()
      await board.add('g', [
        { name: 'docs', title: 'Docs', kind: 'write' },
        { name: 'mine', title: 'For ana', agent: 'ana' },
        { name: 'test', title: 'Tests', kind: 'test' },
      ])
      expect((await claim(board, { kinds: ['test'] })).task.id).toBe('g.test')
      expect((await claim(board, { agent: 'ana', kinds: ['task'] })).task.id).toBe('g.mine')
      expect((await claim(board, { agent: 'bo' })).task.id).toBe('g.docs')
      expect(await board.claim(asked({ graph: 'elsewhere' }))).toBeUndefined()
      await board.close()
    })

    it('wakes who waits when another adds a task', async () => {
      const { open } = await world()
      const [worker, orchestrator] = await Promise.all([open(), open()])
      await orchestrator.add('first', [{ title: 'One' }])
      await claim(worker)
      const waiting = worker.claim(asked({ waitMs: 20_000 }))
      await pause(60)
      await orchestrator.add('g', [{ title: 'Now' }])
      expect((await waiting)?.task.id).toBe('g.1')
      await Promise.all([worker.close(), orchestrator.close()])
    })

    it('does not wait longer than it was asked to', async () => {
      const board = await open()
      await board.add('g', [{ title: 'One' }])
      await claim(board)
      expect(await board.claim(asked({ waitMs: 50 }))).toBeUndefined()
      await board.close()
    })

    it('claims nothing for somebody who has gone', async () => {
      const board = await open()
      await board.add('g', [{ name: 'a', title: 'A' }])
      const { lease } = await claim(board)
      await board.add('g', [{ name: 'b', title: 'B', after: ['a'] }])
      const leaving = new AbortController()
      const { signal: gone } = leaving
      const begunMs = performance.now()
      const waits = [
        board.claim(asked({ waitMs: 50_000, gone })),
        board.waitFor('g', { waitMs: 50_000, gone }),
      ]
      setTimeout(() => leaving.abort(), 100)
      expect(await Promise.all(waits)).toMatchObject([undefined, { isOver: false }])
      await board.finish(lease, result('Done.'))
      expect(await board.claim(asked({ waitMs: 50_000, gone }))).toMatchObject({ task: { id: 'g.b' } })
      expect(performance.now() - begunMs).toBeLessThan(40_000)
      await board.close()
    })

    it('tells when a graph is over, also when the rest can never be done', async () => {
      const board = await open()
      await board.add('g', [
        { name: 'a', title: 'A' },
        { name: 'b', title: 'B', after: ['a'] },
      ])
      expect((await board.waitFor('g', { waitMs: 0 })).isOver).toBe(false)
      const waiting = board.waitFor('g', { waitMs: 20_000 })
      await board.fail((await claim(board)).lease, failure('broken', { isFinal: true }))
      expect(await waiting).toMatchObject({ isOver: true, row: { tasks: { failed: 1, waiting: 1 } } })
      expect(await refusal(board.waitFor('nowhere', { waitMs: 0 }))).toBe('task_not_found')
      await board.close()
    })

    it('is there again for whoever opens it next', async () => {
      const { open } = await world()
      const first = await open()
      await first.add('g', [
        { name: 'a', title: 'A', brief: 'Why, and how.', entries: ['e1'], files: ['src/a.ts'] },
      ])
      const { lease } = await claim(first)
      await first.close()
      const second = await open()
      expect((await second.heartbeat(lease)).kind).toBe('holds')
      await second.finish(lease, result('found it', { entries: ['e2'], files: ['src/b.ts'] }))
      expect((await second.find(['g.a'])).get('g.a')).toMatchObject({
        brief: 'Why, and how.',
        entries: ['e1'],
        files: ['src/a.ts'],
        standing: { result: { text: 'found it', entries: ['e2'], files: ['src/b.ts'] } },
      })
      await second.close()
    })

    it('prunes what ended long ago, unless somebody still waits for it', async () => {
      const board = await open()
      await board.add('old', [{ name: 'a', title: 'A' }])
      await board.add('needed', [{ name: 'a', title: 'A' }])
      await board.finish((await claim(board, { graph: 'old' })).lease, result('done'))
      await board.finish((await claim(board, { graph: 'needed' })).lease, result('done'))
      await board.add('open', [{ name: 'b', title: 'B', after: ['needed.a'] }])
      expect(await board.prune({ olderThanMs: 3_600_000, isDryRun: false })).toEqual({
        removed: [],
        kept: [],
      })
      await pause(5)
      const plan = await board.prune({ olderThanMs: 1, isDryRun: true })
      expect(plan.removed.map(({ graph }) => graph)).toEqual(['old'])
      expect(plan.kept).toEqual([{ graph: 'needed', neededBy: 'open.b' }])
      await board.prune({ olderThanMs: 1, isDryRun: false })
      expect(await states(board)).toEqual({ 'needed.a': 'done', 'open.b': 'ready' })
      await board.close()
    })
  })
}
