/**
 * Retrieval watches its own latency and does less when it is slow (seed C, section 17).
 *
 *   p95 of the last 100      above 300 ms  → degraded: the best 5 of 100 candidates
 *                            below 200 ms  → healthy: the best 15 of 500 candidates
 *                            in between    → unchanged, so that it does not flap
 *   fewer than 5 samples     insufficient: as healthy
 */
export type SloState = 'healthy' | 'degraded' | 'insufficient'

interface SloAssessment {
  readonly state: SloState
  /** Milliseconds; absent while there are too few samples to say. */
  readonly p95?: number
}

interface RetrievalLimits {
  readonly topK: number
  readonly maxCandidates: number
}

const SLO_WINDOW = 100
const MIN_SAMPLES = 5
const DEGRADE_ABOVE_MS = 300
const RECOVER_BELOW_MS = 200

/** The state after these samples, oldest first; `before` is the last state, stored with the samples. */
export function assess(samplesMs: readonly number[], before: SloState = 'healthy'): SloAssessment {
  const usable = samplesMs.filter(sample => Number.isFinite(sample) && sample >= 0).slice(-SLO_WINDOW)
  if (usable.length < MIN_SAMPLES) return { state: 'insufficient' }
  const p95 = percentile95(usable)
  if (p95 > DEGRADE_ABOVE_MS) return { state: 'degraded', p95 }
  if (p95 < RECOVER_BELOW_MS) return { state: 'healthy', p95 }
  return { state: before === 'degraded' ? 'degraded' : 'healthy', p95 }
}

/** The window with one more sample in it. */
export function addSample(samplesMs: readonly number[], sampleMs: number): number[] {
  return [...samplesMs, sampleMs].slice(-SLO_WINDOW)
}

export function limitsFor(state: SloState): RetrievalLimits {
  return state === 'degraded' ? { topK: 5, maxCandidates: 100 } : { topK: 15, maxCandidates: 500 }
}

/** Nearest rank. */
function percentile95(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0
}
