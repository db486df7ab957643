import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import { factsOf } from './note-facts.ts'
import { noteNames } from './note-name.ts'
import { factsOfNote, inertText, readNote, renderNote, rewriteNote, textOfInert } from './note-text.ts'

const B = '\u2060'
const ENTRY: Entry = {
  id: '1773679871839-k3f9',
  agent: 'dev',
  category: 'decisions',
  kind: 'decision',
  status: 'confirmed',
  origin: 'person',
  date: '2026-03-16T16:51',
  content: '',
  tags: [],
  files: [],
  importance: 0.5,
}
const NAMES = noteNames([{ id: ENTRY.id, path: 'dev/decisions/A k3f9.md' }], 'Cairn/shop')

/** What the plugins look for, as their sources do. */
const RUNS: readonly RegExp[] = [
  /<%/,
  /`\s*\$=/,
  /(?:```|~~~)[^\S\r\n]*(?:dataviewjs|datacore[jt]sx?|js-engine|tasks|runjs|button)(?!\S)/i,
]

/** Texts full of what is active, nearly active, and of breaks that were there before. */
const hostile = fc
  .array(
    fc.constantFrom(
      ...[
        '<',
        '%',
        '<%',
        '%>',
        '<%*',
        '`',
        '``',
        '```',
        '````',
        '~~~',
        '$',
        '=',
        '$=',
        ' ',
        '\t',
        '\n',
        '\r\n',
      ],
      ...[
        B,
        B + B,
        'dataviewjs',
        'DataviewJS',
        'js',
        'tasks',
        'js-engine',
        '> ',
        '- ',
        '---',
        '\ufeff',
        '\u200b',
      ],
      ...['[[1773679871839-k3f9]]', '[[A k3f9]]', 'text', ':', '"', '#tag', 'é', '日本'],
    ),
    { maxLength: 40 },
  )
  .map(parts => parts.join(''))
const anyText = fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 200 }))

describe('inertText', () => {
  it('breaks what plugins run by one character that nobody sees, and leaves code alone that is only shown', () => {
    expect(inertText('<%* require("fs") %>')).toBe(`<${B}%* require("fs") %>`)
    expect(inertText('now `$= dv.io.load(1)` and ``  $=1``')).toBe(
      `now \`${B}$= dv.io.load(1)\` and \`\`  ${B}$=1\`\``,
    )
    expect(inertText('> ```dataviewjs\n> 1\n> ```')).toBe(`> \`\`\`${B}dataviewjs\n> 1\n> \`\`\``)
    expect(inertText('~~~ some-plugin\n~~~')).toBe(`~~~ ${B}some-plugin\n~~~`)
    const shown = '```ts\nconst a = `b`\n```\n\n~~~\nplain\n~~~\n\n100 % < 200, [href$=".md"], `x = 1`'
    expect(inertText(shown)).toBe(shown)
  })

  it('is taken back exactly, whatever the text and however many breaks it has already', () => {
    fc.assert(
      fc.property(anyText, text => {
        expect(textOfInert(inertText(text))).toBe(text)
      }),
      { numRuns: 2_000 },
    )
  })

  it('leaves nothing that a plugin would run', () => {
    fc.assert(
      fc.property(anyText, text => {
        for (const runs of RUNS) expect(inertText(text)).not.toMatch(runs)
      }),
      { numRuns: 2_000 },
    )
  })

  it('gives what a person wrote without a break to the entry as it is', () => {
    for (const text of ['<% tp.date.now() %>', '```dataviewjs\ndv.list()\n```', '`$= 1`'])
      expect(textOfInert(text)).toBe(text)
  })

  it('takes time that grows with the text alone', () => {
    for (const part of ['```a', '`', '<', `<${B}`, '~~~~ ', `\`\`\`${B}`]) {
      const text = part.repeat(Math.floor(400_000 / part.length))
      expect(textOfInert(inertText(text))).toBe(text)
    }
  })
})

describe('a note', () => {
  it('says exactly what its entry says, in its text and its properties, and runs nothing of it', () => {
    fc.assert(
      fc.property(hostile, fc.array(hostile, { maxLength: 2 }), (content, files) => {
        const fit = files.map(file => file.replace(/\s+/g, ' ').trim()).filter(file => file !== '')
        const entry = { ...ENTRY, content, files: fit }
        const text = renderNote(entry, NAMES)
        for (const runs of RUNS) expect(text).not.toMatch(runs)
        const note = readNote(text)
        if (note.kind !== 'read') throw new Error(note.why)
        const known = factsOf(entry)
        const facts = factsOfNote(note, known, NAMES)
        expect(facts.files).toEqual(fit)
        expect(facts.content).toBe(
          factsOfNote({ ...note, body: content.endsWith('\n') ? content : `${content}\n` }, known, NAMES)
            .content,
        )
      }),
      { numRuns: 500 },
    )
  })

  it('that its owner wrote runs nothing any more once an entry has given it its text', () => {
    const text = '---\ncairn: "1773679871839-k3f9"\nview: <% mine %>\n---\n```dataviewjs\nmine\n```\n'
    const note = readNote(text)
    if (note.kind !== 'read') throw new Error(note.why)
    expect(note.body).toBe('```dataviewjs\nmine\n```\n')
    const entry = { ...ENTRY, content: '```dataviewjs\ntheirs\n```' }
    expect(rewriteNote({ text, note }, entry, { names: NAMES, set: ['content'] })).toMatchObject({
      text: expect.stringMatching(/view: <% mine %>\n[\s\S]*\n---\n```\u2060dataviewjs\ntheirs\n```\n$/),
    })
  })
})
