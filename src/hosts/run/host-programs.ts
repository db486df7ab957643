import * as path from 'node:path'
import type { AgentHost } from '../../kernel/model/agent-run.ts'
import { AGENT_HOSTS } from '../../kernel/model/agent-run.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { HOST_TITLES } from '../../kernel/model/host.ts'
import { internalEnvironment, offlineEnvironment } from '../../kernel/system/environment.ts'
import { findProgramOutside } from '../../kernel/system/find-program.ts'
import { hostFolders } from '../../kernel/system/host-folders.ts'
import { readStart, stampOfPlainFile } from '../../kernel/system/plain-file.ts'
import { runBounded } from '../../kernel/system/run-bounded.ts'
import type { AgentAllowances, AgentHostStanding } from './decide/agent-pipeline.ts'
import { hostProgramName, hostWords } from './decide/host-command.ts'

const VERSION_MS = 5_000
const VERSION = /\d+\.\d+[\w.+-]*/
const CONFIG_BYTES = 1_000_000

export interface HostPrograms {
  standings(): Promise<readonly AgentHostStanding[]>
  standing(host: AgentHost): AgentHostStanding
  /** The program that this user enabled, where it still is the one that is found. Throws `agent_host_off`. */
  enabled(host: AgentHost): string
}

export function hostPrograms(root: string, allowances: AgentAllowances): HostPrograms {
  const versionByProgram = new Map<string, Promise<string | undefined>>()

  const standing = (host: AgentHost): AgentHostStanding => {
    const name = hostProgramName(host)
    const program = findProgramOutside(name, root)
    const allowed = allowances.enabled().get(host)
    return {
      host,
      name: HOST_TITLES[host],
      ...(program !== undefined && { program }),
      isEnabled: program !== undefined && allowed?.program === program,
      isChanged: allowed !== undefined && allowed.program !== program,
      ...(allowed !== undefined && { since: allowed.since }),
      command: [program ?? name, ...hostWords(host, {})],
    }
  }
  /** Asked of a program that was enabled, and of no other: nothing is run without a yes, not even for its version. */
  const withVersion = async (one: AgentHostStanding): Promise<AgentHostStanding> => {
    if (!one.isEnabled || one.program === undefined) return one
    const key = `${one.program} ${stampOfPlainFile(one.program)?.mtimeMs ?? ''}`
    const asked = versionByProgram.get(key) ?? askVersion(one.program)
    // At once: whoever asks meanwhile waits for the same answer.
    versionByProgram.set(key, asked)
    const version = await asked
    return version === undefined ? one : { ...one, version }
  }
  return {
    standing,
    standings: () => Promise.all(AGENT_HOSTS.map(host => withVersion(standing(host)))),
    enabled(host) {
      const { program, isEnabled, isChanged } = standing(host)
      if (isEnabled && program !== undefined) return program
      throw hostOff(host, program, isChanged)
    },
  }
}

async function askVersion(program: string): Promise<string | undefined> {
  const run = await runBounded([program, '--version'], {
    cwd: path.dirname(program),
    environment: offlineEnvironment(internalEnvironment()),
    timeoutMs: VERSION_MS,
  })
  return VERSION.exec(run.stdout)?.[0]
}

export function hostMissing(host: AgentHost): CairnError {
  return new CairnError({
    code: 'agent_host_failed',
    message: `${HOST_TITLES[host]} is not installed: there is no program \`${hostProgramName(host)}\` on the PATH outside of the project.`,
    hint: 'Install it, sign in there once, and try again.',
  })
}

function hostOff(host: AgentHost, program: string | undefined, isChanged: boolean): CairnError {
  if (program === undefined) return hostMissing(host)
  return new CairnError({
    code: 'agent_host_off',
    message: isChanged
      ? `${HOST_TITLES[host]} was enabled as another program; now it would be ${program}.`
      : `${HOST_TITLES[host]} is not enabled for this project: nothing is run.`,
    hint: `\`cairn agent enable ${host}\` shows what would be run, and asks.`,
  })
}

/** Codex hands its servers no variable of ours unless it is told to, and must not be told of a server that it does not have. */
export function hasOwnServer(host: AgentHost, root: string): boolean {
  if (host !== 'codex') return false
  const files = [hostFolders().codex, path.join(root, '.codex')].map(folder =>
    path.join(folder, 'config.toml'),
  )
  return files.some(file => {
    const buffer = new Uint8Array(CONFIG_BYTES)
    const length = readStart(file, buffer)
    if (length === undefined) return false
    return /^\s*\[mcp_servers\.(?:cairn|"cairn")\]/m.test(
      new TextDecoder().decode(buffer.subarray(0, length)),
    )
  })
}
