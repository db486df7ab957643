import * as path from 'node:path'
import type { AgentHost } from '../../kernel/model/agent-run.ts'
import { AGENT_HOSTS } from '../../kernel/model/agent-run.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { HOST_TITLES } from '../../kernel/model/host.ts'
import { internalEnvironment, offlineEnvironment } from '../../kernel/system/environment.ts'
import { findProgramOutside } from '../../kernel/system/find-program.ts'
import { hostFolder } from '../../kernel/system/host-folder.ts'
import { readStart, stampOfPlainFile } from '../../kernel/system/plain-file.ts'
import { runBounded } from '../../kernel/system/run-bounded.ts'
import { HOSTS } from '../hosts.ts'
import type { AgentAllowances, AgentHostState } from './decide/agent-pipeline.ts'
import type { HostProgram } from './decide/host-program.ts'
import { hostWords } from './decide/host-program.ts'

const VERSION_MS = 5_000
const VERSION = /\d+\.\d+[\w.+-]*/
const CONFIG_BYTES = 1_000_000

export interface HostPrograms {
  of(host: AgentHost): HostProgram
  standings(): Promise<readonly AgentHostState[]>
  standing(host: AgentHost): AgentHostState
  /** The program that this user enabled, where it still is the one that is found. Throws `agent_host_off`. */
  enabled(host: AgentHost): string
}

export async function openHostPrograms(root: string, allowances: AgentAllowances): Promise<HostPrograms> {
  const loaded = AGENT_HOSTS.map(async host => [host, await HOSTS[host].program()] as const)
  const programs = Object.fromEntries(await Promise.all(loaded)) as Record<AgentHost, HostProgram>
  const versionByProgram = new Map<string, Promise<string | undefined>>()

  const standing = (host: AgentHost): AgentHostState => {
    const name = programs[host].program
    const program = findProgramOutside(name, root)
    const allowed = allowances.enabled().get(host)
    return {
      host,
      name: HOST_TITLES[host],
      ...(program !== undefined && { program }),
      isEnabled: program !== undefined && allowed?.program === program,
      isChanged: allowed !== undefined && allowed.program !== program,
      ...(allowed !== undefined && { since: allowed.since }),
      command: [program ?? name, ...hostWords(programs[host], {})],
    }
  }
  /** Only of a program that was enabled: nothing is run without consent, not even for its version. */
  const withVersion = async (one: AgentHostState): Promise<AgentHostState> => {
    if (!one.isEnabled || one.program === undefined) return one
    const key = `${one.program} ${stampOfPlainFile(one.program)?.mtimeMs ?? ''}`
    const asked = versionByProgram.get(key) ?? askVersion(one.program)
    // Immediately: a caller in the meantime waits for the same answer.
    versionByProgram.set(key, asked)
    const version = await asked
    return version === undefined ? one : { ...one, version }
  }
  return {
    of: host => programs[host],
    standing,
    standings: () => Promise.all(AGENT_HOSTS.map(host => withVersion(standing(host)))),
    enabled(host) {
      const { program, isEnabled, isChanged } = standing(host)
      if (isEnabled && program !== undefined) return program
      throw program === undefined ? hostMissing(host, programs[host]) : hostOff(host, program, isChanged)
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

export function hostMissing(host: AgentHost, { program }: HostProgram): CairnError {
  return new CairnError({
    code: 'agent_host_failed',
    message: `${HOST_TITLES[host]} is not installed: the program \`${program}\` is not on the PATH outside of the project.`,
    hint: 'Install it, sign in there once, and try again.',
  })
}

function hostOff(host: AgentHost, program: string, isChanged: boolean): CairnError {
  return new CairnError({
    code: 'agent_host_off',
    message: isChanged
      ? `${HOST_TITLES[host]} was enabled as another program; now it would be ${program}.`
      : `${HOST_TITLES[host]} is not enabled for this project, so it was not started.`,
    hint: `\`cairn agent enable ${host}\` shows what would be run, and asks.`,
  })
}

/** Whether the host lists our MCP server, where its words depend on that. */
export function hasOwnServer({ serverList }: HostProgram, root: string): boolean {
  if (serverList === undefined) return false
  const { folder, projectFolder, file: name, ownEntry } = serverList
  const files = [hostFolder(...folder), path.join(root, projectFolder)].map(at => path.join(at, name))
  return files.some(file => {
    const buffer = new Uint8Array(CONFIG_BYTES)
    const length = readStart(file, buffer)
    if (length === undefined) return false
    return ownEntry.test(new TextDecoder().decode(buffer.subarray(0, length)))
  })
}
