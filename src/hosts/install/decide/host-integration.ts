import type { HostId, InstallLevel } from '../../../kernel/model/host.ts'
import type { HostHook } from '../../hooks/decide/hook-event.ts'
import type { CommandFile } from './command-files.ts'
import { commandWords, guardedCommand, hookCommand } from './hook-command.ts'
import type { CairnCommand, Remark } from './install-plan.ts'
import type { JsonPath } from './json-document.ts'
import type { HostPlaces, JsonPiece, TargetFile } from './target-file.ts'

/** What an integration is made for. */
export interface Wanted extends HostPlaces {
  readonly level: InstallLevel
  readonly command: CairnCommand
  /** The running server answers prompts, and the command is the fallback. False where a server of that name is not ours. */
  readonly serverAnswers: boolean
  readonly switchOffAutoMemory: boolean
  /** Those of the adapter. */
  readonly hooks: readonly HostHook[]
}

/** How Cairn is installed into one host: where the host's files are, what goes into them, what its user must do. */
export interface HostIntegration {
  readonly host: HostId
  /** Its folder of this user. If it exists, the host is used here. */
  readonly folder: (places: HostPlaces) => string
  /** The file with the entry of the MCP server. */
  readonly serverFile: (places: HostPlaces & { readonly level: InstallLevel }) => string
  readonly files: (wanted: Wanted) => readonly TargetFile[]
  /** The slash commands and `save-memory`; `program` is how a shell of the host calls this program. */
  readonly commands: (program: string) => readonly CommandFile[]
  readonly remarks: (wanted: Wanted) => readonly Omit<Remark, 'host'>[]
  /** A memory of the host's own, which the user may want to switch off. */
  readonly ownMemory?: OwnMemory
  /** What it sends to a hook, for `cairn doctor`. */
  readonly trialPayload: (hook: HostHook, trial: Trial) => Readonly<Record<string, unknown>>
  /** Variables that it sets for its hooks and that tell them which host calls. */
  readonly trialVariables?: Readonly<Record<string, string>>
  /** How to ask the host whether its hooks are trusted, where a hook runs only if they are. */
  readonly hookTrust?: HookTrust
}

export interface OwnMemory {
  readonly name: string
  /** The file with its setting, in the host's folder. */
  readonly file: string
  /** It is on unless this is false. */
  readonly setting: JsonPath
  /** A variable that switches it off. */
  readonly offVariable: string
}

interface Trial {
  readonly cwd: string
  readonly session: string
  /** Of a prompt event: the prompt. */
  readonly asked: { readonly prompt?: string }
}

export interface HookTrust {
  /** The words behind the host's program that start a server for JSON-RPC on its standard input. */
  readonly words: readonly string[]
  /** What the user does to trust them. */
  readonly hint: string
  readonly ask: (
    server: TrustServer,
    at: { readonly root: string; readonly version: string },
  ) => Promise<TrustAnswer>
}

interface TrustServer {
  request(method: string, params: unknown): Promise<unknown>
  notify(method: string): void
}

/** undefined: the host did not answer as expected. */
type TrustAnswer =
  | { readonly result: 'ok' | 'failure'; readonly message: string; readonly hint?: string }
  | undefined

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

/** Each event of a host with what the host's file has for it. */
export function hookPiece(
  hooks: readonly HostHook[],
  groupsOf: (hook: HostHook) => readonly unknown[],
): JsonPiece {
  const groups = Object.fromEntries(hooks.map(hook => [hook.event, groupsOf(hook)]))
  return { kind: 'hooks', name: `hooks ${Object.keys(groups).join(', ')}`, path: ['hooks'], groups }
}

/**
 * The form of Claude Code and Codex. A prompt goes to the running server; next to it is the command, which prints nothing if the server
 * is running, and answers itself otherwise.
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

/** Filled in by the host, from the payload that it would send to a command. */
function fromPayload(field: string): string {
  return `\${${field}}`
}

/** How a shell of the host calls this program. */
export function shellProgram(command: CairnCommand): string {
  return commandWords(command)
    .map(word => (/^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')
}

/** Where command files of each kind go; a kind without a folder is left out. */
export function commandTargets(
  files: readonly CommandFile[],
  folders: Readonly<Partial<Record<'commands' | 'skills' | 'rules', string>>>,
): TargetFile[] {
  return files.flatMap(({ folder, path, text }): TargetFile[] => {
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

/** The payload of Claude Code, Codex and Gemini. */
export function snakeCaseTrial({ event, purpose }: HostHook, { cwd, session, asked }: Trial) {
  return {
    session_id: session,
    transcript_path: '',
    cwd,
    hook_event_name: event,
    ...(purpose === 'start' && { source: 'startup' }),
    ...asked,
  }
}
