import { expect, it } from 'vitest'
import { parseRenames } from './git-renames.ts'

it('reads what git prints, and turns it round: the oldest rename first', () => {
  const output = 'R100\0src/b.ts\0src/c d.ts\0\nR087\0R100\0src/b.ts\0'
  expect(parseRenames(output)).toEqual([
    { from: 'R100', to: 'src/b.ts' },
    { from: 'src/b.ts', to: 'src/c d.ts' },
  ])
  expect(parseRenames('')).toEqual([])
})
