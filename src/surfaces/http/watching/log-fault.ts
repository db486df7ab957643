import type { Log } from '../../../kernel/system/log.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'

/** A page and its server are a person's: they are told of what went wrong, and of nothing else unless they ask. */
export const FAULTS_ALONE = { format: 'text', level: 'error' } as const

/** What happened is for whoever runs the server; a secret that stands in it is for nobody. */
export function logFault(log: Log, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  log.write('error', 'fault', { stack: redact(text).text })
}
