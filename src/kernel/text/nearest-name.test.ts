import { expect, it } from 'vitest'
import { nearestName } from './nearest-name.ts'

it('names what was meant, and nothing where no name is near', () => {
  const names = ['agent', 'category', 'limit', 'offset']
  expect(nearestName('categry', names, 2)).toBe('category')
  expect(nearestName('LIMIT', names, 2)).toBe('limit')
  expect(nearestName('agnet', names, 2)).toBe('agent')
  expect(nearestName('colour', names, 2)).toBeUndefined()
  expect(nearestName('', names, 2)).toBeUndefined()
})
