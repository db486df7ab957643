import { expect, it } from 'vitest'
import { namedFiles } from './named-files.ts'

it.each([
  ['why does src/auth/token.ts:42 throw?', ['src/auth/token.ts']],
  ['open ./a.py and b\\c\\d.rs, then a.py again', ['a.py', 'b/c/d.rs']],
  ['version 1.2.3 of e.g. example.com is fine', []],
  ['', []],
])('%s', (prompt, files) => expect(namedFiles(prompt)).toEqual(files))

it('takes a megabyte in its stride', () => {
  for (const hostile of ['a/', 'a', 'a.', '.a/', '\\'])
    expect(namedFiles(hostile.repeat(500_000))).toEqual([])
})
