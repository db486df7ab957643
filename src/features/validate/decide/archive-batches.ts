import { ENTRIES, EVENTS, FILES, MANIFEST } from '../../upkeep/decide/archive.ts'
import { counted, inMemory, type ValidationFinding } from './finding.ts'
import { type JsonReading, judgeObject } from './json-text.ts'
import { isMoment } from './log-lines.ts'

/** One folder of `archive/`. */
interface BatchView {
  /** `evict-2026-11-15T10-30-00-000Z` */
  readonly name: string
  /** undefined: it has none. */
  readonly manifest: JsonReading | undefined
  /** The files in it, relative to the batch. */
  readonly files: ReadonlySet<string>
  /** How many lines those files have that were counted. */
  readonly lines: Readonly<Record<string, number>>
}

const KINDS = ['evict', 'prune', 'audit', 'import'] as const

/** A batch is whole once its manifest is there: without the files that it lists it cannot be restored. */
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
    fix: 'Mend it by hand: { "version": 1, "id", "kind", "at", "entries", "events", "files" }.',
  }
  return judgeObject(`${folder}/${MANIFEST}`, manifest, damaged, (facts, report) => {
    const add = (code: string, message: string, fix: string) => report(code, 'error', [], message, fix)
    const said = facts.kind ?? facts.type
    if (said !== kind)
      add(
        'archive_kind_differs',
        `the folder is called ${kind}, but its manifest has another kind`,
        `Write "kind": "${kind}".`,
      )
    const at = facts.at ?? facts.createdAt
    if (!isMoment(at))
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
          `${counted(missing.length, 'file')} that it lists ${missing.length === 1 ? 'is' : 'are'} not there`,
          'Take them from a backup of the project, or out of the list.',
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
      const wanted = facts[field] ?? 0
      const there = files.has(file) ? lines[file] : 0
      if (typeof wanted !== 'number' || !Number.isInteger(wanted))
        add(
          'archive_manifest_damaged',
          `\`${field}\` is not a whole number`,
          `Write how many ${field} the batch has.`,
        )
      else if (there !== undefined && there !== wanted)
        add(
          'archive_count_differs',
          `it says ${wanted} ${field}, and ${file} has ${there}`,
          `Take ${file} from a backup of the project, or correct the number.`,
        )
    }
  })
}
