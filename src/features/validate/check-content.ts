import { injectedSecrets } from '../../addons/rules/injected-secrets.ts'
import { LAYOUT } from '../../kernel/layout.ts'
import { isObject } from '../../kernel/model/json-value.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { readableResolutions } from '../conflicts/decide/resolutions.ts'
import { isPrint } from '../freshness/decide/content-print.ts'
import { isProposed } from '../review/decide/proposed-changes.ts'
import { readProfiles } from '../search/decide/profiles.ts'
import { counted, inMemory, type ValidationFinding } from './decide/finding.ts'
import { textOf } from './decide/json-text.ts'
import {
  judgeConfig,
  judgeCuration,
  judgeProjectText,
  judgeProposals,
  judgeSources,
} from './decide/judge-documents.ts'
import { eachLine, objectOf } from './decide/judge-logs.ts'
import { judgeLinks, judgeVaultFiles } from './decide/judge-vault.ts'
import { isText, MAX_LOG_BYTES, type ValidationCheck, type ValidationRun } from './validation-run.ts'

const DAY_MS = 86_400_000
const MAX_SECRETS = 50

export const checkVault: ValidationCheck = async run => {
  run.add(
    judgeVaultFiles(run.vault(), {
      maxEntryBytes: run.config['vault.maxEntryBytes'],
      pageBytes: run.config['vault.pageBytes'],
      maxEntriesPerFile: run.config['vault.maxEntriesPerFile'],
      nowMs: run.nowMs,
      latestDate: new Date(run.nowMs + DAY_MS).toISOString().slice(0, 16),
      isPrint,
    }),
  )
}

export const checkLinks: ValidationCheck = async run => {
  run.add(judgeLinks(run.vault()))
}

/** In entries and events. Only with --deep: reading every text again takes longer than all other checks. */
export const checkSecrets: ValidationCheck = async run => {
  if (!run.isDeep) return
  const options = redactionOptions(run.config)
  const findings: ValidationFinding[] = []
  const search = (text: string, path: string, line: number, fix: string) => {
    const { redacted } = redact(text, options)
    const [first] = redacted
    if (first === undefined) return
    const message = `this looks like ${counted(redacted.length, 'secret')} (${first.type})`
    findings.push({ code: 'secret', severity: 'error', path: inMemory(path), line, message, fix })
  }
  for (const { path, entries } of run.vault())
    for (const { entry, line } of entries)
      search(
        entry.content,
        path,
        line,
        `\`cairn edit ${entry.id}\` removes it. Change the secret if it was shared.`,
      )
  const events = run.bytes(LAYOUT.events.path, MAX_LOG_BYTES)
  if (events !== undefined)
    eachLine(textOf(events), (text, line) =>
      search(
        wordsOf(text),
        LAYOUT.events.path,
        line,
        'Remove it from the line. Change the secret if it was shared.',
      ),
    )
  run.add(findings.slice(0, MAX_SECRETS))
  if (findings.length > MAX_SECRETS)
    run.skip(
      `${findings.length - MAX_SECRETS} more texts that look like secrets`,
      `${MAX_SECRETS} are reported`,
    )
}

/** The text of an event, without its ids and hashes, which look like secrets. */
function wordsOf(line: string): string {
  const event = objectOf(line)
  if (event === undefined) return line
  return [event.summary, ...Object.values(event.signals ?? {}).flat()]
    .map(part => (typeof part === 'string' ? part : ((part as { command?: string } | null)?.command ?? '')))
    .join('\n')
}

const MAX_PROJECT_BYTES = 4 * 1_048_576

/** The text about the project, and secrets in it, in rules and in skills. */
export const checkProject: ValidationCheck = async run => {
  const { path: file } = LAYOUT.projectText
  const bytes = run.bytes(file, MAX_PROJECT_BYTES)
  if (bytes !== undefined) run.add(judgeProjectText(textOf(bytes), isText(bytes)))
  // The folders of rules are in the config; that it cannot be read is a finding of its own.
  if (run.has(LAYOUT.config.path) && run.json(LAYOUT.config.path) === undefined) return
  const secrets = await injectedSecrets(run.memory)
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
  // Archived entries can be restored with the decisions about them. The archive is read only if an entry seems to be gone.
  if (!findings.some(({ code }) => code === 'curation_entry_gone')) return findings
  const archived = new Set<string>()
  for await (const { item } of run.memory.archive.entries()) archived.add(item.entry.id)
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
