import { type ConfigKey, configProblems, isConfigKey, readKey } from '../../../kernel/model/config.ts'
import { CONFIG_KEYS } from '../../../kernel/model/config-keys.ts'
import { isObject } from '../../../kernel/model/json-value.ts'
import { FORMAT_VERSION } from '../../../kernel/model/vault-layout.ts'
import { nearestName } from '../../../kernel/text/nearest-name.ts'
import { inMemory, type Severity, shortName, type ValidationFinding } from './finding.ts'
import { type JsonReading, lineOfKey } from './json-text.ts'

const PATH = 'config.json'
/** Sections that are not in the table of keys: they have names of their own. */
const NAMED = new Set(['profiles', 'query.templates'])
/** Folders of the project: a clone must not point them elsewhere. */
const FOLDERS: readonly ConfigKey[] = [
  'projections.folder',
  'workspaces.resources',
  'workspaces.learnings',
  'hot.rules',
  'skills.folder',
]
const MAX_KEYS = 1_000
/** Between what stands there and the setting that was meant. */
const MAX_SLIPS = 3

/** `config.json`; `profileProblems` is what is wrong with its profiles. */
export function judgeConfig(reading: JsonReading, profileProblems: readonly string[]): ValidationFinding[] {
  const path = inMemory(PATH)
  if (reading.kind === 'damaged')
    return [
      {
        code: 'config_damaged',
        severity: 'error',
        path,
        line: reading.line,
        message: `the file cannot be read: ${reading.why}`,
        fix: 'Mend the file by hand, or move it away to begin with the defaults.',
      },
    ]
  const { value, text } = reading
  if (!isObject(value))
    return [
      {
        code: 'config_damaged',
        severity: 'error',
        path,
        line: 1,
        message: 'the file is no JSON object',
        fix: 'Write { "version": 2 }, or move it away to begin with the defaults.',
      },
    ]
  const findings: ValidationFinding[] = []
  const add = (code: string, severity: Severity, keys: readonly string[], message: string, fix: string) => {
    const line = lineOfKey(text, keys)
    findings.push({ code, severity, path, ...(line !== undefined && { line }), message, fix })
  }

  const version = value.version
  if (version !== undefined && (!Number.isInteger(version) || (version as number) < 0))
    add('config_damaged', 'error', ['version'], '`version` is no whole number', 'Write "version": 2.')
  else if (typeof version === 'number' && version > FORMAT_VERSION)
    add(
      'config_newer',
      'warning',
      ['version'],
      `version ${version}: a newer Cairn has written it, and this one changes nothing here`,
      'Update Cairn.',
    )
  for (const problem of configProblems(value)) {
    const key = /`([\w.]+)`/.exec(problem.message)?.[1] ?? ''
    // The message of the table repeats the value, which may be a secret put in the wrong place.
    const wanted = /takes (.*?)(?:, not |; )/.exec(problem.message)?.[1] ?? 'another value'
    add(
      'config_value_invalid',
      'error',
      key.split('.'),
      `\`${key}\` takes ${wanted}; the default is used`,
      problem.hint,
    )
  }
  if (version === undefined || (typeof version === 'number' && version <= FORMAT_VERSION))
    for (const keys of unknownKeys(value)) {
      const name = keys.join('.')
      const near = nearestName(name, Object.keys(CONFIG_KEYS), MAX_SLIPS)
      add(
        'config_key_unknown',
        'warning',
        keys,
        `there is no setting \`${shortName(name)}\``,
        near === undefined
          ? 'Remove it; `cairn config list` shows what there is.'
          : `Did you mean \`${near}\`?`,
      )
    }
  for (const key of FOLDERS) {
    const folder = readKey(value, key)
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
  judgeTemplates(value, add)
  return findings
}

type Add = (code: string, severity: Severity, keys: readonly string[], message: string, fix: string) => void

/** Seed D: `query.templates.<name>.instructions`. */
function judgeTemplates(document: Record<string, unknown>, add: Add): void {
  const { query } = document
  const templates = isObject(query) ? query.templates : undefined
  if (templates === undefined) return
  const wanted = 'A template looks like { "instructions": "Answer as a checklist." }.'
  if (!isObject(templates)) {
    add(
      'config_template_invalid',
      'warning',
      ['query', 'templates'],
      '`query.templates` is no object',
      wanted,
    )
    return
  }
  for (const [name, template] of Object.entries(templates).slice(0, MAX_KEYS)) {
    const instructions = isObject(template) ? template.instructions : undefined
    if (typeof instructions === 'string' && instructions.trim() !== '') continue
    add(
      'config_template_invalid',
      'warning',
      ['query', 'templates', name],
      `the template ${shortName(name)} has no \`instructions\` that are a text, and is not used`,
      wanted,
    )
  }
}

/** Leaves that no key leads to, and groups that lead nowhere. */
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
