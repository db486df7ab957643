/**
 * Every bound of the bundle, in one table. It is read at the beginning of a session: what is in it costs tokens every time, so it
 * holds about what a person would tell a colleague in two minutes (some 1,500 tokens).
 */
export const BUNDLE_LIMITS = {
  /** What the last sessions worked on: beyond the fourth nobody calls it current. */
  focusItems: 6,
  focusSessions: 4,
  /** Decisions of the last sessions, beside what they were asked for. */
  focusDecisions: 3,
  gotchas: 15,
  nextSteps: 12,
  validationCommands: 8,
  /** Sources that an item names: enough to look it up. */
  sources: 5,
  files: 5,
  /** A statement is a sentence or two. */
  textCharacters: 240,
  commandCharacters: 120,
} as const

/**
 * After so many days without a word, against the newest that is known, a statement without an entry fades. Against the newest and
 * not against today: a project that rested for a month stands where it stood.
 */
export const FADE_DAYS = {
  currentFocus: 14,
  /** Somebody would have said it again, or made a task of it. */
  nextSteps: 60,
  gotchas: 180,
  /** An error of a run that nobody saw again. */
  runErrors: 14,
  validationCommands: 60,
} as const

/** How much is looked at: recall over any history takes a bounded time. The newest come first. */
export const RECALL_LIMITS = {
  /** New statements of each section that are compared with one another by meaning. */
  candidates: 80,
  /** Different texts of one kind that are read of new events, and events of one text. */
  texts: 240,
  eventsOfText: 5,
  /** The newest events that tell how checks went. */
  observedEvents: 4_000,
  /** Texts of events that may say that something is finished. */
  reports: 1_200,
  /** Statements that no longer hold. */
  retired: 150,
  /** Pairs of statements that are compared by meaning: of gotchas and next steps, and again of the focus. */
  comparisons: 300,
  settled: 500,
} as const
