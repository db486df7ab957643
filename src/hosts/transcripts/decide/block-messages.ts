import type { Message } from '../../../kernel/model/message.ts'
import { outputOf, pendingCalls, runOfCall } from './run-of-call.ts'
import {
  lineReader,
  momentOf,
  partsOf,
  type ReaderOptions,
  recordOf,
  type Said,
  stringOf,
  type TranscriptReader,
  textsOf,
} from './transcript-reader.ts'
import { typedByPerson } from './typed-by-person.ts'

const TEXT = new Set(['text'])

/**
 * Messages of blocks, one a line or one an element: Cursor (`{role, message: {content: […]}}`, without dates and without the results of
 * tools) and Cline (`{role, content: […], ts}`).
 */
export function blockMessageReader(
  { nowMs }: ReaderOptions,
  { hasResults }: { readonly hasResults: boolean },
): TranscriptReader {
  const calls = pendingCalls()
  return lineReader((value, line, about): readonly Said[] => {
    const inner = { ...value, ...recordOf(value.message) }
    const at = momentOf(value.ts ?? value.timestamp ?? inner.timestamp, nowMs)
    if (at !== undefined) about.startedAt ??= at
    const said: Said[] = []
    const say = (words: Message) =>
      said.push({ message: { ...words, ...(at !== undefined && { at }) }, line })
    const model = stringOf(recordOf(value.modelInfo).id)
    if (model !== undefined) about.model ??= model
    const text = textsOf(inner.content, TEXT)
    if (inner.role === 'assistant') {
      if (text.trim() !== '') say({ role: 'agent', text })
      for (const part of partsOf(inner.content)) {
        if (part.type !== 'tool_use') continue
        const call = { tool: stringOf(part.name) ?? 'tool', input: part.input }
        if (hasResults) calls.add(part.id, call)
        else say({ role: 'tool', text: '', run: runOfCall(call) })
      }
    } else if (inner.role === 'user') {
      for (const part of partsOf(inner.content)) {
        const call = part.type === 'tool_result' ? calls.take(part.tool_use_id) : undefined
        if (call === undefined) continue
        const ok = part.is_error === undefined ? undefined : part.is_error !== true
        say({ role: 'tool', text: '', run: runOfCall(call, { output: outputOf(part.content), ok }) })
      }
      const own = typedByPerson(text)
      if (own !== undefined) say({ role: 'user', text: own })
    }
    return said
  })
}
