import { whenNeeded } from './script.ts'

/** The word pieces that a model knows, as the hash table that embedding-model/vocabulary-table.mjs writes. */
export interface PieceTable {
  /** id + 1, or 0 for a free slot; the number of slots is a power of two. */
  readonly slots: Uint16Array
  /** The start of each piece in `units`; the highest bit means that it continues a word. One more at the end. */
  readonly starts: Uint32Array
  readonly units: Uint16Array
  readonly longestPiece: number
}

/** Of the uncased BERT vocabulary. */
const UNKNOWN = 100
const START_OF_TEXT = 101
const END_OF_TEXT = 102
const MAX_WORD_LENGTH = 100
/** No embedded text is longer; a megabyte of blanks is not worth reading to its end. */
const MAX_UNITS = 65_536

const CONTINUES = 0x8000_0000
const REPLACEMENT = 0xfffd
// Includes lone surrogates.
const removed = whenNeeded(() => /\p{C}/u)
const nonspacing = whenNeeded(() => /\p{Mn}/u)
const punctuation = whenNeeded(() => /\p{P}/u)

/**
 * The ids of a text's pieces as the uncased BERT tokenisers give them, at most `maxTokens` with the two markers around them.
 *
 * Renaming useEffect! → [start] rename ##ing use ##ef ##fect ! [end]
 *
 * Markers that are spelt out in a text (`[SEP]`) are text: user input must not control the model.
 */
export function pieceIds(text: string, table: PieceTable, maxTokens: number): number[] {
  const ids = [START_OF_TEXT]
  const most = maxTokens - 1
  const word = new Word(table, ids)
  const end = Math.min(text.length, MAX_UNITS)
  for (let i = 0; i < end && ids.length < most; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) {
      takeAscii(unit, word)
      continue
    }
    const point = text.codePointAt(i) ?? unit
    if (point > 0xffff) i++
    takeOther(point, word)
  }
  word.finish()
  if (ids.length > most) ids.length = most
  ids.push(END_OF_TEXT)
  return ids
}

function takeAscii(unit: number, word: Word): void {
  if ((unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39)) word.add(unit)
  else if (unit >= 0x41 && unit <= 0x5a) word.add(unit + 0x20)
  else if (unit > 0x20 && unit < 0x7f) word.addAlone(unit)
  else if (unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0d) word.finish()
  // Other control characters are ignored.
}

function takeOther(point: number, word: Word): void {
  if (isBlank(point)) {
    word.finish()
    return
  }
  const isLatin = point >= 0xc0 && point < 0x250
  const character = String.fromCodePoint(point)
  if (!isLatin && (point === REPLACEMENT || removed().test(character))) return
  if (isIdeograph(point)) word.finish()
  for (const part of character.normalize('NFD')) {
    const partPoint = part.codePointAt(0) ?? 0
    const isMark = isLatin ? partPoint >= 0x300 && partPoint < 0x370 : nonspacing().test(part)
    if (isMark) continue
    if (partPoint < 0x80) takeAscii(partPoint, word)
    else if (!isLatin && punctuation().test(part)) word.addAlone(partPoint)
    else for (const lower of part.toLowerCase()) word.add(lower.codePointAt(0) ?? 0)
  }
  if (isIdeograph(point)) word.finish()
}

/** Beyond ASCII. */
function isBlank(point: number): boolean {
  return (
    point === 0xa0 ||
    point === 0x1680 ||
    (point >= 0x2000 && point <= 0x200a) ||
    point === 0x2028 ||
    point === 0x2029 ||
    point === 0x202f ||
    point === 0x205f ||
    point === 0x3000
  )
}

/** Each is a word of its own. The ranges are BERT's. */
function isIdeograph(point: number): boolean {
  return (
    (point >= 0x4e00 && point <= 0x9fff) ||
    (point >= 0x3400 && point <= 0x4dbf) ||
    (point >= 0x20000 && point <= 0x2a6df) ||
    (point >= 0x2a700 && point <= 0x2b73f) ||
    (point >= 0x2b740 && point <= 0x2b81f) ||
    (point >= 0x2b920 && point <= 0x2ceaf) ||
    (point >= 0xf900 && point <= 0xfaff) ||
    (point >= 0x2f800 && point <= 0x2fa1f)
  )
}

/** The current word; when it ends, its pieces are added to `ids`. */
class Word {
  readonly #table: PieceTable
  readonly #ids: number[]
  readonly #units: number[] = []
  readonly #hashes: number[] = []
  #characters = 0

  constructor(table: PieceTable, ids: number[]) {
    this.#table = table
    this.#ids = ids
  }

  add(point: number): void {
    this.#characters++
    if (this.#characters > MAX_WORD_LENGTH) return
    if (point <= 0xffff) this.#units.push(point)
    else this.#units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff))
  }

  addAlone(point: number): void {
    this.finish()
    this.add(point)
    this.finish()
  }

  finish(): void {
    if (this.#characters === 0) return
    if (this.#characters > MAX_WORD_LENGTH) this.#ids.push(UNKNOWN)
    else this.#split()
    this.#characters = 0
    this.#units.length = 0
  }

  /** The longest matching piece, repeatedly; if a part of the word matches no piece, the whole word is unknown. */
  #split(): void {
    const before = this.#ids.length
    for (let start = 0; start < this.#units.length; ) {
      const found = this.#longestPiece(start)
      if (found === undefined) {
        this.#ids.length = before
        this.#ids.push(UNKNOWN)
        return
      }
      this.#ids.push(found.id)
      start = found.end
    }
  }

  #longestPiece(start: number): { id: number; end: number } | undefined {
    const units = this.#units
    const hashes = this.#hashes
    const last = Math.min(units.length, start + this.#table.longestPiece)
    let hash = start === 0 ? 0x811c9dc5 : 0x811c9dc5 ^ 0x23
    for (let end = start; end < last; end++) {
      hash = Math.imul(hash ^ (units[end] ?? 0), 0x01000193)
      hashes[end] = hash
    }
    for (let end = last; end > start; end--) {
      const id = this.#find(start, end, hashes[end - 1] ?? 0)
      if (id !== undefined) return { id, end }
    }
    return undefined
  }

  #find(start: number, end: number, hash: number): number | undefined {
    const { slots } = this.#table
    const mask = slots.length - 1
    for (let slot = (hash ^ (hash >>> 16)) & mask; ; slot = (slot + 1) & mask) {
      const taken = slots[slot] ?? 0
      if (taken === 0) return undefined
      if (this.#isPiece(taken - 1, start, end)) return taken - 1
    }
  }

  #isPiece(id: number, start: number, end: number): boolean {
    const { starts, units } = this.#table
    const begin = starts[id] ?? 0
    if (begin >= CONTINUES !== start > 0) return false
    const at = begin & ~CONTINUES
    if (((starts[id + 1] ?? 0) & ~CONTINUES) - at !== end - start) return false
    for (let i = start; i < end; i++) if (units[at + i - start] !== this.#units[i]) return false
    return true
  }
}
