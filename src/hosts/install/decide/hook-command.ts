import { HOST_IDS, type HostId } from '../../../kernel/model/host.ts'
import { serverMark } from '../../hooks/decide/server-mark.ts'
import type { CairnCommand } from './install-plan.ts'

/** The program and its first words, before `hook …` or `mcp`. */
export function commandWords(command: CairnCommand): readonly string[] {
  return command.kind === 'on-path' ? ['cairn'] : [command.node, command.script]
}

/**
 * What a host runs at an event. It never changes while the path of the program is the same: Codex trusts a hook by its text.
 *
 *   cairn hook codex SessionStart
 *   '/opt/node/bin/node' '/opt/cairn/dist/cairn.cjs' hook codex SessionStart
 */
export function hookCommand(
  command: CairnCommand,
  { host, event, isWindows }: { readonly host: HostId; readonly event: string; readonly isWindows: boolean },
): string {
  const quote = isWindows ? forWindows : forShell
  return [...commandWords(command).map(quote), 'hook', host, event].join(' ')
}

/**
 * The same, unless a server of ours that this host process started can answer: then the shell ends immediately, and no Node is started. No
 * word of it is special to another shell than sh, whichever the host uses.
 */
export function guardedCommand(plain: string, host: HostId): string {
  const mark = serverMark(host, '$PPID')
  const isAnswered = `{ p=; read -r p <"\${CAIRN_HOME:-$HOME/.cairn}/${mark}"; kill -0 "$p"; } 2>/dev/null`
  return `exec sh -c '${isAnswered} || exec "$@"' sh ${plain}`
}

function forShell(word: string): string {
  return /^[\w./-]+$/.test(word) && !word.includes('/') ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function forWindows(word: string): string {
  return /^[\w.-]+$/.test(word) ? word : `"${word}"`
}

const WORD = String.raw`(?:'(?:[^']|'\\'')*'|"[^"]*"|[^\s'"]+)`
const PROGRAM = String.raw`(?:cairn|${WORD} (?:'(?:[^']|'\\'')*cairn\.cjs'|"[^"]*cairn\.cjs"|[^\s'"]*cairn\.cjs))`
const GUARD = `(?:exec sh -c '[^']*/run/[^']*' sh )?`
const HOSTS = HOST_IDS.join('|')
const OURS = new RegExp(`^(?:& )?${GUARD}${PROGRAM} hook (${HOSTS}) [\\w.]+$`)

/** Whether some version of Cairn wrote the command. A longer one that only contains ours is not ours. */
export function isOurCommand(command: unknown): boolean {
  return typeof command === 'string' && command.length < 4096 && OURS.test(command)
}

/** Whether the entry of a server starts ours, whatever else it sets. */
export function isOurServer(words: readonly unknown[]): boolean {
  const named = words.filter((word): word is string => typeof word === 'string')
  const at = named.findIndex(word => /(?:^|[\\/])cairn(?:\.cjs|\.cmd|\.exe)?$/.test(word))
  return at !== -1 && named[at + 1] === 'mcp'
}
