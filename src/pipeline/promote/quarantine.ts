import { QUARANTINE_MS, type QuarantineFacts, quarantineFactor } from '../../model/quarantine.ts'

export type QuarantineVerdict =
  /** Confirmed or pinned: there is nothing to judge. */
  | { readonly kind: 'settled' }
  | { readonly kind: 'waiting'; readonly untilMs: number }
  /** To be written once: a confirmed entry is settled when it is judged again. */
  | { readonly kind: 'confirm' }
  /** Computed on every read, never written; an access later still confirms. */
  | { readonly kind: 'penalised'; readonly factor: number }

/** What becomes of a candidate: `waiting` for a day, then `confirm` if it was asked for, else `penalised`. */
export function judgeQuarantine(facts: QuarantineFacts): QuarantineVerdict {
  if (facts.status !== 'candidate') return { kind: 'settled' }
  const untilMs = facts.sinceMs + QUARANTINE_MS
  if (facts.nowMs < untilMs) return { kind: 'waiting', untilMs }
  if (facts.accessCount > 0) return { kind: 'confirm' }
  return { kind: 'penalised', factor: quarantineFactor(facts) }
}
