import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractTags, mergeTags, normaliseTag } from './tags.ts'

describe('extractTags', () => {
  it.each([
    ['one at the start', '#auth first', ['auth']],
    ['after a blank, a line end or a parenthesis', 'a #b\n#c (#d)\t#e', ['b', 'c', 'd', 'e']],
    ['with digits, _ and -', '#web2 #snake_case #kebab-case', ['web2', 'snake_case', 'kebab-case']],
    ['in lower case, each once', '#Auth #auth #AUTH', ['auth']],
    ['of any script, composed', '#decisão #decisa\u0303o #设计', ['decisão', '设计']],
    ['without the punctuation behind it', '#auth, #api. #done! #later-', ['auth', 'api', 'done', 'later']],
    ['not a heading', '# Title\n## Two\n###three', []],
    ['not an issue number', '#123 #4a', []],
    ['not a hexadecimal colour', '#a1b2c3 #C0FFEE #aabbcc0f', []],
    ['but words that could be short colours', '#e2e #b2b #facade #fff', ['e2e', 'b2b', 'facade', 'fff']],
    ['not a URL fragment', 'https://x.org/#part x.md#part [see](#part) [see](x.md#part)', []],
    ['not in the middle of a word', 'C# a#b "#c" \\#d', []],
    ['not in a code span', 'a `#b` c ``#d ` #e`` #f', ['f']],
    ['after a backtick that nothing closes', 'a ` #b', ['b']],
    ['a code span ends with its paragraph', 'a ` b\n\n#c `', ['c']],
    ['not in a fence', '#a\n```ts\n#b\n```\n#c\n~~~\n#d\n```\n#e\n~~~\n#f', ['a', 'c', 'f']],
    ['not in a longer or indented fence', '````\n```\n#a\n````\n- x\n  ```\n  #b\n  ```\n  #c', ['c']],
    ['not after a fence that is never closed', '#a\n```\n#b', ['a']],
    ['inline code that only looks like a fence', '```#a``` #b', ['b']],
  ])('%s', (_, content, tags) => {
    expect(extractTags(content)).toEqual(tags)
  })

  it('takes time in proportion to the text', () => {
    const hostile = ['`', '``', '#a-', '#a`', '\n```\n#', '(#', '# ', '#x '].flatMap(part => [
      `#a ${part.repeat(20_000)}`,
      `#a ${Array.from({ length: 300 }, (_, i) => '`'.repeat(i + 1)).join(' ')}${part.repeat(1000)}`,
    ])
    const start = performance.now()
    for (const text of hostile) extractTags(text)
    expect(performance.now() - start).toBeLessThan(2000)
  })
})

describe('normaliseTag', () => {
  it.each([
    ['#Auth', 'auth'],
    ['two words', 'two-words'],
    ['a\nb', 'a-b'],
    ['c++', 'c++'],
    ['node.js', 'node.js'],
    ['a,b#c', 'abc'],
    ['Decisa\u0303o', 'decisão'],
    [' # ', ''],
    ['\uD800x', 'x'],
  ])('%j → %j', (text, tag) => {
    expect(normaliseTag(text)).toBe(tag)
  })

  it('is stable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(normaliseTag(normaliseTag(text))).toBe(normaliseTag(text))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('mergeTags', () => {
  it('keeps the order of first appearance and drops what is empty', () => {
    expect(mergeTags(['B', '#a', ''], ['a', 'c', 'b'])).toEqual(['b', 'a', 'c'])
  })
})
