import { describe, expect, it } from 'vitest'
import { entryAt, positionsByDate, questionAbout, questionsAbout } from './synthetic-corpus.ts'

describe('the synthetic corpus', () => {
  it('makes the same entry and question from the same position', () => {
    expect(entryAt(1234)).toEqual(entryAt(1234))
    expect(questionAbout(1234)).toEqual(questionAbout(1234))
  })

  it('can be told in the order of time, session by session', () => {
    const starts = positionsByDate(995)
      .filter(position => position % 10 === 0)
      .map(position => entryAt(position).metadata.date)
    expect(starts).toEqual([...starts].sort())
    expect(positionsByDate(995).sort((a, b) => a - b)).toEqual(Array.from({ length: 995 }, (_, i) => i))
  })

  it('never writes the same text twice', () => {
    expect(new Set(Array.from({ length: 5_000 }, (_, position) => entryAt(position).text)).size).toBe(5_000)
  })

  it('writes 15 to 60 words, and gives about ten entries a session', () => {
    const entries = Array.from({ length: 2_000 }, (_, position) => entryAt(position))
    const lengths = entries.map(({ text }) => text.replace(/ See `.*/, '').split(' ').length)
    expect(Math.min(...lengths)).toBe(15)
    expect(Math.max(...lengths)).toBe(60)
    expect(new Set(entries.map(({ metadata }) => metadata.session)).size).toBe(200)
  })

  it('has the document frequencies of real notes: function words in most, the first content words in a tenth at most', () => {
    const entries = Array.from({ length: 4_000 }, (_, position) => entryAt(position))
    const share = (word: string) => {
      const pattern = new RegExp(`\\b${word}\\b`, 'i')
      return entries.filter(({ text }) => pattern.test(text)).length / entries.length
    }
    expect(share('the')).toBeGreaterThan(0.4)
    expect(share('error')).toBeGreaterThan(0.05)
    expect(share('error')).toBeLessThan(0.1)
    expect(share('invoice')).toBeLessThan(0.03)
  })

  it('asks with words of the entry, at least two as they stand there or inflected', () => {
    for (const { words, answer, text } of questionsAbout(3_000, 50)) {
      const note = entryAt(answer).text.toLowerCase()
      const known = words.filter(word => note.includes(word.replace(/(?:s|ing|ed|d)$/, '')))
      expect(known.length, text).toBeGreaterThanOrEqual(2)
    }
  })
})
