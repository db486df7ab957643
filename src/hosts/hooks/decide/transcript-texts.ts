import type { HostId } from '../../../kernel/model/host.ts'
import { fieldsIn, isFields, ownField, type PayloadFields, parseFields, textField } from './payload-fields.ts'

/** What one line of a host's own transcript says. */
export type TranscriptEvent =
  /** A person begins a turn here. */
  | { readonly kind: 'prompt' }
  | {
      readonly kind: 'said'
      readonly text: string
      /** UTC ISO, where the transcript has a time. */
      readonly at?: string
      /** Set where the host may write the same message again. */
      readonly id?: string
    }

type Reader = (line: PayloadFields, isOfSubAgent: boolean) => TranscriptEvent | undefined

const PROMPT: TranscriptEvent = { kind: 'prompt' }

/**
 * OpenCode has no transcript file. Cursor's has no times, and its hook hands over every message of the agent: the payloads are enough.
 */
const READERS: Partial<Record<HostId, Reader>> = {
  'claude-code': (line, isOfSubAgent) => {
    // In the transcript of a session these are of its sub-agents, whose own transcripts have them too.
    if (ownField(line, 'isSidechain') === true && !isOfSubAgent) return undefined
    const content = ownField(fieldsIn(line, 'message') ?? {}, 'content')
    if (line.type === 'assistant') return said(textIn(content, 'text'), line.timestamp)
    const isSpoken =
      line.type === 'user' &&
      ownField(line, 'isMeta') !== true &&
      ownField(line, 'isCompactSummary') !== true &&
      ownField(line, 'toolUseResult') === undefined
    return isSpoken && textIn(content, 'text') !== '' ? PROMPT : undefined
  },
  codex: line => {
    const payload = fieldsIn(line, 'payload') ?? {}
    if (line.type === 'response_item' && payload.type === 'message' && payload.role === 'assistant')
      return said(textIn(ownField(payload, 'content'), 'output_text'), line.timestamp)
    const item = fieldsIn(payload, 'item')
    return line.type === 'event_msg' && item?.type === 'UserMessage' ? PROMPT : undefined
  },
  gemini: line => {
    if (line.type === 'gemini') {
      const id = textField(line, 'id')
      return said(textIn(ownField(line, 'content'), 'text'), line.timestamp, id)
    }
    // Results of tools are the user's lines too.
    return line.type === 'user' && textIn(ownField(line, 'content'), 'text') !== '' ? PROMPT : undefined
  },
  copilot: line => {
    const data = fieldsIn(line, 'data') ?? {}
    if (line.type === 'assistant.message')
      return said(textIn(ownField(data, 'content'), 'text'), line.timestamp)
    return line.type === 'user.message' ? PROMPT : undefined
  },
}

export function hasTranscriptReader(host: HostId): boolean {
  return READERS[host] !== undefined
}

/** What one line says; undefined: nothing that belongs in a conversation, or it is damaged. */
export function readTranscriptLine(
  host: HostId,
  line: string,
  { isOfSubAgent }: { readonly isOfSubAgent: boolean },
): TranscriptEvent | undefined {
  const fields = parseFields(line)
  return fields === undefined ? undefined : READERS[host]?.(fields, isOfSubAgent)
}

function said(text: string, timestamp: unknown, id?: string): TranscriptEvent | undefined {
  if (text.trim() === '') return undefined
  const ms = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
  return {
    kind: 'said',
    text,
    ...(!Number.isNaN(ms) && { at: new Date(ms).toISOString() }),
    ...(id !== undefined && { id }),
  }
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
