import type { HostId } from '../../../kernel/model/host.ts'
import type { HookPurpose } from '../../hooks/decide/hook-purpose.ts'
import { HOST_HOOKS, type HostHook } from '../../hooks/decide/host-hooks.ts'

/** The moments at which somebody waits: they are tried. */
const TRIED: ReadonlySet<HookPurpose> = new Set(['start', 'prompt'])

/** Our own deadlines, and what a machine that does something else may take besides to start a process. */
const DEADLINES_MS: Partial<Record<HookPurpose, number>> = { start: 1_000, prompt: 300 }
const SCHEDULING_MS = 700

export function triedHooks(host: HostId): readonly HostHook[] {
  return HOST_HOOKS[host].filter(({ purpose }) => TRIED.has(purpose))
}

export function deadlineMs({ purpose }: HostHook): number {
  return DEADLINES_MS[purpose] ?? 1_000
}

/** What a host would send, with nothing in it that anybody said. */
export function trialPayload(
  host: HostId,
  { event, purpose }: HostHook,
  { cwd, session, prompt }: { readonly cwd: string; readonly session: string; readonly prompt: string },
): string {
  const asked = purpose === 'prompt' ? { prompt } : {}
  switch (host) {
    case 'opencode':
      return JSON.stringify({
        sessionID: session,
        directory: cwd,
        worktree: cwd,
        source: 'startup',
        ...asked,
      })
    case 'copilot':
      return JSON.stringify({ sessionId: session, timestamp: 0, cwd, source: 'new', ...asked })
    case 'cursor':
      return JSON.stringify({
        conversation_id: session,
        hook_event_name: event,
        workspace_roots: [cwd],
        cursor_version: 'doctor',
        ...asked,
      })
    default:
      return JSON.stringify({
        session_id: session,
        transcript_path: '',
        cwd,
        hook_event_name: event,
        ...(purpose === 'start' && { source: 'startup' }),
        ...asked,
      })
  }
}

/** Which variables a host sets for its hooks, where that tells ours who calls. */
export function trialVariables(host: HostId): Readonly<Record<string, string>> {
  if (host === 'claude-code') return { CLAUDECODE: '1' }
  return host === 'cursor' ? { CURSOR_VERSION: 'doctor' } : {}
}

export interface HookTrial {
  readonly exitCode: number | null
  readonly timedOut: boolean
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
}

export type TrialVerdict =
  | { readonly kind: 'good' }
  | { readonly kind: 'slow' | 'wrong'; readonly message: string }

/** Where the text that is injected stands in a host's answer. */
const CONTEXT_KEYS: Readonly<Record<HostId, readonly string[]>> = {
  'claude-code': ['hookSpecificOutput', 'additionalContext'],
  codex: ['hookSpecificOutput', 'additionalContext'],
  gemini: ['hookSpecificOutput', 'additionalContext'],
  opencode: ['context'],
  copilot: ['additionalContext'],
  cursor: ['additional_context'],
}

/** `expected` is in the memory that it was tried on: an answer without it did not come from there. */
export function judgeTrial(host: HostId, hook: HostHook, trial: HookTrial, expected: string): TrialVerdict {
  const { exitCode, timedOut, stdout, stderr, ms } = trial
  if (timedOut)
    return {
      kind: 'wrong',
      message: `gave no answer within ${hook.timeoutSeconds} s; the host waits that long at each prompt`,
    }
  if (exitCode !== 0)
    return { kind: 'wrong', message: `ended with ${exitCode ?? 'a signal'}${firstLine(stderr)}` }
  if (stderr.trim() !== '') return { kind: 'wrong', message: `wrote to standard error${firstLine(stderr)}` }
  const wrong = wrongShape(host, hook, stdout, expected)
  if (wrong !== undefined) return { kind: 'wrong', message: wrong }
  const mostMs = deadlineMs(hook) + SCHEDULING_MS
  return ms <= mostMs
    ? { kind: 'good' }
    : { kind: 'slow', message: `took ${Math.round(ms)} ms, and should take ${deadlineMs(hook)} at most` }
}

function wrongShape(
  host: HostId,
  { event, purpose }: HostHook,
  stdout: string,
  expected: string,
): string | undefined {
  if (stdout.trim() === '')
    // A session that begins may have nothing to be told.
    return purpose === 'start' ? undefined : 'told nothing, though it was asked about what is in the memory'
  let answer: unknown
  try {
    answer = JSON.parse(stdout)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return `printed something that is no JSON${firstLine(stdout)}`
  }
  let context: unknown = answer
  for (const key of CONTEXT_KEYS[host])
    context =
      typeof context === 'object' && context !== null ? (context as Record<string, unknown>)[key] : undefined
  if (typeof context !== 'string') return `printed an answer that ${host} does not read at ${event}`
  return purpose === 'prompt' && !context.includes(expected)
    ? 'answered, and not from the memory it was asked in'
    : undefined
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return line === '' ? '' : `: ${line.slice(0, 160)}`
}
