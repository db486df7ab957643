import type { ProjectState } from '../../../kernel/model/bundle.ts'
import { counted, inMemory, shortName, type ValidationFinding } from './finding.ts'

const PATH = 'state.json'

interface StateFacts {
  readonly state: ProjectState
  /** The bundle is not the one that its hash was made of. */
  readonly isHandEdited: boolean
  readonly checkpoints: ReadonlySet<string>
  /** undefined: the log does not exist. */
  readonly events: { readonly count: number; has(id: string): boolean } | undefined
  /** Whether events were archived: then those that the state knows may be gone. */
  readonly hasPruned: boolean
}

/** Whether what the state says of the rest of the memory is true. */
export function judgeState({
  state,
  isHandEdited,
  checkpoints,
  events,
  hasPruned,
}: StateFacts): ValidationFinding[] {
  const path = inMemory(PATH)
  const findings: ValidationFinding[] = []
  const { latestCheckpointId, historyEventCount, lastRecalledEventId, recallCursors } = state.maintenance
  if (isHandEdited)
    findings.push({
      code: 'state_hash_differs',
      severity: 'error',
      path,
      message: '`bundleHash` is not the hash of the bundle: it was changed by hand',
      fix: '`cairn recall` makes it again from the vault and the events, and saves this one next to it.',
    })
  if (latestCheckpointId !== null && !checkpoints.has(latestCheckpointId))
    findings.push({
      code: 'checkpoint_missing',
      severity: 'warning',
      path,
      message: `the checkpoint ${shortName(latestCheckpointId)}, which it names as the latest, is not there`,
      fix: '`cairn recall` writes a new one when something changes.',
    })
  if (hasPruned) return findings
  const known = events ?? { count: 0, has: () => false }
  const unknown = Object.entries(recallCursors).filter(
    ([source, { id }]) => source !== 'entries' && !known.has(id),
  )
  const [first] = unknown
  if (first !== undefined)
    findings.push({
      code: 'cursor_unknown',
      severity: 'warning',
      path,
      message: `${counted(unknown.length, 'cursor')} of recall ${unknown.length === 1 ? 'points' : 'point'} to an event that is not in the log, the first of ${shortName(first[0])}`,
      fix: '`cairn recall` goes on by the time of the event. Bring the log back if it was lost.',
    })
  else if (lastRecalledEventId !== null && !known.has(lastRecalledEventId))
    findings.push({
      code: 'cursor_unknown',
      severity: 'warning',
      path,
      message: 'the last event that was recalled is not in the log',
      fix: '`cairn recall` goes on by the time of the event. Bring the log back if it was lost.',
    })
  if (historyEventCount > known.count)
    findings.push({
      code: 'events_missing',
      severity: 'warning',
      path,
      message: `${historyEventCount} events were there at the last recall, and the log has ${known.count}`,
      fix: 'Bring history/events.jsonl back from a backup, or `cairn recall` with what is left.',
    })
  return findings
}
