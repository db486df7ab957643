import { type Finding, inMemory, type Severity, shortName } from './finding.ts'
import { isObject, type JsonReading } from './json-text.ts'

const PATH = 'sources.json'
const VERSION = 1
const MOST_SOURCES = 1_000

type Test = (value: unknown) => boolean
const isText: Test = value => typeof value === 'string' && value !== ''
const isMoment: Test = value => typeof value === 'string' && !Number.isNaN(Date.parse(value))
const absentOr =
  (test: Test): Test =>
  value =>
    value === undefined || value === null || test(value)

/** Every field of the seed. */
const FIELDS: Readonly<Record<string, readonly [test: Test, expected: string]>> = {
  id: [isText, 'a text'],
  type: [isText, 'a text'],
  path: [isText, 'a text'],
  createdAt: [isMoment, 'a moment in UTC'],
  updatedAt: [isMoment, 'a moment in UTC'],
  lastSyncedAt: [absentOr(isMoment), 'a moment in UTC, or null'],
  lastSyncStatus: [absentOr(isText), 'a text, or null'],
  lastSyncError: [absentOr(value => typeof value === 'string'), 'a text, or null'],
  lastImportedCount: [
    absentOr(value => typeof value === 'number' && Number.isInteger(value) && value >= 0),
    'a whole number, or null',
  ],
}

/** `sources.json`, the registry of import sources. */
export function judgeSources(reading: JsonReading): Finding[] {
  const path = inMemory(PATH)
  const finding = (
    code: string,
    severity: Severity,
    message: string,
    fix: string,
    line?: number,
  ): Finding => ({
    code,
    severity,
    path,
    ...(line !== undefined && { line }),
    message,
    fix,
  })
  const again = 'Mend the file by hand, or move it away and name the sources again: `cairn source add`.'
  if (reading.kind === 'damaged')
    return [
      finding('sources_damaged', 'error', `the file cannot be read: ${reading.why}`, again, reading.line),
    ]
  const document = reading.value
  const list = Array.isArray(document) ? document : isObject(document) ? document.sources : undefined
  if (!Array.isArray(list))
    return [finding('sources_damaged', 'error', 'the file has no list of `sources`', again, 1)]
  const version = isObject(document) ? (document.version ?? document.schemaVersion) : VERSION
  if (typeof version === 'number' && version > VERSION)
    return [
      finding(
        'sources_newer',
        'warning',
        `version ${version}: a newer Cairn has written it`,
        'Update Cairn.',
      ),
    ]
  const findings: Finding[] = []
  const seen = new Set<unknown>()
  for (const [at, source] of list.slice(0, MOST_SOURCES).entries()) {
    if (!isObject(source)) {
      findings.push(finding('source_invalid', 'error', `source ${at + 1} is no object`, again))
      continue
    }
    const name = typeof source.id === 'string' ? shortName(source.id) : String(at + 1)
    for (const [field, [test, expected]] of Object.entries(FIELDS))
      if (!test(source[field]))
        findings.push(
          finding('source_invalid', 'error', `\`${field}\` of source ${name} must be ${expected}`, again),
        )
    if (seen.has(source.id))
      findings.push(
        finding('source_twice', 'error', `two sources have the id ${name}`, 'Remove one of them.'),
      )
    seen.add(source.id)
  }
  return findings
}
