import type { Message } from '../../model/message.ts'
import { type RunReading, readRun } from '../../text/runs/read-run.ts'

/** So often the same check must have failed before it passed. */
const MIN_FAILURES = 2

/**
 * Whether a check failed several times and then passed after something was changed: a reason to ask the agent what it learned.
 *
 *   npm test ✗   edit a.ts   npm test ✗   edit b.ts   npm test ✓   → true
 *   npm test ✗   npm test ✗   npm test ✓                           → false: flaky
 */
export function hasHardWonFix(messages: readonly Message[]): boolean {
  const open = new Map<string, { failures: number; isChanged: boolean }>()
  for (const { run, internal } of messages) {
    if (run === undefined || internal === true) continue
    const reading = readRun(run)
    const checks = new Set(reading.checks.map(({ key }) => key))
    if (run.isEdit === true || changesSomething(reading))
      for (const [key, failure] of open) if (!checks.has(key)) failure.isChanged = true
    for (const { key, outcome } of reading.checks) {
      const failure = open.get(key)
      if (outcome === 'failed') open.set(key, { failures: (failure?.failures ?? 0) + 1, isChanged: false })
      else if (failure !== undefined) {
        if (failure.failures >= MIN_FAILURES && failure.isChanged) return true
        open.delete(key)
      }
    }
  }
  return false
}

function changesSomething({ outcome, acts }: RunReading): boolean {
  return outcome !== 'failed' && acts.length > 0
}
