import { irregularFormsOf } from '../../../kernel/text/irregular-forms.ts'
import { type ScanInput, termsOf } from './scan-entries.ts'

/** Letters that folding makes one of. */
const ACCENTED: Readonly<Record<string, string>> = {
  a: 'aáàâãäå',
  c: 'cç',
  e: 'eéèêë',
  i: 'iíìîïy',
  n: 'nñ',
  o: 'oóòôõöø',
  u: 'uúùûü',
  y: 'yýÿi',
}
const KEPT_LETTERS = 2

export interface WordFilter {
  /** Whether a text may have a word of the question. */
  mayHave(text: string): boolean
  /** Which of its words (`termsOf`) a text may have. */
  termsIn(text: string): readonly number[]
}

/**
 * Looks for the words of a question without taking a text apart: by the beginnings of their stems, in any case and with any accent. It lets
 * through what has none, and holds back nothing that has one.
 */
export function wordFilter(input: ScanInput): WordFilter {
  const terms = termsOf(input)
  const isTelling = terms.some(({ source }) => source !== 'stop-word')
  const patterns = terms.flatMap(({ source, variants }, term) => {
    if (isTelling && source === 'stop-word') return []
    const pattern = patternOfTokens(variants.map(({ token }) => token))
    return pattern === '' ? [] : [{ term, pattern: new RegExp(pattern, 'i') }]
  })
  if (patterns.length === 0) return { mayHave: () => false, termsIn: () => [] }
  const any = new RegExp(patterns.map(({ pattern }) => pattern.source).join('|'), 'i')
  return {
    mayHave: text => any.test(text),
    termsIn: text => patterns.flatMap(({ term, pattern }) => (pattern.test(text) ? [term] : [])),
  }
}

function patternOfTokens(tokens: readonly string[]): string {
  const beginnings = new Set(tokens.map(token => token.slice(0, KEPT_LETTERS)))
  const forms = [...irregularFormsOf(beginnings, KEPT_LETTERS)].filter(form => form.length > 2)
  return [...new Set([...tokens.map(startOf), ...forms])].map(patternOf).join('|')
}

/** A stem ends otherwise than the word by at most two letters (`happy`, `happi`). */
function startOf(token: string): string {
  const { length } = token
  return token.slice(0, length <= 4 ? Math.max(KEPT_LETTERS, length - 1) : length - 2)
}

/** Dates and identifiers are told apart by marks that stand between their parts in a text. */
function patternOf(start: string): string {
  return [...start]
    .map(letter => {
      const same = ACCENTED[letter]
      if (same !== undefined) return `[${same}]`
      return /[a-z0-9]/.test(letter) ? letter : /[\p{L}\p{N}]/u.test(letter) ? letter : '\\W?'
    })
    .join('')
}
