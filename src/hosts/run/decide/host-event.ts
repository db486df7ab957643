import type { AgentUsage } from '../../../kernel/model/agent-run.ts'

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

const REMARK_CHARACTERS = 500

interface HostLines {
  /** undefined: it was too long to be stored. */
  read(line: string | undefined): readonly HostEvent[]
  end(): readonly HostEvent[]
}

/** Accepts whatever a program prints: a line that is not an event is a remark. */
export function hostLines(reader: HostReader): HostLines {
  return {
    read(line) {
      if (line === undefined) return [{ kind: 'remark', text: 'A line was too long to be read.' }]
      if (line.trim() === '') return []
      const event = parsed(line)
      if (isFields(event) && typeof event.type === 'string') return reader.read(event)
      return [{ kind: 'remark', text: line.trim().slice(0, REMARK_CHARACTERS) }]
    },
    end: () => reader.end(),
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
