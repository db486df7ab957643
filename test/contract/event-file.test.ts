import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import { scratchProject } from '../support/scratch-project.ts'
import { describeEventLog, event } from './event-log.contract.ts'

const open = (root: string) => {
  const engine = composeEngine({ root, actor: { host: 'test' } })
  return { log: engine.events, close: () => engine.close() }
}
const logOf = (root: string) => path.join(root, '.memory/history/events.jsonl')

describeEventLog('the event file', async () => {
  const root = scratchProject()
  return {
    open: async () => open(root),
    // The first has no line break, as a process that died leaves it.
    damage: line => appendFileSync(logOf(root), line),
  }
})

describe('the table of hashes', () => {
  const many = Array.from({ length: 3_000 }, (_, n) => event(n))

  it('is made again when it is gone, or belongs to another log', async () => {
    const root = scratchProject()
    const { log, close } = open(root)
    await log.append(many)
    await log.append([event(3_000)])
    const table = path.join(root, '.memory/.vault/event-hashes')
    expect(statSync(table).size).toBe(3_000 * 16)
    rmSync(table)
    expect(await log.append([event(7), event(3_001)])).toEqual([event(3_001)])
    const lines = readFileSync(logOf(root), 'utf8').split('\n')
    writeFileSync(logOf(root), lines.slice(1_000).join('\n'))
    expect(await log.append([event(7), event(2_000)])).toEqual([event(7)])
    writeFileSync(table, 'what is this')
    expect(await log.append([event(7), event(8)])).toEqual([event(8)])
    await close()
  })

  it('keeps the price of an append low in a log of 100,000 events', async () => {
    const root = scratchProject()
    mkdirSync(path.dirname(logOf(root)), { recursive: true })
    writeFileSync(
      logOf(root),
      Array.from({ length: 100_000 }, (_, n) => `${JSON.stringify(event(n))}\n`).join(''),
    )
    const first = open(root)
    await first.log.append([event(100_000)])
    const times: number[] = []
    for (let n = 1; n <= 9; n++) {
      const start = performance.now()
      await first.log.append([event(100_000 + n), event(n)])
      times.push(performance.now() - start)
    }
    expect(await first.log.append([event(99_999)])).toEqual([])
    await first.close()
    const start = performance.now()
    for (const line of readFileSync(logOf(root), 'utf8').trimEnd().split('\n')) JSON.parse(line)
    expect(Math.min(...times)).toBeLessThan((performance.now() - start) / 4)
  })
})
