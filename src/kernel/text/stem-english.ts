import { irregularBase } from './irregular-forms.ts'

/**
 * Porter's second English stemmer (snowballstem.org/algorithms/english), without its table of single words, and with the irregular forms
 * that no suffix rule covers. Written by hand because the packaged stemmer compiles some twenty regular expressions at the first word, a
 * tenth of the time of a cold command, and separates connection from connect.
 *
 * R1 is what follows the first consonant after a vowel, R2 the same within R1: suffixes are removed only inside them.
 */
export function stemEnglish(folded: string): string {
  const word = irregularBase(folded) ?? folded
  const r1 = regionAfter(word, regionStart(word))
  const r2 = regionAfter(word, r1)
  let stem = dropPlural(word)
  if (KEPT_AFTER_PLURAL.has(stem)) return stem
  stem = dropPastOrGerund(stem, r1)
  stem = softenY(stem)
  stem = replaceLongest(stem, STEP_2, r1)
  stem = replaceLongest(stem, STEP_3, r1, r2)
  stem = dropLongest(stem, r2)
  return dropFinal(stem, r1, r2)
}

type Replacement = readonly [suffix: string, by: string]

/** Longest first: only the longest matching suffix is tried. */
const STEP_2: readonly Replacement[] = parseTable(
  'ational:ate ization:ize fulness:ful ousness:ous iveness:ive tional:tion biliti:ble lessli:less entli:ent ation:ate ' +
    'alism:al aliti:al ousli:ous iviti:ive fulli:ful enci:ence anci:ance abli:able izer:ize ator:ate alli:al logi:log bli:ble',
)
const STEP_3: readonly Replacement[] = parseTable(
  'ational:ate tional:tion alize:al icate:ic iciti:ic ative: ical:ic ness: ful:',
)
const STEP_4 = 'ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic'.split(' ')
const KEPT_AFTER_PLURAL = new Set('inning outing canning herring earring proceed exceed succeed'.split(' '))
const DOUBLES = new Set('bb dd ff gg mm nn pp rr tt'.split(' '))
/** `generate` and `general`, `community` and `communism` would get the same stem. */
const LONG_BEGINNINGS = ['gener', 'commun', 'arsen']
const LI_ENDINGS = 'cdeghkmnrt'

/** As written in texts: `enci` in the tables is `ency`. */
export function endingsOfEnglish(): string[] {
  const inTables = [...STEP_2, ...STEP_3].map(([suffix]) => suffix.replace(/i$/, 'y'))
  return [...inTables, ...STEP_4, 'ity', 'ing', 'ed']
}

function parseTable(text: string): Replacement[] {
  return text.split(' ').map(rule => {
    const [suffix = '', by = ''] = rule.split(':')
    return [suffix, by]
  })
}

/** A y after a vowel, or at the start, is a consonant. */
function isVowel(word: string, at: number): boolean {
  const letter = word[at]
  if (letter === 'y') return at > 0 && !isVowel(word, at - 1)
  return letter !== undefined && 'aeiou'.includes(letter)
}

function hasVowel(word: string, end: number): boolean {
  for (let at = 0; at < end; at += 1) if (isVowel(word, at)) return true
  return false
}

function regionStart(word: string): number {
  const beginning = LONG_BEGINNINGS.find(prefix => word.startsWith(prefix))
  return beginning === undefined ? 0 : beginning.length - 2
}

function regionAfter(word: string, from: number): number {
  for (let at = from + 1; at < word.length; at += 1) {
    if (!isVowel(word, at) && isVowel(word, at - 1)) return at + 1
  }
  return word.length
}

/** caresses → caress, retries → retri, ties → tie, keys → key; gas, status and class stay. */
function dropPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ied') || word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1)
  if (!word.endsWith('s') || word.endsWith('us') || word.endsWith('ss')) return word
  return hasVowel(word, word.length - 2) ? word.slice(0, -1) : word
}

function dropPastOrGerund(word: string, r1: number): string {
  for (const suffix of ['eedly', 'eed']) {
    if (!word.endsWith(suffix)) continue
    const start = word.length - suffix.length
    return start >= r1 ? word.slice(0, start + 2) : word
  }
  for (const suffix of ['ingly', 'edly', 'ing', 'ed']) {
    if (!word.endsWith(suffix)) continue
    const stem = word.slice(0, -suffix.length)
    if (!hasVowel(stem, stem.length)) return word
    if (stem.endsWith('at') || stem.endsWith('bl') || stem.endsWith('iz')) return `${stem}e`
    if (DOUBLES.has(stem.slice(-2))) return stem.length > 3 ? stem.slice(0, -1) : stem
    return r1 >= stem.length && endsInShortSyllable(stem) ? `${stem}e` : stem
  }
  return word
}

/** A vowel between consonants (not w, x, y) at the end, or a word of one vowel and one consonant. */
function endsInShortSyllable(word: string): boolean {
  const last = word.length - 1
  if (last === 1) return isVowel(word, 0) && !isVowel(word, 1)
  const letter = word[last]
  if (letter === undefined || 'wxy'.includes(letter)) return false
  return last > 1 && !isVowel(word, last) && isVowel(word, last - 1) && !isVowel(word, last - 2)
}

/** retry → retri, to match retries; deploy stays, to match deployment. */
function softenY(word: string): string {
  const last = word.length - 1
  return last > 1 && word[last] === 'y' && !isVowel(word, last - 1) ? `${word.slice(0, -1)}i` : word
}

function replaceLongest(word: string, table: readonly Replacement[], r1: number, r2?: number): string {
  const rule = table.find(([suffix]) => word.endsWith(suffix))
  if (rule !== undefined) {
    const [suffix, by] = rule
    const start = word.length - suffix.length
    const region = suffix === 'ative' ? (r2 ?? r1) : r1
    return start >= region ? word.slice(0, start) + by : word
  }
  const isAdverb = r2 === undefined && word.endsWith('li') && LI_ENDINGS.includes(word.at(-3) ?? '-')
  return isAdverb && word.length - 2 >= r1 ? word.slice(0, -2) : word
}

function dropLongest(word: string, r2: number): string {
  const suffix = STEP_4.find(ending => word.endsWith(ending))
  if (suffix === undefined) return word
  const start = word.length - suffix.length
  if (start < r2 || (suffix === 'ion' && word[start - 1] !== 's' && word[start - 1] !== 't')) return word
  return word.slice(0, start)
}

function dropFinal(word: string, r1: number, r2: number): string {
  const start = word.length - 1
  if (word.endsWith('e')) {
    const drop = start >= r2 || (start >= r1 && !endsInShortSyllable(word.slice(0, -1)))
    return drop ? word.slice(0, -1) : word
  }
  return word.endsWith('ll') && start >= r2 ? word.slice(0, -1) : word
}
