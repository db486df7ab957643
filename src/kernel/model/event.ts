/** Seed D: one event, normalised. `history/events.jsonl` */
export const EVENT_KINDS = ['tool_run', 'imported_session'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

export interface MemoryEvent {
  readonly id: string
  readonly kind: EventKind
  /** The source: `session:<id>`, or the id of an import source. */
  readonly sourceId: string
  /** UTC ISO. */
  readonly createdAt: string
  /** Hash of its source: the same thing again is not a second event. */
  readonly contentHash: string
  readonly summary: string
  readonly signals: EventSignals
  /** Where to find more: a conversation and a message in it, a file and a line. */
  readonly sourceRef: string
}

export interface EventSignals {
  readonly decisions: readonly string[]
  readonly gotchas: readonly string[]
  readonly nextStepHints: readonly string[]
  readonly keyPaths: readonly string[]
  readonly validationObservations: readonly ValidationObservation[]
}

/** A command that checks the project (tests, types, lint, build), and its result. */
export interface ValidationObservation {
  readonly command: string
  readonly outcome: 'passed' | 'failed'
}
