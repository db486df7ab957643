import { foldWord } from './fold.ts'
import { isAscii, isLatin, whenNeeded } from './script.ts'

/**
 * The parts of a chunk of text, folded: its words, and the names of more than one word, joined.
 *
 * maxRetryCount, max_retry_count → words max retry count     wholes maxretrycount
 * src/auth/session.ts            → words src auth session ts wholes sessionts authsessionts srcauthsessionts
 * utf-8, utf8                    → words utf 8               wholes utf8
 * don't, Ana's                   → words don, ana            wholes –
 * 全文検索                        → words 全文 文検 検索        wholes –
 */
interface ChunkParts {
  readonly words: readonly string[]
  readonly wholes: readonly string[]
}

const PLAIN_WORD = /^[A-Z]?[a-z]+$/
const NAME_BORDER = /[/\\:]+/
const PIECE_BORDER = /[._\-'’]+/
/** aB | ABc | a1 | 1a : where a name without separators is split into words. */
const ASCII_BORDER = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])/
const border = whenNeeded(
  () =>
    /(?<=[\p{Ll}\p{M}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=[\p{L}\p{M}])(?=\p{N})|(?<=\p{N})(?=\p{L})/u,
)
/** The letters after the apostrophe in English contractions and possessives. */
const CONTRACTION = /['’](?:s|t|re|ve|ll|d|m)$/i
const DIGITS = /^\d+$/
const FILE_EXTENSION = /\.\w{1,5}$/

/** Scripts written without blanks between words. */
const unspaced = whenNeeded(() => /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u)
const unspacedRun = whenNeeded(
  () => /([\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}ー]+)/u,
)

/** A hash or a base64 id splits into many fragments that would match anything; it stays one word. */
const MAX_WORDS_PER_PIECE = 6
/** Typed words are shorter; this limits a token in the index. */
const MAX_TOKEN_LENGTH = 64

export function chunkParts(chunk: string): ChunkParts {
  if (PLAIN_WORD.test(chunk)) return { words: [cut(chunk.toLowerCase())], wholes: [] }
  const words: string[] = []
  const wholes: string[] = []
  const names = chunk.split(NAME_BORDER)
  let parent = ''
  let last = ''
  for (const name of names) {
    const nameWords = wordsOfName(name.replace(CONTRACTION, ''))
    words.push(...nameWords)
    const whole = nameWords.join('')
    if (nameWords.length > 1 && isName(whole)) wholes.push(whole)
    parent = last
    last = whole
  }
  const isPath = names.length > 2 || (names.length === 2 && FILE_EXTENSION.test(chunk))
  if (isPath) {
    for (const whole of new Set([parent + last, words.join('')])) {
      if (whole.length <= MAX_TOKEN_LENGTH && !DIGITS.test(whole)) wholes.push(whole)
    }
  }
  return { words, wholes }
}

function wordsOfName(name: string): string[] {
  const words: string[] = []
  const mayBeUnspaced = !isLatin(name)
  for (const piece of name.split(PIECE_BORDER)) {
    if (mayBeUnspaced && unspaced().test(piece)) words.push(...wordsOfMixedPiece(piece))
    else pushPiece(words, piece)
  }
  return words
}

function splitPiece(piece: string): string[] {
  if (isAscii(piece)) return piece.split(ASCII_BORDER)
  const tail = piece.slice(1)
  const isOneWord = isLatin(piece) && tail === tail.toLowerCase() && !/\d/.test(piece)
  return isOneWord ? [piece] : piece.split(border())
}

function pushPiece(words: string[], piece: string): void {
  const parts = splitPiece(piece)
  for (const part of parts.length > MAX_WORDS_PER_PIECE ? [piece] : parts) {
    const word = cut(foldWord(part))
    if (word.length > 0) words.push(word)
  }
}

/** Text without blanks becomes overlapping pairs of letters; a single letter stays. */
function wordsOfMixedPiece(piece: string): string[] {
  const words: string[] = []
  for (const run of piece.split(unspacedRun())) {
    if (run.length === 0) continue
    if (!unspaced().test(run)) {
      pushPiece(words, run)
      continue
    }
    const letters = Array.from(foldWord(run))
    if (letters.length === 1) words.push(letters[0] ?? '')
    for (let i = 0; i + 1 < letters.length; i += 1) words.push(`${letters[i]}${letters[i + 1]}`)
  }
  return words
}

/** `1.2.1` and `2026-03` are separate numbers, not a name; pairs of ideographs overlap already. */
function isName(whole: string): boolean {
  return (
    whole.length <= MAX_TOKEN_LENGTH && !DIGITS.test(whole) && (isLatin(whole) || !unspaced().test(whole))
  )
}

function cut(word: string): string {
  return word.length <= MAX_TOKEN_LENGTH
    ? word
    : Array.from(word.slice(0, MAX_TOKEN_LENGTH)).filter(isWhole).join('')
}

/** Half of a surrogate pair is not a letter. */
function isWhole(letter: string): boolean {
  return letter.length > 1 || letter < '\ud800' || letter > '\udfff'
}
