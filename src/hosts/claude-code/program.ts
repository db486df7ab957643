import {
  countIn,
  type EventFields,
  field,
  fieldsOf,
  type HostEvent,
  type HostReader,
  listIn,
  textIn,
} from '../run/decide/host-event.ts'
import { type HostProgram, option } from '../run/decide/host-program.ts'

export const claudeProgram: HostProgram = {
  program: 'claude',
  words: ({ chat, model }) => [
    ...['-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
    ...option('--model', model),
    ...option('--resume', chat),
  ],
  events: claudeEvents,
}

/**
 * `claude -p --output-format stream-json --verbose --include-partial-messages`, and the form that Cursor took over from it:
 *
 *   system init        session_id
 *   stream_event       pieces of a message as the model says them (Claude alone)
 *   assistant          the message, whole: its texts again, and the tools it calls
 *   user               what tools gave back
 *   tool_call          a tool of Cursor: started, completed
 *   result             how it ended, the whole answer, what it used
 */
export function claudeEvents(): HostReader {
  const toolById = new Map<string, { readonly tool: string; readonly input: unknown }>()
  let chat: string | undefined
  /** Pieces came, and the message that repeats them has not yet. */
  let isOpen = false

  const said = (): HostEvent[] => {
    if (!isOpen) return []
    isOpen = false
    return [{ kind: 'said' }]
  }
  const readMessage = (message: unknown): HostEvent[] =>
    listIn(message, 'content').flatMap((part): HostEvent[] => {
      const text = textIn(part, 'text')
      if (field(part, 'type') === 'text' && text !== undefined)
        return isOpen ? said() : [{ kind: 'text', text }, { kind: 'said' }]
      if (field(part, 'type') !== 'tool_use') return []
      const call = { tool: textIn(part, 'name') ?? 'tool', input: field(part, 'input') }
      toolById.set(textIn(part, 'id') ?? '', call)
      return [...said(), { kind: 'tool', name: call.tool, input: call.input }]
    })
  const readResults = (event: EventFields): HostEvent[] =>
    listIn(event.message, 'content').flatMap((part): HostEvent[] => {
      const id = textIn(part, 'tool_use_id') ?? ''
      const call = toolById.get(id)
      if (field(part, 'type') !== 'tool_result' || call === undefined) return []
      toolById.delete(id)
      const output = event.tool_use_result ?? field(part, 'content')
      const isError = field(part, 'is_error') === true
      const why = typeof output === 'string' ? output : (textIn(part, 'content') ?? 'it failed')
      return [{ kind: 'ran', run: { ...call, output, ...(isError && { error: why }) } }]
    })

  return {
    read(event) {
      const events: HostEvent[] = []
      const id = textIn(event, 'session_id')
      if (id !== undefined && id !== chat && event.type !== 'result') {
        chat = id
        events.push({ kind: 'chat', id })
      }
      // The messages of a sub-agent go to its agent, which repeats what matters.
      if (typeof event.parent_tool_use_id === 'string') return events
      switch (event.type) {
        case 'stream_event': {
          const delta = field(event.event, 'delta')
          const text = field(delta, 'type') === 'text_delta' ? textIn(delta, 'text') : undefined
          if (text !== undefined) {
            isOpen = true
            events.push({ kind: 'text', text })
          }
          break
        }
        case 'assistant':
          events.push(...readMessage(event.message))
          break
        case 'user':
          events.push(...readResults(event))
          break
        case 'tool_call':
          events.push(...said(), ...cursorTool(event))
          break
        case 'result':
          events.push(...said(), ...readResult(event))
          break
      }
      return events
    },
    end: said,
  }
}

function readResult(event: EventFields): HostEvent[] {
  const usage = fieldsOf(event.usage)
  const cost = event.total_cost_usd
  const cached = countIn(usage, 'cache_creation_input_tokens') + countIn(usage, 'cache_read_input_tokens')
  const used: HostEvent = {
    kind: 'usage',
    usage: {
      inputTokens: countIn(usage, 'input_tokens') + cached,
      outputTokens: countIn(usage, 'output_tokens'),
      ...(typeof cost === 'number' && cost >= 0 && { costUsd: cost }),
    },
  }
  const result = textIn(event, 'result')
  if (event.is_error === true) {
    const [first] = listIn(event, 'errors')
    const why = typeof first === 'string' ? first : (result ?? textIn(event, 'subtype') ?? 'no reason')
    return [used, { kind: 'failure', message: why }]
  }
  return result === undefined ? [used] : [used, { kind: 'answer', text: result }]
}

/** `{ tool_call: { readToolCall: { args, result: { success | error } } } }` */
function cursorTool(event: EventFields): HostEvent[] {
  const [name = 'tool', call] = Object.entries(fieldsOf(event.tool_call))[0] ?? []
  const tool = CURSOR_TOOLS[name] ?? name.replace(/ToolCall$/, '')
  const input = field(call, 'args')
  if (event.subtype === 'started') return [{ kind: 'tool', name: tool, input }]
  const result = field(call, 'result')
  const success = field(result, 'success')
  const exitCode = field(success ?? result, 'exitCode')
  const error =
    success === undefined && result !== undefined ? JSON.stringify(result).slice(0, 2_000) : undefined
  return [
    {
      kind: 'ran',
      run: {
        tool,
        input,
        output: success ?? result,
        ...(typeof exitCode === 'number' && { exitCode }),
        ...(error !== undefined && { error }),
      },
    },
  ]
}

const CURSOR_TOOLS: Readonly<Record<string, string>> = {
  shellToolCall: 'shell',
  readToolCall: 'read',
  writeToolCall: 'write',
  editToolCall: 'edit',
  deleteToolCall: 'delete_file',
}
