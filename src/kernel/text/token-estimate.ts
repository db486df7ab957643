import { TOKEN_WEIGHTS } from './token-weights.ts'

/**
 * How many tokens a byte-pair tokenizer makes of a text, without its table of merges (several megabytes, a tenth of a second to load; too
 * much for a hook).
 *
 * Such a tokenizer first cuts a text into pieces and then encodes each piece alone. The cut is a rule and is done here as o200k does it;
 * the cost of a piece is estimated:
 *
 * ` maxRetries, 12345 {\n\n    é`  →  ` max` `Retries` `,` ` ` `123` `45` ` {\n\n` `   ` ` é`
 *
 * letters, punctuation   1 + ln(1 + e^3z)/3,  z = the sum of the piece's weights: its length and case, each pair and
 * each triple of its characters, folded onto 6,294 weights (`token-weights.ts`)
 * digits                 1 for every three
 * blanks                 1 a run; the blank before a word belongs to the word
 * other scripts          a fixed cost per character, by script
 *
 * The weights were fitted by `bench/fit-token-weights.ts` to the mean of o200k and cl100k; `npm run bench -- tokens` measures the error
 * on texts that were not part of the fit (ADR 0010).
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  scanPieces(text, (kind, start, end, cost) => {
    tokens += kind === TokenPiece.Fixed ? cost : pieceCost(text, kind, start, end)
  })
  return text === '' ? 0 : Math.max(1, Math.round(tokens))
}

/**
 * The length of the longest beginning of the text with at most so many tokens. It ends between pieces, unless one piece is a long run (a
 * blob, a text without blanks) that is worth cutting.
 */
export function prefixWithin(text: string, most: number): number {
  let tokens = 0
  let fits = 0
  let tooLong = 0
  scanPieces(text, (kind, start, end, cost) => {
    if (tooLong > 0) return
    const more = kind === TokenPiece.Fixed ? cost : pieceCost(text, kind, start, end)
    if (Math.round(tokens + more) > most) {
      tooLong = end
      return
    }
    tokens += more
    fits = end
  })
  if (tooLong === 0) return text.length
  if (tooLong - fits <= MAX_WHOLE_PIECE_LENGTH) return fits
  const start = fits
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (tokens + estimateTokens(text.slice(start, middle)) <= most) fits = middle
    else tooLong = middle
  }
  return fits
}

/** The output of the scanner. Only a `Fixed` piece comes with its cost. */
export const TokenPiece = { Word: 1, Signs: 2, Fixed: 3 } as const
type PieceKind = (typeof TokenPiece)[keyof typeof TokenPiece]

const LENGTHS = 25
const PAIRS_AT = 6 * LENGTHS
const PAIR_COUNT = 2_048
const TRIPLES_AT = PAIRS_AT + PAIR_COUNT
const TRIPLE_COUNT = 4_096
export const WEIGHT_COUNT = TRIPLES_AT + TRIPLE_COUNT
const WEIGHT_STEP = 1 / 16
export const SHARPNESS = 3
const DIGITS_A_TOKEN = 3
const MAX_WHOLE_PIECE_LENGTH = 40
/** The longest runs that a vocabulary has as one token. */
const BLANKS_A_TOKEN = 64
const BREAKS_A_TOKEN = 24
const SIGNS_A_TOKEN = 64

const OTHER = 0
const LETTER = 1
const DIGIT = 2
const BLANK = 3
const BREAK = 4
const SIGN = 5
const CAPITAL = 6

const ASCII_CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LETTER
  if (code >= 65 && code <= 90) return CAPITAL
  if (code >= 48 && code <= 57) return DIGIT
  if (code === 10 || code === 13) return BREAK
  if (code === 32 || (code >= 9 && code <= 12)) return BLANK
  return code < 32 || code === 127 ? OTHER : SIGN
})

/** First code unit of a range, and the cost of one of its code units: mean of o200k and cl100k on running text. */
const SCRIPT_COSTS: readonly (readonly [from: number, cost: number])[] = [
  [0, 0.75], // control characters
  [0x0250, 1.2], // phonetic signs
  [0x0370, 0.55], // Greek
  [0x0400, 0.36], // Cyrillic
  [0x0530, 0.9], // Armenian
  [0x0590, 0.7], // Hebrew
  [0x0600, 0.53], // Arabic
  [0x0700, 1.5],
  [0x0900, 0.72], // the scripts of India
  [0x0e00, 0.66], // Thai
  [0x0e80, 1.6],
  [0x10a0, 1.1], // Georgian
  [0x1100, 1.6],
  [0x2000, 1], // quotation marks, dashes
  [0x2070, 1.3], // arrows, mathematics, boxes
  [0x3000, 0.9], // punctuation of Chinese and Japanese
  [0x3040, 0.75], // Japanese syllables
  [0x3100, 1.6],
  [0x3400, 2.2],
  [0x4e00, 0.92], // Chinese characters
  [0xa000, 2],
  [0xac00, 0.82], // Korean
  [0xd7b0, 1.2], // surrogates: an emoji is two of them
  [0xe000, 2.6],
]

function classOf(code: number): number {
  if (code < 128) return ASCII_CLASSES[code] ?? SIGN
  if (code < 0x250) {
    if (code >= 0xc0) return code === 0xd7 || code === 0xf7 ? SIGN : code <= 0xde ? CAPITAL : LETTER
    return code === 0xa0 ? BLANK : code === 0xaa || code === 0xb5 || code === 0xba ? LETTER : SIGN
  }
  if (code >= 0x1e00 && code < 0x1f00) return LETTER
  if (code >= 0x300 && code < 0x370) return LETTER
  return code === 0x2028 || code === 0x2029 ? BREAK : OTHER
}

/** The pieces from left to right; a word or a run of signs includes the one character that it takes from before. */
export function scanPieces(
  text: string,
  visit: (kind: PieceKind, start: number, end: number, cost: number) => void,
): void {
  const length = text.length
  const classAt = (at: number) => (at < length ? classOf(text.charCodeAt(at)) : -1)
  let at = 0
  let lead = 0
  while (at < length) {
    const type = classAt(at)
    if (type === BLANK || type === BREAK) {
      let end = at
      let afterBreak = at
      for (let next = type; next === BLANK || next === BREAK; next = classAt(end)) {
        end += 1
        if (next === BREAK) afterBreak = end
      }
      if (afterBreak > at)
        visit(TokenPiece.Fixed, at, afterBreak, Math.ceil((afterBreak - at) / BREAKS_A_TOKEN))
      const blanks = end - afterBreak
      const following = classAt(end)
      lead = blanks > 0 && following !== -1 && following !== DIGIT ? 1 : 0
      // Before a number, the last blank is a piece of its own.
      if (blanks > lead)
        visit(TokenPiece.Fixed, afterBreak, end - lead, Math.ceil((blanks - lead) / BLANKS_A_TOKEN))
      if (blanks > 1 && following === DIGIT) visit(TokenPiece.Fixed, end, end, 1)
      at = end
      continue
    }
    let end = at + 1
    if (type === LETTER || type === CAPITAL) {
      // `maxRetries` is two, `HTTPServer` is one (its capitals are part of the word), as o200k cuts.
      end = at
      while (classAt(end) === CAPITAL) end += 1
      while (classAt(end) === LETTER) end += 1
      visit(TokenPiece.Word, at - lead, end, 0)
    } else if (type === DIGIT) {
      while (classAt(end) === DIGIT) end += 1
      visit(TokenPiece.Fixed, at, end, Math.ceil((end - at) / DIGITS_A_TOKEN))
    } else if (type === SIGN) {
      const next = classAt(end)
      if (lead === 0 && (next === LETTER || next === CAPITAL)) {
        lead = 1
        at = end
        continue
      }
      while (classAt(end) === SIGN) end += 1
      while (classAt(end) === BREAK) end += 1
      visit(TokenPiece.Signs, at - lead, end, 0)
    } else {
      let cost = 0
      for (end = at; classAt(end) === OTHER; end += 1) cost += scriptCost(text.charCodeAt(end))
      visit(TokenPiece.Fixed, at - lead, end, cost)
    }
    lead = 0
    at = end
  }
}

function scriptCost(code: number): number {
  let cost = 0
  for (const [from, each] of SCRIPT_COSTS) {
    if (code < from) break
    cost = each
  }
  return cost
}

/** Words repeat, within a text and in the next; and a hook runs this code cold, where a lookup costs a tenth of adding up the weights. */
const costByPiece = new Map<string, number>()
const MAX_REMEMBERED = 4_096
const MAX_REMEMBERED_LENGTH = 24

function pieceCost(text: string, kind: PieceKind, start: number, end: number): number {
  if (end - start === 1) return 1
  if (end - start > MAX_REMEMBERED_LENGTH) return weighPiece(text, kind, start, end)
  const piece = text.slice(start, end)
  const known = costByPiece.get(piece)
  if (known !== undefined) return known
  const cost = weighPiece(text, kind, start, end)
  if (costByPiece.size < MAX_REMEMBERED) costByPiece.set(piece, cost)
  return cost
}

function weighPiece(text: string, kind: PieceKind, start: number, end: number): number {
  const weights = weightsRead()
  const count = readFeatures(text, kind, start, end)
  let z = 0
  for (let n = 0; n < count; n += 1) z += weights[features[n] ?? 0] ?? 0
  const cost = costOf(z * WEIGHT_STEP)
  return kind === TokenPiece.Signs ? Math.max(cost, (end - start) / SIGNS_A_TOKEN) : cost
}

/** Near 1 below zero and linear above it: most pieces are one token, and none is less. */
export function costOf(z: number): number {
  const sharp = SHARPNESS * z
  return 1 + (sharp > 30 ? z : Math.log1p(Math.exp(sharp)) / SHARPNESS)
}

/** The output of `readFeatures`: one array for all pieces, because a cold hook estimates every word once. */
export let features = new Uint16Array(256)

/** The indices of the weights of a piece, and their number; the same for the estimate and for the fit. */
export function readFeatures(text: string, kind: PieceKind, start: number, end: number): number {
  const most = 2 * (end - start) + 2
  if (features.length < most) features = new Uint16Array(2 * most)
  const firstClass = classOf(text.charCodeAt(start))
  const hasLead = kind === TokenPiece.Word && firstClass !== LETTER && firstClass !== CAPITAL
  const isTitle = (hasLead ? classOf(text.charCodeAt(start + 1)) : firstClass) === CAPITAL
  const casing = !isTitle ? 0 : end - start > 2 && classOf(text.charCodeAt(end - 1)) === CAPITAL ? 2 : 1
  features[0] = ((kind - 1) * 3 + casing) * LENGTHS + Math.min(end - start, LENGTHS - 1)
  let count = 1
  let older = 1
  let old = hasLead ? 2 : 3
  for (let at = start; at < end; at += 1) {
    const raw = text.charCodeAt(at)
    const code = (raw >= 65 && raw <= 90) || (raw >= 0xc0 && raw <= 0xde) ? raw + 32 : raw
    features[count] = PAIRS_AT + ((old * 37 + code) & (PAIR_COUNT - 1))
    features[count + 1] =
      TRIPLES_AT + (((older * 7_919 + old * 104_729 + code * 1_299_709) >> 5) & (TRIPLE_COUNT - 1))
    count += 2
    older = old
    old = code
  }
  features[count] = TRIPLES_AT + (((older * 7_919 + old * 104_729) >> 5) & (TRIPLE_COUNT - 1))
  return count + 1
}

let weightsOnce: Int8Array | undefined
/** One letter per weight, in steps of a sixteenth: `A` is -2, `g` (the 33rd) is 0. */
function weightsRead(): Int8Array {
  if (weightsOnce !== undefined) return weightsOnce
  const weightOfCode = new Int8Array(128)
  for (let n = 0; n < WEIGHT_LETTERS.length; n += 1) weightOfCode[WEIGHT_LETTERS.charCodeAt(n)] = n - 32
  const weights = new Int8Array(WEIGHT_COUNT)
  for (let n = 0; n < WEIGHT_COUNT; n += 1) weights[n] = weightOfCode[TOKEN_WEIGHTS.charCodeAt(n)] ?? 0
  weightsOnce = weights
  return weights
}

export const WEIGHT_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
