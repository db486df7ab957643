import type { Message } from '../../kernel/model/message.ts'
import { outputOf, pendingCalls, type Result, runOfCall } from '../transcripts/decide/run-of-call.ts'
import type { TranscriptFormat } from '../transcripts/decide/transcript-format.ts'
import {
  isRecord,
  lineReader,
  momentOf,
  partsOf,
  type ReaderOptions,
  recordOf,
  type Said,
  stringOf,
  type TranscriptReader,
  textsOf,
} from '../transcripts/decide/transcript-reader.ts'
import { typedByPerson } from '../transcripts/decide/typed-by-person.ts'

export const codexTranscripts: TranscriptFormat = {
  reader: codexReader,
  isLine: ({ payload, type }) => isRecord(payload) && (type === 'session_meta' || type === 'response_item'),
  // YYYY/MM/DD/rollout-<time>-<session>.jsonl, all projects together: the first line names the folder.
  find({ isOurs, folder, join, filesBelow, cwdOf, add }) {
    const home = folder('CODEX_HOME', '.codex')
    for (const place of ['sessions', 'archived_sessions'].map(name => join(home, name)))
      for (const file of filesBelow(place, 3, /^rollout-.*\.jsonl$/)) {
        const cwd = cwdOf(file)
        const [name = file] = /[^/\\]*$/.exec(file.slice(0, -'.jsonl'.length)) ?? []
        const session = /-([0-9a-f]{8}-[0-9a-f-]{20,40})$/.exec(name)?.[1] ?? name
        if (cwd !== undefined && isOurs(cwd)) add(session, file, { cwd })
      }
    return join(home, 'sessions')
  },
}

const OUTPUT = new Set(['output_text', 'text'])
const EXITED = /Process exited with code (\d{1,3})|^Exit code: (\d{1,3})/m

/**
 * Codex, `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`: lines `{timestamp, type, payload}`. Messages and runs are in
 * `response_item`; `event_msg` repeats them, and says how a command ended.
 */
function codexReader({ nowMs, withSubAgents = false }: ReaderOptions): TranscriptReader {
  const calls = pendingCalls()
  const ended = new Map<string, Result>()
  return lineReader((value, line, about): readonly Said[] => {
    const payload = recordOf(value.payload)
    if (value.type === 'session_meta') {
      about.session ??= stringOf(payload.id) ?? stringOf(payload.session_id) ?? ''
      if (stringOf(payload.cwd) !== undefined) about.cwd ??= stringOf(payload.cwd) ?? ''
      about.isSubAgent ??=
        isRecord(payload.source) || (payload.thread_source !== undefined && payload.thread_source !== 'user')
      const startedAt = momentOf(payload.timestamp ?? value.timestamp, nowMs)
      if (startedAt !== undefined) about.startedAt ??= startedAt
      return []
    }
    if (value.type === 'turn_context') {
      const model = stringOf(payload.model)
      if (model !== undefined) about.model ??= model
      return []
    }
    if (value.type === 'event_msg') {
      const item = recordOf(payload.item)
      if (item.type === 'CommandExecution' && typeof item.id === 'string') {
        if (ended.size > 1_000) ended.clear()
        ended.set(item.id, {
          output: outputOf(item.aggregated_output),
          ...(typeof item.exit_code === 'number' && { exitCode: item.exit_code }),
        })
      }
      return []
    }
    const isSide = about.isSubAgent === true
    if (value.type !== 'response_item' || (isSide && !withSubAgents)) return []
    const at = momentOf(value.timestamp, nowMs)
    const dated = at === undefined ? {} : { at }
    const one = (words: Message): readonly Said[] => [{ message: { ...words, ...dated }, line }]
    switch (payload.type) {
      case 'message': {
        if (payload.role === 'assistant') {
          const text = textsOf(payload.content, OUTPUT)
          return text.trim() === '' ? [] : one({ role: 'agent', text })
        }
        const text = payload.role === 'user' ? typedText(payload) : undefined
        if (text === undefined) return []
        return one(isSide ? { role: 'agent', text, internal: true } : { role: 'user', text })
      }
      case 'function_call':
      case 'custom_tool_call':
      case 'local_shell_call': {
        const space = stringOf(payload.namespace)
        const name = stringOf(payload.name) ?? 'shell'
        const tool = space === undefined ? name : `${space}__${name}`
        const action = recordOf(payload.action)
        calls.add(payload.call_id, {
          tool,
          input: payload.arguments ?? payload.input ?? { command: action.command },
        })
        return []
      }
      case 'function_call_output':
      case 'custom_tool_call_output': {
        const call = calls.take(payload.call_id)
        if (call === undefined) return []
        const reported = ended.get(String(payload.call_id))
        ended.delete(String(payload.call_id))
        return one({ role: 'tool', text: '', run: runOfCall(call, reported ?? resultOf(payload.output)) })
      }
      default:
        return []
    }
  })
}

/** Newer versions say what each part is; older ones put contexts into messages of the user. */
function typedText(payload: Record<string, unknown>): string | undefined {
  const parts = partsOf(payload.content)
  const { content_item_kinds: kinds } = recordOf(payload.internal_chat_message_metadata_passthrough)
  const typed = Array.isArray(kinds) ? parts.filter((_, at) => kinds[at] === 'user.text') : parts
  const texts = typed.flatMap(part => (part.type === 'input_text' ? (stringOf(part.text) ?? []) : []))
  const said = texts.flatMap(text => typedByPerson(text) ?? [])
  return said.length === 0 ? undefined : said.join('\n')
}

/** A text with how it ended at its top, parts of such a text, or (older) JSON with `output` and `metadata.exit_code`. */
function resultOf(output: unknown): Result {
  const text = outputOf(output) ?? ''
  if (text.startsWith('{"output"')) {
    const reported = /"exit_code":\s*(\d{1,3})/.exec(text.slice(-500))?.[1]
    const inner = jsonOutput(text)
    return { output: inner ?? text, ...(reported !== undefined && { exitCode: Number(reported) }) }
  }
  const code = EXITED.exec(text.slice(0, 500))
  const number = code?.[1] ?? code?.[2]
  const body = /(?:^|\n)Output:\n?([\s\S]*)$/.exec(text)?.[1]
  return { output: body ?? text, ...(number !== undefined && { exitCode: Number(number) }) }
}

function jsonOutput(text: string): string | undefined {
  try {
    return stringOf(recordOf(JSON.parse(text)).output)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
