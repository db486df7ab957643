import { isObject } from '../../../kernel/model/json-value.ts'
import { counted, inMemory, type Severity, shortName, type ValidationFinding } from './finding.ts'
import { type JsonReading, lineOfKey } from './json-text.ts'

const VERSION = 1
const MAX_TOLD = 20

export interface CurationFacts {
  /** `curation.json`, or `local/curation.json`. */
  readonly file: string
  /** Of the vault, the archive, and whatever else still knows the entry. */
  readonly isKnown: (id: string) => boolean
  /** Whether a record of `conflicts` is one that is used. */
  readonly isResolution: (value: unknown) => boolean
}

const isCount = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && value >= 0
const isText = (value: unknown) => typeof value === 'string'

/** What each section holds under a key, and how it is written. */
const SECTIONS: Readonly<
  Record<
    string,
    { readonly isGood: (value: unknown) => boolean; readonly example: string; readonly byEntry: boolean }
  >
> = {
  aliases: {
    isGood: value => Array.isArray(value) && value.every(isText),
    example: '"aliases": { "ledger": ["accounting"] }',
    byEntry: false,
  },
  feedback: {
    isGood: value => isObject(value) && isCount(value.useful ?? 0) && isCount(value.wrong ?? 0),
    example: '"feedback": { "<entry>": { "useful": 1, "wrong": 0 } }',
    byEntry: true,
  },
  confirmations: {
    isGood: value => isObject(value) && isText(value.at) && !Number.isNaN(Date.parse(value.at as string)),
    example: '"confirmations": { "<entry>": { "at": "2026-03-16T16:51:11.839Z", "by": "cli" } }',
    byEntry: true,
  },
}
const LISTS = ['conflicts', 'rejections'] as const

/** One of the two files of what people decided. What cannot be read there is not used, and nobody would notice. */
export function judgeCuration(reading: JsonReading, facts: CurationFacts): ValidationFinding[] {
  const path = inMemory(facts.file)
  if (reading.kind === 'damaged' || !isObject(reading.value))
    return [
      {
        code: 'curation_damaged',
        severity: 'error',
        path,
        line: reading.kind === 'damaged' ? reading.line : 1,
        message: `the file cannot be read: ${reading.kind === 'damaged' ? reading.why : 'it is no JSON object'}`,
        fix: 'Mend the file by hand; what people decided stands in it.',
      },
    ]
  const { value: document, text } = reading
  const findings: ValidationFinding[] = []
  const add = (code: string, severity: Severity, keys: readonly string[], message: string, fix: string) => {
    const line = lineOfKey(text, keys)
    findings.push({ code, severity, path, ...(line !== undefined && { line }), message, fix })
  }
  const { version } = document
  if (version !== undefined && !isCount(version))
    add('curation_damaged', 'error', ['version'], '`version` is no whole number', 'Write "version": 1.')
  else if (typeof version === 'number' && version > VERSION) {
    add(
      'curation_newer',
      'warning',
      ['version'],
      `version ${version}: a newer Cairn has written it`,
      'Update Cairn.',
    )
    return findings
  }

  const gone: string[] = []
  for (const [name, { isGood, example, byEntry }] of Object.entries(SECTIONS)) {
    const section = document[name]
    if (section === undefined) continue
    if (!isObject(section)) {
      add(
        'curation_section_invalid',
        'error',
        [name],
        `\`${name}\` is no object, and is not used`,
        `Write ${example}.`,
      )
      continue
    }
    const wrong = Object.keys(section).filter(key => !isGood(section[key]))
    for (const key of wrong.slice(0, MAX_TOLD))
      add(
        'curation_record_invalid',
        'warning',
        [name, key],
        `what \`${name}\` says of ${shortName(key)} cannot be read, and is not used`,
        `Write ${example}, or remove it.`,
      )
    if (byEntry) gone.push(...Object.keys(section).filter(id => !facts.isKnown(id)))
  }
  for (const name of LISTS) {
    const list = document[name]
    if (list === undefined) continue
    if (!Array.isArray(list)) {
      add(
        'curation_section_invalid',
        'error',
        [name],
        `\`${name}\` is no list, and is not used`,
        `Write "${name}": [].`,
      )
      continue
    }
    const isGood = name === 'conflicts' ? facts.isResolution : isObject
    const wrong = list.map((record, at) => ({ record, at })).filter(({ record }) => !isGood(record))
    for (const { at } of wrong.slice(0, MAX_TOLD))
      add(
        'curation_record_invalid',
        'warning',
        [name],
        `record ${at + 1} of \`${name}\` cannot be read, and is not used`,
        name === 'conflicts'
          ? 'Mend or remove it, and decide again: `cairn conflicts resolve`.'
          : 'Mend or remove it.',
      )
    if (name === 'conflicts')
      for (const record of list)
        if (facts.isResolution(record)) {
          const { entryA, entryB } = record as { entryA: string; entryB: string }
          gone.push(...[entryA, entryB].filter(id => !facts.isKnown(id)))
        }
  }
  const [first] = gone
  if (first !== undefined)
    add(
      'curation_entry_gone',
      'note',
      [first],
      `${counted(new Set(gone).size, 'entry', 'entries')} that it speaks of ${gone.length === 1 ? 'is' : 'are'} neither in the vault nor in the archive, the first ${shortName(first)}`,
      'Nothing has to be done: in a clone they may be in `private/`. Remove what is long gone.',
    )
  return findings
}
