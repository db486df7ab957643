import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Category } from '../../../kernel/model/category.ts'
import { findValueConflict, statedValues } from './stated-values.ts'

const entry = (content: string, fields: { category?: Category; kind?: string; files?: string[] } = {}) => ({
  content,
  category: 'decisions' as Category,
  kind: 'decision',
  files: [] as string[],
  ...fields,
})
const sidesOf = (a: string, b: string) => {
  const found = findValueConflict(entry(a), entry(b))
  return found === undefined ? undefined : [found.older, found.newer]
}

describe('statedValues', () => {
  it('reads subject and attribute in one order, and the value', () => {
    const stated = [{ key: 'database port staging', value: '5433', written: '5433' }]
    expect(statedValues('The staging database port is 5433.')).toEqual(stated)
    expect(statedValues('Port of the staging database: 5433')).toEqual(stated)
    expect(statedValues('- `API_TIMEOUT=30s`')).toEqual([
      { key: 'api_timeout', value: '30000 time', written: '30s' },
    ])
  })

  it.each([
    ['a question', 'Is the API port 80?'],
    ['a denial', 'The API port is not 80.'],
    ['how something is', 'The login page is slow.'],
    ['one of many', 'A key dependency is React.'],
    ['talk', 'The root cause is DNS.'],
    ['a list', 'The supported locales are en and pt.'],
    ['code', '```\nretry_count = 3\n```'],
    ['a variable', 'retry_count = settings.retries'],
    ['a placeholder', 'The API key name is your-key-here.'],
    ['a listing with its own scope', 'On the CI machine:\n- API_PORT: 80'],
  ])('takes %s for no statement of a value', (_, text) => {
    expect(statedValues(text)).toEqual([])
  })

  it('reads any text without failing', () => {
    fc.assert(fc.property(fc.string({ maxLength: 300 }), text => Array.isArray(statedValues(text))))
  })
})

describe('findValueConflict', () => {
  it('finds another value of the same thing', () => {
    expect(sidesOf('default branch: main', 'The default branch is develop since March.')).toEqual([
      'main',
      'develop',
    ])
    expect(sidesOf('O limite de upload é 10 MB.', 'O limite de upload é 25 MB.')).toEqual(['10 MB', '25 MB'])
  })

  it('does not take a refinement, another unit or another condition for another value', () => {
    expect(sidesOf('The database engine is Postgres.', 'The database engine is Postgres 16.')).toBeUndefined()
    expect(sidesOf('The cache TTL is 5 minutes.', 'The cache TTL is 300 seconds.')).toBeUndefined()
    expect(sidesOf('The session timeout is 1 h.', 'The session timeout is 8 h for admins.')).toBeUndefined()
    expect(sidesOf('In staging the pool size is 5.', 'In production the pool size is 20.')).toBeUndefined()
  })

  it('needs a category or a file that both have', () => {
    const [a, b] = ['The API port is 80.', 'The API port is 81.']
    const warning = { category: 'lessons' as Category, kind: 'warning' }
    expect(
      findValueConflict(entry(a, { files: ['src/b.ts'] }), entry(b, { ...warning, files: ['src/c.ts'] })),
    ).toBeUndefined()
    expect(
      findValueConflict(entry(a, { files: ['src/b.ts'] }), entry(b, { ...warning, files: ['src/b.ts'] })),
    ).toBeDefined()
  })

  it('leaves out tasks, handoffs and reports', () => {
    const [a, b] = ['The API port is 80.', 'The API port is 81.']
    for (const fields of [
      { category: 'tasks' as Category },
      { kind: 'task_progress' },
      { kind: 'file_change' },
    ])
      expect(findValueConflict(entry(a, fields), entry(b, fields))).toBeUndefined()
  })
})
