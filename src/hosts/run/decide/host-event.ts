import type { AgentUsage } from '../../../kernel/model/agent-run.ts'

/** What a host's program printed, in one form for all hosts. */
export type HostEvent =
  | { readonly kind: 'chat'; readonly id: string }
  /** A piece of the answer, as it comes. */
  | { readonly kind: 'text'; readonly text: string }
  /** What was said since is a message of its own: a tool comes next, or the end. */
  | { readonly kind: 'said' }
  | { readonly kind: 'tool'; readonly name: string; readonly input: unknown }
  | { readonly kind: 'ran'; readonly run: ToolResult }
  /** To be added up. */
  | { readonly kind: 'usage'; readonly usage: AgentUsage }
  /** The whole answer once more, for a host that told no pieces. */
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'failure'; readonly message: string }
  /** Beside the answer, or no event at all: kept, and never thrown. */
  | { readonly kind: 'remark'; readonly text: string }

export interface ToolResult {
  readonly tool: string
  readonly input: unknown
  readonly output: unknown
  readonly exitCode?: number
  /** What the host says of its failure. */
  readonly error?: string
}

/** Reads the events of one run, line by line. */
export interface HostReader {
  read(event: EventFields): readonly HostEvent[]
  /** Nothing more comes. */
  end(): readonly HostEvent[]
}

export type EventFields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): EventFields {
  return isFields(value) ? value : {}
}

export function isFields(value: unknown): value is EventFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Its own, never one of the prototype. */
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
