import { isObject } from '../../../kernel/model/json-value.ts'
import { counted, inMemory, type ValidationFinding } from './finding.ts'
import type { JsonReading } from './json-text.ts'

/** One folder of `archive/`. */
export interface BatchView {
  /** `evict-2026-11-15T10-30-00-000Z` */
  readonly name: string
  /** undefined: there is none. */
  readonly manifest: JsonReading | undefined
  /** What lies in it, relative to the batch. */
  readonly files: ReadonlySet<string>
  /** How many lines those files have that were counted. */
  readonly lines: Readonly<Record<string, number>>
}

const KINDS = ['evict', 'prune', 'audit', 'import'] as const

/** A batch is whole once its manifest is there: what it names must lie beside it, or it cannot be brought back. */
export function judgeBatch(batch: BatchView): ValidationFinding[] {
  const { name, manifest, files, lines } = batch
  const folder = `archive/${name}`
  const path = inMemory(`${folder}/manifest.json`)
  const kind = KINDS.find(known => name.startsWith(`${known}-`))
  if (kind === undefined)
    return [
      {
        code: 'archive_unknown',
        severity: 'note',
        path: inMemory(folder),
        message: 'a folder in the archive that is no batch of Cairn',
        fix: 'Move it out of the archive, if somebody still needs it.',
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
  if (manifest.kind === 'damaged' || !isObject(manifest.value))
    return [
      {
        code: 'archive_manifest_damaged',
        severity: 'error',
        path,
        line: manifest.kind === 'damaged' ? manifest.line : 1,
        message: `the manifest cannot be read: ${manifest.kind === 'damaged' ? manifest.why : 'it is no JSON object'}`,
        fix: 'Mend it by hand: { "version": 1, "id", "kind", "at", "entries", "events", "files" }.',
      },
    ]
  const facts = manifest.value
  const findings: ValidationFinding[] = []
  const add = (code: string, message: string, fix: string) =>
    findings.push({ code, severity: 'error', path, message, fix })
  const said = facts.kind ?? facts.type
  if (said !== kind)
    add(
      'archive_kind_differs',
      `the folder is called ${kind}, and its manifest says otherwise`,
      `Write "kind": "${kind}".`,
    )
  const at = facts.at ?? facts.createdAt
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at)))
    add('archive_date_invalid', '`at` is no moment', 'Write the moment that the name of the folder says.')

  const listed = facts.files
  if (listed !== undefined && !(Array.isArray(listed) && listed.every(file => typeof file === 'string')))
    add('archive_manifest_damaged', '`files` is no list of paths', 'List the files of the batch.')
  else {
    const place = kind === 'import' ? '' : 'files/'
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
            ['entries', 'entries.jsonl'],
            ['events', 'events.jsonl'],
          ]
  for (const [field, file] of amounts) {
    const wanted = facts[field] ?? 0
    const there = files.has(file) ? lines[file] : 0
    if (typeof wanted !== 'number' || !Number.isInteger(wanted))
      add(
        'archive_manifest_damaged',
        `\`${field}\` is no whole number`,
        `Write how many ${field} the batch has.`,
      )
    else if (there !== undefined && there !== wanted)
      add(
        'archive_count_differs',
        `it says ${wanted} ${field}, and ${file} has ${there}`,
        `Take ${file} from a backup of the project, or correct the number.`,
      )
  }
  return findings
}
