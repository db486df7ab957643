import { type HostEvent, type HostReader, isFields } from './host-event.ts'

const REMARK_CHARACTERS = 500

export interface HostLines {
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
