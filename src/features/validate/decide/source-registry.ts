import { SYNC_STATUSES } from '../../../kernel/model/import-source.ts'
import { isObject } from '../../../kernel/model/json-value.ts'
import { inMemory, type Severity, shortName, type ValidationFinding } from './finding.ts'
import { type JsonReading, readJson } from './json-text.ts'

const PATH = 'sources.json'
const VERSION = 1
const MAX_SOURCES = 1_000

type Test = (value: unknown) => boolean
const isText: Test = value => typeof value === 'string' && value !== ''
const isId: Test = value => typeof value === 'string' && /^[a-z0-9][a-z0-9-]{0,63}$/.test(value)
const isStatus: Test = value => (SYNC_STATUSES as readonly unknown[]).includes(value)
const isMoment: Test = value => typeof value === 'string' && !Number.isNaN(Date.parse(value))
const absentOr =
  (test: Test): Test =>
  value =>
    value === undefined || value === null || test(value)

/** Every field of the seed. */
const FIELDS: Readonly<Record<string, readonly [test: Test, expected: string]>> = {
  id: [isId, 'small letters, digits and -, at most 64'],
  type: [isText, 'a text'],
  path: [isText, 'a text'],
  createdAt: [isMoment, 'a moment in UTC'],
  updatedAt: [isMoment, 'a moment in UTC'],
  lastSyncedAt: [absentOr(isMoment), 'a moment in UTC, or null'],
  lastSyncStatus: [absentOr(isStatus), `${SYNC_STATUSES.join(', ')} or null`],
  lastSyncError: [absentOr(value => typeof value === 'string'), 'a text, or null'],
  lastImportedCount: [
    absentOr(value => typeof value === 'number' && Number.isInteger(value) && value >= 0),
    'a whole number, or null',
  ],
}

/** What is needed of a source for it to be used at all. */
const NEEDED: ReadonlySet<string> = new Set(['id', 'type', 'path'])

/** `sources.json`, the registry of import sources. */
export function judgeSources(reading: JsonReading): ValidationFinding[] {
  const path = inMemory(PATH)
  const finding = (
    code: string,
    severity: Severity,
    message: string,
    fix: string,
    line?: number,
  ): ValidationFinding => ({
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
  const findings: ValidationFinding[] = []
  const seen = new Set<unknown>()
  for (const [at, source] of list.slice(0, MAX_SOURCES).entries()) {
    if (!isObject(source)) {
      findings.push(finding('source_invalid', 'error', `source ${at + 1} is no object`, again))
      continue
    }
    const name = typeof source.id === 'string' ? shortName(source.id) : String(at + 1)
    for (const [field, [test, expected]] of Object.entries(FIELDS))
      if (!test(source[field]))
        findings.push(
          finding(
            'source_invalid',
            NEEDED.has(field) ? 'error' : 'warning',
            `\`${field}\` of source ${name} must be ${expected}`,
            again,
          ),
        )
    if (seen.has(source.id))
      findings.push(
        finding('source_twice', 'error', `two sources have the id ${name}`, 'Remove one of them.'),
      )
    seen.add(source.id)
  }
  return findings
}

/** The sources that can be used, in short. */
export function listedSources(bytes: Uint8Array): {
  id: string
  type: string
  lastSyncedAt: string | null
  lastSyncStatus: string | null
  lastImportedCount: number | null
}[] {
  const reading = readJson(bytes)
  const document = reading.kind === 'read' ? reading.value : undefined
  const list = Array.isArray(document) ? document : isObject(document) ? document.sources : undefined
  if (!Array.isArray(list)) return []
  return list.slice(0, MAX_SOURCES).flatMap(source => {
    if (!isObject(source) || typeof source.id !== 'string' || typeof source.type !== 'string') return []
    const { id, type, lastSyncedAt, lastSyncStatus, lastImportedCount } = source
    return [
      {
        id,
        type,
        lastSyncedAt: typeof lastSyncedAt === 'string' ? lastSyncedAt : null,
        lastSyncStatus: typeof lastSyncStatus === 'string' ? lastSyncStatus : null,
        lastImportedCount: typeof lastImportedCount === 'number' ? lastImportedCount : null,
      },
    ]
  })
}
