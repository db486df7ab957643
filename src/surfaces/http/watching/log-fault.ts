import type { Log } from '../../../kernel/system/log.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'

/** By default the log has faults alone. */
export const FAULTS_ALONE = { format: 'text', level: 'error' } as const

/** The stack of a fault goes to the log, without secrets. */
export function logFault(log: Log, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  log.write('error', 'fault', { stack: redact(text).text })
}
