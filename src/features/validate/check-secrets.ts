import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { EVENTS_PATH } from './decide/event-lines.ts'
import { counted, inMemory, type ValidationFinding } from './decide/finding.ts'
import { textOf } from './decide/json-text.ts'
import { eachLine } from './decide/text-lines.ts'
import { MAX_LOG_BYTES, type ValidationCheck } from './look.ts'

const MAX_TOLD = 50

/** Only with --deep: to look at every text once more takes longer than everything else. */
export const secretsCheck: ValidationCheck = {
  name: 'secrets',
  about: 'secrets in entries and events (with --deep)',
  async run(look) {
    if (!look.isDeep) return
    const options = redactionOptions(look.config)
    const findings: ValidationFinding[] = []
    const ask = (text: string, path: string, line: number | undefined, fix: string) => {
      const { redacted } = redact(text, options)
      const [first] = redacted
      if (first === undefined) return
      findings.push({
        code: 'secret',
        severity: 'error',
        path: inMemory(path),
        ...(line !== undefined && { line }),
        message: `this looks like ${counted(redacted.length, 'secret')} (${first.type})`,
        fix,
      })
    }
    for (const { path, entries } of look.vault())
      for (const { entry, line } of entries)
        ask(
          entry.content,
          path,
          line,
          `\`cairn edit ${entry.id}\` removes it. Change the secret if it was shared.`,
        )
    const events = look.bytes(EVENTS_PATH, MAX_LOG_BYTES)
    if (events !== undefined)
      eachLine(textOf(events), (text, line) =>
        ask(toldBy(text), EVENTS_PATH, line, 'Take it out of the line. Change the secret if it was shared.'),
      )
    look.add(findings.slice(0, MAX_TOLD))
    if (findings.length > MAX_TOLD)
      look.skip(`${findings.length - MAX_TOLD} more texts that look like secrets`, `${MAX_TOLD} are told`)
  },
}

/** What an event says, without its ids and hashes, which look like secrets. A line that is no event is told elsewhere. */
function toldBy(line: string): string {
  try {
    const { summary, signals } = JSON.parse(line) as { summary?: unknown; signals?: unknown }
    return [summary, ...Object.values(signals ?? {}).flat()]
      .map(part => (typeof part === 'string' ? part : ((part as { command?: string } | null)?.command ?? '')))
      .join('\n')
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return line
  }
}
