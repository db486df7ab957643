import { expect, it } from 'vitest'
import { bySection, planId, readSource, scopeTree, withoutFrontMatter } from './state-model.ts'

const known = (scope: string) => ({ scope, plans: 1, statuses: {}, decisions: 0, lessons: 0 })

it('builds a tree of scopes, including levels without files', () => {
  const [devtools, shop] = scopeTree([known('shop'), known('devtools/common/metan'), known('devtools')])
  expect(shop?.name).toBe('shop')
  expect(devtools?.below[0]).toMatchObject({ scope: 'devtools/common', name: 'common', known: undefined })
  expect(devtools?.below[0]?.below[0]).toMatchObject({ scope: 'devtools/common/metan', name: 'metan' })
})

it('groups changes in the order of the bundle', () => {
  expect(
    bySection([
      { section: 'nextSteps', change: 'added', text: 'a' },
      { section: 'gotchas', change: 'removed', text: 'b' },
      { section: 'nextSteps', change: 'changed', text: 'c' },
    ]).map(({ section, changes }) => [section, changes.length]),
  ).toEqual([
    ['gotchas', 1],
    ['nextSteps', 2],
  ])
})

it('reads the source of an item', () => {
  expect(readSource('entry:1773-ab')).toEqual({ kind: 'entry', id: '1773-ab' })
  expect(readSource('event:1773-ab')).toEqual({ kind: 'other', text: 'event:1773-ab' })
})

it('removes the front matter of an overview', () => {
  expect(withoutFrontMatter('---\nname: Dev\n---\n# Dev tools')).toBe('# Dev tools')
  expect(withoutFrontMatter('# No front\n\n---\n')).toBe('# No front\n\n---\n')
})

it('returns the plan id of `show`, whatever form retrieval uses', () => {
  expect(planId('devtools', '260208-engine')).toBe('plan:devtools/260208-engine')
  expect(planId('devtools', 'devtools/260208-engine')).toBe('plan:devtools/260208-engine')
})
