import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { WorkBoard } from '../../src/addons/work/decide/work-board.ts'
import { workBoard } from '../../src/addons/work/work-board.ts'
import type { WorkTask } from '../../src/kernel/model/task.ts'
import { plainWorkTable } from '../support/plain-work-table.ts'

const LEASE_MS = 100

/** What anybody may do, in any order: `pick` chooses among leases that were ever given, so that old ones come back too. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant('claim' as const), pick: fc.nat(40) }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('finish' as const), pick: fc.nat(40) }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('fail' as const), pick: fc.nat(40), final: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('beat' as const), pick: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('cancel' as const), pick: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('retry' as const), pick: fc.nat(40) }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('wait' as const), pick: fc.integer({ min: 1, max: 150 }) }),
  },
)

/** Each task comes after some of those before it. */
const graph = fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { minLength: 1, maxLength: 10 }).map(befores =>
  befores.map((after, n) => ({
    name: `t${n}`,
    title: `Task ${n}`,
    priority: n % 3,
    after: n === 0 ? [] : [...new Set(after.map(before => `t${before % n}`))],
    retry: { attempts: 3, backoffMs: 20, finalCodes: [] },
  })),
)

const EXPECTED = new Set(['lease_lost', 'task_state_conflict', 'task_not_found'])

async function unlessRefused<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise
  } catch (error) {
    if (!EXPECTED.has((error as { code: string }).code)) throw error
    return undefined
  }
}

function world() {
  const clock = { nowMs: 1_000 }
  const table = plainWorkTable(clock)
  let secrets = 0
  const board: WorkBoard = workBoard({ table, newSecret: () => `s${++secrets}`, monotonicMs: () => 0 })
  return { clock, table, board }
}

const isDone = (task: WorkTask | undefined) => task?.standing.state === 'done'

it('accepts one result a task, from the newest lease, after all it waits for, whatever happens in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(graph, fc.array(step, { maxLength: 80 }), async (tasks, steps) => {
      const { clock, table, board } = world()
      await board.add('g', tasks)
      const leases: string[] = []
      const newest = new Map<string, string>()
      const accepted = new Map<string, string>()
      for (const { does, pick, ...more } of steps) {
        const lease = leases.length === 0 ? 'g.t0.1.none' : (leases[pick % leases.length] as string)
        const id = `g.t${pick % tasks.length}`
        if (does === 'wait') clock.nowMs += pick
        else if (does === 'cancel') await unlessRefused(board.cancel({ task: id }, 'why'))
        else if (does === 'retry') await unlessRefused(board.retry(id))
        else if (does === 'beat') await unlessRefused(board.heartbeat(lease))
        else if (does === 'fail')
          await unlessRefused(
            board.fail(lease, { message: 'no', isFinal: 'final' in more && more.final === true }),
          )
        else if (does === 'finish') {
          const end = await unlessRefused(board.finish(lease, { text: lease, entries: [], files: [] }))
          if (end === undefined) continue
          expect(accepted.has(end.task.id)).toBe(end.isRepeated)
          if (!end.isRepeated) expect(newest.get(end.task.id)).toBe(lease)
          expect(accepted.get(end.task.id) ?? lease).toBe(lease)
          accepted.set(end.task.id, lease)
        } else {
          const given = await board.claim({ worker: 'w', leaseMs: LEASE_MS, waitMs: 0 })
          if (given === undefined) continue
          const number = (token: string) => Number(token.split('.')[2])
          const before = newest.get(given.task.id)
          expect(number(given.lease)).toBeGreaterThan(before === undefined ? 0 : number(before))
          expect(given.task.after.every(each => isDone(table.tasks.get(each)))).toBe(true)
          newest.set(given.task.id, given.lease)
          leases.push(given.lease)
        }
        for (const task of table.tasks.values()) {
          const open = task.after.filter(each => !isDone(table.tasks.get(each))).length
          expect(task.waitsFor).toBe(open)
          if (task.standing.state === 'waiting') expect(open).toBeGreaterThan(0)
          if (task.standing.state === 'ready' || task.standing.state === 'running') expect(open).toBe(0)
          expect(isDone(task)).toBe(accepted.has(task.id))
        }
      }
    }),
    { numRuns: 300 },
  )
})

it('loses no task: what is neither failed nor cancelled is done once somebody works on', async () => {
  await fc.assert(
    fc.asyncProperty(
      graph,
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 30 }),
      async (tasks, deaths) => {
        const { clock, table, board } = world()
        await board.add(
          'g',
          tasks.map(task => ({ ...task, retry: { attempts: 50, backoffMs: 10 } })),
        )
        // Some workers die with their task, some fail, the others finish it.
        for (let turn = 0; turn < 500; turn++) {
          clock.nowMs += 30
          const given = await board.claim({ worker: 'w', leaseMs: LEASE_MS, waitMs: 0 })
          if (given === undefined) continue
          const fate = deaths[turn]
          if (fate === 1) continue
          if (fate === 2) await board.fail(given.lease, { message: 'no', isFinal: false })
          else await board.finish(given.lease, { text: 'yes', entries: [], files: [] })
        }
        expect([...table.tasks.values()].map(({ standing }) => standing.state)).toEqual(
          tasks.map(() => 'done'),
        )
      },
    ),
    { numRuns: 100 },
  )
})
