import { HOST_TITLES, type HostId } from '../model/host.ts'
import { judgeTrial, trialPayload, trialVariables, triedHooks } from '../pipeline/install/hook-trial.ts'
import type { InstalledHook } from '../pipeline/install/installed-calls.ts'
import { runBounded } from '../system/run-bounded.ts'
import type { Check } from './check.ts'
import { SCRATCH_PROMPT, SCRATCH_WORD, type ScratchProject } from './scratch-project.ts'

/** Runs the very commands of a host's file, as the host would, on a scratch project. */
export async function tryHooks(
  host: HostId,
  hooks: readonly InstalledHook[],
  scratch: ScratchProject,
): Promise<Check[]> {
  const name = `${host} hooks`
  const tried: string[] = []
  const checks: Check[] = []
  for (const hook of triedHooks(host)) {
    const installed = hooks.find(({ event }) => event === hook.event)
    if (installed === undefined) continue
    const payload = { cwd: scratch.root, session: `doctor-${hook.event}`, prompt: SCRATCH_PROMPT }
    const trial = await runBounded([installed.command], {
      cwd: scratch.root,
      environment: scratch.environment(trialVariables(host)),
      timeoutMs: hook.timeoutSeconds * 1_000,
      input: trialPayload(host, hook, payload),
      isShellLine: true,
    })
    const verdict = judgeTrial(host, hook, trial, SCRATCH_WORD)
    tried.push(`${hook.event} ${Math.round(trial.ms)} ms`)
    if (verdict.kind !== 'good')
      checks.push({
        name,
        result: verdict.kind === 'slow' ? 'warning' : 'failure',
        message: `${hook.event} ${verdict.message}`,
        hint: `Try it: echo '{}' | ${installed.command}. \`cairn init --host ${host}\` writes the hooks of ${HOST_TITLES[host]} anew.`,
      })
  }
  if (checks.length > 0 || tried.length === 0) return checks
  return [{ name, result: 'ok', message: `answer as ${HOST_TITLES[host]} reads it (${tried.join(', ')})` }]
}
