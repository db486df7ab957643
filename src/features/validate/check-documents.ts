import { injectedSecrets } from '../../addons/rules/injected-secrets.ts'
import { isObject } from '../../kernel/model/json-value.ts'
import { readableResolutions } from '../conflicts/decide/resolutions.ts'
import { isProposed } from '../review/decide/proposed-changes.ts'
import { readProfiles } from '../search/decide/profiles.ts'
import { judgeConfig } from './decide/config-document.ts'
import { judgeCuration } from './decide/curation-document.ts'
import { inMemory, type ValidationFinding } from './decide/finding.ts'
import { textOf } from './decide/json-text.ts'
import { judgeProjectText } from './decide/project-text.ts'
import { judgeProposals } from './decide/proposals-document.ts'
import { judgeSources } from './decide/source-registry.ts'
import { isText, type ValidationCheck, type ValidationRun } from './look.ts'

const MAX_PROJECT_BYTES = 4 * 1_048_576

export const projectCheck: ValidationCheck = {
  name: 'project',
  about: '_project.md, and secrets in it, in rules and in skills',
  async run(look) {
    const bytes = look.bytes('_project.md', MAX_PROJECT_BYTES)
    if (bytes !== undefined) look.add(judgeProjectText(textOf(bytes), isText(bytes)))
    // Which folders have rules is not known without the config; that it cannot be read is a finding of its own.
    if (look.has('config.json') && look.json('config.json') === undefined) return
    const secrets = await injectedSecrets(look.engine)
    look.add(
      secrets.map(({ code, path, line, message, hint }) => ({
        ...{ code, severity: 'error', message, fix: hint },
        path: path === '_project.md' ? inMemory(path) : path,
        ...(line !== undefined && { line }),
      })),
    )
  },
}

export const configCheck: ValidationCheck = {
  name: 'config',
  about: 'config.json: its keys and values, profiles, templates',
  async run(look) {
    const reading = look.json('config.json')
    if (reading === undefined) return
    const profiles = reading.kind === 'read' && isObject(reading.value) ? reading.value.profiles : undefined
    look.add(judgeConfig(reading, readProfiles(profiles).problems))
  },
}

export const curationCheck: ValidationCheck = {
  name: 'curation',
  about: 'curation.json and local/curation.json: what people decided, and about which entries',
  async run(look) {
    for (const file of ['curation.json', 'local/curation.json']) look.add(await judgeCurationFile(look, file))
  },
}

async function judgeCurationFile(look: ValidationRun, file: string): Promise<ValidationFinding[]> {
  const reading = look.json(file)
  if (reading === undefined) return []
  const ids = look.entryIds()
  const isResolution = (value: unknown) => readableResolutions([value]).length === 1
  const findings = judgeCuration(reading, { file, isKnown: id => ids.has(id), isResolution })
  // What upkeep took away comes back with what was said of it: looked for only where something seems gone.
  if (!findings.some(({ code }) => code === 'curation_entry_gone')) return findings
  const archived = new Set<string>()
  for await (const { item } of look.engine.archive.entries()) archived.add(item.entry.id)
  return judgeCuration(reading, { file, isKnown: id => ids.has(id) || archived.has(id), isResolution })
}

export const proposalsCheck: ValidationCheck = {
  name: 'proposals',
  about: 'history/proposals.json: what agents ask to change',
  async run(look) {
    const reading = look.json('history/proposals.json')
    if (reading !== undefined) look.add(judgeProposals(reading, isProposed))
  },
}

export const sourcesCheck: ValidationCheck = {
  name: 'sources',
  about: 'sources.json, the registry of import sources',
  async run(look) {
    const reading = look.json('sources.json')
    if (reading !== undefined) look.add(judgeSources(reading))
  },
}
