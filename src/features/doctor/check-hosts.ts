import {
  type InstalledCalls,
  type InstalledHook,
  type InstalledServer,
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
import type { DoctorCheck } from './check.ts'
import { checkPrograms, hostVersion } from './check-programs.ts'
import { checkHookTrust } from './hook-trust.ts'
import { makeScratchProject, type ScratchProject } from './scratch-project.ts'
import { tryHooks } from './try-hook.ts'
import { tryServer } from './try-server.ts'

export interface Diagnosis {
  readonly install: InstallParts
  readonly root: string
  readonly version: string
  /** How this very program is started. */
  readonly ownWords: readonly string[]
  readonly fix: boolean
  readonly onProgress?: (done: number, total: number | undefined, what: string) => void
}

/** Every host that Cairn was installed into, from its file to an answer. Of the others nothing is looked at. */
export async function checkHosts(diagnosis: Diagnosis): Promise<DoctorCheck[]> {
  const installed = installedHosts(diagnosis.install)
  if (installed.length === 0)
    return [
      {
        name: 'hosts',
        result: 'ok',
        message: 'Cairn is installed in no host',
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
        'this program could not keep an entry in a scratch project, so that no hook and no server was tried',
      hint: 'Is there room in the folder for temporary files? Then install Cairn again.',
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
        hint: 'Nothing of yours is in it: remove the folder.',
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
    checks.push(...(await writtenAnew(state, install)))
    state = inspectInstall(install, host, level)
  }
  checks.push(...checkPieces(state))
  const calls = readCalls(state, install)
  const programs = await checkPrograms({ host, ...calls }, version)
  checks.push(...programs)
  // A program that is not there cannot be tried.
  if (scratch === undefined || programs.some(({ result }) => result === 'failure')) return checks
  checks.push(...(await tryHooks(host, calls.hooks, scratch)))
  for (const server of calls.servers) checks.push(...(await tryServer(host, server, { scratch, version })))
  return checks
}

/** Only pieces of ours are written, and only where the user had them installed. */
async function writtenAnew({ host, level }: InstallState, install: InstallParts): Promise<DoctorCheck[]> {
  const name = `${host} config`
  try {
    const { changed } = await applyInstall(install, planInstall(install, { hosts: [host], level }))
    return changed.length === 0
      ? []
      : [{ name, result: 'fixed', message: `${changed.map(({ path }) => path).join(', ')} written anew` }]
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

function checkPieces({ host, level, state, pieces }: InstallState): DoctorCheck[] {
  const name = `${host} config`
  // Somebody took it out by hand: what is left of it are records.
  if (state === 'none') return []
  const wrong = pieces.flatMap((piece): DoctorCheck[] => {
    if (piece.state === 'current') return []
    if (piece.state === 'broken' && isTheirs(piece.words))
      return [
        {
          name,
          result: 'ok',
          message: `${piece.path}: ${piece.words}, and stays`,
          hint: `Under another name, yours leaves room for ours: then \`cairn init --host ${host} --level ${level}\`.`,
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
            ? `Put the file right, or move it away, then \`cairn init --host ${host} --level ${level}\`.`
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
      message: `${HOST_TITLES[host]}, ${level} level: ${files.size} files as they should be`,
    },
  ]
}

const isTheirs = (words: string) => words.includes('is not ours')

/** One damaged file holds several pieces, and is told of once. */
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

/** What cannot be read was told of with its pieces. */
function readOrUndefined(install: InstallParts, path: string, level: InstallLevel): string | undefined {
  try {
    return readHostFile(install, path, level)
  } catch (error) {
    if (error instanceof CairnError) return undefined
    throw error
  }
}
