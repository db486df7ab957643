import { describe, expect, it } from 'vitest'
import type { Entry } from '../model/entry.ts'
import type { EntryChange, JournalAction, JournalRecord } from '../model/journal.ts'
import { agentWritten, type VaultEdit } from './agent-written.ts'

const entry = (id: string, content: string, more: Partial<Entry> = {}) =>
  ({
    id,
    agent: 'dev',
    category: 'decisions',
    status: 'confirmed',
    origin: 'person',
    content,
    ...more,
  }) as Entry
const change = (before: Entry | null, after: Entry | null): EntryChange => ({ type: 'entry', before, after })
const record = (
  second: number,
  changes: EntryChange[],
  action: JournalAction = 'observe',
): JournalRecord => ({
  id: `r${second}`,
  at: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`,
  action,
  by: { host: 'files' },
  changes,
})
const edit = (text: string, file = '.memory/dev/decisions.md', second = 30): VaultEdit => ({
  at: `2026-01-01T00:00:${second}.000Z`,
  files: [file],
  text,
})
const ids = (records: JournalRecord[], ...edits: VaultEdit[]) =>
  agentWritten(records, edits).map(({ id }) => id)

const SSE = entry('a', 'We stream by SSE.')

describe('an entry that an agent wrote into a vault file', () => {
  it.each([
    ['head file', '.memory/dev/decisions.md'],
    ['page', '/home/ana/shop/.memory/dev/decisions/2026-01.md'],
    ['folder in capitals', '.memory/Dev/decisions.md'],
    ['path of Windows', 'C:\\shop\\.memory\\dev\\decisions.md'],
  ])('is found by its text: %s', (_, file) => {
    expect(
      ids([record(31, [change(null, SSE)])], edit('## 2026-01-01\n\nWe stream by SSE.\n\n---\n', file)),
    ).toEqual(['a'])
  })

  it('may have been read a moment before the hook ran', () => {
    expect(ids([record(29, [change(null, SSE)])], edit('We stream by SSE.'))).toEqual(['a'])
  })

  it('may have several lines, a CRLF file and a bullet', () => {
    const long = entry(
      'a',
      'We stream by SSE.\n\n- The proxy drops sockets.\n\n## 2026-01-01 is when it began',
    )
    const text =
      '## 2026-01-01\r\nWe stream by SSE.\r\n\r\n- The proxy drops sockets.\r\n\r\n\\## 2026-01-01 is when it began\r\n'
    expect(ids([record(31, [change(null, long)])], edit(text))).toEqual(['a'])
    expect(ids([record(31, [change(null, entry('b', 'A bullet.'))])], edit('- A bullet.'))).toEqual(['b'])
  })

  it('may have its statement in the heading, with a date and tags or without', () => {
    const titled = entry('a', 'We stream by SSE\n\nThe proxy drops sockets.')
    const text = '## 2026-01-01 · We stream by SSE · #proxy\n\nThe proxy drops sockets.\n'
    expect(ids([record(31, [change(null, titled)])], edit(text))).toEqual(['a'])
    expect(ids([record(31, [change(null, entry('b', 'Use tabs'))])], edit('### Use tabs #style'))).toEqual([
      'b',
    ])
  })

  it('may be written in two edits, and be read in between', () => {
    const first = entry('a', 'We stream by SSE.')
    const both = entry('a', 'We stream by SSE.\nThe proxy drops sockets.')
    const records = [record(35, [change(first, both)]), record(31, [change(null, first)])]
    const second = edit('The proxy drops sockets.', '.memory/dev/decisions.md', 34)
    expect(agentWritten(records, [edit('We stream by SSE.'), second])).toEqual([both])
  })

  it('counts when it calls itself pinned, or confirms what was a candidate of an agent', () => {
    const pinned = entry('a', 'We stream by SSE.', { status: 'pinned', origin: 'agent' })
    const candidate = entry('b', 'Two.', { status: 'candidate', origin: 'agent' })
    const confirmed = { ...candidate, status: 'confirmed' } as const
    expect(
      ids(
        [record(31, [change(null, pinned), change(candidate, confirmed)])],
        edit('We stream by SSE.\nTwo.'),
      ),
    ).toEqual(['a', 'b'])
  })
})

describe('an entry that is not touched', () => {
  it.each<readonly [string, JournalRecord[]]>([
    ['it was known before the run', [record(27, [change(null, SSE)])]],
    ['it is an edit of what a person wrote', [record(31, [change(entry('a', 'We stream.'), SSE)])]],
    [
      'its text is not in what the tool wrote',
      [record(31, [change(null, entry('a', 'We stream by SSE. Mostly.'))])],
    ],
    ['one of its lines is not', [record(31, [change(null, entry('a', 'We stream by SSE.\nSaid Ana.'))])]],
    ['it is in another file', [record(31, [change(null, entry('a', SSE.content, { category: 'lessons' }))])]],
    [
      'it is the candidate of an agent already',
      [record(31, [change(null, entry('a', SSE.content, { status: 'candidate', origin: 'agent' }))])],
    ],
    [
      'a person changed it since',
      [record(33, [change(SSE, { ...SSE, status: 'pinned' })], 'pin'), record(31, [change(null, SSE)])],
    ],
    ['it was undone since', [record(33, [change(SSE, SSE)], 'undo'), record(31, [change(null, SSE)])]],
    ['it is gone', [record(33, [change(SSE, null)]), record(31, [change(null, SSE)])]],
    ['it has no text', [record(31, [change(null, entry('a', ' '))])]],
    ['somebody remembered it', [record(31, [change(null, SSE)], 'add')]],
  ])('%s', (_, records) => {
    expect(ids(records, edit('## 2026-01-01\n\nWe stream by SSE.\n'))).toEqual([])
  })

  it('a later edit of the same text does not reach back to it', () => {
    const other = edit('Something else.', '.memory/dev/decisions.md', 20)
    expect(ids([record(25, [change(null, SSE)])], other, edit('We stream by SSE.'))).toEqual([])
  })
})
