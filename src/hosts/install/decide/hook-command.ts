import { HOST_IDS, type HostId } from '../../../kernel/model/host.ts'
import { serverMark } from '../../hooks/decide/server-mark.ts'
import type { CairnCommand } from './install-plan.ts'

/** The program and its first words, before `hook …` or `mcp`. */
export function commandWords(command: CairnCommand): readonly string[] {
  return command.kind === 'on-path' ? ['cairn'] : [command.node, command.script]
}

/**
 * What a host runs at a moment. It never changes while the program stays where it is: Codex trusts a hook by its text.
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
 * The same, unless a server of ours that this very host started can answer: then the shell ends at once, and no Node is started. No
 * word of it is special to a shell other than sh, whichever the host takes.
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

/** Whether it is a command that some version of ours wrote. A longer one that only contains ours is its author's. */
export function isOurCommand(command: unknown): boolean {
  return typeof command === 'string' && command.length < 4096 && OURS.test(command)
}

/** Whether a server's entry starts ours, whatever else is set there. */
export function isOurServer(words: readonly unknown[]): boolean {
  const named = words.filter((word): word is string => typeof word === 'string')
  const at = named.findIndex(word => /(?:^|[\\/])cairn(?:\.cjs|\.cmd|\.exe)?$/.test(word))
  return at !== -1 && named[at + 1] === 'mcp'
}
