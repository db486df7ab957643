import type { Log } from '../../../kernel/system/log.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'

/** By default the log has only faults. */
export const FAULTS_ALONE = { format: 'text', level: 'error' } as const

/** Logs the stack of a fault, redacted. */
export function logFault(log: Log, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  log.write('error', 'fault', { stack: redact(text).text })
}
