import type { HostId } from '../../../kernel/model/host.ts'
import { ownField, type PayloadFields, textField } from './payload-fields.ts'

/** What a process can see of who runs it. */
export interface CallerSigns {
  /** CLAUDECODE or CLAUDE_CODE_SESSION_ID is set. */
  readonly isClaudeCode: boolean
  /** CURSOR_VERSION is set. */
  readonly isCursor: boolean
  /** COPILOT_CLI is set. It stays set in what Copilot starts, a Claude Code in its shell included. */
  readonly isCopilot: boolean
}

/**
 * The other host that runs the hooks of `host`: Copilot runs a project's Claude Code hooks, Cursor may run the user's. undefined: `host`
 * itself does, or nobody can tell. Only what is certain counts: a hook that is silent for nothing is worse than one that answers twice.
 */
export function foreignCaller(host: HostId, payload: PayloadFields, signs: CallerSigns): HostId | undefined {
  if (host !== 'claude-code') return undefined
  if (signs.isCursor || textField(payload, 'cursor_version') !== undefined) return 'cursor'
  const transcript = (textField(payload, 'transcript_path') ?? '').replaceAll('\\', '/')
  if (/\/\.cursor\//.test(transcript)) return 'cursor'
  if (/\/\.copilot\//.test(transcript)) return 'copilot'
  if (signs.isCopilot && !signs.isClaudeCode) return 'copilot'
  // Claude Code dates no payload, and sets its variables; Copilot does neither the one nor the other.
  const isDated = ownField(payload, 'timestamp') !== undefined
  return isDated && !signs.isClaudeCode && transcript === '' ? 'copilot' : undefined
}
