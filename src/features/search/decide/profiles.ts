/**
 * Different tasks need different entries: debugging needs known errors, planning needs decisions. A profile weighs
 * kinds and nothing else. Only profiles that beat the default on their own prompts are here (`npm run bench -- brief`,
 * table Profiles): profiles for review, docs and refactoring did not help measurably.
 */
interface Profile {
  /** By kind; 1 where it is not named. */
  readonly kinds: Readonly<Record<string, number>>
  /** Of those that come with Cairn: prompts it is for, as a pattern over lower-case text. */
  readonly pattern?: string
  /** Of a project's own: words and phrases, one of which the prompt must have. None: only when it is asked for. */
  readonly phrases?: readonly string[]
}

export type Profiles = Readonly<Record<string, Profile>>

export const DEFAULT_PROFILE = 'default'
/** Of prompts that report an error or something that does not work. */
export const TROUBLE_PROFILE = 'debug'

const DEBUG = [
  '\\b(?:debugging|depurar|depure)\\b|\\bdebug (?:an?|the|our|my|this|that|these|those|it|why|how|what|where)\\b',
  '\\b(?:error|exception|crash\\w*|fail\\w*|broken?|breaks|throws?|bug|stack ?trace|traceback|panics?|killed|hangs?|freez\\w+|dies|died|slow|leak\\w*|times? out|timeout|not working|flak(?:e|es|y))\\b',
  "\\b(?:doesn'?t|isn'?t|won'?t|can'?t|aren'?t) (?:\\w+ )?(?:work|load|start|open|match|find|found|respond\\w*)\\b",
  '\\b(?:erro|falh\\w+|quebr\\w+|trav\\w+|lento|problema|caiu|sumiu|parou)\\b',
  '\\n\\s+at \\S|\\w(?:error|exception):|:\\d+:\\d+\\b',
].join('|')

const PLAN = [
  "(?:^|\\b(?:to|please|let'?s|let us|help (?:me|us)|and|then|we|i) )(?:plan|design|outline|propose) (?:the|a|an|our|my|this|that|how|for|out)\\b",
  '\\bplane(?:jar|jamos|je|jando)\\b',
  "\\b(?:should (?:we|i)|can (?:we|i)|could (?:we|i)|may i|are we|do we|what if|let'?s|let us|i want to|i need to|we want to|going to|how (?:do|would|should) (?:we|i))\\b",
  '^(?:please )?(?:add|implement|introduce|switch|replace|support|make|use|move|build|create)\\b',
  '\\b(?:posso|podemos|devo|devemos|quero|queremos|vamos|como (?:faço|fazemos)|dá pra|preciso)\\b',
].join('|')

export const PROFILES: Profiles = {
  [TROUBLE_PROFILE]: { pattern: DEBUG, kinds: { error: 1.25, discovery: 1.1, warning: 1.1, decision: 0.9 } },
  plan: {
    pattern: PLAN,
    kinds: { decision: 1.15, architecture: 1.15, preference: 1.1, task_progress: 1.1, error: 0.85 },
  },
}

const READ_CHARACTERS = 2_000

/** The first whose pattern fits, a user's own before those that come with Cairn. */
export function detectProfile(prompt: string, profiles: Profiles): string {
  const text = prompt.slice(0, READ_CHARACTERS).toLowerCase()
  for (const [name, { pattern, phrases = [] }] of Object.entries(profiles)) {
    if (pattern !== undefined && new RegExp(pattern).test(text)) return name
    if (phrases.some(phrase => hasPhrase(text, phrase))) return name
  }
  return DEFAULT_PROFILE
}

/** As words of their own: `deploy` is not in `redeployed`. */
function hasPhrase(text: string, phrase: string): boolean {
  const isLetter = (character: string) => /[\p{L}\p{N}_]/u.test(character)
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    if (!isLetter(text.charAt(at - 1)) && !isLetter(text.charAt(at + phrase.length))) return true
  }
  return false
}

/**
 * `profiles` of config.json: `{ "release": { "match": "release|roll out", "kinds": { "warning": 1.3 } } }`. Words, not
 * patterns: the file may come with a repository, and a pattern can be made that never ends. One that cannot be used is
 * left out; `problems` says why.
 */
export function readProfiles(stored: unknown): { profiles: Profiles; problems: readonly string[] } {
  const profiles: Record<string, Profile> = {}
  const problems: string[] = []
  const own = typeof stored === 'object' && stored !== null ? Object.entries(stored) : []
  for (const [name, value] of own) {
    const profile = parseProfile(value)
    if (typeof profile === 'string') problems.push(`profiles.${name}: ${profile}`)
    else profiles[name] = profile
  }
  return { profiles: { ...profiles, ...PROFILES, ...profiles }, problems }
}

function parseProfile(value: unknown): Profile | string {
  if (typeof value !== 'object' || value === null) return 'not an object'
  const { kinds = {}, match } = value as { kinds?: unknown; match?: unknown }
  if (typeof kinds !== 'object' || kinds === null) return '`kinds` is not an object'
  if (Object.values(kinds).some(weight => typeof weight !== 'number' || !(weight > 0 && weight <= 3)))
    return 'a weight of `kinds` is not a number above 0, at most 3'
  if (match === undefined) return { kinds: kinds as Record<string, number> }
  if (typeof match !== 'string') return '`match` is not a text'
  const phrases = match
    .toLowerCase()
    .split('|')
    .map(phrase => phrase.trim())
    .filter(phrase => phrase !== '')
  return { kinds: kinds as Record<string, number>, phrases }
}
