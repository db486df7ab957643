import { stemmer as snowballPortuguese } from '@orama/stemmers/portuguese'
import { foldWord } from './fold.ts'
import type { Language } from './language.ts'
import { stemEnglish } from './stem-english.ts'

/** A stem costs about 10 µs and words repeat. Cleared when full: simpler than evicting, and the hot words come back. */
const MEMO_SIZE = 20_000
const memo: Record<Language, Map<string, string>> = { en: new Map(), pt: new Map() }

const LONGEST_STEMMED = 40
const LETTERS = /^[a-z]+$/

/** The stem of a folded word. Words with a digit or of another script are returned as they are. */
export function stemWord(word: string, language: Language): string {
  if (word.length < 3 || word.length > LONGEST_STEMMED || !LETTERS.test(word)) return word
  const stems = memo[language]
  let stem = stems.get(word)
  if (stem === undefined) {
    stem = language === 'en' ? stemEnglish(word) : stemPortuguese(word)
    if (stems.size >= MEMO_SIZE) stems.clear()
    stems.set(word, stem)
  }
  return stem
}

/** Plural endings that the Portuguese stemmer leaves apart (`decisões` / `decisão`, `erros` / `erro`), longest first. */
const PLURALS: readonly (readonly [plural: string, singular: string])[] = [
  ['oes', 'ao'],
  ['aes', 'ao'],
  ['ais', 'al'],
  ['eis', 'el'],
  ['ois', 'ol'],
  ['ns', 'm'],
  ['res', 'r'],
  ['zes', 'z'],
]

/** The stemmer knows these suffixes by their accents; people leave them out. All spellings are folded before. */
const ACCENTED_SUFFIXES: readonly (readonly [folded: string, accented: string])[] = [
  ['cao', 'ção'],
  ['ao', 'ão'],
  ['avel', 'ável'],
  ['ivel', 'ível'],
  ['encia', 'ência'],
  ['ancia', 'ância'],
]

/** Folded word → singular → accents back on the suffix → stem → folded: `decisão`, `decisao` and `decisões` meet. */
function stemPortuguese(word: string): string {
  const stem = foldWord(snowballPortuguese(replaceSuffix(singularPortuguese(word), ACCENTED_SUFFIXES)))
  return stem.length > 3 ? stem.replace(/[aeo]$/, '') : stem
}

export function singularPortuguese(word: string): string {
  if (word.length < 4 || !word.endsWith('s')) return word
  const replaced = replaceSuffix(word, PLURALS)
  if (replaced !== word) return replaced
  return /[aeo]s$/.test(word) ? word.slice(0, -1) : word
}

function replaceSuffix(word: string, table: readonly (readonly [string, string])[]): string {
  for (const [from, to] of table) {
    if (word.endsWith(from)) return word.slice(0, -from.length) + to
  }
  return word
}
