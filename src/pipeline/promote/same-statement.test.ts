import { expect, it } from 'vitest'
import { compareStatements } from './same-statement.ts'

const said = (content: string) => ({
  content,
  kind: 'decision',
  tags: [],
  files: [],
  date: '2026-11-01T10:00',
})
const kindOf = (a: string, b: string) => compareStatements(said(a), said(b)).kind

it('takes equal texts for the same, whatever their case and blanks, and nothing else', () => {
  expect(kindOf('Staging is backed up hourly.', 'staging  is backed up hourly.')).toBe('same')
  expect(kindOf('Staging is backed up hourly.', 'Production is backed up hourly.')).toBe('other')
  expect(kindOf('We use pnpm, never npm.', 'Never npm: we use pnpm.')).toBe('other')
})
