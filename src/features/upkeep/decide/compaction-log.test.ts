import { describe, expect, it } from 'vitest'
import { addRun, claimRun, EMPTY_LOG, endRun, NOTHING_DONE, parseLog, renderLog } from './compaction-log.ts'

const run = (timestamp: string) => ({ timestamp, ...NOTHING_DONE })

describe('the log of upkeep', () => {
  it('can be read back', () => {
    const log = addRun(addRun(EMPTY_LOG, run('2026-11-14T10:00:00.000Z')), run('2026-11-15T10:00:00.000Z'))
    expect(parseLog(renderLog(log))).toEqual(log)
  })

  it('reads the log of the seed, which has fewer fields', () => {
    const seed = {
      lastCompaction: {
        timestamp: '2026-03-24T10:30:00.000Z',
        checkpointsCleaned: 3,
        conversationsTrimmed: 2,
        vaultEntriesMerged: 15,
        indexRebuilt: true,
        legacyFilesCleaned: 1,
      },
    }
    expect(parseLog(JSON.stringify(seed)).lastCompaction).toEqual({ ...NOTHING_DONE, ...seed.lastCompaction })
  })

  it('is empty if it cannot be read', () => {
    for (const text of ['', '{', 'null', '[]', '{"lastCompaction": 3, "earlier": "x", "running": {}}'])
      expect(parseLog(text)).toEqual(EMPTY_LOG)
  })

  it('stores thirty earlier runs', () => {
    let log = EMPTY_LOG
    for (let n = 0; n < 50; n++) log = addRun(log, run(`2026-11-15T10:00:${String(n).padStart(2, '0')}.000Z`))
    expect(log.earlier).toHaveLength(30)
    expect(log.earlier[0]?.timestamp).toContain(':48.')
  })

  it('lets one process start, and another one if the first has died', () => {
    const claimed = claimRun(EMPTY_LOG, EMPTY_LOG, '2026-11-15T10:00:00.000Z')
    if (claimed === undefined) throw new Error('nobody else has begun')
    expect(claimRun(claimed, EMPTY_LOG, '2026-11-15T10:05:00.000Z')).toBe(undefined)
    expect(claimRun(claimed, EMPTY_LOG, '2026-11-15T10:11:00.000Z')).toBeDefined()
    const done = addRun(claimed, run('2026-11-15T10:00:00.000Z'))
    expect(claimRun(done, EMPTY_LOG, '2026-11-15T10:20:00.000Z')).toBe(undefined)
    expect(endRun(claimed, undefined)).toEqual(EMPTY_LOG)
  })
})
