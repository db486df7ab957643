import type { Log } from '../../../system/log.ts'
import { redact } from '../../../text/redaction/redact.ts'

/** What happened is for whoever runs the server; a secret that stands in it is for nobody. */
export function logFault(log: Log, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  log.write('error', 'fault', { stack: redact(text).text })
}
