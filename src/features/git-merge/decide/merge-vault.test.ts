import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import { entriesOf, hasConflict } from '../../../kernel/vault/vault-edit.ts'
import { parseVaultFile, renderEntry } from '../../../kernel/vault/vault-file.ts'
import { mergeVaultFiles } from './merge-vault.ts'

const OWNER = { agent: 'dev', category: 'decisions' } as const
const MARKERS = { size: 7, ours: 'ours', theirs: 'theirs' }

function merge(base: string, ours: string, theirs: string, size = 7) {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const merged = mergeVaultFiles(
    { base: bytes(base), ours: bytes(ours), theirs: bytes(theirs), markers: { ...MARKERS, size } },
    OWNER,
  )
  return { ...merged, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(merged.bytes) }
}

function entry(ms: number, content: string, more: Partial<Entry> = {}): Entry {
  return {
    id: `${ms}-aaaa`,
    ...OWNER,
    kind: 'decision',
    status: 'confirmed',
    origin: 'person',
    date: '2026-03-16T16:51',
    content,
    tags: [],
    files: [],
    importance: 0.5,
    ...more,
  }
}

function fileOf(...entries: readonly Entry[]): string {
  return entries.map(one => renderEntry(one, '\n')).join('\n')
}

function contents(text: string): string[] {
  return entriesOf(parseVaultFile(new TextEncoder().encode(text), OWNER)).map(({ content }) => content)
}

const A = entry(1000, 'A')
const B = entry(2000, 'B')
const C = entry(3000, 'C')
const D = entry(4000, 'D')

describe('merging a vault file', () => {
  it('has what either side added, once and newest first', () => {
    const { text, conflicts } = merge(fileOf(A), fileOf(C, A), fileOf(D, B, A))
    expect(text).toBe(fileOf(D, C, B, A))
    expect(conflicts).toEqual([])
  })

  it('lets go what one side removed and the other left alone', () => {
    expect(merge(fileOf(C, B, A), fileOf(C, A), fileOf(C, B)).text).toBe(fileOf(C))
  })

  it('keeps an entry that one side removed and the other changed, and says so', () => {
    const changed = { ...A, content: 'A, said better' }
    for (const [ours, theirs] of [
      [fileOf(B), fileOf(B, changed)],
      [fileOf(B, changed), fileOf(B)],
    ] as const) {
      const { text, conflicts, remarks } = merge(fileOf(B, A), ours, theirs)
      expect(text).toBe(fileOf(B, changed))
      expect(conflicts).toEqual([])
      expect(remarks).toEqual([
        '1000-aaaa was removed on one side and changed on the other; the changed version stays',
      ])
    }
  })

  it('takes the same change of both sides once', () => {
    const changed = fileOf({ ...A, content: 'A, said better' })
    expect(merge(fileOf(A), changed, changed)).toMatchObject({ text: changed, conflicts: [] })
  })

  it('merges changes of different fields of one entry', () => {
    const pinned: Entry = { ...A, status: 'pinned', tags: ['x'], updated: '2026-03-17T10:00:00' }
    const reworded: Entry = { ...A, content: 'A, said better', tags: ['y'], updated: '2026-03-17T11:00:00' }
    const { text, conflicts } = merge(fileOf(A), fileOf(pinned), fileOf(reworded))
    expect(conflicts).toEqual([])
    expect(entriesOf(parseVaultFile(new TextEncoder().encode(text), OWNER))).toEqual([
      {
        ...A,
        content: 'A, said better',
        status: 'pinned',
        tags: ['x', 'y'],
        updated: '2026-03-17T11:00:00',
      },
    ])
  })

  it('shows both versions where both sides changed the content, and nothing else in conflict', () => {
    const ours = { ...B, content: 'B of ours' }
    const theirs = { ...B, content: 'B of theirs' }
    const { text, conflicts } = merge(fileOf(C, B, A), fileOf(C, ours, A), fileOf(D, C, theirs, A))
    expect(conflicts).toEqual(['2000-aaaa'])
    expect(text).toBe(
      `${fileOf(D, C)}\n<<<<<<< ours\n${fileOf(ours)}=======\n${fileOf(theirs)}>>>>>>> theirs\n\n${fileOf(A)}`,
    )
    const read = parseVaultFile(new TextEncoder().encode(text), OWNER)
    expect(entriesOf(read).map(one => [one.id, one.content])).toEqual([
      ['4000-aaaa', 'D'],
      ['3000-aaaa', 'C'],
      ['2000-aaaa', 'B of ours'],
      ['2000-aaaa~2', 'B of theirs'],
      ['1000-aaaa', 'A'],
    ])
    expect(read.problems.map(({ code, message }) => [code, message])).toEqual([
      ['conflict_markers', 'unresolved git conflict, lines 15 to 29, about 2000-aaaa'],
    ])
  })

  it('marks a conflict with as many characters as git asks for, and it is still read as one', () => {
    const { text } = merge(
      fileOf(A),
      fileOf({ ...A, content: 'ours' }),
      fileOf({ ...A, content: 'theirs' }),
      11,
    )
    expect(text).toContain(`${'<'.repeat(11)} ours\n`)
    expect(hasConflict(parseVaultFile(new TextEncoder().encode(text), OWNER))).toBe(true)
  })

  it('keeps the bytes of what nobody touched: CRLF, a BOM, odd formatting', () => {
    const odd =
      '\uFEFF# Ours\r\n\r\n<!--   id:1000-aaaa   -->\r\n\r\n##   2026-03-16  · #x\r\nA\r\n---   \r\n'
    const { text } = merge(odd, odd, `${odd}\r\n${renderEntry(entry(500, 'older'), '\r\n')}`)
    expect(text).toBe(`${odd}\r\n${renderEntry(entry(500, 'older'), '\r\n')}`)
  })

  it('takes a file in which only the line ends changed as unchanged', () => {
    const crlf = fileOf(B, A).replaceAll('\n', '\r\n')
    expect(contents(merge(fileOf(B, A), crlf, fileOf(B, { ...A, content: 'A2' })).text)).toEqual(['B', 'A2'])
    expect(merge(fileOf(B, A), crlf, fileOf(B)).text).toBe(renderEntry(B, '\r\n'))
  })

  describe('with entries that somebody typed', () => {
    const typed = '## 2026-03-16\n\nA\n\n---\n'
    it('knows them by their text', () => {
      expect(merge('', typed, typed).text).toBe(typed)
      expect(contents(merge(typed, typed, `${typed}\n## 2026-03-17\n\nB\n\n---\n`).text)).toEqual(['A', 'B'])
      expect(merge(typed, '', typed).text).toBe('')
    })

    it('knows one again that was given an id, or two', () => {
      const [one, other] = ['1773619200000-aaaa', '1773619200000-bbbb'].map(
        id => `<!-- id:${id} -->\n${typed}`,
      ) as [string, string]
      expect(merge(typed, one, typed).text).toBe(one)
      expect(merge(typed, typed, one).text).toBe(one)
      expect(merge(typed, one, other).text).toBe(one)
      expect(merge(typed, other, one).text).toBe(one)
      expect(merge(typed, one, '').text).toBe('')
    })

    it('merges bullets and headings line by line, each in its place', () => {
      const list = (...lines: string[]) => `# Notes\n\n${lines.map(line => `- ${line}\n`).join('')}`
      expect(merge(list('a', 'b', 'c', 'd'), list('A', 'b', 'c', 'd'), list('a', 'b', 'C', 'd')).text).toBe(
        list('A', 'b', 'C', 'd'),
      )
      expect(merge(list('a', 'b', 'c'), list('b', 'c'), list('a', 'b', 'c', 'd')).text).toBe(
        list('b', 'c', 'd'),
      )
    })

    it('keeps both where both sides typed at the same place', () => {
      const { text, conflicts } = merge('- a\n', '- a\n- ours\n', '- a\n- theirs\n')
      expect(conflicts).toEqual([])
      expect(text).toBe('- a\n- ours\n\n- theirs\n')
      const sections = merge('## A\n\na\n', '## A\n\na\n\n## B\n\nsame\n', '## A\n\na\n\n## C\n\nsame\n').text
      expect(contents(sections).sort()).toEqual(['A\n\na', 'B\n\nsame', 'C\n\nsame'])
    })

    it('takes one that the other side pinned, by its id', () => {
      const typedId = entriesOf(parseVaultFile(new TextEncoder().encode('- a\n'), OWNER))[0]?.id ?? ''
      const pinned = renderEntry({ ...entry(1, 'a'), id: typedId, status: 'pinned' }, '\n')
      expect(merge('- a\n- b\n', `${pinned}- b\n`, '- a\n- b\n- c\n').text).toBe(`${pinned}- b\n- c\n`)
    })

    it('has the tags of both', () => {
      const [x, y] = ['x', 'y'].map(tag => typed.replace('2026-03-16', `2026-03-16 · #${tag}`)) as [
        string,
        string,
      ]
      expect(merge('', x, y).text).toBe(typed.replace('2026-03-16', '2026-03-16 · #x #y'))
    })
  })

  describe('with loose text', () => {
    const top = 'The decisions\n\nRead before you code.\n\n'
    it('has what either side changed of it', () => {
      const ours = `Our decisions\n\nRead before you code.\n\n${fileOf(B, A)}`
      const theirs = `${top}Ask Ana.\n\n${fileOf(A)}`
      const { text, remarks } = merge(top + fileOf(A), ours, theirs)
      expect(text).toBe(`Our decisions\n\nRead before you code.\n\nAsk Ana.\n\n${fileOf(B, A)}`)
      expect(remarks).toEqual([])
    })

    it('keeps both where both changed one line', () => {
      const { text, remarks } = merge(
        top + fileOf(A),
        top.replace('The decisions', 'Ours') + fileOf(A),
        top.replace('The decisions', 'Theirs') + fileOf(A),
      )
      expect(text).toBe(`Ours\nTheirs\n\nRead before you code.\n\n${fileOf(A)}`)
      expect(remarks).toEqual(['text outside the entries was changed on both sides; both versions stay'])
    })

    it('keeps a note between entries, wherever the entries around it go', () => {
      const note = '\nA note between.\n\n'
      const { text } = merge(fileOf(B, A), `${fileOf(B)}${note}${fileOf(A)}`, fileOf(C, A))
      expect(text).toContain('A note between.')
      expect(contents(text)).toEqual(['C', 'A'])
      const other = merge(fileOf(B, A), fileOf(C, A), `${fileOf(B)}${note}${fileOf(A)}`).text
      expect(other).toContain('A note between.')
      expect(contents(other)).toEqual(['C', 'A'])
    })
  })

  describe('after a rollover', () => {
    const summary = (id: string, count: number, ...lines: string[]) =>
      entry(
        0,
        [`Compacted ${count} older entries:`, ...lines, '', 'All of them are in `decisions/`.'].join('\n'),
        {
          id: `${id}-summary`,
          kind: 'rollover_summary',
          origin: 'machine',
        },
      )
    const read = (text: string) =>
      parseVaultFile(new TextEncoder().encode(text), OWNER).segments.flatMap(segment =>
        segment.type === 'entry' ? [segment.entry] : [],
      )

    it('takes the one summary that changed', () => {
      const rolled = fileOf(D, summary('3000-aaaa', 3, '- [2026-03-16T16:51] C'))
      expect(merge(fileOf(D, C, B, A), rolled, fileOf(D, C, B, A)).text).toBe(rolled)
      expect(merge(fileOf(D, C, B, A), fileOf(D, C, B, A), rolled).text).toBe(rolled)
    })

    it('makes one summary of two', () => {
      const was = summary('500-aaaa', 5, '- [2026-01-01T00:00] old')
      const ours = summary(
        '2000-aaaa',
        7,
        '- [2026-03-02T00:00] B',
        '- [2026-03-01T00:00] A',
        '- [2026-01-01T00:00] old',
      )
      const theirs = summary('1000-aaaa', 6, '- [2026-03-01T00:00] A', '- [2026-01-01T00:00] old')
      for (const [one, other] of [
        [fileOf(D, C, ours), fileOf(C, B, theirs)],
        [fileOf(C, B, theirs), fileOf(D, C, ours)],
      ] as const) {
        const { text, conflicts } = merge(fileOf(C, B, A, was), one, other)
        expect(conflicts).toEqual([])
        // Theirs left B in place, ours moved it: it is in a page now.
        expect(read(text).map(({ id }) => id)).toEqual(['4000-aaaa', '3000-aaaa', '2000-aaaa-summary'])
        expect(read(text).at(-1)?.content).toBe(ours.content)
      }
    })

    it('keeps an entry that one side changed while the other rolled it over', () => {
      const rolled = fileOf(D, summary('3000-aaaa', 3))
      const { text, remarks } = merge(fileOf(D, C, B, A), rolled, fileOf(D, C, { ...B, content: 'B2' }, A))
      expect(contents(text)).toEqual(['D', 'B2'])
      expect(remarks).toHaveLength(1)
    })
  })

  it('refuses a file in which an earlier conflict stands, or one in UTF-16', () => {
    const broken = `<<<<<<< a\n${fileOf(A)}=======\n${fileOf(B)}>>>>>>> b\n`
    expect(() => merge('', broken, fileOf(A))).toThrow('cannot be separated')
    expect(() =>
      mergeVaultFiles(
        {
          base: new Uint8Array(),
          ours: Buffer.from('\uFEFFx', 'utf16le'),
          theirs: new Uint8Array(),
          markers: MARKERS,
        },
        OWNER,
      ),
    ).toThrow('cannot be separated')
  })

  it('takes a base in conflict for one that says nothing of the entries in it', () => {
    const base = `${fileOf(C)}\n<<<<<<< a\n${fileOf(B)}=======\n${fileOf({ ...B, content: 'B2' })}>>>>>>> b\n\n${fileOf(A)}`
    const { text, conflicts } = merge(base, fileOf(C, B, A), fileOf(D, B))
    expect(contents(text)).toEqual(['D', 'B'])
    expect(conflicts).toEqual([])
  })
})

describe('any two histories of a file', () => {
  const TEXTS = [
    'plain',
    '---',
    'a\n\n---\n\nb',
    '## 2026-01-01\n\nheading',
    '<!-- id:9-x -->\n## 2026-01-01\nx',
    '=======',
    '>>>>>>> x',
    '<<<<<<< x',
    '',
    ' \n',
    '\r\n',
  ]
  const content = fc
    .record({ n: fc.nat(999), text: fc.constantFrom(...TEXTS) })
    .map(({ n, text }) => `${n} ${text}`)
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const), ms: fc.integer({ min: 1, max: 60 }), content }),
    fc.record({ do: fc.constant('edit' as const), at: fc.nat(20), content }),
    fc.record({ do: fc.constant('remove' as const), at: fc.nat(20) }),
    fc.record({ do: fc.constant('pin' as const), at: fc.nat(20) }),
  )
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

  function walk(start: readonly Entry[], steps: readonly Step[], side: string): Entry[] {
    let entries = [...start]
    for (const one of steps) {
      if (one.do === 'add') {
        const id = `${one.ms * 1000}-${side}`
        if (!entries.some(known => known.id === id)) entries.push(entry(0, one.content, { id }))
      } else if (entries.length > 0) {
        const target = entries[one.at % entries.length] as Entry
        if (one.do === 'remove') entries = entries.filter(known => known !== target)
        else
          entries = entries.map(known =>
            known !== target
              ? known
              : one.do === 'pin'
                ? { ...known, status: 'pinned' as const }
                : { ...known, content: one.content },
          )
      }
    }
    return entries.sort(
      (a, b) => Number.parseInt(b.id, 10) - Number.parseInt(a.id, 10) || (a.id < b.id ? 1 : -1),
    )
  }

  it('lose nothing and double nothing, and come to the same from both sides', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 12 }),
        fc.array(step, { maxLength: 8 }),
        fc.array(step, { maxLength: 8 }),
        fc.boolean(),
        (before, ourSteps, theirSteps, crlf) => {
          const base = walk([], before, 'base')
          const [ours, theirs] = [walk(base, ourSteps, 'ours'), walk(base, theirSteps, 'theirs')]
          const write = (entries: readonly Entry[]) =>
            entries.map(one => renderEntry(one, crlf ? '\r\n' : '\n')).join(crlf ? '\r\n' : '\n')
          const expected = oracle(base, ours, theirs)
          const merged = merge(write(base), write(ours), write(theirs))
          const back = merge(write(base), write(theirs), write(ours))
          for (const { text, conflicts } of [merged, back]) {
            const read = entriesOf(parseVaultFile(new TextEncoder().encode(text), OWNER))
            expect(conflicts.toSorted()).toEqual(expected.conflicts)
            expect(
              read.map(one => `${one.id.replace(/~2$/, '')} ${one.status} ${one.content}`).sort(),
            ).toEqual(expected.entries)
          }
        },
      ),
      { numRuns: 400 },
    )
  })

  /** Entry by entry, with nothing of the real code but the rule. */
  function oracle(base: readonly Entry[], ours: readonly Entry[], theirs: readonly Entry[]) {
    const entries: string[] = []
    const conflicts: string[] = []
    const say = (one: Pick<Entry, 'id' | 'status' | 'content'>) =>
      entries.push(`${one.id} ${one.status} ${one.content}`)
    for (const id of new Set([...ours, ...theirs].map(one => one.id))) {
      const [b, o, t] = [base, ours, theirs].map(list => list.find(one => one.id === id))
      if (o === undefined || t === undefined) {
        const left = (o ?? t) as Entry
        if (b === undefined || b.content !== left.content || b.status !== left.status) say(left)
      } else if (o.content !== t.content && o.content !== b?.content && t.content !== b?.content) {
        conflicts.push(id)
        say(o)
        say(t)
      } else {
        const status = o.status === t.status || t.status === b?.status ? o.status : t.status
        say({ id, status, content: o.content === b?.content ? t.content : o.content })
      }
    }
    return { entries: entries.sort(), conflicts: conflicts.sort() }
  }
})

describe('any three texts', () => {
  const LINES = [
    ...['alpha', 'beta', 'gamma', '# A heading', '---', '', '', '```', '=======', '>>>>>>> x', '\\<<<<<<< y'],
    ...['<!-- id:1000-a -->', '<!-- id:2000-b status:pinned -->', '<!-- id:1500-c kind:rollover_summary -->'],
    ...[
      '## 2026-01-01',
      '## 2026-01-02 · #x',
      '##',
      '\uFEFF',
      'Compacted 3 older entries:',
      '- [2026-01-01T00:00] x',
    ],
  ]
  const text = fc
    .tuple(fc.array(fc.constantFrom(...LINES), { maxLength: 25 }), fc.constantFrom('\n', '\r\n'))
    .map(([lines, eol]) => lines.map((line, at) => (/^[a-z]+$/.test(line) ? `${line}${at}` : line)).join(eol))

  it('lose nothing below a heading that the other side typed above it', () => {
    expect(() => merge('- x', '- x\n\nalpha', '##')).toThrow('cannot be separated')
  })

  it('lose no word that a side added, or are left to a merge of text', () => {
    const words = (of: string) => new Set(of.match(/(?:alpha|beta|gamma)\d+/g) ?? [])
    let merges = 0
    fc.assert(
      fc.property(text, text, text, (base, ours, theirs) => {
        let merged: ReturnType<typeof merge>
        try {
          merged = merge(base, ours, theirs)
        } catch (error) {
          expect(String(error)).toMatch(/cannot be separated|part of another entry/)
          return
        }
        merges++
        const [known, found] = [words(base), words(merged.text)]
        for (const word of [...words(ours), ...words(theirs)])
          if (!known.has(word)) expect(found, JSON.stringify({ base, ours, theirs })).toContain(word)
        for (const word of words(ours)) if (words(theirs).has(word)) expect(found).toContain(word)
      }),
      { numRuns: 3000 },
    )
    expect(merges).toBeGreaterThan(1000)
  })
})
