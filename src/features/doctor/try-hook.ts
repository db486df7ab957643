import { setTimeout as pause } from 'node:timers/promises'
import type { HostHook } from '../../hosts/hooks/decide/hook-event.ts'
import { readHookFailures } from '../../hosts/hooks/hook-failures.ts'
import { HOSTS } from '../../hosts/hosts.ts'
import {
  judgeTrial,
  type TrialVerdict,
  trialInput,
  triedHooks,
} from '../../hosts/install/decide/hook-trial.ts'
import { type InstalledHook, programWords } from '../../hosts/install/decide/installed-calls.ts'
import { HOST_TITLES, type HostId } from '../../kernel/model/host.ts'
import { runBounded } from '../../kernel/system/run-bounded.ts'
import type { DoctorCheck } from './check.ts'
import { SCRATCH_PROMPT, SCRATCH_WORD, type ScratchProject } from './scratch-project.ts'

const ATTEMPTS = 5
/** Longer after each attempt: what keeps a machine busy is often over a second later. */
const PAUSE_MS = 150

/** Runs the very commands of a host's file, as the host would, on a scratch project. */
export async function tryHooks(
  host: HostId,
  hooks: readonly InstalledHook[],
  scratch: ScratchProject,
): Promise<DoctorCheck[]> {
  const name = `${host} hooks`
  const tried: string[] = []
  const checks: DoctorCheck[] = []
  for (const hook of triedHooks(host)) {
    const installed = hooks.find(({ event }) => event === hook.event)
    if (installed === undefined) continue
    const { verdict, ms } = await tryOften(host, hook, installed.command, scratch)
    tried.push(`${hook.event} ${Math.round(ms)} ms`)
    if (verdict.kind !== 'good')
      checks.push({
        name,
        result: verdict.kind === 'slow' ? 'warning' : 'failure',
        message: `${hook.event} ${verdict.message}`,
        hint: `Try it: echo '{}' | ${programWords(installed.command).join(' ')} hook ${host} ${hook.event}. \`cairn init --host ${host}\` writes the hooks of ${HOST_TITLES[host]} anew.`,
      })
  }
  if (checks.length > 0 || tried.length === 0) return checks
  return [{ name, result: 'ok', message: `answer as ${HOST_TITLES[host]} reads it (${tried.join(', ')})` }]
}

/** On a busy machine a hook may miss its deadline, and then says nothing: once is no sign of anything. One that hangs is tried once. */
async function tryOften(
  host: HostId,
  hook: HostHook,
  command: string,
  scratch: ScratchProject,
): Promise<{ readonly verdict: TrialVerdict; readonly ms: number }> {
  const { trialPayload, trialVariables = {} } = await HOSTS[host].install()
  const payload = { cwd: scratch.root, session: `doctor-${hook.event}`, prompt: SCRATCH_PROMPT }
  for (let attempt = 1; ; attempt++) {
    const trial = await runBounded([command], {
      cwd: scratch.root,
      environment: scratch.environment(trialVariables),
      timeoutMs: hook.timeoutSeconds * 1_000,
      input: trialInput(trialPayload, hook, { ...payload, session: `${payload.session}-${attempt}` }),
      isShellLine: true,
    })
    const verdict = judgeTrial(host, hook, trial, SCRATCH_WORD)
    const isLast = attempt === ATTEMPTS || trial.timedOut || trial.exitCode !== 0
    if (verdict.kind === 'good' || isLast) return { verdict: withReason(verdict, scratch), ms: trial.ms }
    await pause(attempt * PAUSE_MS)
  }
}

/** What the hook itself wrote down about it. */
function withReason(verdict: TrialVerdict, scratch: ScratchProject): TrialVerdict {
  const [failure] = verdict.kind === 'wrong' ? readHookFailures(1, scratch.failures).failures : []
  if (failure === undefined || verdict.kind !== 'wrong') return verdict
  const message = `${verdict.message}: ${failure.message}`
  return { kind: failure.code === 'deadline' ? 'slow' : 'wrong', message }
}
