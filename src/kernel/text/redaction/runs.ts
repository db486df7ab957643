import type { Range } from './placeholder.ts'

/** Shorter than any known token. */
export const MIN_RUN_LENGTH = 16

/** No word is as long: a run of lower-case letters with such a stretch may be a token. */
const MIN_STRETCH_LENGTH = 20

/** The characters of tokens: base64 and base64url, and those that join or escape their parts. */
const RUN_CHARS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./+=:%~!@'
const LETTER_LOWER = 1
const LETTER_UPPER = 2
const DIGIT = 4
const JOINT = 8

const CLASS_BY_CODE = new Uint8Array(128)
for (const char of RUN_CHARS) {
  CLASS_BY_CODE[char.charCodeAt(0)] = /[a-z]/.test(char)
    ? LETTER_LOWER
    : /[A-Z]/.test(char)
      ? LETTER_UPPER
      : /\d/.test(char)
        ? DIGIT
        : JOINT
}

/**
 * The stretches that could be a token: long, without a space, and with digits, both cases or a stretch longer than any word. Prose has
 * next to none, and all expensive rules only inspect these. A loop, because a regex would scan each word from each of its letters.
 */
export function findRuns(text: string): Range[] {
  const runs: Range[] = []
  let start = 0
  let classes = 0
  let stretch = 0
  let longest = 0
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    const kind = code < 128 ? (CLASS_BY_CODE[code] ?? 0) : 0
    if (kind !== 0) {
      classes |= kind
      stretch = kind === JOINT ? 0 : stretch + 1
      if (stretch > longest) longest = stretch
      continue
    }
    const mixed =
      (classes & DIGIT) !== 0 || (classes & (LETTER_LOWER | LETTER_UPPER)) === (LETTER_LOWER | LETTER_UPPER)
    if ((mixed || longest >= MIN_STRETCH_LENGTH) && at - start >= MIN_RUN_LENGTH)
      runs.push({ start, end: at })
    start = at + 1
    classes = 0
    stretch = 0
    longest = 0
  }
  return runs
}
