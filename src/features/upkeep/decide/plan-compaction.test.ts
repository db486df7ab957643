import { describe, expect, it } from 'vitest'
import {
  type CompactionSettings,
  type CompactionState,
  doesVacuumPay,
  isEmptyPlan,
  planCompaction,
} from './plan-compaction.ts'

const DAY_MS = 86_400_000
const nowMs = Date.parse('2026-11-15T12:00:00Z')
const ago = (days: number) => nowMs - days * DAY_MS

const settings: CompactionSettings = {
  maxEntries: 3_000,
  keepEntries: 2_700,
  checkpointDays: 7,
  conversationMessages: 20,
  maxEntriesPerFile: 30,
  keepInFile: 20,
  isRetentionOn: true,
  historyDays: 180,
  snapshotDays: 30,
  maxSnapshots: 2,
  archiveDays: 0,
  isAutomatic: false,
}
const empty: CompactionState = {
  nowMs,
  entries: [],
  confirmedByPerson: new Set(),
  headFiles: [],
  indexDamage: undefined,
  checkpoints: [],
  damagedCheckpoints: [],
  sessions: [],
  goingOn: new Set(),
  events: [],
  snapshots: [],
  latestSnapshot: undefined,
  files: { backups: [], flatFiles: [] },
  batches: [],
  broughtBack: new Set(),
}
const entry = (id: string, more: Partial<CompactionState['entries'][number]> = {}) => ({
  id,
  agent: 'dev',
  kind: 'discovery',
  status: 'candidate' as const,
  origin: 'machine' as const,
  date: '2026-11-10T10:00',
  importance: 0.5,
  fingerprint: `print-${id}`,
  accessCount: 0,
  ...more,
})
const session = (name: string, days: number, messages: number, isDistilled = true) => ({
  session: name,
  isClosed: true,
  activeAtMs: ago(days),
  paths: [`sessions/${name}.memory.json`, `conversations/dev/${name}.json`],
  conversations: [
    { key: { session: name, agent: 'dev' }, path: `conversations/dev/${name}.json`, messages, isDistilled },
  ],
})

describe('planCompaction', () => {
  it('is empty for an empty memory', () => {
    expect(isEmptyPlan(planCompaction(empty, settings))).toBe(true)
  })

  it('confirms no entry, even one that is fetched often', () => {
    const entries = [
      entry('1', { accessCount: 1, lastAccessMs: ago(2) }),
      entry('2', { accessCount: 1, lastAccessMs: ago(40), date: '2026-09-01T10:00' }),
    ]
    const plan = planCompaction({ ...empty, entries }, settings)
    expect(plan).not.toHaveProperty('confirm')
    expect(plan.expire.map(({ id }) => id)).toEqual(['2'])
  })

  it('removes an expired checkpoint that its conversation contains, and archives the others', () => {
    const checkpoints = [
      { path: 'a', savedAt: ago(8), hasConversation: true },
      { path: 'b', savedAt: ago(8), hasConversation: false },
      { path: 'c', savedAt: ago(6), hasConversation: true },
    ]
    const plan = planCompaction({ ...empty, checkpoints, damagedCheckpoints: ['d'] }, settings)
    expect(plan.spentCheckpoints).toEqual([{ path: 'a', reason: { code: 'checkpoint_expired', ageDays: 8 } }])
    expect(plan.checkpoints).toEqual([
      { path: 'b', reason: { code: 'checkpoint_expired', ageDays: 8 } },
      { path: 'd', reason: { code: 'checkpoint_damaged' } },
    ])
  })

  it('trims distilled conversations, and archives old ones instead', () => {
    const sessions = [
      session('long', 1, 21),
      session('short', 1, 20),
      session('undistilled', 1, 50, false),
      session('old', 181, 50),
    ]
    const plan = planCompaction({ ...empty, sessions }, settings)
    expect(plan.trim).toEqual([
      {
        key: { session: 'long', agent: 'dev' },
        path: 'conversations/dev/long.json',
        messages: 21,
        keeps: 20,
        isSeed: false,
        leavesHandoff: false,
      },
    ])
    expect(plan.sessions.map(({ session: name, files }) => [name, files.length])).toEqual([['old', 2]])
  })

  it('stores events twice as long, the newest snapshots, and batches forever', () => {
    const state = {
      ...empty,
      events: [361, 359].map(days => ({ id: `e${days}`, createdAt: new Date(ago(days)).toISOString() })),
      snapshots: [20, 40, 80, 90].map(days => ({
        id: `s${days}`,
        path: `s${days}`,
        createdAt: new Date(ago(days)).toISOString(),
      })),
      latestSnapshot: 's90',
      batches: [
        {
          version: 1 as const,
          id: 'evict-1',
          kind: 'evict' as const,
          at: '2020-01-01',
          entries: 1,
          events: 0,
          files: [],
        },
      ],
    }
    const plan = planCompaction(state, settings)
    expect(plan.events).toEqual(['e361'])
    // The oldest is the one that the state refers to.
    expect(plan.snapshots.map(({ path }) => path)).toEqual(['s80'])
    expect(plan.expireBatches).toEqual([])
    expect(planCompaction(state, { ...settings, archiveDays: 365 }).expireBatches).toMatchObject([
      { id: 'evict-1' },
    ])
    const off = planCompaction(state, { ...settings, isRetentionOn: false, archiveDays: 365 })
    expect(isEmptyPlan(off)).toBe(true)
  })

  it('does not change what a person restored', () => {
    const state = {
      ...empty,
      damagedCheckpoints: ['d'],
      sessions: [session('long', 1, 21), session('old', 200, 3)],
      files: { ...empty.files, backups: ['dev.md.bak'] },
    }
    const broughtBack = new Set([
      'd',
      'dev.md.bak',
      'conversations/dev/long.json',
      'conversations/dev/old.json',
      'sessions/old.memory.json',
    ])
    expect(isEmptyPlan(planCompaction({ ...state, broughtBack }, settings))).toBe(true)
  })

  it('rolls over untracked files above the limit, and none if rollover is off', () => {
    const state: CompactionState = {
      ...empty,
      headFiles: [
        { path: 'dev/decisions.md', entries: 31, isTracked: true },
        { path: 'local/dev/decisions.md', entries: 31 },
      ],
    }
    const rolled = [{ path: 'local/dev/decisions.md', entries: 31, moves: 11 }]
    for (const isAutomatic of [true, false])
      expect(planCompaction(state, { ...settings, isAutomatic }).rollOver).toEqual(rolled)
    expect(planCompaction(state, { ...settings, maxEntriesPerFile: 0 }).rollOver).toEqual([])
  })

  it('leaves entries in tracked files to a person', () => {
    const suggestion = {
      agent: 'dev',
      kind: 'warning',
      status: 'candidate',
      origin: 'machine',
      date: '2024-01-01T00:00',
      importance: 0.5,
      fingerprint: 'f',
      accessCount: 0,
    } as const
    const state: CompactionState = {
      ...empty,
      entries: [
        { ...suggestion, id: 'tracked', isTracked: true },
        { ...suggestion, id: 'local' },
      ],
      files: { ...empty.files, backups: ['dev.md.bak'], flatFiles: ['dev.md'] },
    }
    const removed = (isAutomatic: boolean) => {
      const { expire, legacy } = planCompaction(state, { ...settings, isAutomatic })
      return [...expire.map(({ id }) => id), ...legacy.map(({ path }) => path)]
    }
    expect(removed(true)).toEqual(['local', 'dev.md.bak'])
    expect(removed(false)).toEqual(['local', 'tracked', 'dev.md.bak', 'dev.md'])
  })

  it('shrinks the index if a quarter of it and more than a megabyte is free', () => {
    expect(doesVacuumPay({ bytes: 40_000_000, freeBytes: 11_000_000 })).toBe(true)
    expect(doesVacuumPay({ bytes: 40_000_000, freeBytes: 9_000_000 })).toBe(false)
    expect(doesVacuumPay({ bytes: 1_000_000, freeBytes: 900_000 })).toBe(false)
  })
})
