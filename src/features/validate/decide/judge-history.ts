import type { ProjectState } from '../../../kernel/model/bundle.ts'
import { ENTRIES, EVENTS, FILES, MANIFEST } from '../../upkeep/decide/archive.ts'
import { counted, inMemory, shortName, type ValidationFinding } from './finding.ts'
import { type JsonReading, judgeObject } from './json-text.ts'
import { isDateTime } from './judge-logs.ts'

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
      fix: '`cairn recall` rebuilds it from the vault and the events, and saves this one next to it.',
    })
  if (latestCheckpointId !== null && !checkpoints.has(latestCheckpointId))
    findings.push({
      code: 'checkpoint_missing',
      severity: 'warning',
      path,
      message: `the checkpoint ${shortName(latestCheckpointId)}, which it names as the latest, is missing`,
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
      fix: '`cairn recall` continues by the time of the event. Restore the log if it was lost.',
    })
  else if (lastRecalledEventId !== null && !known.has(lastRecalledEventId))
    findings.push({
      code: 'cursor_unknown',
      severity: 'warning',
      path,
      message: 'the last event that was recalled is not in the log',
      fix: '`cairn recall` continues by the time of the event. Restore the log if it was lost.',
    })
  if (historyEventCount > known.count)
    findings.push({
      code: 'events_missing',
      severity: 'warning',
      path,
      message: `${historyEventCount} events were in the log at the last recall, and now it has ${known.count}`,
      fix: 'Restore history/events.jsonl from a backup, or run `cairn recall` with the remaining events.',
    })
  return findings
}

/** One folder of `archive/`. */
interface BatchView {
  /** `evict-2026-11-15T10-30-00-000Z` */
  readonly name: string
  /** undefined: it has none. */
  readonly manifest: JsonReading | undefined
  /** The files in it, relative to the batch. */
  readonly files: ReadonlySet<string>
  /** The number of lines of the files that were counted. */
  readonly lines: Readonly<Record<string, number>>
}

const KINDS = ['evict', 'prune', 'audit', 'import'] as const

/** A batch without a file that its manifest lists cannot be restored. */
export function judgeBatch(batch: BatchView): ValidationFinding[] {
  const { name, manifest, files, lines } = batch
  const folder = `archive/${name}`
  const path = inMemory(`${folder}/${MANIFEST}`)
  const kind = KINDS.find(known => name.startsWith(`${known}-`))
  if (kind === undefined)
    return [
      {
        code: 'archive_unknown',
        severity: 'note',
        path: inMemory(folder),
        message: 'a folder in the archive that is not a batch of Cairn',
        fix: 'Move it out of the archive if it is still needed.',
      },
    ]
  if (manifest === undefined)
    return [
      {
        code: 'archive_manifest_missing',
        severity: 'error',
        path,
        message: 'the batch has no manifest, so `cairn restore` cannot use it',
        fix: 'Its entries are found with `cairn search --archive`. Write the manifest by hand, or remove the batch.',
      },
    ]
  const damaged = {
    code: 'archive_manifest_damaged',
    fix: 'Correct it by hand: { "version": 1, "id", "kind", "at", "entries", "events", "files" }.',
  }
  return judgeObject(`${folder}/${MANIFEST}`, manifest, damaged, (facts, report) => {
    const add = (code: string, message: string, fix: string) => report(code, 'error', [], message, fix)
    const writtenKind = facts.kind ?? facts.type
    if (writtenKind !== kind)
      add(
        'archive_kind_differs',
        `the folder is called ${kind}, but its manifest has another kind`,
        `Write "kind": "${kind}".`,
      )
    const at = facts.at ?? facts.createdAt
    if (!isDateTime(at))
      add(
        'archive_date_invalid',
        '`at` is not a date and time',
        'Write the date and time in the name of the folder.',
      )

    const listed = facts.files
    if (listed !== undefined && !(Array.isArray(listed) && listed.every(file => typeof file === 'string')))
      add('archive_manifest_damaged', '`files` is not a list of paths', 'List the files of the batch.')
    else {
      const place = kind === 'import' ? '' : `${FILES}/`
      const missing = ((listed ?? []) as string[]).filter(file => !files.has(`${place}${file}`))
      if (missing.length > 0)
        add(
          'archive_file_missing',
          `${counted(missing.length, 'file')} that it lists ${missing.length === 1 ? 'is' : 'are'} missing`,
          'Restore them from a backup of the project, or remove them from the list.',
        )
    }
    const amounts: readonly (readonly [field: string, file: string])[] =
      kind === 'audit'
        ? [['records', 'audit.jsonl']]
        : kind === 'import'
          ? []
          : [
              ['entries', ENTRIES],
              ['events', EVENTS],
            ]
    for (const [field, file] of amounts) {
      const expected = facts[field] ?? 0
      const found = files.has(file) ? lines[file] : 0
      if (typeof expected !== 'number' || !Number.isInteger(expected))
        add(
          'archive_manifest_damaged',
          `\`${field}\` is not a whole number`,
          `Write how many ${field} the batch has.`,
        )
      else if (found !== undefined && found !== expected)
        add(
          'archive_count_differs',
          `it says ${expected} ${field}, and ${file} has ${found}`,
          `Restore ${file} from a backup of the project, or correct the number.`,
        )
    }
  })
}
