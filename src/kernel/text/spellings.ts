import { irregularFormsFrom } from './irregular-forms.ts'
import type { Language } from './language.ts'
import { endingsOfEnglish } from './stem-english.ts'
import { endingsOfPortuguese } from './stem-portuguese.ts'

/**
 * The words that a misspelt or incomplete word may stand for. The index has stems, and a typo or a cut inside a suffix changes the stem
 * beyond recognition (`notificat` and `notificaton` against `notif`). So whole words are guessed here, and their stems are looked up:
 * some hundred keys of one table, whatever the size of the vocabulary.
 */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const PLAIN = /^[a-z]+$/
/** The number of guesses grows with the length, and longer words are not typed by hand. */
const MAX_LENGTH = 24

/** Only words of plain letters: the others are compared with the vocabulary. */
export function canBeRespelt(word: string): boolean {
  return word.length <= MAX_LENGTH && PLAIN.test(word)
}

/** All words that differ by one missing, added, wrong or swapped letter. */
export function wordsNear(word: string): Set<string> {
  const near = new Set<string>()
  for (let at = 0; at <= word.length; at += 1) {
    const before = word.slice(0, at)
    const after = word.slice(at + 1)
    const rest = word.slice(at)
    for (const letter of LETTERS) near.add(before + letter + rest)
    if (at === word.length) break
    near.add(before + after)
    for (const letter of LETTERS) near.add(before + letter + after)
    if (after !== '') near.add(before + after.charAt(0) + word.charAt(at) + after.slice(1))
  }
  near.delete(word)
  return near
}

/** The words that begin with this one but whose stem does not: `notificat` → `notification`, `brou` → `brought`. */
export function wordsCompleting(word: string, language: Language): Set<string> {
  const completed = new Set<string>(language === 'en' ? irregularFormsFrom(word) : [])
  for (const ending of language === 'en' ? endingsOfEnglish() : endingsOfPortuguese()) {
    for (let cut = 1; cut < ending.length; cut += 1) {
      if (word.endsWith(ending.slice(0, cut))) completed.add(word + ending.slice(cut))
    }
  }
  return completed
}
