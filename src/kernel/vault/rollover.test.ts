import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../model/entry.ts'
import { editSummary, planPages, planRollover } from './rollover.ts'
import { entriesOf, insertEntries, insertSegments } from './vault-edit.ts'
import { type EntrySegment, parseVaultFile, renderVaultFile, type VaultFile } from './vault-file.ts'

const owner = { agent: 'dev', category: 'decisions' } as const
const limits = { maxEntriesPerFile: 3, keepEntries: 2 }
const now = '2026-04-01T12:30:45.678Z'

function parse(text: string): VaultFile {
  return parseVaultFile(Buffer.from(text), owner)
}
function textOf(file: VaultFile | undefined): string {
  return file === undefined ? '' : Buffer.from(renderVaultFile(file)).toString('utf8')
}
function written(id: number, content = `content ${id}`, date = '2026-02-03T10:00'): string {
  return `<!-- id:${id} -->\n## ${date}\n\n${content}\n\n---\n`
}
function head(...ids: number[]): VaultFile {
  return parse(ids.map(id => written(id)).join('\n'))
}
function segments(file: VaultFile): EntrySegment[] {
  return file.segments.filter(segment => segment.type === 'entry')
}
function ids(list: readonly EntrySegment[] | undefined): string[] {
  return (list ?? []).map(({ entry }) => entry.id)
}

describe('planRollover', () => {
  it('does nothing up to the limit', () => {
    expect(planRollover({ head: head(3, 2, 1), limits, movedBefore: () => 0, now })).toBe(null)
  })

  it('keeps the newest, moves the others, and writes a summary at the bottom', () => {
    const plan = planRollover({ head: head(4, 3, 2, 1), limits, movedBefore: () => 0, now })
    expect(ids(plan?.moved)).toEqual(['2', '1'])
    expect(textOf(plan?.head)).toBe(
      `${written(4)}\n${written(3)}\n` +
        '<!-- id:2-summary kind:rollover_summary origin:machine -->\n## 2026-04-01T12:30 · Compacted 2 older entries · #compacted\n\n' +
        'Compacted 2 older entries:\n- [2026-02-03T10:00] content 2\n- [2026-02-03T10:00] content 1\n\n' +
        'All of them are in `decisions/`, a page for each month, and searches find them.\n\n---\n',
    )
  })

  it('replaces the summary of the last time, counts all that are in pages, and keeps the earlier previews', () => {
    const first = planRollover({ head: head(4, 3, 2, 1), limits, movedBefore: () => 0, now })
    const grown = insertEntries(
      first?.head as VaultFile,
      [6, 5].map(id => segments(head(id))[0]?.entry as Entry),
    )
    const second = planRollover({ head: grown, limits, movedBefore: () => 2, now })
    expect(segments(second?.head as VaultFile).map(({ entry }) => entry.id)).toEqual(['6', '5', '4-summary'])
    expect(segments(second?.head as VaultFile)[2]?.entry.content).toBe(
      'Compacted 4 older entries:\n' +
        [4, 3, 2, 1].map(id => `- [2026-02-03T10:00] content ${id}\n`).join('') +
        '\nAll of them are in `decisions/`, a page for each month, and searches find them.',
    )
  })

  it('shows at most 20 previews of at most 200 characters on one line', () => {
    const many = parse(
      Array.from({ length: 40 }, (_, i) => written(40 - i, `${40 - i} a\n\n${'long '.repeat(80)}`)).join(
        '\n',
      ),
    )
    const plan = planRollover({ head: many, limits, movedBefore: () => 0, now })
    const lines = segments(plan?.head as VaultFile)
      .at(-1)
      ?.entry.content.split('\n')
    expect(lines?.[0]).toBe('Compacted 38 older entries:')
    const previews = lines?.filter(line => line.startsWith('- ')) ?? []
    expect(previews).toHaveLength(20)
    expect(previews[0]).toBe(`- [2026-02-03T10:00] 38 a ${'long '.repeat(39).slice(0, 194)}…`)
    expect(previews[0]?.length).toBe('- [2026-02-03T10:00] '.length + 200)
  })

  it('does not cut a character in two', () => {
    const plan = planRollover({
      head: parse([4, 3, 2, 1].map(id => written(id, '😀'.repeat(300))).join('\n')),
      limits,
      movedBefore: () => 0,
      now,
    })
    expect(segments(plan?.head as VaultFile).at(-1)?.entry.content).toContain(`] ${'😀'.repeat(199)}…\n`)
  })

  it('goes by the ids and not by the place in the file', () => {
    expect(ids(planRollover({ head: head(1, 4, 2, 3), limits, movedBefore: () => 0, now })?.moved)).toEqual([
      '2',
      '1',
    ])
  })

  it('leaves loose text where it is', () => {
    const text = `# Top\n\n${written(4)}\nnote\n\n${written(3)}\n${written(2)}\nlast\n\n${written(1)}`
    const plan = planRollover({ head: parse(text), limits, movedBefore: () => 0, now })
    expect(textOf(plan?.head)).toMatch(
      /^# Top\n\n<!-- id:4 [\s\S]*---\n\nnote\n\n<!-- id:3 [\s\S]*---\n\nlast\n\n<!-- id:2-summary /,
    )
  })

  it('moves the text of an entry unchanged', () => {
    const odd = '<!-- id:1   x:y -->\n## 2026-02-03   #a\nodd\n---\n'
    const plan = planRollover({
      head: parse(`${[4, 3, 2].map(id => written(id)).join('\n')}\n${odd}`),
      limits,
      movedBefore: () => 0,
      now,
    })
    expect(plan?.moved.at(-1)?.raw).toBe(odd)
  })

  it('is off with a limit of 0', () => {
    expect(
      planRollover({
        head: head(4, 3, 2, 1),
        limits: { maxEntriesPerFile: 0, keepEntries: 2 },
        movedBefore: () => 0,
        now,
      }),
    ).toBe(null)
  })

  it('waits while the file is in conflict', () => {
    const text = `${[4, 3, 2, 1].map(id => written(id)).join('\n')}\n<<<<<<< a\n=======\n>>>>>>> b\n`
    expect(planRollover({ head: parse(text), limits, movedBefore: () => 0, now })).toBe(null)
  })

  it('leaves an entry without an id in the head file', () => {
    const text = `${[4, 3, 2, 1].map(id => written(id)).join('\n')}\n## 2020-01-01\n\ntyped\n`
    const plan = planRollover({ head: parse(text), limits, movedBefore: () => 0, now })
    expect(entriesOf(plan?.head as VaultFile).map(({ content }) => content)).toEqual([
      'content 4',
      'content 3',
      'typed',
    ])
  })

  it('does not count the summary, so that a second run has nothing to do', () => {
    const plan = planRollover({ head: head(4, 3, 2, 1), limits, movedBefore: () => 0, now })
    const keepAll = { maxEntriesPerFile: 2, keepEntries: 2 }
    expect(planRollover({ head: plan?.head as VaultFile, limits: keepAll, movedBefore: () => 2, now })).toBe(
      null,
    )
  })
})

describe('editSummary', () => {
  const rolled = planRollover({ head: head(4, 3, 2, 1), limits, movedBefore: () => 0, now })
    ?.head as VaultFile
  const gone = segments(head(2))[0]?.entry as Entry

  it('takes out the preview of an entry that was removed and counts one less', () => {
    expect(textOf(editSummary(rolled, [{ before: gone, after: null }], 1))).toBe(
      textOf(rolled)
        .replaceAll('2 older entries', '1 older entry')
        .replace('- [2026-02-03T10:00] content 2\n', ''),
    )
  })

  it('shows the new text of an entry that was changed', () => {
    expect(textOf(editSummary(rolled, [{ before: gone, after: { ...gone, content: 'new\ntext' } }], 2))).toBe(
      textOf(rolled).replace('content 2', 'new text'),
    )
  })

  it('puts the previews of entries that come back where they were, and doing so twice is no harm', () => {
    const full = planRollover({ head: head(6, 5, 4, 3, 2, 1), limits, movedBefore: () => 0, now })
      ?.head as VaultFile
    const entries = segments(head(4, 3, 2, 1)).map(({ entry }) => entry)
    const [four, , two] = entries as [Entry, Entry, Entry, Entry]
    const without = editSummary(
      full,
      [two, four].map(before => ({ before, after: null })),
      2,
    )
    expect(textOf(without)).not.toContain('content 2')
    const back = [
      { before: null, after: two, preview: 2 },
      { before: null, after: four, preview: 0 },
    ]
    const restored = editSummary(without, back, 4)
    expect(textOf(restored)).toBe(textOf(full))
    expect(textOf(editSummary(restored, back, 4))).toBe(textOf(full))
  })

  it('gives a head file without a summary back as it is', () => {
    const file = head(1)
    expect(editSummary(file, [{ before: gone, after: null }], 0)).toBe(file)
  })
})

const withBytes = (segment: EntrySegment) => ({ ...segment, bytes: Buffer.byteLength(segment.raw) + 8 })

describe('planPages', () => {
  const at = (id: number, date: string, content = 'x') =>
    segments(parse(written(id, content, date)))[0] as EntrySegment
  const plan = (moved: EntrySegment[], pages: { name: string; bytes: number }[] = [], pageBytes = 1000) =>
    Object.fromEntries(
      [...planPages({ moved: moved.map(withBytes), pages, pageBytes, label: '' })].map(([name, list]) => [
        name,
        ids(list),
      ]),
    )

  it('sends each entry to the page of its month, newest first', () => {
    expect(plan([at(3, '2026-03-01'), at(1, '2026-02-01'), at(2, '2026-02-02')])).toEqual({
      '2026-02': ['2', '1'],
      '2026-03': ['3'],
    })
  })

  it('goes on with the last page of the month while it has room', () => {
    const pages = [
      { name: '2026-02', bytes: 990 },
      { name: '2026-02.10', bytes: 100 },
      { name: '2026-02.9', bytes: 100 },
      { name: 'notes', bytes: 1 },
    ]
    expect(plan([at(1, '2026-02-01')], pages)).toEqual({ '2026-02.10': ['1'] })
  })

  it('opens the next page when an entry would not fit', () => {
    expect(plan([at(1, '2026-02-01')], [{ name: '2026-02', bytes: 990 }])).toEqual({ '2026-02.2': ['1'] })
  })

  it('fills pages oldest first', () => {
    const moved = [1, 2, 3, 4, 5].map(id => at(id, '2026-02-01', 'y'.repeat(300)))
    expect(plan(moved)).toEqual({ '2026-02': ['2', '1'], '2026-02.2': ['4', '3'], '2026-02.3': ['5'] })
  })

  it('gives an entry larger than a page one of its own', () => {
    const moved = [at(1, '2026-02-01'), at(2, '2026-02-01', 'y'.repeat(5000)), at(3, '2026-02-01')]
    expect(plan(moved)).toEqual({ '2026-02': ['1'], '2026-02.2': ['2'], '2026-02.3': ['3'] })
  })

  it('has no limit at 0', () => {
    const moved = [at(1, '2026-02-01', 'y'.repeat(5000)), at(2, '2026-02-01')]
    expect(plan(moved, [{ name: '2026-02', bytes: 1e9 }], 0)).toEqual({ '2026-02': ['2', '1'] })
  })

  it('does not depend on the order it is asked in', () => {
    const moved = Array.from({ length: 12 }, (_, i) => at(i + 1, `2026-0${1 + (i % 3)}-01`, 'y'.repeat(200)))
    fc.assert(
      fc.property(fc.shuffledSubarray(moved, { minLength: moved.length }), shuffled => {
        expect(plan(shuffled)).toEqual(plan(moved))
      }),
    )
  })

  it('takes 20,000 entries at once; pages stay within the limit and nothing is lost', () => {
    const entries = Array.from({ length: 20_000 }, (_, i) => ({
      ...at(1, '2026-02-01').entry,
      id: String(1_700_000_000_000 + i),
      date: `20${20 + (i % 5)}-0${1 + (i % 9)}-01T00:00`,
      content: `entry ${i} ${'text '.repeat(60)}`,
    }))
    const full = insertEntries(parse('# Top\n'), entries)
    const rollover = planRollover({
      head: full,
      limits: { maxEntriesPerFile: 30, keepEntries: 20 },
      movedBefore: () => 0,
      now,
    })
    const pages = planPages({
      moved: (rollover?.moved ?? []).map(withBytes),
      pages: [],
      pageBytes: 100_000,
      label: '',
    })
    const found = entriesOf(rollover?.head as VaultFile).map(({ id }) => id)
    for (const list of pages.values()) {
      const page = insertSegments(parse(''), list, 'utf8')
      expect(renderVaultFile(page).length).toBeLessThanOrEqual(100_000)
      found.push(...entriesOf(page).map(({ id }) => id))
    }
    expect(found.sort()).toEqual(entries.map(({ id }) => id).sort())
    expect(pages.size).toBeGreaterThan(45)
  })
})
