import * as fs from 'node:fs'
import * as os from 'node:os'
import { HOSTS } from '../../hosts/hosts.ts'
import {
  type InstalledHook,
  type InstalledServer,
  programWords,
} from '../../hosts/install/decide/installed-calls.ts'
import { HOST_TITLES, type HostId } from '../../kernel/model/host.ts'
import { offlineEnvironment } from '../../kernel/system/environment.ts'
import { findProgram } from '../../kernel/system/find-program.ts'
import { runBounded } from '../../kernel/system/run-bounded.ts'
import type { DoctorCheck } from './check.ts'

const VERSION_WITHIN_MS = 15_000
/** What a program that is started from a desktop has at least; a shell's own settings may not be read there. */
const DESKTOP_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'

/** Whether what a host's files call is there, and is this program. */
export async function checkPrograms(
  {
    host,
    hooks,
    servers,
  }: {
    readonly host: HostId
    readonly hooks: readonly InstalledHook[]
    readonly servers: readonly InstalledServer[]
  },
  version: string,
): Promise<DoctorCheck[]> {
  const called = new Map(
    [
      ...hooks.map(({ command }) => programWords(command)),
      ...servers.map(({ command, args }) => [
        command,
        ...args.slice(0, args.indexOf('mcp') < 0 ? 0 : args.indexOf('mcp')),
      ]),
    ].map(words => [words.join('\0'), words]),
  )
  const checks: DoctorCheck[] = []
  for (const words of called.values()) checks.push(await checkProgram(host, words, version))
  return checks
}

async function checkProgram(host: HostId, words: readonly string[], version: string): Promise<DoctorCheck> {
  const name = `${host} program`
  const [program = '', script] = words
  const hint = `\`cairn init --host ${host}\` has ${HOST_TITLES[host]} call this one; \`cairn doctor --fix\` does the same.`
  const found = findProgram(program)
  if (found === undefined)
    return {
      name,
      result: 'failure',
      message: /[\\/]/.test(program) ? `${program} is gone` : `${program} is not on the path`,
      hint: /[\\/]/.test(program) ? hint : `Put the folder of ${program} on the PATH, or: ${hint}`,
    }
  if (script !== undefined && fs.statSync(script, { throwIfNoEntry: false }) === undefined)
    return { name, result: 'failure', message: `${script} is gone`, hint }
  const run = await runBounded([found, ...words.slice(1), '--version'], {
    cwd: os.tmpdir(),
    environment: offlineEnvironment(),
    timeoutMs: VERSION_WITHIN_MS,
  })
  const told = run.stdout.trim().slice(0, 40)
  if (run.exitCode !== 0)
    return {
      name,
      result: 'failure',
      message: `${words.join(' ')} does not start${run.timedOut ? ' in time' : `: ${(run.failure ?? run.stderr.trim().split('\n')[0] ?? '').slice(0, 160)}`}`,
      hint,
    }
  if (told !== version)
    return {
      name,
      result: 'warning',
      message: `${words.join(' ')} is Cairn ${told}, and this is ${version}`,
      hint,
    }
  const isHidden =
    HOSTS[host].hasDesktopApp === true &&
    !/[\\/]/.test(program) &&
    findProgram(program, DESKTOP_PATH) === undefined
  return {
    name,
    result: 'ok',
    message: `${words.join(' ')} is Cairn ${told}`,
    ...(isHidden && {
      hint: `Started from the desktop, ${HOST_TITLES[host]} may not see ${found}: start it from a terminal then.`,
    }),
  }
}

/** What the host itself says it is. A desktop program need not be on the path. */
export async function hostVersion(host: HostId): Promise<DoctorCheck> {
  const name = `${host} version`
  for (const program of HOSTS[host].programs) {
    const found = findProgram(program)
    if (found === undefined) continue
    const run = await runBounded([found, '--version'], {
      cwd: os.tmpdir(),
      environment: offlineEnvironment(),
      timeoutMs: VERSION_WITHIN_MS,
    })
    const [line = ''] = run.stdout.trim().split('\n')
    return run.exitCode === 0
      ? { name, result: 'ok', message: `${line.slice(0, 60)} (${found})` }
      : {
          name,
          result: 'warning',
          message: `${found} does not tell its version${run.timedOut ? ` within ${VERSION_WITHIN_MS / 1000} s` : ''}`,
          hint: `Does \`${program}\` start?`,
        }
  }
  return {
    name,
    result: 'ok',
    message: `${HOST_TITLES[host]} is not on the path (${HOSTS[host].programs.join(', ')})`,
  }
}
