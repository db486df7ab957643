import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { scratchProject } from '../../../test/support/scratch-project.ts'
import { systemClock } from '../../kernel/system/clock.ts'
import { nodeDisk } from '../../kernel/system/disk.ts'
import { writerQueue } from './writer-queue.ts'

function queueAt(folder: string, nowMs: number) {
  return writerQueue(folder, nodeDisk, { ...systemClock, nowMs: () => nowMs })
}

it('lets those who wait go first, in the order in which they came', () => {
  const folder = path.join(scratchProject(), 'waiting')
  const now = Date.now()
  const [first, second, newcomer] = [queueAt(folder, now), queueAt(folder, now + 1), queueAt(folder, now + 2)]
  expect(first.countAhead()).toBe(0)
  first.wait()
  second.wait()
  expect([first.countAhead(), second.countAhead(), newcomer.countAhead()]).toEqual([0, 1, 2])
  first.leave()
  expect([second.countAhead(), newcomer.countAhead()]).toEqual([0, 1])
  second.leave()
  expect([newcomer.countAhead(), readdirSync(folder)]).toEqual([0, []])
})

it('does not wait for a process that is gone, or that shows no sign of life', () => {
  const folder = path.join(scratchProject(), 'waiting')
  mkdirSync(folder)
  const now = Date.now()
  const ticket = (pid: number) => path.join(folder, `${String(now - 5_000).padStart(15, '0')}-${pid}-1`)
  writeFileSync(ticket(2 ** 30), '')
  writeFileSync(ticket(process.pid), '')
  expect(queueAt(folder, now).countAhead()).toBe(1)
  utimesSync(ticket(process.pid), new Date(now - 3_000), new Date(now - 3_000))
  expect(queueAt(folder, now).countAhead()).toBe(0)
  expect(readdirSync(folder)).toEqual([])
})
