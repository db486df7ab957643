import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categoryOfSection, isCategoryName, parseFlatFile } from './flat-sections.ts'

const parse = (text: string, most = 16_384) =>
  parseFlatFile(text, most).map(({ category, content, date }) => [
    category,
    content,
    ...(date === undefined ? [] : [date]),
  ])

describe('which file a section belongs to', () => {
  it.each([
    ['Decisões', 'decisions'],
    ['Decisões Técnicas', 'decisions'],
    ['Decisions', 'decisions'],
    ['DECISION', 'decisions'],
    ['decisao', 'decisions'],
    ['3. Decisions (2026)', 'decisions'],
    ['🧭 Decisions:', 'decisions'],
    ['Decison log', 'decisions'],
    ['Decisiones', 'decisions'],
    ['Our architecture decisions', 'decisions'],
    ['Aprendizados', 'lessons'],
    ['Notas de Sessão', 'lessons'],
    ['Lessons', 'lessons'],
    ['Lessons learned', 'lessons'],
    ['Findings', 'lessons'],
    ['Notes', 'lessons'],
    ['Tarefas', 'tasks'],
    ['Tarefas pendentes', 'tasks'],
    ['Tasks', 'tasks'],
    ['Open tasks', 'tasks'],
    ['TODO', 'tasks'],
    ['Contexto', 'projects'],
    ['Contexto de Projeto', 'projects'],
    ['Contexto do Projeto', 'projects'],
    ['Context', 'projects'],
    ['Projects', 'projects'],
    ['Project context', 'projects'],
    ['Handoffs', 'handoffs'],
    ['Handoff — Monday', 'handoffs'],
    ['Anything else', 'lessons'],
    ['日本語', 'lessons'],
    ['', 'lessons'],
  ])('%s → %s', (heading, category) => {
    expect(categoryOfSection(heading)).toBe(category)
  })
})

describe('a flat memory file', () => {
  it('is one entry a section, in the category of its heading', () => {
    expect(
      parse(
        '# Dev\n\n## Decisões\n\n- SSE, not WebSockets\n- Redis\n\n## Aprendizados\nThe proxy drops idle sockets.\n\n## Whatever\nText.\n',
      ),
    ).toEqual([
      ['decisions', '- SSE, not WebSockets\n- Redis'],
      ['lessons', 'The proxy drops idle sockets.'],
      ['lessons', 'Whatever\n\nText.'],
    ])
    expect(parse('# Shop backend, second rewrite\n\n## Decisions\nUse pnpm.\n')).toEqual([
      ['decisions', 'Shop backend, second rewrite\n\nUse pnpm.'],
    ])
  })

  it('several ### are entries of their own, with the dates in their headings', () => {
    expect(
      parse(
        '## Decisions\nIntro.\n### 2026-01-02 Use SSE\nBecause.\n### 03/02/2026: Use Redis\nToo.\n## Handoffs 2026-03-16 16:51\nDone.',
      ),
    ).toEqual([
      ['decisions', 'Intro.'],
      ['decisions', '2026-01-02 Use SSE\n\nBecause.', '2026-01-02'],
      ['decisions', '03/02/2026: Use Redis\n\nToo.', '2026-02-03'],
      ['handoffs', 'Handoffs 2026-03-16 16:51\n\nDone.', '2026-03-16T16:51'],
    ])
    expect(parse('## Notes\nA\n### One part\nB\n')).toEqual([['lessons', 'A\n### One part\nB']])
    expect(parse('## Notes 2026-02-30\nA')).toEqual([['lessons', 'Notes 2026-02-30\n\nA']])
  })

  it('each task is an entry', () => {
    expect(parse('## Tasks\n- [ ] One\n  more of it\n- [x] Two\n')).toEqual([
      ['tasks', '- [ ] One\n  more of it'],
      ['tasks', '- [x] Two'],
    ])
  })

  it('what stands before the first section is project context, and headings in code are code', () => {
    expect(parse('Just text.\n\n## Notes\n```\n## not a heading\n```\n')).toEqual([
      ['projects', 'Just text.'],
      ['lessons', '```\n## not a heading\n```'],
    ])
    expect(parse('no sections at all')).toEqual([['projects', 'no sections at all']])
    expect(parse('')).toEqual([])
    expect(parse('\ufeff## Notes\r\nA\r\nB\r\n')).toEqual([['lessons', 'A\nB']])
  })

  it('a long section is split between its items, each with the heading', () => {
    const items = Array.from({ length: 40 }, (_, n) => `- Item ${n} ${'x'.repeat(60)}`)
    const entries = parse(`## Decisions of 2026\n${items.join('\n')}\n`, 1_000)
    expect(entries.length).toBeGreaterThan(2)
    for (const [category, content] of entries) {
      expect(category).toBe('decisions')
      expect(content).toMatch(/^Decisions of 2026\n\n- Item \d+/)
      expect(Buffer.byteLength(content ?? '')).toBeLessThanOrEqual(1_000)
    }
    expect(entries.flatMap(([, content]) => content?.match(/Item \d+/g) ?? [])).toHaveLength(40)
  })

  it('every line is found again in some entry, and no entry is longer than it may be', () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom(
        '## Decisões',
        '## Tasks',
        '### 2026-01-02',
        '### A',
        '# Title',
        '- [ ] do',
        '- item',
        '```',
        '',
        '---',
        '  nested',
      ),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), lines => {
        const text = lines.join('\n')
        const entries = parseFlatFile(text, 600)
        // Cut lines come back in parts; blanks and heading marks do not matter.
        const plain = (part: string) => part.replace(/^\s*#{1,3}\s+|\s*#*\s*$/g, '').replace(/\s+/g, '')
        const all = entries.map(({ content }) => content.replace(/\s+/g, '')).join('')
        const isForm = (one: string) => (/^##\s/.test(one) && isCategoryName(one)) || /^#\s+\S+\s*$/.test(one)
        for (const one of text.split(/\r\n|\n|\r/))
          if (!isForm(one)) expect(all).toContain(plain(one.replace(/^\ufeff/, '')))
        for (const { content } of entries) expect(Buffer.byteLength(content)).toBeLessThanOrEqual(600)
      }),
    )
  })
})
