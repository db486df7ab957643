import { expect, it } from 'vitest'
import { followRenames, likelyPlaces } from './moved-file.ts'

it('follows a chain of renames in their order', () => {
  const renames = [
    { from: 'a.ts', to: 'b.ts' },
    { from: 'x.ts', to: 'y.ts' },
    { from: 'b.ts', to: 'c.ts' },
  ]
  expect(followRenames('a.ts', renames)).toBe('c.ts')
  expect(followRenames('b.ts', renames)).toBe('c.ts')
  expect(followRenames('c.ts', renames)).toBeUndefined()
  expect(followRenames('a.ts', [...renames, { from: 'c.ts', to: 'a.ts' }])).toBeUndefined()
})

it('looks for the same name first, then in the same folder, then among files of its kind', () => {
  const known = ['lib/z.ts', 'src/b.ts', 'README.md', 'lib/a.ts', 'src/a.ts', 'a']
  expect(likelyPlaces('src/a.ts', known, 10)).toEqual(['lib/a.ts', 'src/b.ts', 'lib/z.ts'])
  expect(likelyPlaces('src/a.ts', known, 1)).toEqual(['lib/a.ts'])
})
