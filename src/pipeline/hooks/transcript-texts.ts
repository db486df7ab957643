import type { HostId } from '../../model/host.ts'
import { type Fields, fieldsIn, isFields, ownField, parseFields, textField } from './payload-fields.ts'

/** Something an agent said, as the host's own transcript has it. */
export interface SaidText {
  readonly text: string
  /** UTC ISO, where the transcript tells. */
  readonly at?: string
}

interface TranscriptLine {
  readonly said?: SaidText
  /** Where the same thing may stand twice, the last one counts. */
  readonly id?: string
  /** A person begins a turn here. */
  readonly isPrompt?: boolean
}

const READERS: Partial<Record<HostId, (line: Fields, isOfSubAgent: boolean) => TranscriptLine>> = {
  'claude-code': (line, isOfSubAgent) => {
    // In the transcript of a session these are of its sub-agents, whose own transcripts have them too.
    if (ownField(line, 'isSidechain') === true && !isOfSubAgent) return {}
    const content = ownField(fieldsIn(line, 'message') ?? {}, 'content')
    if (line.type === 'assistant') return said(textIn(content, 'text'), line.timestamp)
    const isSpoken =
      line.type === 'user' &&
      ownField(line, 'isMeta') !== true &&
      ownField(line, 'toolUseResult') === undefined
    return { isPrompt: isSpoken && textIn(content, 'text') !== '' }
  },
  codex: line => {
    const payload = fieldsIn(line, 'payload') ?? {}
    if (line.type === 'response_item' && payload.type === 'message' && payload.role === 'assistant')
      return said(textIn(ownField(payload, 'content'), 'output_text'), line.timestamp)
    const item = fieldsIn(payload, 'item')
    return { isPrompt: line.type === 'event_msg' && item?.type === 'UserMessage' }
  },
  gemini: line => {
    if (line.type === 'gemini') {
      const id = textField(line, 'id')
      return {
        ...said(textIn(ownField(line, 'content'), 'text'), line.timestamp),
        ...(id !== undefined && { id }),
      }
    }
    return { isPrompt: line.type === 'user' }
  },
  copilot: line => {
    const data = fieldsIn(line, 'data') ?? {}
    if (line.type === 'assistant.message')
      return said(textIn(ownField(data, 'content'), 'text'), line.timestamp)
    return { isPrompt: line.type === 'user.message' }
  },
  cursor: line => {
    const content = ownField(fieldsIn(line, 'message') ?? {}, 'content')
    if (line.role === 'assistant') return said(textIn(content, 'text'), undefined)
    return { isPrompt: line.role === 'user' }
  },
}

export function hasTranscriptReader(host: HostId): boolean {
  return READERS[host] !== undefined
}

/**
 * What agents said in these lines, oldest first. `onlyLastTurn`: what came before the last prompt is left out, for whoever reads a
 * transcript for the first time and captured that otherwise.
 */
export function agentTextsIn(
  host: HostId,
  lines: readonly string[],
  { isOfSubAgent, onlyLastTurn }: { readonly isOfSubAgent: boolean; readonly onlyLastTurn: boolean },
): SaidText[] {
  const read = READERS[host]
  if (read === undefined) return []
  let texts: { said: SaidText; id: string | undefined }[] = []
  for (const line of lines) {
    const fields = parseFields(line)
    if (fields === undefined) continue
    const { said: one, id, isPrompt } = read(fields, isOfSubAgent)
    if (isPrompt === true && onlyLastTurn) texts = []
    if (one === undefined) continue
    const same = id === undefined ? -1 : texts.findIndex(known => known.id === id)
    if (same === -1) texts.push({ said: one, id })
    else texts[same] = { said: one, id }
  }
  return texts.map(text => text.said)
}

function said(text: string, timestamp: unknown): TranscriptLine {
  if (text.trim() === '') return {}
  const ms = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
  return { said: { text, ...(!Number.isNaN(ms) && { at: new Date(ms).toISOString() }) } }
}

/** A text, or the parts of one that are of this type. */
function textIn(content: unknown, type: string): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap(part => {
      if (!isFields(part)) return typeof part === 'string' ? [part] : []
      const isOther = typeof part.type === 'string' && part.type !== type
      return isOther ? [] : (textField(part, 'text') ?? [])
    })
    .join('\n')
}
