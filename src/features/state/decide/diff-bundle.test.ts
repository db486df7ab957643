import { describe, expect, it } from 'vitest'
import type { Bundle, BundleItem } from '../../../kernel/model/bundle.ts'
import { diffBundles, driftOf, isMeaningful } from './diff-bundle.ts'

function step(text: string, ...sources: string[]): BundleItem {
  return { text, since: '2026-03-16T10:00:00.000Z', sources }
}

function bundleWith(nextSteps: readonly BundleItem[], files = 1): Bundle {
  return {
    project: { name: 'shop' },
    projectMap: {
      languages: [{ name: 'TypeScript', files }],
      packages: [],
      entryPoints: [],
      scripts: [],
      folders: [],
    },
    currentFocus: [],
    gotchas: [],
    nextSteps,
    validationCommands: [],
  }
}

describe('the difference of two bundles', () => {
  it('does not take a statement for a new wording of another that the same event made', () => {
    const before = bundleWith([step('Rotate the keys', 'event:1')])
    const after = bundleWith([step('Add an alert', 'event:1'), step('Rotate the keys', 'event:1')])
    expect(diffBundles(before, after)).toEqual([
      { section: 'nextSteps', change: 'added', text: 'Add an alert' },
    ])
  })

  it('knows an entry again in other words, also where another of its boxes comes first', () => {
    const before = bundleWith([step('Rotate the keys', 'entry:1'), step('Write docs', 'entry:2')])
    const after = bundleWith([
      step('Write the docs of the API', 'entry:2'),
      step('Rotate the keys', 'entry:1'),
    ])
    expect(diffBundles(before, after)).toEqual([
      { section: 'nextSteps', change: 'changed', text: 'Write the docs of the API', before: 'Write docs' },
    ])
  })

  it('tells drift without the numbers of files, which are worth no checkpoint either', () => {
    const before = bundleWith([step('Rotate the keys', 'entry:1'), step('Go live', 'entry:2')])
    const after = bundleWith([step('Rotate all keys', 'entry:1')], 7)
    expect(driftOf(before, after)).toEqual([{ section: 'nextSteps', added: 1, removed: 2 }])
    expect(driftOf(before, bundleWith(before.nextSteps, 7))).toEqual([])
    expect(isMeaningful(before, bundleWith(before.nextSteps, 7))).toBe(false)
  })
})
