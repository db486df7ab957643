import { irregularFormsOf } from '../../text/irregular-forms.ts'
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

/**
 * Whether a text may have a word of the question, without taking it apart: by the beginnings of its stems, in any case and with any accent.
 * It lets through what has none, and holds back nothing that has one.
 */
export function wordFilter(input: ScanInput): (text: string) => boolean {
  const terms = termsOf(input)
  const telling = terms.filter(({ source }) => source !== 'stop-word')
  const tokens = (telling.length > 0 ? telling : terms).flatMap(({ variants }) =>
    variants.map(({ token }) => token),
  )
  const beginnings = new Set(tokens.map(token => token.slice(0, KEPT_LETTERS)))
  const forms = irregularFormsOf(beginnings, KEPT_LETTERS)
  const starts = new Set([...tokens.map(startOf), ...[...forms].filter(form => form.length > 2)])
  if (starts.size === 0) return () => false
  const pattern = new RegExp([...starts].map(patternOf).join('|'), 'i')
  return text => pattern.test(text)
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
