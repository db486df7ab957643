import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appendLearning, contentOf, readLearnings, renderLearning } from './learnings-file.ts'
import type { DocumentPlace } from './place.ts'

const PLACE: DocumentPlace = { kind: 'lesson', scope: { workspace: 'devtools' }, path: 'lessons.md' }
const read = (text: string) => readLearnings(text, PLACE)

/** Seed B, section 4.5, filled in. */
const LESSON = `### [2026-02-23] pnpm isolates strictly

**Category:** debugging
**Tags:** pnpm, nestjs, module-resolution

require.resolve() must be called from the consuming package.

---
`

describe('an entry', () => {
  it('is read and written as the seed has it', () => {
    const [lesson] = read(LESSON).learnings
    expect(lesson).toEqual({
      scope: { workspace: 'devtools' },
      kind: 'lesson',
      title: 'pnpm isolates strictly',
      text: 'require.resolve() must be called from the consuming package.',
      date: '2026-02-23',
      category: 'debugging',
      tags: ['pnpm', 'nestjs', 'module-resolution'],
      path: 'lessons.md',
      line: 1,
    })
    if (lesson === undefined) return
    expect(renderLearning({ ...lesson, date: '2026-02-23', category: 'debugging' })).toBe(LESSON)
  })

  it('is found among text that is none, with CRLF, a BOM and blanks', () => {
    const { learnings, problems } = read(
      `\ufeff# Lessons\r\n\r\nOurs, by hand.\r\n\r\n${LESSON.replaceAll('\n', '\r\n')}\r\n## Older\r\n\r\nSee the wiki.\r\n`,
    )
    expect(problems).toEqual([])
    expect(learnings.map(({ title, text, line }) => ({ title, text, line }))).toEqual([
      {
        title: 'pnpm isolates strictly',
        text: 'require.resolve() must be called from the consuming package.',
        line: 5,
      },
    ])
  })

  it('keeps rules, lower headings and code in its text', () => {
    const text = 'Above.\n\n---\n\n#### Detail\n\n```md\n### [2020-01-01] in a code block\n```\n\nBelow.'
    expect(read(`### [2026-02-23] T\n\n**Category:** c\n\n${text}\n\n---\n`).learnings).toMatchObject([
      { text },
    ])
  })

  it('without a date and a category is an entry of its own below another one, and reported', () => {
    const { learnings, problems } = read(
      `# Lessons\n\n### How to use this file\n\nRead it.\n\n${LESSON}\n### No date\n\nIts text.\n\n# Other\n\n### Not one\n`,
    )
    expect(learnings.map(({ title, text }) => [title, text]).slice(1)).toEqual([['No date', 'Its text.']])
    expect(problems.map(({ code, line }) => [code, line])).toEqual([
      ['date_missing', expect.any(Number)],
      ['category_missing', expect.any(Number)],
    ])
  })

  it('is not swallowed by a block of code that nobody closed', () => {
    expect(
      read(`### [2026-02-23] A\n\n**Category:** c\n\n\`\`\`\nopen\n\n---\n\n${LESSON}`).learnings.map(
        each => each.title,
      ),
    ).toEqual(['A', 'pnpm isolates strictly'])
  })

  it.each([
    ['### [2026-02-30] T\n\n**Category:** c\n', 'date_invalid', 1],
    ['### [soon] T\n\n**Category:** c\n', 'date_invalid', 1],
    ['\n### T\n**Category:** c\n', 'date_missing', 2],
    ['### [2026-02-23] T\n\ntext\n', 'category_missing', 1],
    ['### [2026-02-23] T\n\n**Category:**\n\ntext\n', 'category_missing', 1],
  ])('with a fault is told, and so is the fault: %j', (text, code, line) => {
    const { learnings, problems } = read(text)
    expect(learnings.map(each => each.title)).toEqual(['T'])
    expect(problems).toEqual([
      {
        code,
        path: 'lessons.md',
        line,
        message: expect.stringContaining(`lessons.md:${line}: `),
        hint: expect.stringContaining('Expected: `### [YYYY-MM-DD] Title`'),
      },
    ])
  })

  it('is told with its title and its text', () => {
    expect(contentOf({ title: 'Chose xstate', text: '' })).toBe('Chose xstate')
    expect(contentOf({ title: 'Chose xstate', text: 'typed' })).toBe('Chose xstate — typed')
    expect(contentOf({ title: 'Chose xstate', text: 'Chose xstate: typed' })).toBe('Chose xstate: typed')
    expect(contentOf({ title: 'Chose xstate', text: 'one\ntwo' })).toBe('Chose xstate\n\none\ntwo')
  })
})

describe('appending', () => {
  const entry = { title: 'T', text: 'x', date: '2026-02-23', category: 'c', tags: [] }
  const written = '### [2026-02-23] T\n\n**Category:** c\n\nx\n\n---\n'

  it.each([
    [undefined, written],
    ['', written],
    ['\ufeff', `\ufeff${written}`],
    ['# Lessons', `# Lessons\n\n${written}`],
    ['# Lessons\n', `# Lessons\n\n${written}`],
    [`${LESSON}`, `${LESSON}\n${written}`],
    [`${LESSON}\n`, `${LESSON}\n${written}`],
    ['# L\r\n', `# L\r\n\r\n${written.replaceAll('\n', '\r\n')}`],
  ])('to %j', (before, after) => {
    expect(appendLearning(before, entry)).toBe(after)
  })

  it('any text reads back as it was, and what stood before is untouched', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '',
        '---',
        '### [2026-01-01] x',
        '# x',
        '## y',
        '\\# z',
        '```',
        '~~~',
        '```js',
        '**Category:** z',
        '**Tags:** q',
        '  - [ ] a',
        '#### deep',
        '\\\\### a',
        '    ```',
      ),
      fc.string({ maxLength: 12 }).map(text => text.replace(/[\r\n]/g, '')),
    )
    const texts = fc.array(line, { maxLength: 6 }).map(lines =>
      lines
        .join('\n')
        .replace(/^\s*\n/, '')
        .replace(/(?:\s|\n---[ \t]*)+$/, '')
        .replace(/^(?:---\s*)+$/, '')
        .trim(),
    )
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1, maxLength: 3 }), bodies => {
        let file: string | undefined
        for (const text of bodies) {
          const before: string = file ?? ''
          file = appendLearning(file, { ...entry, text })
          expect(file.startsWith(before)).toBe(true)
        }
        expect(
          read(file ?? '').learnings.map(({ title, text, category }) => ({ title, text, category })),
        ).toEqual(bodies.map(text => ({ title: 'T', text, category: 'c' })))
      }),
      { numRuns: 2_000 },
    )
  })
})
