import { type FileSample, isBinary, pairHash, sequenceHash, wordHashes } from './file-words.ts'

/**
 * A print is a sample of a file, stored in an anchor: enough to measure later how much of the file is left.
 *
 *   b2Kx9  iA  DcfAA1Rk…  .3
 *   │      │   │           └ how many of the identifiers that the entry names were in the file
 *   │      │   └ 16 word pairs of the file, drawn by their hash: each character is the distance to the next
 *   │      └ the scale: below which hash they were drawn
 *   └ the hash of all words in order: equal means unchanged, apart from its format
 *
 * The drawn pairs have the smallest hashes, which is a fair sample of all. Later we have the whole file,
 * and count which of the 16 are still in it. That is the share of the old content that is left, however much was added
 * (a similarity of the whole files would fall when a file grows, and most files do).
 *
 * A binary file, or one above 1 MB, has `=` and 60 bits of its ends instead: changed or not.
 */
const DRAWN = 16
/** Places that a drawn hash may have below the scale. More would make longer prints, fewer more chance hits. */
const PLACES = 384
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const SKIP = CHARACTERS.length - 1
const HASH_LENGTH = 5
const SCALE_LENGTH = 2
const EVERY_HASH = 2 ** 32
const WORDS_OF_AN_END = 2_000
const PRINT = /^(?:=[\w-]{10}|[\w-]{7,}(?:\.[1-9a-v])?)$/

/** Less than this of the file is left: it changed a lot. With 16 drawn, 7 or fewer. */
const MIN_LEFT = 0.47
/** If all identifiers of the entry are still there, more of the rest may change. */
const MIN_LEFT_WITH_NAMES = 0.25
/**
 * Minimum share of a missing file that another file must have to count as the same file, moved; and minimum number of
 * drawn pairs to judge by.
 */
const MIN_LEFT_WHEN_MOVED = 0.75
const MIN_DRAWN_WHEN_MOVED = 6
const MAX_BY_CHANCE = 0.5

/** What a file says, in a form that prints are made of and compared with. */
export type FileProfile =
  | {
      readonly kind: 'text'
      readonly hash: string
      readonly words: ReadonlySet<number>
      readonly pairs: ReadonlySet<number>
    }
  | { readonly kind: 'ends'; readonly hash: string }

export function profileOf(sample: FileSample): FileProfile {
  if (sample.kind === 'ends' || isBinary(sample)) return { kind: 'ends', hash: endsHash(sample) }
  const hashes = wordHashes(sample.bytes)
  const pairs = new Set<number>()
  let last = 0
  for (const hash of hashes) {
    pairs.add(pairHash(last, hash))
    last = hash
  }
  return {
    kind: 'text',
    hash: encodeNumber(sequenceHash(hashes), HASH_LENGTH),
    words: new Set(hashes),
    pairs,
  }
}

/** `about` is the text of the entry; the print counts its identifiers in the file. */
export function makePrint(profile: FileProfile, about: string): string {
  if (profile.kind === 'ends') return `=${profile.hash}`
  const drawn = [...profile.pairs].sort((a, b) => a - b).slice(0, DRAWN)
  const scale = encodeScale(drawn.length < DRAWN ? EVERY_HASH : (drawn.at(-1) ?? 0) + 1)
  const places = placesBelow(drawn, decodeScale(scale))
  const named = Math.min(31, countNames(profile.words, about))
  return profile.hash + scale + encodePlaces(places) + (named === 0 ? '' : `.${named.toString(32)}`)
}

export function isPrint(text: string): boolean {
  return PRINT.test(text)
}

/** undefined: a print that this version cannot read. */
export function judgePrint(print: string, now: FileProfile, about: string): 'fresh' | 'drifted' | undefined {
  const then = readPrint(print)
  if (then === undefined) return undefined
  if (then.kind === 'ends' || now.kind === 'ends')
    return then.kind === now.kind && then.hash === now.hash ? 'fresh' : 'drifted'
  if (then.hash === now.hash) return 'fresh'
  const named = countNames(now.words, about)
  // Half of the identifiers of the entry are gone: the strongest sign of drift.
  if (then.named > 0 && 2 * named <= then.named) return 'drifted'
  const least = then.named > 0 && named >= then.named ? MIN_LEFT_WITH_NAMES : MIN_LEFT
  return shareLeft(then, now.pairs) < least ? 'drifted' : 'fresh'
}

/** 0 to 1: how likely another file is this one, moved. 0 means it is not. */
export function resemblance(print: string, other: FileProfile, hasSameName: boolean): number {
  const then = readPrint(print)
  if (then === undefined || then.kind !== other.kind) return 0
  if (then.kind === 'ends' || other.kind === 'ends') return then.hash === other.hash ? 1 : 0
  // Files of a few words (an empty `__init__.py`) are all alike.
  const tells = then.places.size >= MIN_DRAWN_WHEN_MOVED
  if (then.hash === other.hash) return tells || hasSameName ? 1 : 0
  // A much larger file has most places by chance.
  if (!tells || shareTaken(then, other.pairs) > MAX_BY_CHANCE) return 0
  const left = shareLeft(then, other.pairs)
  return left >= MIN_LEFT_WHEN_MOVED ? Math.min(left, 0.99) : 0
}

interface TextPrint {
  readonly kind: 'text'
  readonly hash: string
  readonly scale: number
  readonly places: ReadonlySet<number>
  readonly named: number
}

function readPrint(print: string): TextPrint | { readonly kind: 'ends'; readonly hash: string } | undefined {
  if (!isPrint(print)) return undefined
  if (print.startsWith('=')) return { kind: 'ends', hash: print.slice(1) }
  const [body = '', named = '0'] = print.split('.')
  const start = HASH_LENGTH + SCALE_LENGTH
  return {
    kind: 'text',
    hash: body.slice(0, HASH_LENGTH),
    scale: decodeScale(body.slice(HASH_LENGTH, start)),
    places: new Set(decodePlaces(body.slice(start))),
    named: Number.parseInt(named, 32),
  }
}

/**
 *   left = (hits − chance) ÷ (1 − chance)      hits: drawn places that a pair of the file has, as a share
 *                                              chance: places that the file has at all, as a share
 */
function shareLeft({ scale, places }: TextPrint, pairs: ReadonlySet<number>): number {
  if (places.size === 0) return 1
  const taken = new Set(placesBelow(pairs, scale))
  let hits = 0
  for (const place of places) if (taken.has(place)) hits++
  const chance = Math.min(0.9, taken.size / PLACES)
  return Math.max(0, (hits / places.size - chance) / (1 - chance))
}

function shareTaken({ scale }: TextPrint, pairs: ReadonlySet<number>): number {
  return placesBelow(pairs, scale).length / PLACES
}

function placesBelow(hashes: Iterable<number>, scale: number): number[] {
  const places = new Set<number>()
  for (const hash of hashes) if (hash < scale) places.add(Math.floor((hash / scale) * PLACES))
  return [...places].sort((a, b) => a - b)
}

function countNames(words: ReadonlySet<number>, about: string): number {
  return nameHashes(about).filter(parts => parts.every(part => words.has(part))).length
}

/** The same words at both ends; of a binary file the same bytes, and the size. */
function endsHash(sample: FileSample): string {
  const { head, tail, size } =
    sample.kind === 'whole'
      ? { head: sample.bytes, tail: sample.bytes, size: sample.bytes.length }
      : { head: sample.head, tail: sample.tail, size: sample.size }
  const binary = isBinary(sample)
  const first = binary ? Array.from(head) : wordHashes(head).slice(0, WORDS_OF_AN_END)
  const last = binary ? Array.from(tail) : wordHashes(tail).slice(-WORDS_OF_AN_END)
  const seed = binary ? size : 0
  return (
    encodeNumber(sequenceHash(first, seed), HASH_LENGTH) + encodeNumber(sequenceHash(last, seed), HASH_LENGTH)
  )
}

function encodeNumber(value: number, length: number): string {
  let text = ''
  for (let left = value; text.length < length; left = Math.floor(left / 64))
    text = CHARACTERS[left % 64] + text
  return text
}

function decodeNumber(text: string): number {
  return [...text].reduce((value, character) => value * 64 + CHARACTERS.indexOf(character), 0)
}

/** Up to 2³² in 12 bits, rounded up: (128 + 7 bits) · 2^(5 bits). */
function encodeScale(scale: number): string {
  let power = 0
  while (Math.ceil(scale / 2 ** power) > 255) power++
  return encodeNumber(power * 128 + Math.max(0, Math.ceil(scale / 2 ** power) - 128), SCALE_LENGTH)
}

function decodeScale(text: string): number {
  const value = decodeNumber(text)
  return (128 + (value % 128)) * 2 ** Math.floor(value / 128)
}

function encodePlaces(places: readonly number[]): string {
  let text = ''
  let last = 0
  for (const place of places) {
    let distance = place - last
    for (; distance >= SKIP; distance -= SKIP) text += CHARACTERS[SKIP]
    text += CHARACTERS[distance]
    last = place
  }
  return text
}

function decodePlaces(text: string): number[] {
  const places: number[] = []
  let at = 0
  for (const character of text) {
    const distance = CHARACTERS.indexOf(character)
    at += distance
    if (distance < SKIP) places.push(at)
  }
  return places
}

const MAX_NAMES = 31
const CODE = /`([^`\n]{3,80})`/g
/** `retryLimit`, `MAX_RETRIES`, `brief.reranker`, `close()`: words that do not occur in prose. */
const NAME =
  /\b(?:[a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|\w+_\w+|[A-Za-z_]\w+(?=\(\))|[a-z]\w+(?:\.[a-z]\w+)+)/g
/** A file is named by its path; its name need not occur in the file itself. */
const FILE =
  /[\\/]|\.(?:[cm]?[jt]sx?|json|ya?ml|toml|md|py|rb|go|rs|java|kt|cs?|cpp|h|php|sh|sql|html|s?css|vue|svelte|lock|txt|env)$/i

/** The identifiers that a text names, each as the hashes of its words. */
export function nameHashes(text: string): number[][] {
  const names = new Set<string>()
  for (const [, code = ''] of text.matchAll(CODE)) if (!/\s/.test(code.trim())) names.add(code.trim())
  for (const chunk of text.replace(CODE, ' ').split(/\s+/)) {
    if (FILE.test(chunk.replace(/[.,;:!?)]+$/, ''))) continue
    for (const [name] of chunk.matchAll(NAME)) names.add(name)
  }
  const found = new Map<string, number[]>()
  for (const name of names) {
    if (FILE.test(name)) continue
    const hashes = wordHashes(new TextEncoder().encode(name))
    if (hashes.length > 0) found.set(hashes.join(' '), hashes)
  }
  return [...found.values()].slice(0, MAX_NAMES)
}
