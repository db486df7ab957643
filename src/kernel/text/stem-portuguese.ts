import { foldWord } from './fold.ts'

/**
 * Snowball's Portuguese stemmer (snowballstem.org/algorithms/portuguese), adapted to folded words:
 *
 * decisoes → decisao → decisa~o → decis      singular, the accent of the suffix, stem, folded
 *
 * Written by hand like the English one: the packaged stemmer interprets tables of 180 suffixes, which costs a cold command a millisecond
 * to load and to run. Suffixes that only occur in a plural are not in the tables below.
 *
 * R1 is what follows the first consonant after a vowel, R2 the same within R1, RV roughly what follows the first syllable: suffixes are
 * removed only inside them.
 */
export function stemPortuguese(folded: string): string {
  const word = replaceSuffix(singularPortuguese(folded), ACCENTED_SUFFIXES)
  const rv = verbRegion(word)
  const r1 = regionAfter(word, 0)
  const r2 = regionAfter(word, r1)
  const shorter = dropDerivation(word, { r1, r2, rv }) ?? dropInflection(word, rv)
  const stem = shorter === undefined ? dropResidue(word, rv) : dropSoftening(shorter, rv)
  const plain = foldWord(dropFinal(stem, rv).replace('~', ''))
  return plain.length > 3 ? plain.replace(/[aeo]$/, '') : plain
}

type Replacement = readonly [suffix: string, by: string]

/** Plural endings that the stemmer does not unify (`decisões` / `decisão`, `erros` / `erro`), longest first. */
const PLURALS: readonly Replacement[] = [
  ['oes', 'ao'],
  ['aes', 'ao'],
  ['ais', 'al'],
  ['eis', 'el'],
  ['ois', 'ol'],
  ['ns', 'm'],
  ['res', 'r'],
  ['zes', 'z'],
]

/** The stemmer needs the accents of these suffixes; people leave them out. A tilde is a separate letter. */
const ACCENTED_SUFFIXES: readonly Replacement[] = [
  ['cao', 'ça~o'],
  ['ao', 'a~o'],
  ['avel', 'ável'],
  ['ivel', 'ível'],
  ['encia', 'ência'],
  ['ancia', 'ância'],
]

const VOWELS = 'aeiouáâêí'

/** Longest first: only the longest matching suffix is tried. */
const DERIVATIONS =
  'amento imento amente ância ência logia idade mente adora aça~o uça~o ismo ista ante ável ível ador ica ico oso osa eza iva ivo ira'.split(
    ' ',
  )
const INFLECTIONS =
  'ariam eriam iriam assem essem issem aria eria iria asse esse isse aste este iste arei erei irei aram eram iram avam arem erem irem ando endo indo ara~o era~o ira~o ada ida ara era ira ava iam ado ido ia ei am em ar er ir is eu iu ou'.split(
    ' ',
  )

/** As written in texts, folded. */
export function endingsOfPortuguese(): string[] {
  return [...DERIVATIONS, ...INFLECTIONS].map(ending => foldWord(ending.replace('~', '')))
}

export function singularPortuguese(word: string): string {
  if (word.length < 4 || !word.endsWith('s')) return word
  const replaced = replaceSuffix(word, PLURALS)
  if (replaced !== word) return replaced
  return /[aeo]s$/.test(word) ? word.slice(0, -1) : word
}

function replaceSuffix(word: string, table: readonly Replacement[]): string {
  for (const [from, to] of table) {
    if (word.endsWith(from)) return word.slice(0, -from.length) + to
  }
  return word
}

function isVowel(word: string, at: number): boolean {
  return VOWELS.includes(word.charAt(at) || '-')
}

function regionAfter(word: string, from: number): number {
  for (let at = from + 1; at < word.length; at += 1) {
    if (!isVowel(word, at) && isVowel(word, at - 1)) return at + 1
  }
  return word.length
}

/** a|consonant…vowel|RV, vowel vowel…consonant|RV, consonant vowel letter|RV, consonant consonant…vowel|RV. */
function verbRegion(word: string): number {
  const second = isVowel(word, 1)
  if (second && !isVowel(word, 0)) return Math.min(3, word.length)
  for (let at = 2; at < word.length; at += 1) if (isVowel(word, at) !== second) return at + 1
  return word.length
}

/** Nouns, adjectives and adverbs derived from other words. undefined: no suffix was removed. */
function dropDerivation(
  word: string,
  { r1, r2, rv }: { r1: number; r2: number; rv: number },
): string | undefined {
  const suffix = DERIVATIONS.find(ending => word.endsWith(ending))
  if (suffix === undefined) return undefined
  const start = word.length - suffix.length
  const stem = word.slice(0, start)
  if (suffix === 'ira') return start >= rv && stem.endsWith('e') ? `${stem}ir` : undefined
  if (suffix === 'amente') return start >= r1 ? dropOfAdverb(stem, r2) : undefined
  if (start < r2) return undefined
  switch (suffix) {
    case 'logia':
      return `${stem}log`
    case 'uça~o':
      return `${stem}u`
    case 'ência':
      return `${stem}ente`
    case 'mente':
      return dropBefore(stem, ['ante', 'avel'], r2)
    case 'idade':
      return dropBefore(stem, ['abil', 'ic', 'iv'], r2)
    case 'iva':
    case 'ivo':
      return dropBefore(stem, ['at'], r2)
    default:
      return stem
  }
}

/** The suffix before the removed one. */
function dropBefore(stem: string, suffixes: readonly string[], r2: number): string {
  const suffix = suffixes.find(ending => stem.endsWith(ending))
  return suffix === undefined || stem.length - suffix.length < r2 ? stem : stem.slice(0, -suffix.length)
}

/** `amente` may have two before it: administr-at-iv-amente. */
function dropOfAdverb(stem: string, r2: number): string {
  const shorter = dropBefore(stem, ['iv', 'os', 'ic', 'ad'], r2)
  return shorter !== stem && stem.endsWith('iv') ? dropBefore(shorter, ['at'], r2) : shorter
}

/** Forms of verbs. The longest suffix in RV is removed. */
function dropInflection(word: string, rv: number): string | undefined {
  const suffix = INFLECTIONS.find(ending => word.endsWith(ending) && word.length - ending.length >= rv)
  return suffix === undefined ? undefined : word.slice(0, -suffix.length)
}

/** ci → c, after a removed suffix. */
function dropSoftening(stem: string, rv: number): string {
  return stem.endsWith('ci') && stem.length - 1 >= rv ? stem.slice(0, -1) : stem
}

/** The gender, if no other suffix was removed. */
function dropResidue(word: string, rv: number): string {
  const suffix = ['os', 'a', 'i', 'o'].find(ending => word.endsWith(ending))
  return suffix === undefined || word.length - suffix.length < rv ? word : word.slice(0, -suffix.length)
}

/** segue → seg, face → fac. */
function dropFinal(stem: string, rv: number): string {
  const end = stem.length - 1
  if (!stem.endsWith('e') || end < rv) return stem
  const shorter = stem.slice(0, -1)
  const isSoft = shorter.endsWith('gu') || shorter.endsWith('ci')
  return isSoft && end - 1 >= rv ? shorter.slice(0, -1) : shorter
}
