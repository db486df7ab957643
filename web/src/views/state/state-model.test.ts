import { expect, it } from 'vitest'
import { bySection, planId, readSource, scopeTree, withoutFrontMatter } from './state-model.ts'

const known = (scope: string) => ({ scope, plans: 1, statuses: {}, decisions: 0, lessons: 0 })

it('makes a tree of scopes, with those in between that have no files', () => {
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

it('knows what an item stands on', () => {
  expect(readSource('entry:1773-ab')).toEqual({ kind: 'entry', id: '1773-ab' })
  expect(readSource('event:1773-ab')).toEqual({ kind: 'other', text: 'event:1773-ab' })
})

it('leaves the front matter of an overview out', () => {
  expect(withoutFrontMatter('---\nname: Dev\n---\n# Dev tools')).toBe('# Dev tools')
  expect(withoutFrontMatter('# No front\n\n---\n')).toBe('# No front\n\n---\n')
})

it('names a plan as show knows it, however retrieval named it', () => {
  expect(planId('devtools', '260208-engine')).toBe('plan:devtools/260208-engine')
  expect(planId('devtools', 'devtools/260208-engine')).toBe('plan:devtools/260208-engine')
})
