import type { AgentHost } from '../../../kernel/model/agent-run.ts'
import { claudeEvents } from '../../claude-code/events.ts'
import { codexEvents } from '../../codex/events.ts'
import { geminiEvents } from '../../gemini/events.ts'
import { openCodeEvents } from '../../opencode/events.ts'
import { type HostEvent, type HostReader, isFields } from './host-event.ts'

const READERS: Readonly<Record<AgentHost, () => HostReader>> = {
  'claude-code': claudeEvents,
  codex: codexEvents,
  gemini: geminiEvents,
  opencode: openCodeEvents,
  cursor: claudeEvents,
}

const REMARK_CHARACTERS = 500

export interface HostLines {
  /** undefined: it was too long to be kept. */
  read(line: string | undefined): readonly HostEvent[]
  end(): readonly HostEvent[]
}

/** Whatever a program prints is taken: a line that is no event is a remark. */
export function hostLines(host: AgentHost): HostLines {
  const reader = READERS[host]()
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
