import { expect, it } from 'vitest'
import { importInputOf, importSourcesOf, outcomeOfSync } from './import-model.ts'

it('requests found sources by format and place, and named sources by path', () => {
  const found = { format: 'adr' as const, path: '/p', outside: false, count: 2, unit: 'records', command: '' }
  const named = { kind: 'named' as const, key: 'n', file: 'notes.jsonl', from: '' as const }
  const [first, , last] = importSourcesOf([found], [named])
  expect(first?.kind === 'found' && importInputOf(first)).toEqual({ from: 'adr', file: '/p' })
  expect(last?.kind === 'named' && importInputOf(last)).toEqual({ file: 'notes.jsonl' })
})

it('adds up the results of hosts, reports a failed one, and collects all records to undo', () => {
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
    record: added > 0 ? `1-${id}` : null,
  })
  const outcome = outcomeOfSync({
    synced: [synced('codex', 2, null), synced('cursor', 0, 'The database is locked.')] as never,
    dryRun: true,
    problems: [],
    degraded: [],
  })
  expect([outcome.added, outcome.duplicates, outcome.failed]).toEqual([2, 2, 1])
  expect(outcome.records).toEqual(['1-codex'])
  expect(outcome.failures).toEqual([
    { file: 'cursor', code: 'source_failed', message: 'The database is locked.' },
  ])
})
