import { expect, it } from 'vitest'
import { choosePrompts, elementsOf, likeliest, nearest, normalise, wordOverlap } from './replay-match.ts'

it('ignores ids, task boxes, punctuation and the marks of a brief when it compares texts', () => {
  const stored = '- [ ] Rotate the kiln log every Friday.'
  const injected =
    'Rotate the **kiln log** every Friday\n[⚠ CONFLICT] Entry #1773679871839-k3f9 says "never". Verify which is current.'
  expect(normalise(stored)).toBe('rotate the kiln log every friday')
  expect(normalise(injected)).toBe(normalise(stored))
})

it('keeps texts apart that differ in a word', () => {
  expect(normalise('The staging kiln cools hourly')).not.toBe(normalise('The production kiln cools hourly'))
})

it('measures the share of the longer words of a fact', () => {
  expect(wordOverlap('Glaze batches need cobalt', 'cobalt is in every batch of glaze')).toBe(0.5)
  expect(wordOverlap('a to of', 'a to of')).toBe(0)
})

it('lists the nearest texts first and leaves out those without a shared word', () => {
  const texts = ['the oven is red', 'glaze with cobalt', 'glaze with cobalt needs batches']
  expect(nearest('Glaze batches need cobalt', texts, 2).map(({ text }) => text)).toEqual([
    'glaze with cobalt needs batches',
    'glaze with cobalt',
  ])
  expect(nearest('unrelated', texts, 2)).toEqual([])
})

it('ranks the candidates for a prompt by their rare words', () => {
  const texts = ['the kiln room has a door', 'the kiln room has a pyrometer', 'the kiln room has a window']
  expect(likeliest('why does the kiln pyrometer drift?', texts, 1)).toEqual(['the kiln room has a pyrometer'])
})

it('reads the items of a brief with and without an id', () => {
  const brief = `<project_memory>
Recorded project memory.
<entry id="1773679871839-k3f9" kind="decision" date="2026-03-16">Fire at cone 6.</entry>
<entry kind="project">
A pottery shop.
</entry>
</project_memory>
Our own line below.`
  expect(elementsOf(brief)).toEqual([
    { id: '1773679871839-k3f9', kind: 'decision', text: 'Fire at cone 6.' },
    { id: undefined, kind: 'project', text: 'A pottery shop.' },
  ])
})

it('chooses the first prompt, the last one and others between them', () => {
  expect([...choosePrompts(3, 7)]).toEqual([0, 1, 2])
  expect([...choosePrompts(13, 4)]).toEqual([0, 4, 8, 12])
  expect([...choosePrompts(5, 1)]).toEqual([0])
  expect([...choosePrompts(0, 7)]).toEqual([])
})
