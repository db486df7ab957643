import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../model/entry.ts'
import { settleTyped } from './typed-names.ts'
import { entriesOf, insertEntry, removeEntry, replaceEntry } from './vault-edit.ts'
import {
  dateOfFile,
  type EntrySegment,
  parseVaultFile,
  renderEntry,
  renderVaultFile,
  type VaultFile,
} from './vault-file.ts'

const owner = { agent: 'dev', category: 'lessons' } as const

function parse(text: string): VaultFile {
  return parseVaultFile(Buffer.from(text), owner, { undatedAs: '2026-11-18T09:30' })
}
function textOf(file: VaultFile): string {
  return Buffer.from(renderVaultFile(file)).toString('utf8')
}
function entrySegments(file: VaultFile): EntrySegment[] {
  return file.segments.filter(segment => segment.type === 'entry')
}
function contents(text: string): string[] {
  return entrySegments(parse(text)).map(({ entry }) => entry.content)
}
function loose(text: string): string {
  return parse(text)
    .segments.flatMap(segment => (segment.type === 'loose' ? [segment.raw] : []))
    .join('|')
}
function unread(text: string): string[] {
  return parse(text)
    .problems.filter(({ code }) => code === 'unread_text')
    .map(({ message }) => message.replace(/ (?:is|are) not part.*/, ''))
}
const canonical = (id: string, content = `content ${id}`) => renderEntry(entry(id, content), '\n')
function entry(id: string, content: string): Entry {
  return {
    id,
    ...owner,
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

describe('a typed heading', () => {
  it('is an entry with everything below it', () => {
    const text = '## Caches\n\nUse Redis.\n\n- one\n- two\n\n### Why\n\nIt is there.\n\n## Queues\n\nNone.\n'
    expect(contents(text)).toEqual([
      'Caches\n\nUse Redis.\n\n- one\n- two\n\n### Why\n\nIt is there.',
      'Queues\n\nNone.',
    ])
    expect(loose(text)).toBe('\n')
  })

  it('is confirmed and a person’s, with the date and the tags of its heading', () => {
    const [typed] = entrySegments(parse('\n### 2026-01-02 10:30 · Use tabs · #style #Go\n\nAlways.\n\n---\n'))
    expect(typed).toMatchObject({
      line: 2,
      idMissing: true,
      typed: 'heading',
      entry: {
        status: 'confirmed',
        origin: 'person',
        kind: 'lesson',
        date: '2026-01-02T10:30',
        content: 'Use tabs\n\nAlways.',
        tags: ['style', 'go'],
      },
    })
    expect(typed?.undated).toBeUndefined()
    expect(typed?.entry.id).toMatch(/^typed-[0-9a-f]{16}$/)
  })

  it.each([
    ['## 2026-01-02\n\nonly the body\n', ['only the body']],
    ['## Only the heading\n', ['Only the heading']],
    ['## Only the heading', ['Only the heading']],
    ['## Use #redis for caches #infra\n', ['Use #redis for caches']],
    ['## Closed ##\n\nx\n', ['Closed\n\nx']],
    ['##\n\nbody\n', ['body']],
    ['##\n\n##\n', []],
    [' ## Indented\n', ['Indented']],
    ['## 2026-01-02\n\na\n\n## 2026-01-03\n\nb\n', ['a', 'b']],
    ['### a\n## b\n### c\n#### d\n', ['a', 'b\n\n### c\n#### d']],
    ['## a\n\nx\n---\ny\n', ['a\n\nx']],
  ])('%j', (text, expected) => {
    expect(contents(text)).toEqual(expected)
  })

  it('takes the moment that the caller knows when it has no date', () => {
    const [typed] = entrySegments(parse('## Use tabs\n'))
    expect(typed).toMatchObject({ undated: true, entry: { date: '2026-11-18T09:30' } })
  })

  it('is reported when its date does not exist', () => {
    expect(parse('## 2026-13-01 Use tabs\n').problems.map(({ code }) => code)).toEqual(['bad_date'])
  })
})

describe('a heading of level 1', () => {
  it('is the title of the file when nothing is written below it', () => {
    expect(contents('# Lessons\n\n- a\n')).toEqual(['a'])
    expect(contents(`# Lessons\n\n${canonical('1')}`)).toEqual(['content 1'])
    expect(contents('# Lessons\n\n```\ncode\n```\n\n## x\n')).toEqual(['x'])
    expect(unread('# Lessons\n\n- a\n')).toEqual([])
  })

  it('is an entry with a paragraph of its own', () => {
    expect(contents('# Lessons\n\nRead them.\n\n- a\n\n## b\n')).toEqual(['Lessons\n\nRead them.', 'a', 'b'])
  })
})

describe('a typed bullet', () => {
  it.each([
    ['- a\n* b\n+ c\n', ['a', 'b', 'c']],
    ['- a\n  goes on\nand on\n\n  in a paragraph\n- b', ['a\ngoes on\nand on\n\nin a paragraph', 'b']],
    ['- a\n  - nested\n    - deeper\n- b\n', ['a\n- nested\n  - deeper', 'b']],
    ['- a\n\t- nested\n', ['a\n- nested']],
    ['- [ ] Rotate\n  the key\n- [x] Done\n', ['- [ ] Rotate\nthe key', '- [x] Done']],
    ['- a\n\nb\n', ['a']],
    ['- a\n## b\n- c\n', ['a', 'b\n\n- c']],
    ['- a\n---\n- b\n', ['a', 'b']],
    ['- a\n1. b\n', ['a']],
    ['- \n-\n- - -\n***\n', []],
    ['- a\n\n  ```\n  - code\n  ```\n- b\n', ['a\n\n```\n- code\n```', 'b']],
    ['- same\n- same\n', ['same', 'same']],
    ['- 中文\r\n- é\r\n', ['中文', 'é']],
  ])('%j', (text, expected) => {
    expect(contents(text)).toEqual(expected)
  })

  it('has an id made of its text, and another one if the text occurs twice', () => {
    const ids = entrySegments(parse('- same\n- same\n- Same\n')).map(({ entry: { id } }) => id)
    expect(ids[0]).toMatch(/^typed-[0-9a-f]{16}$/)
    expect(ids.slice(1)).toEqual([`${ids[0]}~2`, `${ids[0]}~3`])
  })
})

describe('what is not typed', () => {
  it('is in a closed code fence or in a comment', () => {
    const example = canonical('9').replaceAll('\n', '\n')
    for (const hidden of [
      `\`\`\`md\n- a\n## b\n${example}\`\`\`\n`,
      `~~~\n${example}\n${example}~~~\n`,
      '<!--\n- a\n## b\n-->\n',
      '<!-- a -->\n',
    ]) {
      expect(contents(`${hidden}- real\n`)).toEqual(['real'])
      expect(unread(`${hidden}- real\n`)).toEqual([])
    }
    expect(contents('- a <!-- b\n- c -->\n- d\n')).toEqual(['a <!-- b\n- c -->', 'd'])
  })

  it('is found after an unclosed fence or comment', () => {
    expect(contents('```\n\n- a\n')).toEqual(['a'])
    expect(contents('<!-- open\n\n- a\n')).toEqual(['a'])
    expect(contents(`\`\`\`\n\n${canonical('1', 'x\n```\ny\n```')}`)).toEqual(['x\n```\ny\n```'])
  })

  it('is reported when it has words, once for each run of lines', () => {
    expect(unread('Some text.\nMore.\n\nAnd more.\n\n## a\n\n---\n1. one\n2. two\n')).toEqual([
      'lines 1 to 4',
      'lines 9 to 10',
    ])
    expect(parse('Some text.\n').problems).toEqual([
      {
        code: 'unread_text',
        line: 1,
        message: 'line 1 is not part of an entry and is ignored',
        hint: 'Put `- ` or a heading (`## …`) before the text to make it an entry.',
      },
    ])
  })

  it.each([
    '',
    '\n\n',
    '# Title\n',
    '---\n***\n',
    '---\ntitle: x\n---\n',
    '\uFEFF\n',
    '<!-- words -->\n',
    '…\n',
  ])('is not reported without: %j', text => {
    expect(unread(text)).toEqual([])
  })
})

describe('the date of a file', () => {
  it('is in its name, or it is when the file was last changed', () => {
    const ms = Date.UTC(2026, 10, 20, 8, 15, 59)
    expect(dateOfFile('shared/decisions/2026-11-18-never-touch-redis-k3f9.md', ms)).toBe('2026-11-18T00:00')
    expect(dateOfFile('shared/decisions/2026-02.md', ms)).toBe('2026-11-20T08:15')
    expect(dateOfFile('shared/decisions/2026-13-45-x.md', ms)).toBe('2026-11-20T08:15')
  })
})

describe('editing typed entries', () => {
  it('writes it in the canonical form with its id, and leaves the others alone', () => {
    const text = '# Top\n\n- a\n- b\n- c\n'
    const [, b] = entriesOf(parse(text))
    const pinned: Entry = { ...(b as Entry), status: 'pinned' }
    const after = replaceEntry(parse(text), pinned)
    expect(textOf(after)).toBe(
      `# Top\n\n- a\n<!-- id:${b?.id} status:pinned -->\n## 2026-11-18T09:30 · b\n\nb\n\n---\n- c\n`,
    )
    expect(entriesOf(after).map(({ content }) => content)).toEqual(['a', 'b', 'c'])
  })

  it('removes a section with the line that ends it', () => {
    const text = '## a\n\nx\n\n---\n\n## b\n'
    expect(textOf(removeEntry(parse(text), entriesOf(parse(text))[0]?.id ?? ''))).toBe('## b\n')
  })

  it('does not let the text behind a removed entry become part of the entry before it', () => {
    const text = `## a\n\nx\n\n${canonical('1')}\nnote\n`
    const after = removeEntry(parse(text), '1')
    expect(entriesOf(after).map(({ content }) => content)).toEqual(['a\n\nx'])
    expect(textOf(after)).toBe('## a\n\nx\n\n\n---\n\nnote\n')
  })

  // N becomes a number of its own in each part. Entries without a title end at the last `---` line before the next one, whoever typed
  // that line.
  const part = fc.constantFrom(
    '- a bullet N\n',
    '* another N\n  - nested\n',
    '- [ ] a task N\n',
    '## A heading N\n\nwith text\n',
    '### 2026-01-02 · Dated N\n\n- with\n- bullets\n',
    '## Ended N\n\nx\n\n---\n',
    '# Title N\n',
    '# Title N\n\nwith a paragraph\n',
    'A loose paragraph.\n',
    '  indented\n',
    '1. numbered\n',
    '```\n- code\n```\n',
    '\n',
    '\n\n',
    '<!-- a comment -->\n',
    '> quoted\n',
    canonical('N', 'plain'),
    canonical('N', 'a\n\n---\n\nb'),
    canonical('N', '```\nx\n```'),
    canonical('N', 'open\n```'),
  )
  const some = fc.tuple(
    fc
      .array(part, { maxLength: 9 })
      .map(parts => parts.map((text, at) => text.replaceAll('N', `${90 - at}`))),
    fc.constantFrom('', '\uFEFF'),
    fc.boolean(),
  )
  const words = (file: VaultFile) =>
    file.segments
      .flatMap(segment => (segment.type === 'loose' ? segment.raw.replace('\uFEFF', '').split(/\r?\n/) : []))
      .filter(line => /\w/.test(line))

  it('keeps the bytes and the reading of everything else', () => {
    fc.assert(
      fc.property(
        some,
        fc.nat(),
        fc.constantFrom('edit', 'remove', 'insert'),
        ([parts, bom, crlf], at, what) => {
          const text = bom + (crlf ? parts.join('').replaceAll('\n', '\r\n') : parts.join(''))
          const before = parse(text)
          const all = entrySegments(before)
          const chosen = all[at % Math.max(1, all.length)]
          if (what !== 'insert' && chosen === undefined) return
          const id = what === 'insert' ? 'new' : (chosen?.entry.id ?? '')
          const changed = {
            ...(what === 'edit' ? (chosen?.entry as Entry) : entry('new', '')),
            content: 'CHANGED\n---\nx',
          }
          const after =
            what === 'insert'
              ? insertEntry(before, changed)
              : what === 'edit'
                ? replaceEntry(before, changed)
                : removeEntry(before, id)
          const others = (file: VaultFile) =>
            entrySegments(file)
              .filter(one => one.entry.id !== id)
              .map(one => one.raw)
          const read = parse(textOf(after))
          expect(others(read)).toEqual(others(before))
          expect(words(read)).toEqual(words(before))
          expect(read.segments.map(({ raw }) => raw)).toEqual(after.segments.map(({ raw }) => raw))
          const own = entrySegments(read).filter(one => one.entry.id === id)
          expect(own.map(one => one.entry.content)).toEqual(what === 'remove' ? [] : ['CHANGED\n---\nx'])
        },
      ),
      { numRuns: 3000 },
    )
  })
})

describe('the names of typed entries', () => {
  const settled = (text: string, known: readonly Entry[], isTaken: (id: string) => boolean) =>
    entrySegments(
      settleTyped(parse(text), {
        known: () => known.map(one => ({ entry: one, path: 'dev/lessons.md' })),
        isTaken,
        dateOf: () => undefined,
      }),
    ).map(one => one.entry.id)

  it('are those that the index has for the same text, each given once', () => {
    const [first = ''] = settled('- a\n', [], () => false)
    const known = [entry(`${first}~3`, 'a'), entry(`${first}~2`, 'A')]
    expect(settled('- a\n', known, () => false)).toEqual([`${first}~3`])
    expect(settled('- a\n- a\n', known, id => id === first)).toEqual([`${first}~3`, `${first}~2`])
    expect(settled('- a\n- a\n', [], id => id === first || id === `${first}~2`)).toEqual([
      `${first}~3`,
      `${first}~4`,
    ])
  })

  it('take a few steps each, however many entries there are and however many are alike', () => {
    let steps = 0
    const known = Array.from({ length: 1_000 }, (_, at) => ({
      ...entry(`typed-${at}`, ''),
      get content() {
        steps++
        return `old ${at}`
      },
    }))
    settled(Array.from({ length: 1_000 }, (_, at) => `- new ${at}\n`).join(''), known, () => false)
    settled('- a\n'.repeat(1_000), [], id => {
      steps++
      return !/~\d{4}$/.test(id)
    })
    expect(steps).toBeLessThan(10_000)
  })
})

describe('time', () => {
  it.each([
    ['bullets', '- a\n'],
    ['headings', '## a\n'],
    ['titles', '# a\n'],
    ['empty nested bullets', '  - \n'],
    ['fences that are never closed', '```js\n'],
    ['fences with entries', '```\n<!-- id:1 -->\n## 2026-01-01\n```\n'],
    ['fences of two kinds with entries', '```js\n<!-- id:1 -->\n## 2026-01-01\n~~~\n'],
    ['comments that are never closed', '<!-- a\n'],
    ['text', 'words\n'],
    ['untitled entries with open fences', '<!-- id:1 -->\n## 2026-01-01\n\n```\n'],
  ])('grows with the size of the file: %s', (_, line) => {
    const msFor = (times: number) => {
      const text = line.repeat(times)
      const start = process.cpuUsage()
      parse(text)
      return process.cpuUsage(start).user / 1000
    }
    msFor(1_000)
    const small = msFor(4_000)
    expect(msFor(64_000)).toBeLessThan(64 * small + 300)
  })
})
