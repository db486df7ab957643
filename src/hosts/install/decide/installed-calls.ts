import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { parse as parseToml, TomlError } from 'smol-toml'
import { HOST_IDS } from '../../../kernel/model/host.ts'

/** How a file of a host calls this program. */
export interface InstalledCalls {
  readonly hooks: readonly InstalledHook[]
  readonly servers: readonly InstalledServer[]
  /** Why the host cannot read it. */
  readonly damage?: { readonly line: number; readonly message: string }
}

export interface InstalledHook {
  /** The host's name for the event. */
  readonly event: string
  /** A line for a shell, as it is in the file. */
  readonly command: string
}

export interface InstalledServer {
  readonly command: string
  readonly args: readonly string[]
}

const NONE: InstalledCalls = { hooks: [], servers: [] }
const SERVER = 'cairn'
/** `cairn hook codex Stop` anywhere in the line: behind a guard, or behind the path of a Node. */
const CALL = new RegExp(`\\bhook (?:${HOST_IDS.join('|')}) ([\\w.]+)['"]?$`)
/** Our plugin for OpenCode has its words in one line of its own. */
const PLUGIN_WORDS = /^const COMMAND = (\[.*\])$/m

/** Everything of ours in one file of a host: JSON with comments, TOML, or our own plugin. */
export function readInstalledCalls(path: string, text: string): InstalledCalls {
  if (/\.jsonc?$/.test(path)) return readJson(text)
  if (path.endsWith('.toml')) return readTomlCalls(text)
  return path.endsWith('.js') ? readPlugin(text) : NONE
}

function readJson(text: string): InstalledCalls {
  const errors: ParseError[] = []
  const root = parseTree(text.replace(/^\ufeff/, ' '), errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  })
  const [error] = errors
  if (error !== undefined)
    return {
      ...NONE,
      damage: { line: lineAt(text, error.offset), message: wordsOf(printParseErrorCode(error.error)) },
    }
  if (root === undefined) return NONE
  const value = getNodeValue(root) as unknown
  return {
    hooks: commandsIn(root),
    servers: [...serversIn(value, 'mcpServers'), ...serversIn(value, 'mcp')],
  }
}

/** Every string that is a call of ours, with the event that the call names. */
function commandsIn(node: Node): InstalledHook[] {
  if (node.type === 'string' && typeof node.value === 'string') {
    const [, event] = CALL.exec(node.value) ?? []
    // Copilot's command for Windows is next to the one for other systems.
    const isForWindows = node.parent?.children?.[0]?.value === 'powershell'
    return event === undefined || isForWindows ? [] : [{ event, command: node.value }]
  }
  return (node.children ?? []).flatMap(commandsIn)
}

function serversIn(root: unknown, key: string): InstalledServer[] {
  const entry = fieldOf(fieldOf(root, key), SERVER)
  const command = fieldOf(entry, 'command')
  const words = Array.isArray(command)
    ? command
    : [command, ...((fieldOf(entry, 'args') as unknown[] | undefined) ?? [])]
  const [program, ...args] = words.filter((word): word is string => typeof word === 'string')
  return program === undefined ? [] : [{ command: program, args }]
}

function readTomlCalls(text: string): InstalledCalls {
  try {
    return { hooks: [], servers: serversIn(parseToml(text.replace(/^\ufeff/, '')), 'mcp_servers') }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [message = 'it is not TOML'] = error.message.replace(/^Invalid TOML document: /, '').split('\n')
    return { ...NONE, damage: { line: error.line, message } }
  }
}

function readPlugin(text: string): InstalledCalls {
  const [, words] = PLUGIN_WORDS.exec(text) ?? []
  if (words === undefined) return NONE
  const parsed = JSON.parse(words) as readonly string[]
  const command = [...parsed.map(quoted), 'hook opencode chat.message'].join(' ')
  return { hooks: [{ event: 'chat.message', command }], servers: [] }
}

function quoted(word: string): string {
  return /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** `CommaExpected` → `comma expected`. */
function wordsOf(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, letter => ` ${letter}`).toLowerCase()
}

/** The program and its first words in a line for a shell: what must exist, and what prints its version. */
export function programWords(line: string): readonly string[] {
  const [, behindGuard] = /^exec sh -c '[^']*' sh ([\s\S]*)$/.exec(line) ?? []
  const words = [...(behindGuard ?? line).matchAll(/'((?:[^']|'\\'')*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single?.replaceAll("'\\''", "'") ?? double ?? plain ?? '',
  )
  const at = words.indexOf('hook')
  return at < 1 ? words.slice(0, 1) : words.slice(0, at)
}
