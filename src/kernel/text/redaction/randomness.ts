/** Words and numbers as a reader would split them: `parseUtf8URLString` is parse, Utf, 8, URL, String. */
const PIECE = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g

/**
 * Base62 noise splits into pieces of about 2 characters, identifiers into 4 to 6. Of random strings of 21 characters 97 % are below 3.1,
 * of 32 characters 99 %; in 40 MB of Python and JavaScript sources one identifier is (`PBESv1SHA1And3KeyTripleDESCBC`).
 */
const RANDOM_PIECE_MAX = 3.1
/** Without a digit, the pieces of a string must be even shorter: `getIOSUIKitView` is a name. */
const RANDOM_LETTERS_PIECE_MAX = 2.2
const RANDOM_MIN_LENGTH = 16
const RANDOM_LETTERS_MIN_LENGTH = 24

function pieceLength(run: string): number {
  const pieces = run.match(PIECE)
  if (pieces === null) return 0
  let letters = 0
  for (const piece of pieces) letters += piece.length
  return letters / pieces.length
}

/**
 * H = -Σ p(c) · log2 p(c), in bits per character. English prose is about 4.1 with its spaces, a hex digest 3.7,
 * 40 characters of base64 about 4.9.
 */
export function shannonEntropy(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/**
 * Letters and digits that no person would have typed as words. Lower case with digits alone is not enough: pod names, slugs, hashes and
 * record ids look like that.
 */
export function looksRandom(run: string): boolean {
  if (run.length < RANDOM_MIN_LENGTH || !/[a-z]/.test(run) || !/[A-Z]/.test(run)) return false
  if (/\d/.test(run)) return pieceLength(run) <= RANDOM_PIECE_MAX
  return run.length >= RANDOM_LETTERS_MIN_LENGTH && pieceLength(run) <= RANDOM_LETTERS_PIECE_MAX
}

/** Names people write: words joined by `-`, `_`, `.`, `/` or capitals, with a number here and there. */
export function isWordy(value: string): boolean {
  const pieces = value.match(PIECE) ?? []
  const numbers = pieces.filter(piece => /^\d/.test(piece)).length
  const words = pieces.length - numbers
  return words > 0 && numbers <= Math.ceil(words / 2) && pieceLength(value) >= 3.2
}

/** Of random letters of both cases 95 % split into pieces below this; names made of three-letter words do not. */
const RANDOM_CASED_PIECE_MAX = 2.8
/** Five consonants in a row: `qzkfhwpx` has them, pronounceable words do not. */
const UNSPEAKABLE = /[bcdfghjklmnpqrstvwxz]{5,}/i

/** `xxxxxxxxxxxx` and the like are written in place of a secret. */
const FILLER_LETTERS = 5

/** Only letters, which no person would type as words. For places that announce a secret: on its own it proves nothing. */
export function isRandomLetters(value: string): boolean {
  if (!/^[A-Za-z]{10,}$/.test(value) || new Set(value.toLowerCase()).size < FILLER_LETTERS) return false
  if (/[a-z]/.test(value) && /[A-Z]/.test(value) && !/^[A-Z][a-z]+$/.test(value))
    return pieceLength(value) <= RANDOM_CASED_PIECE_MAX
  return UNSPEAKABLE.test(value)
}

/**
 * Characters of every kind in random order, as generators of salts write them, including blanks. Of 64 random printable characters the
 * entropy is about 5.5 bits; of patterns, code and sentences of that length it is below 4.9.
 */
export function isNoise(value: string): boolean {
  return NOISE.test(value) && shannonEntropy(value) > NOISE_FLOOR_BITS
}

const NOISE = /^[ -~]{48,160}$/
const NOISE_FLOOR_BITS = 5

/** How often letters and digits alternate. */
export function turnsOf(value: string): number {
  return value.split(/(?<=\d)(?=[A-Za-z])|(?<=[A-Za-z])(?=\d)/).length - 1
}
