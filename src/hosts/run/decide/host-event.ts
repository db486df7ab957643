import type { AgentUsage } from '../../../kernel/model/agent-run.ts'

/**
 * How a host's own program answers one prompt without a screen. The prompt is never among the words: all of them read it from their
 * standard input, where no letter of it can pass for a flag and no other user sees it in a list of processes. Nothing here widens what the
 * host may do: permissions and sandboxes are as its user set them.
 */
export interface HostProgram {
  /** Its name on the PATH. */
  readonly program: string
  readonly words: (chat: ChatWords) => readonly string[]
  readonly events: () => HostReader
  /** Its events do not say how a command ended: a failed one looks like a successful one. */
  readonly hidesExitCodes?: true
  /** Where it lists its MCP servers, for a host that must be told which variables they get. */
  readonly serverList?: ServerList
}

export interface ChatWords {
  /** The host's id of the chat to continue; absent: a new one. */
  readonly chat?: string | undefined
  readonly model?: string | undefined
  /** The host lists our MCP server. */
  readonly hasOwnServer?: boolean
}

export interface ServerList {
  /** The folder of the user: a variable, or a folder below the home folder. */
  readonly folder: readonly [variable: string, otherwise: string]
  /** The folder in a project. */
  readonly projectFolder: string
  readonly file: string
  /** Found in the text of the file if it lists our server. */
  readonly ownEntry: RegExp
}

/** What a host's program printed, in one form for all hosts. */
export type HostEvent =
  | { readonly kind: 'chat'; readonly id: string }
  /** A piece of the answer, as it comes. */
  | { readonly kind: 'text'; readonly text: string }
  /** The text until here is a complete message: a tool comes next, or the end. */
  | { readonly kind: 'said' }
  | { readonly kind: 'tool'; readonly name: string; readonly input: unknown }
  | { readonly kind: 'ran'; readonly run: ToolResult }
  /** To be added up. */
  | { readonly kind: 'usage'; readonly usage: AgentUsage }
  /** The whole answer again, for a host that sent no pieces. */
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'failure'; readonly message: string }
  /** Printed outside the answer, or not an event at all: stored, never an error. */
  | { readonly kind: 'remark'; readonly text: string }

export interface ToolResult {
  readonly tool: string
  readonly input: unknown
  readonly output: unknown
  readonly exitCode?: number
  /** The host's message about a failure. */
  readonly error?: string
}

/** Reads the events of one run, line by line. */
export interface HostReader {
  read(event: EventFields): readonly HostEvent[]
  /** The output is complete. */
  end(): readonly HostEvent[]
}

export type EventFields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): EventFields {
  return isFields(value) ? value : {}
}

export function isFields(value: unknown): value is EventFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An own field, never one of the prototype. */
export function field(value: unknown, name: string): unknown {
  return isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

export function textIn(value: unknown, name: string): string | undefined {
  const found = field(value, name)
  return typeof found === 'string' && found !== '' ? found : undefined
}

export function countIn(value: unknown, name: string): number {
  const found = field(value, name)
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : 0
}

export function listIn(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name)
  return Array.isArray(found) ? found : []
}
