import { estimateTokens, prefixWithin } from './token-estimate.ts'

const CUT_MARKER = '[…]'

/** A cut moves back to a boundary only if this share of the possible length remains. */
const MIN_KEPT = 0.5
/** No token is longer than this many characters, except in long runs of one character. */
const MAX_CHARACTERS_PER_TOKEN = 24

const PARAGRAPH_END = /\n[ \t]*\n/g
const SENTENCE_END = /[.!?:;…](?=\s)|[。！？；]|\n/g
const WORD_END = /\s/g

/**
 * The beginning of a text with at most so many tokens, including the marker: whole paragraphs if that keeps half of the possible length,
 * else whole sentences, else whole words. Empty if not even a word and the marker fit.
 */
export function cutToTokens(text: string, most: number, marker: string = CUT_MARKER): string {
  const read = text.slice(0, Math.max(0, most) * MAX_CHARACTERS_PER_TOKEN)
  if (read.length === text.length && estimateTokens(text) <= most) return text
  let length = prefixWithin(read, most - estimateTokens(`\n\n${marker}`))
  while (length > 0) {
    const cut = cutAtBorder(read.slice(0, length), read.charAt(length), marker)
    if (cut !== '' && estimateTokens(cut) <= most) return cut
    // The estimate is not quite additive; a little less fits.
    length = Math.floor(length * 0.95)
  }
  return ''
}

function cutAtBorder(prefix: string, next: string, marker: string): string {
  const least = prefix.length * MIN_KEPT
  const paragraph = lastEnd(prefix, PARAGRAPH_END)
  if (paragraph >= least) return join(prefix.slice(0, paragraph), '\n\n', marker)
  const sentence = lastEnd(prefix + next, SENTENCE_END)
  if (sentence >= least && sentence <= prefix.length) return join(prefix.slice(0, sentence), ' ', marker)
  const word = /\s/.test(next) ? prefix.length : lastEnd(prefix, WORD_END)
  if (word >= least) return join(prefix.slice(0, word), ' ', marker)
  const isHalfPair = /[\ud800-\udbff]$/.test(prefix)
  return join(isHalfPair ? prefix.slice(0, -1) : prefix, '', marker)
}

function lastEnd(text: string, border: RegExp): number {
  let end = -1
  for (const match of text.matchAll(border)) end = match.index + match[0].length
  return end
}

function join(kept: string, glue: string, marker: string): string {
  const trimmed = kept.trimEnd()
  return trimmed === '' ? '' : `${trimmed}${glue}${marker}`
}
