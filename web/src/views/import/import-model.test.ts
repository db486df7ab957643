import { expect, it } from 'vitest'
import { askedOf, choicesOf, type LogRecord, nextToUndo, outcomeOfSync } from './import-model.ts'

const record = (id: string, action: LogRecord['action'], more: Partial<LogRecord> = {}): LogRecord => ({
  id,
  at: '2026-03-16T10:00:00.000Z',
  action,
  by: { host: 'web' },
  undone: false,
  changes: 1,
  entries: [],
  ...more,
})

it('takes back what was imported since, newest first, and nothing of before or of others', () => {
  const records = [
    record('e', 'undo'),
    record('d', 'import', { undone: true }),
    record('c', 'import', { by: { host: 'cli' } }),
    record('b', 'import'),
    record('a', 'add'),
    record('0', 'import'),
  ]
  expect(nextToUndo(records, 'a')).toBe('b')
  expect(nextToUndo(records.slice(0, 3), undefined)).toBeUndefined()
})

it('asks for what was found by its format and its place, and for what was named by its path', () => {
  const found = { format: 'adr' as const, path: '/p', outside: false, count: 2, unit: 'records', command: '' }
  const named = { kind: 'named' as const, key: 'n', file: 'notes.jsonl', from: '' as const }
  const [first, , last] = choicesOf([found], [named])
  expect(first?.kind === 'found' && askedOf(first)).toEqual({ from: 'adr', file: '/p' })
  expect(last?.kind === 'named' && askedOf(last)).toEqual({ file: 'notes.jsonl' })
})

it('adds hosts together, and tells the one that failed', () => {
  const synced = (id: string, added: number, error: string | null) => ({
    id,
    status: error === null ? ('ok' as const) : ('failed' as const),
    error,
    files: { seen: 1, read: 1 },
    added,
    duplicates: 1,
    failed: 0,
    redacted: 0,
    failures: [],
  })
  const outcome = outcomeOfSync({
    synced: [synced('codex', 2, null), synced('cursor', 0, 'The database is locked.')] as never,
    dryRun: true,
    problems: [],
    degraded: [],
  })
  expect([outcome.added, outcome.duplicates, outcome.failed]).toEqual([2, 2, 1])
  expect(outcome.failures).toEqual([{ file: 'cursor', message: 'The database is locked.' }])
})
