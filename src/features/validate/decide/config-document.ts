import { LAYOUT } from '../../../kernel/layout.ts'
import { type ConfigKey, isConfigKey, readKey, unusableValues } from '../../../kernel/model/config.ts'
import { CONFIG_KEYS } from '../../../kernel/model/config-keys.ts'
import { isObject } from '../../../kernel/model/json-value.ts'
import { nearestName } from '../../../kernel/text/nearest-name.ts'
import { shortName, type ValidationFinding } from './finding.ts'
import { type AddFinding, type JsonReading, judgeObject, judgeVersion } from './json-text.ts'

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
/** Between what is written and the setting that was meant. */
const MAX_SLIPS = 3

/** `config.json`; `profileProblems` is what is wrong with its profiles. */
export function judgeConfig(reading: JsonReading, profileProblems: readonly string[]): ValidationFinding[] {
  const fix = 'Mend the file by hand, or move it away to begin with the defaults.'
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
      near === undefined
        ? 'Remove it; `cairn config list` shows what there is.'
        : `Did you mean \`${near}\`?`,
    )
  }
}

/** Seed D: `query.templates.<name>.instructions`. */
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
