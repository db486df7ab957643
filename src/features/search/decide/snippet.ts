import type { MatchSpan, Snippet } from '../../../kernel/model/search.ts'
import { ANALYSED_CHARACTERS } from '../../../kernel/text/analyse.ts'
import { chunkParts } from '../../../kernel/text/identifiers.ts'
import { irregularFormsOf } from '../../../kernel/text/irregular-forms.ts'
import { LANGUAGES } from '../../../kernel/text/language.ts'
import { stemWord } from '../../../kernel/text/stem.ts'
import { scanChunks } from '../../../kernel/text/words.ts'
import type { PlannedTerm } from './query-plan.ts'

const LENGTH = 120
/** Characters before the first match, so that it can be read in its sentence. */
const LEAD_IN = 30
/** How far a cut may move to fall between words; a longer word is cut in two. */
const BORDER_REACH = 24

const KEPT_LETTERS = 2
const PLAIN_WORD = /^[A-Za-z][a-z]*$/

type SnippetTerm = Pick<PlannedTerm, 'variants' | 'weight' | 'idf' | 'source'>

interface Match {
  readonly start: number
  readonly end: number
  readonly terms: readonly number[]
}

/**
 * About 120 characters of the content around the place with most words of the question, and the positions of these
 * words. The analyser of the index reads the content, so stems and identifiers are found. Without a match (the entry
 * was found by its tags or its neighbours) it is the beginning.
 */
export function snippetMaker(terms: readonly SnippetTerm[]): (content: string) => Snippet {
  const telling = terms.filter(term => term.source !== 'stop-word')
  const asked = telling.length > 0 ? telling : terms
  const reader = chunkReader(asked)
  return content => {
    const read = content.slice(0, ANALYSED_CHARACTERS)
    const matches = findMatches(read, reader)
    const first = bestWindow(matches, asked)
    const start = first === undefined ? 0 : borderAfter(read, Math.max(0, first.start - LEAD_IN), first.start)
    const end = borderBefore(
      content,
      Math.min(content.length, start + LENGTH),
      Math.max(start, first?.end ?? 0),
    )
    return renderWindow(content, { start, end }, matches)
  }
}

/** The terms in a chunk of text, by their position in the list. */
type ChunkReader = (chunk: string) => readonly number[]

const NONE: readonly number[] = []

function findMatches(text: string, read: ChunkReader): Match[] {
  const matches: Match[] = []
  for (const { text: chunk, start } of scanChunks(text)) {
    const terms = read(chunk)
    if (terms.length > 0) matches.push({ start, end: start + chunk.length, terms })
  }
  return matches
}

/** The hits of a question are made of the same words again and again: each is taken apart once. */
function chunkReader(terms: readonly SnippetTerm[]): ChunkReader {
  const readChunk = chunkTerms(terms)
  const termsByChunk = new Map<string, readonly number[]>()
  return chunk => {
    let found = termsByChunk.get(chunk)
    if (found === undefined) {
      found = readChunk(chunk)
      termsByChunk.set(chunk, found)
    }
    return found
  }
}

function chunkTerms(terms: readonly SnippetTerm[]): ChunkReader {
  const termsByToken = new Map<string, number[]>()
  terms.forEach((term, index) => {
    for (const { token } of term.variants) {
      const known = termsByToken.get(token)
      if (known === undefined) termsByToken.set(token, [index])
      else known.push(index)
    }
  })
  // Stemming does not change the first letters, apart from irregular forms: most words can be excluded without stemming.
  const beginnings = new Set([...termsByToken.keys()].map(token => token.slice(0, KEPT_LETTERS)))
  const irregular = irregularFormsOf(beginnings, KEPT_LETTERS)
  const isRuledOut = (word: string) => !beginnings.has(word.slice(0, KEPT_LETTERS)) && !irregular.has(word)
  return chunk => {
    if (PLAIN_WORD.test(chunk) && isRuledOut(chunk.toLowerCase())) return NONE
    const { words, wholes } = chunkParts(chunk)
    const hit = new Set<number>()
    for (const word of [...words, ...wholes]) {
      if (isRuledOut(word)) continue
      for (const language of LANGUAGES) {
        for (const term of termsByToken.get(stemWord(word, language)) ?? []) hit.add(term)
      }
    }
    return hit.size === 0 ? NONE : [...hit]
  }
}

/** The first match of the window whose distinct terms are worth most; the earliest of equals. */
function bestWindow(matches: readonly Match[], terms: readonly SnippetTerm[]): Match | undefined {
  let best: Match | undefined
  let bestWorth = 0
  matches.forEach((first, i) => {
    const seen = new Set<number>()
    let worth = 0
    for (let j = i; j < matches.length; j += 1) {
      const match = matches[j]
      if (match === undefined || (j > i && match.end > first.start - LEAD_IN + LENGTH)) break
      for (const term of match.terms) {
        if (seen.has(term)) continue
        seen.add(term)
        worth += (terms[term]?.weight ?? 0) * (terms[term]?.idf ?? 0)
      }
    }
    if (best === undefined || worth > bestWorth) {
      best = first
      bestWorth = worth
    }
  })
  return best
}

function borderAfter(text: string, from: number, latest: number): number {
  if (from === 0) return 0
  for (let at = from; at < Math.min(latest, from + BORDER_REACH); at += 1) {
    if (isBlank(text[at - 1])) return at
  }
  return isLowSurrogate(text, from) ? from + 1 : from
}

function borderBefore(text: string, from: number, earliest: number): number {
  if (from >= text.length) return text.length
  for (let at = from; at > Math.max(earliest, from - BORDER_REACH); at -= 1) {
    if (isBlank(text[at])) return at
  }
  return isLowSurrogate(text, from) ? from - 1 : from
}

/** Blanks and control characters run together into one blank; the matches move with the text. */
function renderWindow(content: string, window: MatchSpan, matches: readonly Match[]): Snippet {
  /** The position of each letter of the window in the text. */
  const offsets: number[] = []
  let text = window.start > 0 ? '…' : ''
  let at = 0
  for (const letter of content.slice(window.start, window.end)) {
    offsets[at] = text.length
    at += letter.length
    if (!isBlank(letter)) text += isLoneSurrogate(letter) ? '\ufffd' : letter
    else if (text !== '' && text !== '…' && !text.endsWith(' ')) text += ' '
  }
  offsets[at] = text.length
  text = text.trimEnd()
  const spans: MatchSpan[] = []
  for (const match of matches) {
    const start = offsets[match.start - window.start]
    if (start === undefined || match.start >= window.end) continue
    const end = Math.min(offsets[match.end - window.start] ?? text.length, text.length)
    if (end > start) spans.push({ start, end })
  }
  return { text: window.end < content.length ? `${text}…` : text, matches: spans }
}

/** Blanks and control characters. */
function isBlank(letter: string | undefined): boolean {
  if (letter === undefined) return false
  const code = letter.charCodeAt(0)
  if (code < 0x2000) return code <= 0x20 || (code >= 0x7f && code <= 0xa0) || code === 0x1680
  return (
    code <= 0x200a ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  )
}

function isLowSurrogate(text: string, at: number): boolean {
  const letter = text[at]
  return letter !== undefined && letter >= '\udc00' && letter <= '\udfff'
}

function isLoneSurrogate(letter: string): boolean {
  return letter.length === 1 && letter >= '\ud800' && letter <= '\udfff'
}
