import { LAYOUT } from '../../../kernel/layout.ts'
import {
  MAX_SOURCES,
  SOURCE_FIELDS,
  SOURCES_VERSION,
  sourceList,
} from '../../../kernel/model/import-source.ts'
import { isObject } from '../../../kernel/model/json-value.ts'
import { inMemory, type Severity, shortName, type ValidationFinding } from './finding.ts'
import { damagedJson, type JsonReading } from './json-text.ts'

/** `sources.json`, the import sources. */
export function judgeSources(reading: JsonReading): ValidationFinding[] {
  const again = 'Mend the file by hand, or move it away and name the sources again: `cairn source add`.'
  const document = reading.kind === 'read' ? reading.value : undefined
  const list = sourceList(document)
  if (list === undefined) {
    const damaged = damagedJson(LAYOUT.sources.path, reading, again)
    const message = reading.kind === 'read' ? 'the file has no list of `sources`' : damaged.message
    return [{ code: 'sources_damaged', severity: 'error', ...damaged, message }]
  }
  const findings: ValidationFinding[] = []
  const add = (code: string, severity: Severity, message: string, fix: string) =>
    findings.push({ code, severity, path: inMemory(LAYOUT.sources.path), message, fix })
  const version = isObject(document) ? (document.version ?? document.schemaVersion) : undefined
  if (typeof version === 'number' && version > SOURCES_VERSION) {
    add('sources_newer', 'warning', `version ${version}: a newer Cairn has written it`, 'Update Cairn.')
    return findings
  }
  const seen = new Set<unknown>()
  for (const [at, source] of list.slice(0, MAX_SOURCES).entries()) {
    if (!isObject(source)) {
      add('source_invalid', 'error', `source ${at + 1} is not an object`, again)
      continue
    }
    const name = typeof source.id === 'string' ? shortName(source.id) : String(at + 1)
    for (const [field, { isGood, expected, isNeeded }] of Object.entries(SOURCE_FIELDS))
      if (!isGood(source[field])) {
        const message = `\`${field}\` of source ${name} must be ${expected}`
        add('source_invalid', isNeeded === true ? 'error' : 'warning', message, again)
      }
    if (seen.has(source.id))
      add('source_twice', 'error', `two sources have the id ${name}`, 'Remove one of them.')
    seen.add(source.id)
  }
  return findings
}
