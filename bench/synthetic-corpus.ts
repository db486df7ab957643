import { FUNCTION_WORDS, OPENINGS, TECHNICAL_WORDS } from './word-lists.ts'

/**
 * Developer notes of any number, each made from its position alone: nothing is stored, and any entry can be made again
 * when a question about it is needed. Changing what comes out means a new `CORPUS_VERSION`, which keeps cached
 * projects apart.
 *
 *   position ─▶ session (about ten entries on eight topic words) ─▶ entry ─▶ question about it
 */
export const CORPUS_VERSION = 2

export interface SyntheticEntry {
  readonly text: string
  readonly metadata: {
    readonly kind: string
    readonly tags: readonly string[]
    readonly files: readonly string[]
    readonly date: string
    readonly session: string
    readonly agent: string
    readonly importance: number
  }
}

export interface SyntheticQuestion {
  readonly text: string
  /** The words of the question that carry its topic, as they are written in it. */
  readonly words: readonly string[]
  /** The position of the entry it was made from. */
  readonly answer: number
}

/** Between 0 and 1. */
export type Random = () => number
type Language = 'en' | 'pt'

/** Mulberry32: small, fast, the same on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const VOCABULARY = 30_000
/**
 * Zipf–Mandelbrot: the word of rank r is drawn with p(r) = 1 / ((r + q) · ln((V + q) / (1 + q))). With s = 1 and q = 30
 * the first content word is drawn 0.5 % of the time; at about 20 content words an entry it stands in some 8 % of them.
 */
const FLATTENING = 30
const SESSION_LENGTH = 10
const DAY_MS = 86_400_000
const FIRST_DAY_MS = Date.UTC(2023, 0, 2)
const DAYS = 3 * 365
const AGENTS = ['shared', 'claude-code', 'codex', 'gemini']
const KINDS = [
  'decision',
  'lesson',
  'warning',
  'error',
  'task',
  'pattern',
  'discovery',
  'architecture',
  'project',
  'handoff',
]
const FOLDERS = ['src', 'lib', 'app', 'packages/core', 'services/api', 'web', 'tools']
const ENDINGS = ['ts', 'tsx', 'py', 'rs', 'go', 'kt', 'sql', 'yaml']

export function entryAt(position: number): SyntheticEntry {
  const { text, session, kind, random } = composeEntry(position)
  const ms = session.startMs + (position % SESSION_LENGTH) * 11 * 60_000
  return {
    text,
    metadata: {
      kind,
      tags: session.topics.slice(0, 1 + Math.floor(random() * 3)),
      files: random() < 0.6 ? session.files.slice(0, 1 + Math.floor(random() * 2)) : [],
      date: new Date(ms).toISOString().slice(0, 16),
      session: session.name,
      agent: session.agent,
      importance: Math.round(random() * 10) / 10,
    },
  }
}

/** Three to six words of the entry, some inflected, sometimes one that is not in it, between function words. */
export function questionAbout(position: number): SyntheticQuestion {
  const { words, session } = composeEntry(position)
  const random = seededRandom(position * 31 + 17)
  const candidates = [...new Set(words)]
  const chosen: string[] = []
  const wanted = 3 + Math.floor(random() * 4)
  while (chosen.length < wanted && candidates.length > 0) {
    const [word = ''] = candidates.splice(Math.floor(random() * candidates.length), 1)
    chosen.push(random() < 0.3 ? inflect(word, session.language, random) : word)
  }
  if (random() < 0.35) chosen.push(drawWord(session.language, random))
  const asked: string[] = [pick(OPENINGS[session.language], random)]
  for (const word of chosen) {
    if (random() < 0.5) asked.push(pick(FUNCTION_WORDS[session.language], random))
    asked.push(word)
  }
  return { text: `${asked.join(' ')}?`, words: chosen, answer: position }
}

/** Questions about entries spread evenly over the corpus. */
export function questionsAbout(entries: number, count: number): SyntheticQuestion[] {
  const step = entries / count
  return Array.from({ length: count }, (_, i) => questionAbout(Math.floor((i + 0.5) * step)))
}

/** The order in which the entries were written; positions themselves are in no order of time. */
export function positionsByDate(entries: number): number[] {
  return Array.from({ length: Math.ceil(entries / SESSION_LENGTH) }, (_, number) => ({
    number,
    startMs: sessionAt(number).startMs,
  }))
    .sort((a, b) => a.startMs - b.startMs)
    .flatMap(({ number }) => Array.from({ length: SESSION_LENGTH }, (_, i) => number * SESSION_LENGTH + i))
    .filter(position => position < entries)
}

interface Session {
  readonly name: string
  readonly language: Language
  readonly topics: readonly string[]
  readonly files: readonly string[]
  readonly agent: string
  readonly startMs: number
}

function sessionAt(number: number): Session {
  const random = seededRandom(number * 7_919 + 3)
  const language = random() < 0.1 ? 'pt' : 'en'
  const topics = Array.from({ length: 8 }, () => drawWord(language, random))
  return {
    name: `s${number.toString(36)}`,
    language,
    topics,
    files: Array.from(
      { length: 3 },
      () =>
        `${pick(FOLDERS, random)}/${pick(topics, random)}/${drawWord('en', random)}.${pick(ENDINGS, random)}`,
    ),
    agent: pick(AGENTS, random),
    startMs: FIRST_DAY_MS + Math.floor(random() * DAYS) * DAY_MS + Math.floor(random() * 20 * 60) * 60_000,
  }
}

function composeEntry(position: number) {
  const session = sessionAt(Math.floor(position / SESSION_LENGTH))
  const random = seededRandom(position * 2_654_435 + 11)
  const length = 15 + Math.floor(random() * 46)
  const words: string[] = []
  let text = ''
  let isSentenceStart = true
  for (let i = 0; i < length; i++) {
    let word: string
    if (random() < 0.47) word = pick(FUNCTION_WORDS[session.language], random)
    else {
      word = random() < 0.2 ? pick(session.topics, random) : drawWord(session.language, random)
      if (random() < 0.15) word = inflect(word, session.language, random)
      words.push(word)
    }
    text += isSentenceStart ? word[0]?.toUpperCase() + word.slice(1) : word
    isSentenceStart = i > 0 && i < length - 4 && random() < 0.08
    text += i === length - 1 ? '.' : isSentenceStart ? '. ' : ' '
  }
  if (random() < 0.3) text += ` See \`${identifier(session, random)}\`.`
  return { text, words, session, kind: pick(KINDS, random), random }
}

function identifier(session: Session, random: Random): string {
  const first = pick(session.topics, random)
  const second = drawWord('en', random)
  return `${first}${second[0]?.toUpperCase()}${second.slice(1)}`
}

/** The inverse of the cumulated Zipf–Mandelbrot law, so no table is needed: r = (1 + q) · ((V + q) / (1 + q))^u − q. */
function drawWord(language: Language, random: Random): string {
  const rank = (1 + FLATTENING) * ((VOCABULARY + FLATTENING) / (1 + FLATTENING)) ** random() - FLATTENING
  return wordOfRank(Math.floor(rank) - 1, language)
}

const ONSETS = [
  'b',
  'c',
  'd',
  'f',
  'g',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  't',
  'v',
  'br',
  'cl',
  'dr',
  'fl',
  'gr',
  'pl',
  'st',
  'tr',
]
const VOWELS = ['a', 'e', 'i', 'o', 'u']
const CLOSINGS = ['n', 'k', 'm', 'p', 't', 'rd', 'lt', 'x', 'nd', 'ck']

/** Real technical words are the most frequent ones; then come made-up ones, the same for both languages. */
function wordOfRank(rank: number, language: Language): string {
  const real = TECHNICAL_WORDS[language]
  return real[rank] ?? inventWord(rank)
}

/** Common words are short, as in any language, and few words are one letter away from another. */
const SHORT_WORDS = 3_000

/** The rank written in syllables, so that no two ranks share a word. */
function inventWord(rank: number): string {
  const syllables = rank < SHORT_WORDS ? 2 : 3
  // A step that shares no factor with the number of possible words spreads neighbours in rank over the alphabet.
  let rest = (rank * 7_368_787) % ((ONSETS.length * VOWELS.length) ** syllables * CLOSINGS.length)
  let word = ''
  for (let syllable = 0; syllable < syllables; syllable++) {
    word += ONSETS[rest % ONSETS.length]
    rest = Math.floor(rest / ONSETS.length)
    word += VOWELS[rest % VOWELS.length]
    rest = Math.floor(rest / VOWELS.length)
  }
  return word + CLOSINGS[rest]
}

function inflect(word: string, language: Language, random: Random): string {
  if (language === 'pt') return word.endsWith('s') ? word : `${word}s`
  if (word.endsWith('e') || word.endsWith('s') || word.endsWith('y'))
    return word.endsWith('e') ? `${word}d` : word
  return word + pick(['s', 'ing', 'ed'], random)
}

function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)] as T
}
