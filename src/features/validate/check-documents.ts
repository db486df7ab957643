import { injectedSecrets } from '../../addons/rules/injected-secrets.ts'
import { LAYOUT } from '../../kernel/layout.ts'
import { isObject } from '../../kernel/model/json-value.ts'
import { readableResolutions } from '../conflicts/decide/resolutions.ts'
import { isProposed } from '../review/decide/proposed-changes.ts'
import { readProfiles } from '../search/decide/profiles.ts'
import { judgeConfig } from './decide/config-document.ts'
import { judgeCuration, judgeProposals } from './decide/curation-document.ts'
import { inMemory, type ValidationFinding } from './decide/finding.ts'
import { textOf } from './decide/json-text.ts'
import { judgeProjectText } from './decide/project-text.ts'
import { judgeSources } from './decide/source-registry.ts'
import { isText, type ValidationCheck, type ValidationRun } from './validation-run.ts'

const MAX_PROJECT_BYTES = 4 * 1_048_576

/** The text about the project, and secrets in it, in rules and in skills. */
export const checkProject: ValidationCheck = async run => {
  const { path: file } = LAYOUT.projectText
  const bytes = run.bytes(file, MAX_PROJECT_BYTES)
  if (bytes !== undefined) run.add(judgeProjectText(textOf(bytes), isText(bytes)))
  // Which folders have rules is not known without the config; that it cannot be read is a finding of its own.
  if (run.has(LAYOUT.config.path) && run.json(LAYOUT.config.path) === undefined) return
  const secrets = await injectedSecrets(run.engine)
  run.add(
    secrets.map(({ code, path, line, message, hint }) => ({
      ...{ code, severity: 'error', message, fix: hint },
      path: path === file ? inMemory(path) : path,
      ...(line !== undefined && { line }),
    })),
  )
}

export const checkConfig: ValidationCheck = async run => {
  const reading = run.json(LAYOUT.config.path)
  if (reading === undefined) return
  const profiles = reading.kind === 'read' && isObject(reading.value) ? reading.value.profiles : undefined
  run.add(judgeConfig(reading, readProfiles(profiles).problems))
}

export const checkCuration: ValidationCheck = async run => {
  for (const { path } of [LAYOUT.curation, LAYOUT.localCuration]) run.add(await judgeCurationFile(run, path))
}

async function judgeCurationFile(run: ValidationRun, file: string): Promise<ValidationFinding[]> {
  const reading = run.json(file)
  if (reading === undefined) return []
  const ids = run.entryIds()
  const isResolution = (value: unknown) => readableResolutions([value]).length === 1
  const findings = judgeCuration(reading, { file, isKnown: id => ids.has(id), isResolution })
  // What upkeep archived comes back with what was decided about it: searched only where something seems gone.
  if (!findings.some(({ code }) => code === 'curation_entry_gone')) return findings
  const archived = new Set<string>()
  for await (const { item } of run.engine.archive.entries()) archived.add(item.entry.id)
  return judgeCuration(reading, { file, isKnown: id => ids.has(id) || archived.has(id), isResolution })
}

export const checkProposals: ValidationCheck = async run => {
  const reading = run.json(LAYOUT.proposals.path)
  if (reading !== undefined) run.add(judgeProposals(reading, isProposed))
}

export const checkSources: ValidationCheck = async run => {
  const reading = run.json(LAYOUT.sources.path)
  if (reading !== undefined) run.add(judgeSources(reading))
}
