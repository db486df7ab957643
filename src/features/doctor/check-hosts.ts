import * as fs from 'node:fs'
import * as os from 'node:os'
import { HOSTS } from '../../hosts/hosts.ts'
import {
  type InstalledCalls,
  type InstalledHook,
  type InstalledServer,
  programWords,
  readInstalledCalls,
} from '../../hosts/install/decide/installed-calls.ts'
import { readHostFile } from '../../hosts/install/host-file.ts'
import { type InstallState, inspectInstall } from '../../hosts/install/inspect-install.ts'
import { type InstallParts, installRecords } from '../../hosts/install/install-parts.ts'
import { applyInstall, planInstall } from '../../hosts/install/installer.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import {
  HOST_IDS,
  HOST_TITLES,
  type HostId,
  INSTALL_LEVELS,
  type InstallLevel,
} from '../../kernel/model/host.ts'
import { offlineEnvironment } from '../../kernel/system/environment.ts'
import { findProgram } from '../../kernel/system/find-program.ts'
import { openRpcConnection } from '../../kernel/system/json-rpc-lines.ts'
import { runBounded } from '../../kernel/system/run-bounded.ts'
import type { DoctorCheck } from './check.ts'
import { makeScratchProject, type ScratchProject, tryHooks, tryServer } from './try-install.ts'

interface Diagnosis {
  readonly install: InstallParts
  readonly root: string
  readonly version: string
  /** The command line that starts this program. */
  readonly ownWords: readonly string[]
  readonly fix: boolean
  readonly onProgress?: (done: number, total: number | undefined, what: string) => void
}

/** Checks every host with an installation, from its files to an answer. Other hosts are not checked. */
export async function checkHosts(diagnosis: Diagnosis): Promise<DoctorCheck[]> {
  const installed = installedHosts(diagnosis.install)
  if (installed.length === 0)
    return [
      {
        name: 'hosts',
        result: 'ok',
        message: 'Cairn is not installed in any host',
        hint: '`cairn init` installs it into the hosts of this machine.',
      },
    ]
  const checks: DoctorCheck[] = []
  const scratch = await makeScratchProject(diagnosis.ownWords)
  if (scratch === undefined)
    checks.push({
      name: 'trial',
      result: 'failure',
      message:
        'this program could not store an entry in a scratch project, so hooks and servers were not tested',
      hint: 'Check the free space for temporary files, then install Cairn again.',
    })
  try {
    for (const [at, one] of installed.entries()) {
      diagnosis.onProgress?.(at, installed.length, HOST_TITLES[one.host])
      checks.push(...(await checkHost(one, diagnosis, scratch)))
    }
    const hosts = [...new Set(installed.map(({ host }) => host))]
    for (const host of hosts) checks.push(await hostVersion(host))
    for (const host of hosts) checks.push(...(await checkHookTrust(host, diagnosis.root, diagnosis.version)))
  } finally {
    if (scratch?.remove() === false)
      checks.push({
        name: 'trial',
        result: 'warning',
        message: `the scratch project could not be removed: ${scratch.folder}`,
        hint: 'It contains only test data. Remove the folder.',
      })
  }
  return checks
}

interface InstalledHost {
  readonly host: HostId
  readonly level: InstallLevel
}

export function installedHosts(install: InstallParts): InstalledHost[] {
  const records = installRecords(install).all()
  const isRecorded = ({ host, level }: InstalledHost) =>
    records.some(({ owners }) =>
      owners.some(
        owner =>
          owner.host === host &&
          owner.level === level &&
          (level === 'user' || owner.project === install.project),
      ),
    )
  return HOST_IDS.flatMap(host => INSTALL_LEVELS.map(level => ({ host, level })))
    .filter(({ level }) => level === 'user' || install.project !== undefined)
    .filter(one => isRecorded(one) || inspectInstall(install, one.host, one.level).isOurs)
}

async function checkHost(
  { host, level }: InstalledHost,
  diagnosis: Diagnosis,
  scratch: ScratchProject | undefined,
): Promise<DoctorCheck[]> {
  const { install, fix, version } = diagnosis
  let state = inspectInstall(install, host, level)
  const checks: DoctorCheck[] = []
  if (fix && (state.state === 'outdated' || state.state === 'partly')) {
    checks.push(...(await rewriteParts(state, install)))
    state = inspectInstall(install, host, level)
  }
  checks.push(...checkParts(state))
  const calls = readCalls(state, install)
  const programs = await checkPrograms({ host, ...calls }, version)
  checks.push(...programs)
  // A missing program cannot be tested.
  if (scratch === undefined || programs.some(({ result }) => result === 'failure')) return checks
  checks.push(...(await tryHooks(host, calls.hooks, scratch)))
  for (const server of calls.servers) checks.push(...(await tryServer(host, server, { scratch, version })))
  return checks
}

/** Writes only our own parts, and only where the user installed them. */
async function rewriteParts({ host, level }: InstallState, install: InstallParts): Promise<DoctorCheck[]> {
  const name = `${host} config`
  try {
    const { changed } = await applyInstall(install, planInstall(install, { hosts: [host], level }))
    return changed.length === 0
      ? []
      : [{ name, result: 'fixed', message: `${changed.map(({ path }) => path).join(', ')} rewritten` }]
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    return [{ name, result: 'failure', message: error.message, hint: error.hint }]
  }
}

const STATES: Readonly<
  Record<'broken' | 'outdated' | 'none', Pick<DoctorCheck, 'result'> & { readonly what: string }>
> = {
  broken: { result: 'failure', what: '' },
  outdated: { result: 'warning', what: 'not as this version writes it' },
  none: { result: 'warning', what: 'missing' },
}

function checkParts({ host, level, state, pieces }: InstallState): DoctorCheck[] {
  const name = `${host} config`
  // The user removed it by hand, and only records are left.
  if (state === 'none') return []
  const wrong = pieces.flatMap((piece): DoctorCheck[] => {
    if (piece.state === 'current') return []
    if (piece.state === 'broken' && isForeign(piece.words))
      return [
        {
          name,
          result: 'ok',
          message: `${piece.path}: ${piece.words}, so it was not changed`,
          hint: `Rename yours, then run \`cairn init --host ${host} --level ${level}\`.`,
        },
      ]
    const { result, what } = STATES[piece.state]
    return [
      {
        name,
        result,
        message: what === '' ? `${piece.name}: ${piece.words}` : `${piece.path}: ${piece.name} is ${what}`,
        hint:
          piece.state === 'broken'
            ? `Repair or move the file, then run \`cairn init --host ${host} --level ${level}\`.`
            : `\`cairn doctor --fix\` or \`cairn init --host ${host} --level ${level}\` writes it.`,
      },
    ]
  })
  if (wrong.some(({ result }) => result !== 'ok')) return withoutRepeats(wrong)
  const files = new Set(pieces.map(({ path }) => path))
  return [
    {
      name,
      result: 'ok',
      message: `${HOST_TITLES[host]}, ${level} level: ${files.size} files are up to date`,
    },
  ]
}

const isForeign = (words: string) => words.includes('is not ours')

/** A damaged file with several parts is reported once. */
function withoutRepeats(checks: readonly DoctorCheck[]): DoctorCheck[] {
  const seen = new Set<string>()
  return checks.flatMap(check => {
    const said = check.message.replace(/^.*?: (?=.*cannot be edited)/, '')
    if (seen.has(said)) return []
    seen.add(said)
    return [{ ...check, message: said }]
  })
}

function readCalls(
  { level, pieces }: InstallState,
  install: InstallParts,
): Required<Pick<InstalledCalls, 'hooks' | 'servers'>> {
  const hooks: InstalledHook[] = []
  const servers: InstalledServer[] = []
  for (const path of new Set(pieces.map(piece => piece.path))) {
    const text = readOrUndefined(install, path, level)
    if (text === undefined) continue
    const calls = readInstalledCalls(path, text)
    hooks.push(...calls.hooks)
    servers.push(...calls.servers)
  }
  return { hooks, servers }
}

/** Unreadable files were reported with their parts. */
function readOrUndefined(install: InstallParts, path: string, level: InstallLevel): string | undefined {
  try {
    return readHostFile(install, path, level)
  } catch (error) {
    if (error instanceof CairnError) return undefined
    throw error
  }
}

const WITHIN_MS = 10_000

/** Asks the host whether it trusts our hooks, if it runs only trusted ones. */
async function checkHookTrust(host: HostId, root: string, version: string): Promise<DoctorCheck[]> {
  const { hookTrust } = await HOSTS[host].install()
  if (hookTrust === undefined) return []
  const name = `${host} trust`
  const warning = (message: string): DoctorCheck[] => [
    { name, result: 'warning', message, hint: hookTrust.hint },
  ]
  const [command = ''] = HOSTS[host].programs
  const program = findProgram(command)
  if (program === undefined)
    return warning(`${command} is not on the path, so the trust of its hooks cannot be checked`)
  const talk = openRpcConnection([program, ...hookTrust.words], {
    cwd: root,
    environment: offlineEnvironment(),
    timeoutMs: WITHIN_MS,
  })
  const answer = await hookTrust.ask(talk, { root, version })
  const trouble = talk.trouble()
  await talk.end(1_000)
  if (answer === undefined)
    return warning(
      `${HOST_TITLES[host]} did not report whether its hooks are trusted: ${trouble || 'unexpected answer'}`,
    )
  return [{ name, ...answer }]
}

const VERSION_WITHIN_MS = 15_000
/** The minimum PATH of a program that is started from a desktop, without the settings of a shell. */
const DESKTOP_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'

/** Checks that the programs in a host's files exist and are this version. */
async function checkPrograms(
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
  const hint = `\`cairn init --host ${host}\` makes ${HOST_TITLES[host]} call this one; \`cairn doctor --fix\` does the same.`
  const found = findProgram(program)
  if (found === undefined)
    return {
      name,
      result: 'failure',
      message: /[\\/]/.test(program) ? `${program} does not exist` : `${program} is not on the path`,
      hint: /[\\/]/.test(program) ? hint : `Add the folder of ${program} to the PATH, or: ${hint}`,
    }
  if (script !== undefined && fs.statSync(script, { throwIfNoEntry: false }) === undefined)
    return { name, result: 'failure', message: `${script} does not exist`, hint }
  const run = await runBounded([found, ...words.slice(1), '--version'], {
    cwd: os.tmpdir(),
    environment: offlineEnvironment(),
    timeoutMs: VERSION_WITHIN_MS,
  })
  const reported = run.stdout.trim().slice(0, 40)
  if (run.exitCode !== 0)
    return {
      name,
      result: 'failure',
      message: `${words.join(' ')} does not start${run.timedOut ? ' in time' : `: ${(run.failure ?? run.stderr.trim().split('\n')[0] ?? '').slice(0, 160)}`}`,
      hint,
    }
  if (reported !== version)
    return {
      name,
      result: 'warning',
      message: `${words.join(' ')} is Cairn ${reported}, and this is ${version}`,
      hint,
    }
  const isHidden =
    HOSTS[host].hasDesktopApp === true &&
    !/[\\/]/.test(program) &&
    findProgram(program, DESKTOP_PATH) === undefined
  return {
    name,
    result: 'ok',
    message: `${words.join(' ')} is Cairn ${reported}`,
    ...(isHidden && {
      hint: `If ${HOST_TITLES[host]} is started from the desktop, it may not find ${found}. Start it from a terminal instead.`,
    }),
  }
}

/** The version that the host reports. A desktop program may not be on the path. */
async function hostVersion(host: HostId): Promise<DoctorCheck> {
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
          message: `${found} does not report its version${run.timedOut ? ` within ${VERSION_WITHIN_MS / 1000} s` : ''}`,
          hint: `Does \`${program}\` start?`,
        }
  }
  return {
    name,
    result: 'ok',
    message: `${HOST_TITLES[host]} is not on the path (${HOSTS[host].programs.join(', ')})`,
  }
}
