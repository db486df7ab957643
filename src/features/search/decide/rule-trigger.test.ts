import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import { triggerTest } from './rule-trigger.ts'

const rule = (content: string, given: Partial<Entry> = {}): Entry => ({
  id: '1',
  agent: 'shared',
  category: 'decisions',
  kind: 'preference',
  status: 'confirmed',
  origin: 'person',
  date: '2026-03-16T10:00',
  content,
  tags: [],
  files: [],
  importance: 0.5,
  ...given,
})
const applies = (entry: Entry, prompt: string, files: string[] = []) => triggerTest({ prompt, files })(entry)

describe('the trigger of a standing rule', () => {
  it('is a file that the rule names', () => {
    const entry = rule('Never edit db/schema.sql by hand.')
    expect(applies(entry, 'add a column', ['db/schema.sql'])).toBe(true)
    expect(applies(entry, 'add a column', ['db/seed.sql'])).toBe(false)
    expect(applies(rule('Keep it small.', { files: ['src/api.ts'] }), 'why?', ['/work/src/api.ts'])).toBe(
      true,
    )
  })

  it('is a command in backticks', () => {
    const entry = rule('`npm publish` runs only in CI.')
    expect(applies(entry, 'please run npm publish for me')).toBe(true)
    expect(applies(entry, 'please publish the notes')).toBe(false)
  })

  it('is the clause after when, before or after, in three languages', () => {
    expect(
      applies(rule('Always update the snapshots when a migration changes.'), 'change the migration'),
    ).toBe(true)
    expect(applies(rule('Always update the snapshots when a migration changes.'), 'change the button')).toBe(
      false,
    )
    expect(applies(rule('Sempre rode o lint antes de abrir um release.'), 'vamos abrir o release hoje')).toBe(
      true,
    )
    expect(applies(rule('Revisa el changelog cuando publiques la versión.'), 'publiques la versión')).toBe(
      true,
    )
  })

  it('needs a rule of a person or one that a person confirmed', () => {
    const said = { status: 'candidate', origin: 'person' } as const
    const saved = { status: 'candidate', origin: 'agent' } as const
    expect(applies(rule('Ask before a release.', said), 'prepare the release')).toBe(true)
    expect(applies(rule('Ask before a release.', saved), 'prepare the release')).toBe(false)
    expect(applies(rule('Ask before a release.', { kind: 'lesson' }), 'prepare the release')).toBe(false)
  })
})
