/**
 * What a task needs: whoever mends something wants the errors that were met, whoever plans wants what was decided. A
 * profile weighs kinds; everything else stays. Only those that beat the default on their own prompts are here
 * (`npm run bench -- brief`, table Profiles): profiles for review, docs and refactoring could not be shown to help.
 */
export interface Profile {
  /** By kind; 1 where it is not named. */
  readonly kinds: Readonly<Record<string, number>>
  /** Prompts it is for, as the source of a regular expression over lower-case text. None: only when it is asked for. */
  readonly match?: string
}

export type Profiles = Readonly<Record<string, Profile>>

export const DEFAULT_PROFILE = 'default'

const DEBUG = [
  '\\b(?:error|exception|crash\\w*|fail\\w*|broken?|breaks|throws?|bug|stack ?trace|traceback|panics?|killed|hangs?|freez\\w+|dies|died|slow|leak\\w*|times? out|timeout|not working)\\b',
  "\\b(?:doesn'?t|isn'?t|won'?t|can'?t|aren'?t) (?:\\w+ )?(?:work|load|start|open|match|find|found|respond\\w*)\\b",
  '\\b(?:erro|falh\\w+|quebr\\w+|trav\\w+|lento|problema|caiu|sumiu|parou)\\b',
  '\\n\\s+at \\S|\\w(?:error|exception):|:\\d+:\\d+\\b',
].join('|')

const PLAN = [
  "\\b(?:should (?:we|i)|can (?:we|i)|could (?:we|i)|may i|are we|do we|what if|let'?s|i want to|i need to|we want to|going to|how (?:do|would|should) (?:we|i))\\b",
  '^(?:please )?(?:add|implement|introduce|switch|replace|support|make|use|move|build|create)\\b',
  '\\b(?:posso|podemos|devo|devemos|quero|queremos|vamos|como (?:faço|fazemos)|dá pra|preciso)\\b',
].join('|')

export const PROFILES: Profiles = {
  debug: { match: DEBUG, kinds: { error: 1.25, discovery: 1.1, warning: 1.1, decision: 0.9 } },
  plan: {
    match: PLAN,
    kinds: { decision: 1.15, architecture: 1.15, preference: 1.1, task_progress: 1.1, error: 0.85 },
  },
}

const READ_CHARACTERS = 2_000

/** The first whose pattern fits, a user's own before those that come with Cairn. */
export function detectProfile(prompt: string, profiles: Profiles): string {
  const text = prompt.slice(0, READ_CHARACTERS).toLowerCase()
  for (const [name, { match }] of Object.entries(profiles)) {
    if (match !== undefined && new RegExp(match).test(text)) return name
  }
  return DEFAULT_PROFILE
}

/**
 * `profiles` of config.json: `{ "release": { "match": "release|deploy", "kinds": { "warning": 1.3 } } }`. One that cannot
 * be used is left out; `problems` says why.
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
  try {
    new RegExp(match)
  } catch (error) {
    return `\`match\`: ${error instanceof Error ? error.message : String(error)}`
  }
  return { kinds: kinds as Record<string, number>, match }
}
