import type { Language } from './language.ts'
import { stemEnglish } from './stem-english.ts'
import { stemPortuguese } from './stem-portuguese.ts'

/** A stem costs about 10 µs and words repeat. Cleared when full: simpler than evicting, and frequent words return. */
const MEMO_SIZE = 20_000
const memo: Record<Language, Map<string, string>> = { en: new Map(), pt: new Map() }

const MAX_STEMMED_LENGTH = 40
const LETTERS = /^[a-z]+$/

/** The stem of a folded word. Words with a digit or of another script are returned unchanged. */
export function stemWord(word: string, language: Language): string {
  if (word.length < 3 || word.length > MAX_STEMMED_LENGTH || !LETTERS.test(word)) return word
  const stems = memo[language]
  let stem = stems.get(word)
  if (stem === undefined) {
    stem = language === 'en' ? stemEnglish(word) : stemPortuguese(word)
    if (stems.size >= MEMO_SIZE) stems.clear()
    stems.set(word, stem)
  }
  return stem
}
