/**
 * Every limit of the bundle, in one table. Sessions start with it, so what is in it costs tokens every time: it has about what a
 * person would tell a colleague in two minutes.
 */
export const BUNDLE_LIMITS = {
  /** What the last real handoff says was asked. */
  focusItems: 2,
  gotchas: 10,
  nextSteps: 12,
  /** Steps that a handoff names as left. */
  handoffSteps: 4,
  validationCommands: 8,
  /** Sources that an item names: enough to look it up. */
  sources: 5,
  files: 5,
  /** A statement is a sentence or two. */
  textCharacters: 240,
  commandCharacters: 120,
  /** The newest events that say how checks went: recall over any history takes a bounded time. */
  observedEvents: 4_000,
} as const

/** A check that was not run for so long, against the newest that was, is no longer listed. */
export const COMMAND_DAYS = 60
