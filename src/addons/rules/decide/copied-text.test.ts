import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import { readCopy, renderCopy } from './copied-text.ts'

const hash = (text: string) => fingerprint(JSON.stringify([...text]))
const given = { kind: 'hot', of: 'agent/rules/common/a.md', hash } as const

describe('a copy', () => {
  it('says what it is of, after front matter', () => {
    expect(renderCopy('# A\n', { ...given, frontMatter: 'alwaysApply: true' })).toMatch(
      /^---\nalwaysApply: true\n---\n<!-- cairn:hot copy of agent\/rules\/common\/a\.md hash=[0-9a-f]{16} -->\n# A\n$/,
    )
    expect(renderCopy('---\nname: a\n---\nBody', { ...given, kind: 'skill' })).toMatch(
      /^---\nname: a\n---\n<!-- cairn:skill copy of .* -->\nBody$/,
    )
    expect(renderCopy('\uFEFF---\r\nx: 1\r\n---\r\nBody\r\n', { ...given, frontMatter: 'y: 2' })).toMatch(
      /^---\r\ny: 2\r\n---\r\n<!-- .* -->\r\nBody\r\n$/,
    )
  })

  it('is known again, and so is a change of it, wherever it was made', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.boolean(), (source, at, hasFrontMatter) => {
        const copy = renderCopy(source, {
          ...given,
          ...(hasFrontMatter && { frontMatter: 'alwaysApply: true' }),
        })
        expect(readCopy(copy, hash)).toEqual({ kind: 'hot', of: given.of, isEdited: false })
        const body = copy.indexOf('-->\n') + 4
        const place = body + (at % (copy.length - body + 1))
        const edited = `${copy.slice(0, place)}x${copy.slice(place)}`
        expect(readCopy(edited, hash)?.isEdited).toBe(true)
      }),
    )
  })

  it('is no file without a marker', () => {
    expect(readCopy('# A\n', hash)).toBeUndefined()
    expect(readCopy('<!-- cairn:hot copy of a.md -->\n', hash)).toBeUndefined()
  })
})
