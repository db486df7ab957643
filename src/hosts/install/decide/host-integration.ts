import type { HostId, InstallLevel } from '../../../kernel/model/host.ts'
import { HOST_HOOKS, type HostHook } from '../../hooks/decide/host-hooks.ts'
import { commandFiles } from './command-files.ts'
import { commandWords, guardedCommand, hookCommand } from './hook-command.ts'
import type { CairnCommand, Remark } from './install-plan.ts'
import type { HostPlaces, JsonPiece, TargetFile } from './target-file.ts'

/** What an integration is made for. */
export interface Wanted extends HostPlaces {
  readonly level: InstallLevel
  readonly command: CairnCommand
  /** The running server answers prompts, and the command stands behind it. Not where a server of that name is somebody else's. */
  readonly serverAnswers: boolean
  readonly switchOffAutoMemory: boolean
}

/** One host as data: where its files are, what goes into them, what it wants from its user. */
export interface HostIntegration {
  readonly host: HostId
  /** Names of its program. */
  readonly programs: readonly string[]
  /** Its folder of this user. That it is there says that the host is used here. */
  readonly folder: (places: HostPlaces) => string
  /** Where the entry of the server is. */
  readonly serverFile: (places: HostPlaces & { readonly level: InstallLevel }) => string
  readonly files: (wanted: Wanted) => readonly TargetFile[]
  readonly remarks: (wanted: Wanted) => readonly Omit<Remark, 'host'>[]
}

export const SERVER_NAME = 'cairn'

/** `command` and `args` as most hosts want them. */
export function serverWords(command: CairnCommand): {
  readonly command: string
  readonly args: readonly string[]
} {
  const [program = SERVER_NAME, ...args] = [...commandWords(command), 'mcp']
  return { command: program, args }
}

export function jsonServer(path: readonly string[], value: Readonly<Record<string, unknown>>): JsonPiece {
  return { kind: 'server', name: `MCP server ${SERVER_NAME}`, path: [...path, SERVER_NAME], value }
}

/** Each event of a host with what stands for it in the host's file. */
export function hookPiece(host: HostId, groupsOf: (hook: HostHook) => readonly unknown[]): JsonPiece {
  const groups = Object.fromEntries(HOST_HOOKS[host].map(hook => [hook.event, groupsOf(hook)]))
  return { kind: 'hooks', name: `hooks ${Object.keys(groups).join(', ')}`, path: ['hooks'], groups }
}

/**
 * The form of Claude Code and Codex. A prompt goes to the running server; beside it stands the command, which sees that the server is
 * there and keeps still, or answers itself.
 */
export function claudeGroups(hook: HostHook, host: HostId, wanted: Wanted): readonly unknown[] {
  const plain = hookCommand(wanted.command, { host, event: hook.event, isWindows: wanted.isWindows })
  const isServed = hook.purpose === 'prompt' && wanted.serverAnswers && !wanted.isWindows
  const command = {
    type: 'command',
    command: isServed ? guardedCommand(plain, host) : plain,
    timeout: hook.timeoutSeconds,
  }
  const served = {
    type: 'mcp_tool',
    server: SERVER_NAME,
    tool: 'brief',
    input: {
      hook: `${host} ${hook.event}`,
      prompt: fromPayload('prompt'),
      session: fromPayload('session_id'),
      cwd: fromPayload('cwd'),
    },
    timeout: hook.timeoutSeconds,
  }
  return [
    {
      ...(hook.matcher !== undefined && { matcher: hook.matcher }),
      hooks: isServed ? [served, command] : [command],
    },
  ]
}

/** Filled in by the host, from what it would give a command on its standard input. */
function fromPayload(field: string): string {
  return `\${${field}}`
}

/** Where command files of each kind go; a kind without a folder is left out. */
export function commandTargets(
  host: HostId,
  command: CairnCommand,
  folders: Readonly<Partial<Record<'commands' | 'skills' | 'rules', string>>>,
): TargetFile[] {
  const program = commandWords(command)
    .map(word => (/^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')
  return commandFiles(host, program).flatMap(({ folder, path, text }): TargetFile[] => {
    const at = folders[folder]
    const name = `${folder === 'commands' ? 'command' : folder === 'skills' ? 'skill' : 'rule'} ${path.replace(/\/SKILL\.md$|\.\w+$/, '')}`
    return at === undefined ? [] : [{ format: 'own', path: `${at}/${path}`, name, text }]
  })
}

export function folderFrom(places: HostPlaces, variable: string, otherwise: string): string {
  const given = places.environment(variable)
  const isAbsolute = given !== undefined && /^(?:\/|[A-Za-z]:[\\/])/.test(given)
  return isAbsolute ? given.replace(/(.)[\\/]+$/, '$1') : `${places.home}/${otherwise}`
}
