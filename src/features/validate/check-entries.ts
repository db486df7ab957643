import { LAYOUT } from '../../kernel/layout.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { isPrint } from '../freshness/decide/content-print.ts'
import { judgeLinks } from './decide/entry-links.ts'
import { counted, inMemory, type ValidationFinding } from './decide/finding.ts'
import { textOf } from './decide/json-text.ts'
import { eachLine, objectOf } from './decide/log-lines.ts'
import { judgeVaultFiles } from './decide/vault-files.ts'
import { MAX_LOG_BYTES, type ValidationCheck } from './validation-run.ts'

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

/** In entries and events. Only with --deep: to read every text once more takes longer than everything else. */
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
