import { isAscii, whenNeeded } from './script.ts'

const COMBINING_LATIN = /[\u0300-\u036f]/g
const ASCII_WORD = /^[a-z0-9]*$/
const notLetterOrDigit = whenNeeded(() => /[^\p{L}\p{N}]/gu)

/**
 * The comparable form of a word: lower case, no diacritics, letters and digits of any script only.
 *
 *   Decisão → decisao     ＡＰＩ → api     한국 → 한국 (recomposed, so a syllable stays one letter)
 */
export function foldWord(word: string): string {
  const lower = word.toLowerCase()
  if (ASCII_WORD.test(lower)) return lower
  // Compatibility forms may fold to capitals, so lower-casing is repeated.
  const folded = lower.normalize('NFKD').replace(COMBINING_LATIN, '').toLowerCase()
  if (ASCII_WORD.test(folded)) return folded
  return folded.normalize('NFC').replace(notLetterOrDigit(), '')
}

/** The same for running text: blanks and punctuation stay. */
export function foldText(text: string): string {
  const lower = text.toLowerCase()
  return isAscii(lower) ? lower : lower.normalize('NFD').replace(COMBINING_LATIN, '')
}
