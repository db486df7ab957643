import type { HostId } from '../../../kernel/model/host.ts'
import type { HookPurpose, HostHook } from '../../hooks/decide/hook-event.ts'
import { HOSTS } from '../../hosts.ts'
import type { HostIntegration } from './host-integration.ts'

/** The events at which a user waits: they are tried. */
const TRIED: ReadonlySet<HookPurpose> = new Set(['start', 'prompt'])

/** Our own deadlines, and the time that a busy machine may need to start a process. */
const DEADLINES_MS: Partial<Record<HookPurpose, number>> = { start: 1_000, prompt: 300 }
const SCHEDULING_MS = 700

export function triedHooks(host: HostId): readonly HostHook[] {
  return HOSTS[host].hooks.events.filter(({ purpose }) => TRIED.has(purpose))
}

export function deadlineMs({ purpose }: HostHook): number {
  return DEADLINES_MS[purpose] ?? 1_000
}

/** The payload that the host would send, without any text of a user. */
export function trialInput(
  payloadOf: HostIntegration['trialPayload'],
  hook: HostHook,
  { cwd, session, prompt }: { readonly cwd: string; readonly session: string; readonly prompt: string },
): string {
  return JSON.stringify(payloadOf(hook, { cwd, session, asked: hook.purpose === 'prompt' ? { prompt } : {} }))
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

/** `expected` is in the memory of the trial: an answer without it did not come from there. */
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
    // There may be nothing to inject at the start of a session.
    return purpose === 'start' ? undefined : 'injected nothing for a prompt about an entry of the memory'
  let answer: unknown
  try {
    answer = JSON.parse(stdout)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return `printed something that is not JSON${firstLine(stdout)}`
  }
  let context: unknown = answer
  for (const key of HOSTS[host].hooks.answer.contextPath)
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
