import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../model/entry.ts'
import { CairnError } from '../model/errors.ts'
import {
  appendEntry,
  assignIds,
  dropCopies,
  entriesOf,
  insertEntries,
  insertEntry,
  insertSegments,
  removeEntry,
  replaceEntry,
} from './vault-edit.ts'
import { type EntrySegment, parseVaultFile, renderVaultFile, type VaultFile } from './vault-file.ts'

const owner = { agent: 'dev', category: 'lessons' } as const

function parse(text: string | Uint8Array): VaultFile {
  return parseVaultFile(typeof text === 'string' ? Buffer.from(text) : text, owner)
}
function textOf(file: VaultFile): string {
  return Buffer.from(renderVaultFile(file)).toString('utf8')
}
function entry(id: string, content = `content ${id}`): Entry {
  return {
    id,
    agent: 'dev',
    category: 'lessons',
    kind: 'lesson',
    status: 'confirmed',
    origin: 'person',
    date: '2026-01-01T00:00',
    content,
    tags: [],
    files: [],
    importance: 0.5,
  }
}
/** As written in a file. */
function written(id: string, content = `content ${id}`): string {
  const [title = ''] = content.split('\n', 1)
  return `<!-- id:${id} -->\n## 2026-01-01T00:00 · ${title}\n\n${content}\n\n---\n`
}
function resultOrRefusal<T>(act: () => T): T | CairnError {
  try {
    return act()
  } catch (error) {
    if (error instanceof CairnError) return error
    throw error
  }
}
function refusal(act: () => unknown): CairnError {
  const result = resultOrRefusal(act)
  if (result instanceof CairnError) return result
  throw new Error('nothing was refused')
}

describe('insertEntry', () => {
  it('writes the first entry of an empty file', () => {
    expect(textOf(insertEntry(parse(''), entry('1')))).toBe(written('1'))
  })

  it('puts a new entry on top, after the leading text', () => {
    expect(textOf(insertEntry(parse(`# Lessons\n\n${written('1')}`), entry('2')))).toBe(
      `# Lessons\n\n${written('2')}\n${written('1')}`,
    )
  })

  it('puts an older entry at its place', () => {
    expect(textOf(insertEntry(parse(`${written('30')}\n${written('10')}`), entry('20')))).toBe(
      `${written('30')}\n${written('20')}\n${written('10')}`,
    )
  })

  it('puts the oldest entry at the end', () => {
    expect(textOf(insertEntry(parse(written('2')), entry('1')))).toBe(`${written('2')}\n${written('1')}`)
  })

  it('puts every entry above the summary', () => {
    const summary = '<!-- id:9-summary kind:rollover_summary -->\n## 2026-01-01\n\nCompacted\n\n---\n'
    expect(textOf(insertEntry(parse(`${written('20')}\n${summary}`), entry('1')))).toBe(
      `${written('20')}\n${written('1')}\n${summary}`,
    )
  })

  it('parts it from text that has no line end', () => {
    expect(textOf(insertEntry(parse('# Lessons'), entry('1')))).toBe(`# Lessons\n\n${written('1')}`)
    expect(textOf(insertEntry(parse('# Lessons\n'), entry('1')))).toBe(`# Lessons\n\n${written('1')}`)
  })

  it('keeps a BOM in front', () => {
    expect(textOf(insertEntry(parse('\uFEFF'), entry('1')))).toBe(`\uFEFF${written('1')}`)
    expect(textOf(insertEntry(parse(`\uFEFF${written('1')}`), entry('2')))).toBe(
      `\uFEFF${written('2')}\n${written('1')}`,
    )
  })

  it('ends an entry that lacks its --- before it follows it', () => {
    expect(textOf(insertEntry(parse('<!-- id:2 -->\n## 2026-01-01\n\nopen'), entry('1')))).toBe(
      `<!-- id:2 -->\n## 2026-01-01\n\nopen\n\n---\n\n${written('1')}`,
    )
  })

  it('writes with the line ends of the file', () => {
    const crlf = (text: string) => text.replaceAll('\n', '\r\n')
    expect(textOf(insertEntry(parse(crlf(written('1'))), entry('2')))).toBe(
      crlf(`${written('2')}\n${written('1')}`),
    )
  })

  it('writes UTF-8 into a file that is not, and leaves its bytes alone', () => {
    const latin1 = Buffer.from(written('1', 'caf\u00e9'), 'latin1')
    const file = insertEntry(parse(latin1), entry('2', 'olé ✓'))
    expect(
      Buffer.from(renderVaultFile(file)).equals(
        Buffer.concat([Buffer.from(`${written('2', 'olé ✓')}\n`), latin1]),
      ),
    ).toBe(true)
    expect(entriesOf(file).map(({ content }) => content)).toEqual(['olé ✓', 'caf\uFFFD'])
  })

  it('goes to the end of a file in conflict, where it belongs to neither side', () => {
    const text = `<<<<<<< a\n${written('1', 'ours')}=======\n${written('1', 'theirs')}>>>>>>> b\n`
    expect(textOf(insertEntry(parse(text), entry('2')))).toBe(`${text}\n${written('2')}`)
  })

  it('refuses a file in UTF-16, which UTF-8 in its middle would ruin', () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('notes', 'utf16le')])
    expect(refusal(() => insertEntry(parse(utf16), entry('1'))).code).toBe('vault_file_damaged')
  })

  it('is not swallowed by a comment that a conflict parted from its heading', () => {
    const text = '<<<<<<< a\n<!-- id:1 -->\n=======\n>>>>>>> b\n'
    expect(entriesOf(insertEntry(parse(text), entry('2'))).map(({ id }) => id)).toEqual(['2'])
  })

  it('compares with an entry without an id by its date', () => {
    const typed = '## 2026-01-02\n\ntyped\n\n---\n'
    expect(textOf(insertEntry(parse(typed), { ...entry('1'), date: '2026-01-03T00:00' }))).toMatch(
      /^<!-- id:1 /,
    )
    expect(textOf(insertEntry(parse(typed), entry('1')))).toBe(`${typed}\n${written('1')}`)
  })
})

describe('insertEntries', () => {
  it('places many entries as if one by one', () => {
    const file = parse(`# Top\n\n${written('50')}\n${written('30')}\nnote\n`)
    const entries = ['10', '40', '60', '20', '31'].map(id => entry(id))
    expect(textOf(insertEntries(file, entries))).toBe(textOf(entries.reduce(insertEntry, file)))
  })
})

describe('insertEntries, again', () => {
  it('leaves an entry that is there with equal content', () => {
    const file = parse(written('1'))
    expect(insertEntries(file, [entry('1')])).toBe(file)
  })
})

describe('insertSegments', () => {
  const segments = (text: string | Uint8Array) =>
    parse(text).segments.filter((segment): segment is EntrySegment => segment.type === 'entry')

  it('moves text unchanged', () => {
    const odd = '<!-- id:5   kind:warning -->\r\n## 2026-01-01   #a\r\nodd\r\n---\r\n'
    expect(textOf(insertSegments(parse(`${written('6')}\n${written('4')}`), segments(odd), 'utf8'))).toBe(
      `${written('6')}\n${odd}\n${written('4')}`,
    )
  })

  it('leaves out what is there already', () => {
    const page = parse(written('5'))
    expect(insertSegments(page, segments(written('5')), 'utf8')).toBe(page)
  })

  it('keeps both where the same id has other content', () => {
    const page = insertSegments(parse(written('5')), segments(written('5', 'other')), 'utf8')
    expect(entriesOf(page).map(({ id, content }) => [id, content])).toEqual([
      ['5', 'content 5'],
      ['5~2', 'other'],
    ])
  })

  it('keeps the bytes of a file that is not UTF-8', () => {
    const latin1 = Buffer.from(written('5', 'caf\u00e9'), 'latin1')
    const page = insertSegments(parse(written('4', '✓')), segments(latin1), 'bytes')
    expect(
      Buffer.from(renderVaultFile(page)).equals(
        Buffer.concat([latin1, Buffer.from(`\n${written('4', '✓')}`)]),
      ),
    ).toBe(true)
  })

  it('brings valid text of such a file into one that is UTF-8', () => {
    const mixed = Buffer.concat([Buffer.from(`${written('5', '✓')}\n`), Buffer.from([0xff])])
    const page = insertSegments(parse(''), segments(mixed), 'bytes')
    expect(page.encoding).toBe('utf8')
    expect(textOf(page)).toBe(written('5', '✓'))
  })

  it('ends an entry that lacks its ---', () => {
    expect(
      textOf(insertSegments(parse(''), segments('<!-- id:5 -->\n## 2026-01-01\n\nopen\n\n\n'), 'utf8')),
    ).toBe('<!-- id:5 -->\n## 2026-01-01\n\nopen\n\n\n---\n')
  })
})

describe('replaceEntry', () => {
  const file = parse(`top\n\n${written('2')}\nbetween\n\n${written('1')}\nend`)

  it('changes this entry and nothing else', () => {
    expect(textOf(replaceEntry(file, entry('2', 'new')))).toBe(
      `top\n\n${written('2', 'new')}\nbetween\n\n${written('1')}\nend`,
    )
  })

  it('gives the same file back when nothing changes', () => {
    expect(replaceEntry(file, entry('2'))).toBe(file)
  })

  it('keeps a heading that a person worded while the content stays', () => {
    for (const heading of ['## 2026-01-01 · a title #x', '## 2026-01-01   #x']) {
      const text = `<!-- id:1 -->\n${heading}\n\nsaid\n\n---\n`
      const changed = replaceEntry(parse(text), { ...entry('1', 'said'), tags: ['x'], status: 'pinned' })
      expect(textOf(changed)).toBe(text.replace('id:1', 'id:1 status:pinned'))
    }
  })

  it('keeps a heading whose title fits the new content', () => {
    const text = '<!-- id:1 -->\n## 2026-01-01 · Said · #x\n\nSaid. And more.\n\n---\n'
    const changed = replaceEntry(parse(text), { ...entry('1', 'Said. And less.'), tags: ['x'] })
    expect(textOf(changed)).toBe(text.replace('more', 'less'))
  })

  it('writes the title of new content', () => {
    const text = '<!-- id:1 -->\n## 2026-01-01 · a title #x\n\nold\n\n---\n'
    const changed = replaceEntry(parse(text), { ...entry('1', 'new'), tags: ['x'] })
    expect(textOf(changed)).toBe('<!-- id:1 -->\n## 2026-01-01T00:00 · new · #x\n\nnew\n\n---\n')
  })

  it('writes a heading that says something else', () => {
    const text = '<!-- id:1 -->\n## 2026-01-01 · #x\n\nold\n\n---\n'
    const changed = replaceEntry(parse(text), { ...entry('1', 'old'), tags: ['x', 'y'] })
    expect(textOf(changed)).toBe('<!-- id:1 -->\n## 2026-01-01T00:00 · old · #x #y\n\nold\n\n---\n')
  })

  it('refuses either side of a conflict until it is resolved', () => {
    const text = `<<<<<<< a\n${written('1', 'ours')}=======\n${written('1', 'theirs')}>>>>>>> b\n`
    for (const id of ['1', '1~2'])
      expect(refusal(() => replaceEntry(parse(text), entry(id, 'changed'))).code).toBe('vault_file_damaged')
  })

  it('changes an entry that no conflict touches', () => {
    const text = `<<<<<<< a\n${written('1', 'ours')}=======\n${written('1', 'theirs')}>>>>>>> b\n\n`
    expect(textOf(replaceEntry(parse(text + written('0')), entry('0', 'new')))).toBe(
      text + written('0', 'new'),
    )
  })

  it('refuses an entry that a conflict runs through', () => {
    const text = written('1', 'a\n<<<<<<< a\nb\n=======\nc\n>>>>>>> b')
    expect(refusal(() => replaceEntry(parse(text), entry('1', 'new')))).toMatchObject({
      code: 'vault_file_damaged',
      message: 'Entry 1 in dev/lessons is in an unresolved git conflict, lines 5 to 9.',
    })
  })

  it('takes copies of the old text away', () => {
    const twice = parse(`${written('1')}\n${written('1')}`)
    expect(textOf(replaceEntry(twice, entry('1', 'new')))).toBe(written('1', 'new'))
  })

  it('says when the entry is not there', () => {
    expect(refusal(() => replaceEntry(file, entry('9'))).code).toBe('entry_not_found')
  })
})

describe('removeEntry', () => {
  it.each([
    ['the only one', written('1'), '1', ''],
    ['the first', `${written('2')}\n${written('1')}`, '2', written('1')],
    ['the last', `${written('2')}\n${written('1')}`, '1', written('2')],
    [
      'one between',
      `${written('3')}\n${written('2')}\n${written('1')}`,
      '2',
      `${written('3')}\n${written('1')}`,
    ],
    ['after a preamble', `# Top\n\n${written('1')}`, '1', '# Top\n\n'],
    ['behind a BOM', `\uFEFF${written('2')}\n${written('1')}`, '2', `\uFEFF${written('1')}`],
    ['among loose text', `a\n\n${written('2')}\nb\n\n${written('1')}`, '2', `a\n\nb\n\n${written('1')}`],
    ['without blank lines', `${written('2')}${written('1')}x\n`, '2', `${written('1')}x\n`],
    ['with its copy', `${written('2')}\n${written('1')}\n${written('2')}`, '2', written('1')],
  ])('%s', (_, before, id, after) => {
    expect(textOf(removeEntry(parse(before), id))).toBe(after)
  })

  it('does not let the text behind it become part of the entry before it', () => {
    const text = `<!-- id:2 -->\n## 2026-01-01\n\nopen\n${written('1')}note\n`
    const after = removeEntry(parse(text), '1')
    expect(textOf(after)).toBe('<!-- id:2 -->\n## 2026-01-01\n\nopen\n\n---\nnote\n')
  })

  it('refuses an entry that a conflict runs through, and says when it is not there', () => {
    const text = written('1', '<<<<<<< a\nb\n=======\nc\n>>>>>>> b')
    expect(refusal(() => removeEntry(parse(text), '1')).code).toBe('vault_file_damaged')
    expect(refusal(() => removeEntry(parse(''), '1')).code).toBe('entry_not_found')
  })
})

describe('dropCopies', () => {
  it('leaves the first of equal entries and every different one', () => {
    const text = `${written('2')}\n${written('1')}\n${written('2')}\n${written('1', 'other')}`
    expect(textOf(dropCopies(parse(text)))).toBe(`${written('2')}\n${written('1')}\n${written('1', 'other')}`)
  })

  it('gives the same file back when there are none', () => {
    const file = parse(written('1'))
    expect(dropCopies(file)).toBe(file)
  })
})

describe('assignIds', () => {
  const numbered = () => {
    let last = 100
    return () => String(++last)
  }

  it('does not change typed entries', () => {
    const file = parse(`# Top\n\n## 2026-01-02 · #a\nfirst\n---\n\n${written('1')}\n- a\n- a\n`)
    expect(assignIds(file, numbered())).toBe(file)
    const empty = parse('<!-- id: kind:warning -->\n## 2026-01-02\n\nx\n\n---\n')
    expect(assignIds(empty, numbered())).toBe(empty)
  })

  it('gives a changed copy an id of its own, inside its comment', () => {
    const copy = '<!-- id:1 kind:warning future:x -->\n## 2026-01-01\n\nchanged\n\n---\n'
    expect(textOf(assignIds(parse(`${written('1')}\n${copy}`), numbered()))).toBe(
      `${written('1')}\n${copy.replace('id:1 ', 'id:101 ')}`,
    )
  })

  it('hands out what the entry says', () => {
    const seen: string[] = []
    assignIds(parse(written('1', 'a') + written('1', 'b')), ({ date, content }) => {
      seen.push(date, content)
      return '2'
    })
    expect(seen).toEqual(['2026-01-01T00:00', 'b'])
  })

  it('leaves a file with conflict markers as it is', () => {
    const file = parse('<<<<<<< a\n## 2026-01-02\n\nx\n\n---\n=======\n>>>>>>> b\n')
    expect(assignIds(file, numbered())).toBe(file)
  })

  it('gives the same file back when every entry has one', () => {
    const file = parse(written('1'))
    expect(assignIds(file, numbered())).toBe(file)
  })
})

describe('appendEntry', () => {
  it('is after everything else', () => {
    expect(textOf(appendEntry(parse(`${written('1')}note`), entry('9')))).toBe(
      `${written('1')}note\n\n${written('9')}`,
    )
  })
})

describe('entriesOf', () => {
  it('leaves summaries out and counts equal copies once', () => {
    const summary = '<!-- id:0-summary kind:rollover_summary -->\n## 2026-01-01\n\nCompacted\n\n---\n'
    const file = parse(`${written('2')}\n${written('1')}\n${written('2')}\n${summary}`)
    expect(entriesOf(file).map(({ id }) => id)).toEqual(['2', '1'])
  })
})

describe('other text around a change', () => {
  const contents = (file: VaultFile) => entriesOf(parse(textOf(file))).map(({ content }) => content)
  const idOfText = (file: VaultFile, text: string) =>
    entriesOf(file).find(({ content }) => content.startsWith(text))?.id ?? ''

  it('does not become front matter when the entry above it goes', () => {
    const file = parse('- first\n---\n- second\n- third\n---\n- fourth\n')
    const after = removeEntry(file, idOfText(file, 'first'))
    expect(contents(after)).toEqual(['second', 'third', 'fourth'])
    expect(textOf(after)).toBe('\n---\n- second\n- third\n---\n- fourth\n')
  })

  it('stays front matter: no line comes before the properties of another tool', () => {
    for (const eol of ['\n', '\r\n']) {
      const properties = '---\ntitle: x\n---\n'.replaceAll('\n', eol)
      const file = parse(`${properties}${eol}- first${eol}- second${eol}`)
      const first = entriesOf(file).find(({ content }) => content === 'first') as Entry
      for (const changed of [replaceEntry(file, { ...first, tags: ['a'] }), removeEntry(file, first.id)])
        expect(textOf(changed).startsWith(`${properties}${eol}`)).toBe(true)
    }
  })

  it('does not hide an entry as front matter when the section below a first rule goes', () => {
    const file = parse('---\n## First\ntext\n---\n- second\n---\n- third\n')
    const after = removeEntry(file, idOfText(file, 'First'))
    expect(contents(after)).toEqual(['second', 'third'])
  })

  it('does not become part of an entry of format 1 when the entry between them goes', () => {
    const old = '<!-- id:9 -->\n## 2026-01-02\n\nOld.\n\n---\n'
    const file = parse(`${old}\n${written('8')}\n## Typed\n\nBy hand.\n\n---\n`)
    expect(contents(removeEntry(file, '8'))).toEqual(['Old.', 'Typed\n\nBy hand.'])
  })

  it('is not hidden by a fence that the change would close: that change is refused', () => {
    const file = parse('- first\n\n```\nexample\n\n- second\n- third\n')
    const third = entriesOf(file).find(({ content }) => content === 'third') as Entry
    const change = { ...third, content: 'third\n\n```js\nx\n```' }
    expect(refusal(() => replaceEntry(file, change))).toMatchObject({ code: 'vault_file_damaged' })
  })
})

describe('any sequence of edits', () => {
  const content = fc
    .array(
      fc.constantFrom(
        '---',
        '\n',
        '\n\n',
        '\r\n',
        'a',
        'é',
        '## 2026-01-01\n',
        '<!-- id:1 -->\n',
        '\\## 2026-01-01',
        '```\n',
        ' ',
      ),
      { maxLength: 8 },
    )
    .map(parts => parts.join(''))
  const id = fc.constantFrom('10', '20', '30', '40', '50', 'x')
  const edit = fc.oneof(
    fc.record({ type: fc.constant('put' as const), id, content }),
    fc.record({ type: fc.constant('remove' as const), id }),
  )
  const looseText = fc.constantFrom(
    '',
    '\n',
    '# Top\n\n',
    'note',
    'note\n',
    '\n\nnote\n\n',
    '## Meeting\n',
    '> quote\n\n',
  )
  const start = fc
    .record({
      bom: fc.constantFrom('', '\uFEFF'),
      front: fc.constantFrom('', '---\ntitle: x\n---\n', '# Top\n\n'),
      parts: fc.array(
        fc.tuple(
          fc.constantFrom('15', '25', '35', '45', ''),
          fc.constantFrom('\n\n---\n', '\n---\n', '\n', '\n\n---\n\n'),
          looseText,
        ),
        { maxLength: 4 },
      ),
      crlf: fc.boolean(),
    })
    .map(({ bom, front, parts, crlf }) => {
      const seen = new Set<string>()
      let text = front
      for (const [own, end, after] of parts) {
        if (seen.has(own)) continue
        seen.add(own)
        if (text !== '' && !text.endsWith('\n')) text += '\n'
        text += `${own === '' ? '' : `<!-- id:${own} -->\n`}## 2026-01-0${seen.size}\n\nseeded ${own}${end}${after}`
      }
      return bom + (crlf ? text.replaceAll('\n', '\r\n') : text)
    })
  const looseWords = (file: VaultFile) =>
    file.segments
      .flatMap(segment => (segment.type === 'loose' ? segment.raw.split(/\r?\n/) : []))
      .filter(line => line !== '' && line !== '\uFEFF')
      .sort()

  it('keeps every other entry and all loose text, and reads back as it was returned', () => {
    fc.assert(
      fc.property(start, fc.array(edit, { maxLength: 12 }), (text, edits) => {
        let file = parse(text)
        const expectedById = new Map(entriesOf(file).map(found => [found.id, found.content]))
        const loose = looseWords(file)
        for (const step of edits) {
          const known = expectedById.has(step.id)
          if (step.type === 'put') {
            const next = entry(step.id, step.content)
            file = known ? replaceEntry(file, next) : insertEntry(file, next)
            expectedById.set(step.id, step.content)
          } else if (known) {
            file = removeEntry(file, step.id)
            expectedById.delete(step.id)
          }
          const found = new Map(entriesOf(file).map(read => [read.id, read.content]))
          expect(new Map([...found].sort())).toEqual(new Map([...expectedById].sort()))
          expect(looseWords(file)).toEqual(loose)
          expect(parse(renderVaultFile(file))).toEqual(file)
        }
      }),
      { numRuns: 1500 },
    )
  })

  it('ends where it began when every insert is removed again', () => {
    const base = `# Top\n\n${written('50')}\n${written('30')}\nnote\n\n${written('10')}`
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom('60', '40', '20', '51', '31'), { minLength: 1 }), ids => {
        const full = ids.reduce((file, next) => insertEntry(file, entry(next)), parse(base))
        expect(textOf(ids.reduce(removeEntry, full))).toBe(base)
      }),
    )
  })

  it('finds every entry of any file again, conflicts and broken bytes included', () => {
    const fragment = fc.constantFrom(
      ...[
        '---',
        '\n---\n',
        '\n',
        '\n',
        '\r\n',
        '\r',
        ' ',
        '\uFEFF',
        '\\',
        'text',
        'more\n',
        '```\n',
        '#tag',
        '· ',
        '## x\n',
      ],
      ...[
        '## 2026-01-01\n',
        '## 2026-01-02 · #x\n',
        '<!-- id:1 -->\n',
        '<!-- id:2 -->\n',
        '\\<!-- id:1 -->\n',
      ],
      ...[
        '<!-- id:3 -->\n## 2026-01-01\n\n',
        '<!-- id:4 -->\n## 2026-01-01\n\n',
        '<!-- id:5 -->\r\n## 2026-01-01\r\n\r\n',
      ],
      ...['<<<<<<< a\n', '=======\n', '>>>>>>> b\n', '<<<<<<< a\n', '=======\n', '>>>>>>> b\n'],
    )
    const bytes = fc
      .tuple(fc.array(fragment, { maxLength: 30 }), fc.constantFrom([], [0xff]))
      .map(([parts, tail]) => Buffer.concat([Buffer.from(parts.join('')), Buffer.from(tail)]))
    // If a conflict cuts an entry off before its end, the blank lines after it belong to no entry.
    const contents = (file: VaultFile) =>
      [...new Set(entriesOf(file).map(({ content }) => content.trimEnd()))].filter(Boolean).sort()
    const runs = 3000
    let refused = 0
    fc.assert(
      fc.property(bytes, fc.constantFrom('0', '99', '2-x'), (before, next) => {
        const file = parse(before)
        const added = resultOrRefusal(() => insertEntry(file, entry(next, 'NEW\n---\n## 2026-01-01')))
        // An open code fence, or an unresolved conflict, can leave no safe place for an entry.
        if (added instanceof CairnError) {
          expect(added.code).toBe('vault_file_damaged')
          expect(before.toString('latin1')).toMatch(/```|<<<<<<</)
          refused += 1
          return
        }
        expect(contents(added)).toEqual([...contents(file), 'NEW\n---\n## 2026-01-01'].sort())
        expect(parse(renderVaultFile(added))).toEqual(added)
        expect(contents(removeEntry(added, next))).toEqual(contents(file))
        let last = 1000
        expect(contents(assignIds(added, () => String(++last)))).toEqual(contents(added))
      }),
      { numRuns: runs },
    )
    expect(refused).toBeLessThan(runs / 100)
  })
})
