import { findAgentInstruction } from '../../../kernel/text/agent-instructions.ts'
import { foldWord } from '../../../kernel/text/fold.ts'
import { namedFiles } from '../../../kernel/text/named-files.ts'
import { stemWord } from '../../../kernel/text/stem.ts'
import { stopWords } from '../../../kernel/text/stop-words.ts'
import { scanChunks } from '../../../kernel/text/words.ts'
import { MAX_CLAIM_CHARACTERS, MAX_QUOTE_CHARACTERS } from './plan-refinement.ts'
import type { SaidMessage } from './said-messages.ts'

export type Ungrounded =
  | 'no such message'
  | 'text empty or too long'
  | 'control characters'
  | 'imitates a fence'
  | 'speaks to the reader'
  | 'quotation not in the message'
  | 'name or number not in the conversation'
  | 'words not in the conversation'
  | 'says the opposite'

const MIN_QUOTE_CHARACTERS = 8
const MIN_CLAIM_CHARACTERS = 10
/** Line ends and tabs become spaces earlier; this matches every other character that is invisible or reverses the line. */
const CONTROLS =
  /[\0-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u202a-\u202e\u2028\u2029\u2060-\u206f\ufeff\ufff0-\uffff\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/u
const FENCE =
  /<[\s/|!]{0,8}(?:project[_\s-]?memory|system|private|entry\b|user\b|assistant|human|hook|im_|tool|function|antml)|\[\/?(?:inst|sys)\]|memory context|```|~~~|<\||#(?:remember|skip)\b/i
/** The share of the significant words that must occur in the conversation: anywhere, near the claimed source, and in it. */
const SAID_SHARE = 0.7
const SAID_NEAR_SHARE = 0.4
const SAID_THERE_SHARE = 0.2
/** How many neighbours of the message count as its context. */
const NEAR = 2

/**
 * Whether the conversation supports a text that a model wrote. A conversation can manipulate the model that reads it, so a text is only
 * accepted with evidence, and the evidence is checked.
 */
export interface Ground {
  /** undefined: the conversation supports the claim. */
  whyNot(claim: {
    readonly text: string
    readonly message: number
    readonly quote: string
  }): Ungrounded | undefined
}

export function groundOf(said: readonly SaidMessage[]): Ground {
  const placeByMessage = new Map(said.map(({ message }, place) => [message, place]))
  const looseTexts = said.map(({ text }) => loose(text))
  const wordsByPlace = said.map(({ text }) => tellingWords(text))
  const allWords = new Set(wordsByPlace.flatMap(words => [...words]))
  const allText = looseTexts.join('\n')

  return {
    whyNot({ text, message, quote }) {
      const place = placeByMessage.get(message)
      if (place === undefined) return 'no such message'
      if (text.length > MAX_CLAIM_CHARACTERS || text.length < MIN_CLAIM_CHARACTERS)
        return 'text empty or too long'
      if (CONTROLS.test(text)) return 'control characters'
      if (FENCE.test(text)) return 'imitates a fence'
      if (findAgentInstruction(text) !== undefined) return 'speaks to the reader'
      const quoted = loose(quote)
      const isFair = quoted.length >= MIN_QUOTE_CHARACTERS && quote.length <= MAX_QUOTE_CHARACTERS * 2
      if (!isFair || !looseTexts[place]?.includes(quoted)) return 'quotation not in the message'
      if (!namesIn(text).every(name => stands(name, allText))) return 'name or number not in the conversation'
      const words = [...tellingWords(text)]
      const near = new Set(
        wordsByPlace.slice(Math.max(0, place - NEAR), place + NEAR + 1).flatMap(some => [...some]),
      )
      const areSaid = (where: ReadonlySet<string>, share: number) =>
        words.filter(word => where.has(word)).length >= share * words.length
      const hasWords =
        words.length > 0 &&
        areSaid(allWords, SAID_SHARE) &&
        areSaid(near, SAID_NEAR_SHARE) &&
        areSaid(wordsByPlace[place] ?? new Set(), SAID_THERE_SHARE)
      if (!hasWords) return 'words not in the conversation'
      const isDenied = isNegated(text)
      if (isNegated(quote) ? !isDenied : isDenied && !isNegated(said[place]?.text ?? ''))
        return 'says the opposite'
      return undefined
    },
  }
}

/** Normalises case, spaces, Markdown marks and quotation marks, so that the same words compare as equal. */
function loose(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’´]/g, "'")
    .replace(/[“”«»]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/[*_`"\\]/g, '')
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
}

/**
 * Text that must match letter by letter: files, addresses, flags, everything with a digit, and identifiers
 * (`maxRetries`, `DB_URL`, `token.ts`).
 */
function namesIn(text: string): string[] {
  const found = new Set<string>(namedFiles(text))
  for (const token of text.split(/[\s,;()[\]{}"'`“”‘’<>|]+/)) {
    const name = token.replace(/^[.:!?]+|[.:!?…]+$/g, '')
    if (name === '') continue
    const isName =
      /\d/.test(name) ||
      /[/\\_@$%^~=+#*]/.test(name) ||
      /^-{1,2}[a-z]/i.test(name) ||
      /\w[.:]\w/.test(name) ||
      /[a-z][A-Z]/.test(name) ||
      /^[A-Z]{2,}$/.test(name)
    if (isName) found.add(name)
  }
  return [...found]
}

/** As a whole word: 5 does not occur in 50, nor `a.ts` in `data.ts`. */
function stands(name: string, text: string): boolean {
  const wanted = loose(name)
  if (wanted === '') return false
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = text.charAt(at - 1)
    const after = text.charAt(at + wanted.length)
    if (!isWordPart(before) && !isWordPart(after)) return true
  }
  return false
}

function isWordPart(letter: string): boolean {
  return letter !== '' && /[\p{L}\p{N}]/u.test(letter)
}

function tellingWords(text: string): Set<string> {
  const words = new Set<string>()
  for (const { text: chunk } of scanChunks(text)) {
    for (const part of chunk.split(/[.\-'’/\\:_]+/)) {
      const word = foldWord(part)
      if (word.length < 3 || stopWords('en').has(word) || stopWords('pt').has(word)) continue
      // One stemmer serves both languages: both sides only need to be stemmed in the same way.
      words.add(stemWord(word, 'en'))
    }
  }
  return words
}

export function isNegated(text: string): boolean {
  return /\b(?:not|no(?! exception)|never|don't|won't|without|não|nunca|sem(?! exce))\b/i.test(text)
}

/** A longer answer is not a list of findings. */
const MAX_ANSWER_CHARACTERS = 400_000
/** The most characters to scan in a text full of braces. */
const MAX_STEPS = 8_000_000

/**
 * The JSON object in a model's answer: the whole answer, in a code fence, or surrounded by prose. The last one with an expected key,
 * because reasoning models write drafts first.
 */
export function jsonObjectIn(
  answer: string,
  keys: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  const text = answer.slice(0, MAX_ANSWER_CHARACTERS)
  let last: Readonly<Record<string, unknown>> | undefined
  let steps = 0
  for (let from = text.indexOf('{'); from >= 0 && steps < MAX_STEPS; ) {
    const end = endOfObject(text, from)
    steps += (end ?? text.length) - from
    const object = end === undefined ? undefined : parsed(text.slice(from, end))
    if (object !== undefined && keys.some(key => Array.isArray(object[key]))) last = object
    from = text.indexOf('{', object === undefined || end === undefined ? from + 1 : end)
  }
  return last
}

/** The position after the brace that closes the one at `start`. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (inString) {
      if (letter === 92) at++
      else if (letter === 34) inString = false
    } else if (letter === 34) inString = true
    else if (letter === 123) depth++
    else if (letter === 125 && --depth === 0) return at + 1
  }
  return undefined
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
