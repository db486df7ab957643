import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitFrontMatter } from './front-matter.ts'
import { renderValue, setFields } from './front-matter-edit.ts'
import { readYamlFields } from './yaml-front-matter.ts'

const edited = (text: string, fields: Parameters<typeof setFields>[1]) => {
  const result = setFields(text, fields)
  return result.kind === 'edited' ? result.text : result
}

describe('setting a field leaves every other byte', () => {
  it('keeps comments, order, quotes and blanks', () => {
    expect(
      edited('---\n# ours\nstatus:   new   # later\nname: "X"\n\ntags: [a,  b]\n---\n# X\nstatus: new\n', {
        status: 'done',
        name: 'Y',
        updated: '2026-02-09',
      }),
    ).toBe(
      '---\n# ours\nstatus:   done   # later\nname: "Y"\n\ntags: [a,  b]\nupdated: 2026-02-09\n---\n# X\nstatus: new\n',
    )
  })

  it.each([
    ['CRLF', '---\r\nstatus: new\r\n---\r\nx\r\n', '---\r\nstatus: done\r\ntags: [a]\r\n---\r\nx\r\n'],
    ['a BOM', '\ufeff---\nstatus: new\n---\nx', '\ufeff---\nstatus: done\ntags: [a]\n---\nx'],
    ['single quotes', "---\nstatus: 'new'\n---\n", "---\nstatus: 'done'\ntags: [a]\n---\n"],
    ['an empty value', '---\nstatus:\ntags:\n---\n', '---\nstatus: done\ntags: [a]\n---\n'],
    [
      'a list of items',
      '---\ntags:\n  - x # why\n  - y\nstatus: new\n---\n',
      '---\ntags: [a]\nstatus: done\n---\n',
    ],
    [
      'a block of text',
      '---\nstatus: |\n  new\n\nname: x\n---\n',
      '---\nstatus: done\n\nname: x\ntags: [a]\n---\n',
    ],
    ['indented keys', '---\n  status: new\n---\n', '---\n  status: done\n  tags: [a]\n---\n'],
    ['no field at all', '---\n# nothing\n---\nx', '---\n# nothing\nstatus: done\ntags: [a]\n---\nx'],
    ['an empty front matter', '---\n---\nx', '---\nstatus: done\ntags: [a]\n---\nx'],
    ['no front matter', '# X\n', '---\nstatus: done\ntags: [a]\n---\n\n# X\n'],
    ['no front matter, CRLF', '\r\n# X\r\n', '---\r\nstatus: done\r\ntags: [a]\r\n---\r\n\r\n# X\r\n'],
    ['an empty file', '', '---\nstatus: done\ntags: [a]\n---\n'],
  ])('with %s', (_, before, after) => {
    expect(edited(before, { status: 'done', tags: ['a'] })).toBe(after)
  })

  it.each([
    ['---\nstatus: new\n', { kind: 'refused', line: 1, why: 'its front matter has no end' }],
    [
      '---\n{status: new}\n---\n',
      { kind: 'refused', line: 2, why: 'it is written in braces, not as `key: value` lines' },
    ],
    [
      '---\nstatus: &s new\nother: *s\n---\n',
      { kind: 'refused', line: 2, why: 'a field of it depends on another' },
    ],
    ['---\nname: a: b\n---\n', { kind: 'refused', line: 2 }],
  ])('or refuses: %j', (text, refusal) => {
    expect(edited(text, { status: 'done' })).toMatchObject(refusal)
  })

  it('holds for any front matter that YAML reads', () => {
    const value = fc.constantFrom(
      ...[
        'x',
        '"x: y"',
        "'it''s'",
        '[a, b]',
        '12',
        'true',
        '',
        '|\n  one\n  two',
        '>-\n  folded\n  text',
        '\n  - a\n  - b # c',
        '{a: b}',
        'x # note',
        '"a\\nb"',
      ],
    )
    const key = fc.constantFrom('name', 'status', 'tags', 'created', 'other')
    const world = fc.record({
      pairs: fc.uniqueArray(fc.tuple(key, value, fc.constantFrom('', '# a comment\n', '\n')), {
        selector: ([name]) => name,
        maxLength: 5,
      }),
      body: fc.constantFrom('', '# Body\n', '---\nstatus: new\n---\n', 'text'),
      isCrlf: fc.boolean(),
      set: fc.dictionary(
        fc.constantFrom('status', 'tags', 'updated', 'name'),
        fc.oneof(
          fc.string({ maxLength: 10 }),
          fc.constantFrom('done', '2026-02-08', 'true', '- a', 'a: b'),
          fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
        ),
        { minKeys: 1, maxKeys: 3 },
      ),
    })
    fc.assert(
      fc.property(world, ({ pairs, body, isCrlf, set }) => {
        const written = `---\n${pairs.map(([name, text, above]) => `${above}${name}: ${text}\n`).join('')}---\n${body}`
        const text = isCrlf ? written.replaceAll('\n', '\r\n') : written
        const result = setFields(text, set)
        expect(result.kind, JSON.stringify(text)).toBe('edited')
        if (result.kind !== 'edited') return
        const [old, now] = [splitFrontMatter(text), splitFrontMatter(result.text)]
        if (old.kind !== 'found' || now.kind !== 'found') throw new Error('there is front matter')
        expect(result.text.slice(now.bodyStart)).toBe(text.slice(old.bodyStart))
        const [before, after] = [readYamlFields(old.yaml), readYamlFields(now.yaml)]
        if (before.kind !== 'read' || after.kind !== 'read') throw new Error('both are YAML')
        for (const [name, field] of before.fields)
          if (!Object.hasOwn(set, name)) expect(after.fields.get(name)?.value).toEqual(field.value)
        for (const [name, wanted] of Object.entries(set))
          expect(after.fields.get(name)?.value).toEqual(wanted)
        // Every comment between fields is still there.
        expect(now.yaml.split('# a comment').length).toBe(old.yaml.split('# a comment').length)
        // And the same again changes nothing.
        expect(setFields(result.text, set)).toEqual({ kind: 'edited', text: result.text })
      }),
      { numRuns: 1_500 },
    )
  })
})

it('a value is written so that it reads back', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), text => {
      const read = readYamlFields(`k: ${renderValue(text)}\nl: ${renderValue([text])}\n`)
      expect(read).toMatchObject({ kind: 'read' })
      if (read.kind === 'read')
        expect([read.fields.get('k')?.value, read.fields.get('l')?.value]).toEqual([text, [text]])
    }),
  )
})
