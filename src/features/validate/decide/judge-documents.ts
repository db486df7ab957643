import { LAYOUT } from '../../../kernel/layout.ts'
import { type ConfigKey, isConfigKey, readKey, unusableValues } from '../../../kernel/model/config.ts'
import { CONFIG_KEYS } from '../../../kernel/model/config-keys.ts'
import {
  MAX_SOURCES,
  SOURCE_FIELDS,
  SOURCES_VERSION,
  sourceList,
} from '../../../kernel/model/import-source.ts'
import { isObject } from '../../../kernel/model/json-value.ts'
import { nearestName } from '../../../kernel/text/nearest-name.ts'
import { counted, inMemory, type Severity, shortName, type ValidationFinding } from './finding.ts'
import {
  type AddFinding,
  damagedJson,
  type JsonReading,
  judgeObject,
  judgeVersion,
  lineAt,
} from './json-text.ts'
import { isDateTime } from './judge-logs.ts'

/** Sections that are not in the table of keys: they have names of their own. */
const NAMED = new Set(['profiles', 'query.templates'])
/** Settings that name folders of the project: a clone must not point them elsewhere. */
const FOLDERS: readonly ConfigKey[] = [
  'projections.folder',
  'workspaces.resources',
  'workspaces.learnings',
  'hot.rules',
  'skills.folder',
]
const MAX_KEYS = 1_000
/** The maximum edit distance to the setting that was meant. */
const MAX_SLIPS = 3

/** `config.json`; `profileProblems` are the problems of its profiles. */
export function judgeConfig(reading: JsonReading, profileProblems: readonly string[]): ValidationFinding[] {
  const fix = 'Correct the file by hand, or move it away to use the defaults.'
  return judgeObject(LAYOUT.config.path, reading, { code: 'config_damaged', fix }, (document, add) => {
    const version = judgeVersion('config.json', document.version, add, 'config')
    for (const { key, expected, hint } of unusableValues(document))
      add(
        'config_value_invalid',
        'error',
        key.split('.'),
        `\`${key}\` takes ${expected}; the default is used`,
        hint,
      )
    if (version === 'known') judgeUnknownKeys(document, add)
    for (const key of FOLDERS) {
      const folder = readKey(document, key)
      if (typeof folder === 'string' && leadsOut(folder))
        add(
          'config_path_outside',
          'error',
          key.split('.'),
          `\`${key}\` leads out of the project`,
          `Name a folder of the project, or \`cairn config unset ${key}\`.`,
        )
    }
    for (const problem of profileProblems)
      add(
        'config_profile_invalid',
        'warning',
        ['profiles', problem.split(/[.:]/)[1] ?? ''],
        `${shortName(problem)}; the profile is not used`,
        'A profile looks like { "match": "deploy|roll out", "kinds": { "warning": 1.3 } }.',
      )
    judgeTemplates(document, add)
  })
}

function judgeUnknownKeys(document: Record<string, unknown>, add: AddFinding): void {
  for (const keys of unknownKeys(document)) {
    const name = keys.join('.')
    const near = nearestName(name, Object.keys(CONFIG_KEYS), MAX_SLIPS)
    add(
      'config_key_unknown',
      'warning',
      keys,
      `there is no setting \`${shortName(name)}\``,
      near === undefined ? 'Remove it; `cairn config list` shows all settings.' : `Did you mean \`${near}\`?`,
    )
  }
}

/** `query.templates.<name>.instructions`. */
function judgeTemplates({ query }: Record<string, unknown>, add: AddFinding): void {
  const templates = isObject(query) ? query.templates : undefined
  if (templates === undefined) return
  const fix = 'A template looks like { "instructions": "Answer as a checklist." }.'
  const report = (keys: readonly string[], message: string) =>
    add('config_template_invalid', 'warning', ['query', 'templates', ...keys], message, fix)
  if (!isObject(templates)) report([], '`query.templates` is not an object')
  for (const [name, template] of isObject(templates) ? Object.entries(templates).slice(0, MAX_KEYS) : []) {
    const instructions = isObject(template) ? template.instructions : undefined
    if (typeof instructions !== 'string' || instructions.trim() === '')
      report([name], `the template ${shortName(name)} has no text in \`instructions\`, and is not used`)
  }
}

/** Values and groups that are not settings. */
function unknownKeys(document: Record<string, unknown>): string[][] {
  const known = Object.keys(CONFIG_KEYS)
  const unknown: string[][] = []
  const walk = (group: Record<string, unknown>, names: readonly string[]) => {
    for (const [name, value] of Object.entries(group)) {
      const keys = [...names, name]
      const key = keys.join('.')
      if (unknown.length >= MAX_KEYS || key === 'version' || NAMED.has(key) || isConfigKey(key)) continue
      if (isObject(value) && known.some(other => other.startsWith(`${key}.`))) walk(value, keys)
      else unknown.push(keys)
    }
  }
  walk(document, [])
  return unknown
}

export function leadsOut(folder: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:|~)|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(folder.trim())
}

const MAX_RECORDS = 20

interface CurationFacts {
  /** `curation.json`, or `local/curation.json`. */
  readonly file: string
  /** Whether the vault or the archive has the entry. */
  readonly isKnown: (id: string) => boolean
  /** Whether a record of `conflicts` is one that is used. */
  readonly isResolution: (value: unknown) => boolean
}

const isCount = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && value >= 0
const isString = (value: unknown) => typeof value === 'string'

/** The values of each section, and an example. */
const SECTIONS: Readonly<
  Record<
    string,
    { readonly isGood: (value: unknown) => boolean; readonly example: string; readonly byEntry: boolean }
  >
> = {
  aliases: {
    isGood: value => Array.isArray(value) && value.every(isString),
    example: '"aliases": { "ledger": ["accounting"] }',
    byEntry: false,
  },
  feedback: {
    isGood: value => isObject(value) && isCount(value.useful ?? 0) && isCount(value.wrong ?? 0),
    example: '"feedback": { "<entry>": { "useful": 1, "wrong": 0 } }',
    byEntry: true,
  },
  confirmations: {
    isGood: value => isObject(value) && isDateTime(value.at),
    example: '"confirmations": { "<entry>": { "at": "2026-03-16T16:51:11.839Z", "by": "cli" } }',
    byEntry: true,
  },
}

/** One of the two files with decisions of people. A part that cannot be read is not used, and no other command reports it. */
export function judgeCuration(reading: JsonReading, facts: CurationFacts): ValidationFinding[] {
  const fix = 'Correct the file by hand: it has decisions of people.'
  return judgeObject(facts.file, reading, { code: 'curation_damaged', fix }, (document, add) => {
    if (judgeVersion('curation.json', document.version, add, 'curation') === 'newer') return
    const ids = [...judgeSections(document, add), ...judgeLists(document, facts.isResolution, add)].filter(
      id => !facts.isKnown(id),
    )
    const [first] = ids
    if (first !== undefined)
      add(
        'curation_entry_gone',
        'note',
        [first],
        `${counted(new Set(ids).size, 'entry', 'entries')} that it names ${ids.length === 1 ? 'is' : 'are'} neither in the vault nor in the archive, the first ${shortName(first)}`,
        'No action is needed: in a clone they may be in `private/`. Remove references to entries that were deleted long ago.',
      )
  })
}

/** Returns the entries that its sections name. */
function judgeSections(document: Record<string, unknown>, add: AddFinding): string[] {
  return Object.entries(SECTIONS).flatMap(([name, { isGood, example, byEntry }]) => {
    const section = document[name]
    if (section === undefined) return []
    if (!isObject(section)) {
      const message = `\`${name}\` is not an object, and is not used`
      add('curation_section_invalid', 'error', [name], message, `Write ${example}.`)
      return []
    }
    const keys = Object.keys(section)
    for (const key of keys.filter(each => !isGood(section[each])).slice(0, MAX_RECORDS))
      add(
        'curation_record_invalid',
        'warning',
        [name, key],
        `the value of ${shortName(key)} in \`${name}\` cannot be read, and is not used`,
        `Write ${example}, or remove it.`,
      )
    return byEntry ? keys : []
  })
}

function judgeLists(
  document: Record<string, unknown>,
  isResolution: (value: unknown) => boolean,
  add: AddFinding,
): string[] {
  return (['conflicts', 'rejections'] as const).flatMap(name => {
    const list = document[name]
    if (list === undefined) return []
    if (!Array.isArray(list)) {
      const message = `\`${name}\` is not a list, and is not used`
      add('curation_section_invalid', 'error', [name], message, `Write "${name}": [].`)
      return []
    }
    const isConflicts = name === 'conflicts'
    const isGood = isConflicts ? isResolution : isObject
    const wrong = list.flatMap((record, at) => (isGood(record) ? [] : [at + 1]))
    for (const number of wrong.slice(0, MAX_RECORDS))
      add(
        'curation_record_invalid',
        'warning',
        [name],
        `record ${number} of \`${name}\` cannot be read, and is not used`,
        isConflicts
          ? 'Correct or remove it, and decide again: `cairn conflicts resolve`.'
          : 'Correct or remove it.',
      )
    return isConflicts ? list.filter(isGood).flatMap(({ entryA, entryB }) => [entryA, entryB]) : []
  })
}

/** `history/proposals.json`: changes that agents proposed. A proposal that cannot be read is not shown. */
export function judgeProposals(
  reading: JsonReading,
  isProposed: (value: unknown) => boolean,
): ValidationFinding[] {
  const fix = 'Correct the file, or remove it: then there are no proposals and no rejections.'
  return judgeObject(LAYOUT.proposals.path, reading, { code: 'proposals_damaged', fix }, (document, add) => {
    for (const name of ['waiting', 'rejected'] as const) {
      const section = document[name]
      if (section === undefined) continue
      const isGood = name === 'waiting' ? isProposed : isRejection
      const report = (keys: readonly string[], what: string) =>
        add(
          'proposal_invalid',
          'warning',
          keys,
          `${what} cannot be read, and is not used`,
          'Remove it; an agent can propose it again.',
        )
      if (!isObject(section)) report([name], `\`${name}\``)
      else
        for (const id of Object.keys(section)
          .filter(each => !isGood(section[each]))
          .slice(0, MAX_RECORDS))
          report([name, id], shortName(id))
    }
  })
}

function isRejection(value: unknown): boolean {
  return isObject(value) && typeof value.print === 'string'
}

/** `sources.json`, the import sources. */
export function judgeSources(reading: JsonReading): ValidationFinding[] {
  const again = 'Correct the file by hand, or move it away and add the sources again: `cairn source add`.'
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
    add('sources_newer', 'warning', `version ${version}: a newer Cairn wrote it`, 'Update Cairn.')
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

const PATH = '_project.md'
/** A longer text is cut in every brief. */
export const PROJECT_WORDS = 500

/** `_project.md`, which every agent reads. */
export function judgeProjectText(text: string, isUtf8: boolean): ValidationFinding[] {
  const path = inMemory(PATH)
  if (!isUtf8)
    return [
      {
        code: 'not_utf8',
        severity: 'error',
        path,
        message: 'the file is not UTF-8, so agents would read wrong characters',
        fix: 'Save it as UTF-8 in your editor.',
      },
    ]
  const findings: ValidationFinding[] = []
  const marker = /^<{7}(?: |$)/m.exec(text)
  if (marker !== null && /^>{7}(?: |$)/m.test(text))
    findings.push({
      code: 'conflict_markers',
      severity: 'error',
      path,
      line: lineAt(text, marker.index),
      message: 'git left a conflict in this file',
      fix: 'Edit the text to what you want of both sides, and remove the lines that start with <<<<<<<, ======= and >>>>>>>.',
    })
  const words = countWords(text)
  if (words > PROJECT_WORDS)
    findings.push({
      code: 'project_text_long',
      severity: 'warning',
      path,
      message: `${words} words. Briefs cut it after ${PROJECT_WORDS}.`,
      fix: 'Leave what every agent must know, and make entries of the rest: `cairn remember "…"`.',
    })
  return findings
}

export function countWords(text: string): number {
  let words = 0
  for (const _word of text.matchAll(/\S+/g)) words++
  return words
}
