import { countIn, type HostEvent, type HostReader, textIn } from '../run/decide/host-event.ts'
import { type HostProgram, option } from '../run/decide/host-program.ts'

export const geminiProgram: HostProgram = {
  program: 'gemini',
  words: ({ chat, model }) => [
    ...['--output-format', 'stream-json'],
    ...option('--model', model),
    ...option('--resume', chat),
  ],
  events: geminiEvents,
  hidesExitCodes: true,
}

/**
 * `gemini --output-format stream-json`:
 *
 *   init          session_id
 *   message       role and content; of the assistant in pieces
 *   tool_use      tool_name, tool_id, parameters
 *   tool_result   tool_id, status, output
 *   error         a warning, or why there is no answer
 *   result        status and what it used
 */
function geminiEvents(): HostReader {
  const toolById = new Map<string, { readonly tool: string; readonly input: unknown }>()
  let isOpen = false
  const said = (): HostEvent[] => {
    if (!isOpen) return []
    isOpen = false
    return [{ kind: 'said' }]
  }
  return {
    read(event) {
      switch (event.type) {
        case 'init': {
          const id = textIn(event, 'session_id')
          return id === undefined ? [] : [{ kind: 'chat', id }]
        }
        case 'message': {
          const text = textIn(event, 'content')
          if (event.role !== 'assistant' || text === undefined) return []
          isOpen = true
          return [{ kind: 'text', text }]
        }
        case 'tool_use': {
          const call = { tool: textIn(event, 'tool_name') ?? 'tool', input: event.parameters }
          toolById.set(textIn(event, 'tool_id') ?? '', call)
          return [...said(), { kind: 'tool', name: call.tool, input: call.input }]
        }
        case 'tool_result': {
          const id = textIn(event, 'tool_id') ?? ''
          const call = toolById.get(id)
          if (call === undefined) return []
          toolById.delete(id)
          const why = textIn(event.error, 'message') ?? textIn(event, 'output') ?? 'it failed'
          const output = event.output ?? ''
          return [{ kind: 'ran', run: { ...call, output, ...(event.status === 'error' && { error: why }) } }]
        }
        case 'error':
          return [{ kind: 'remark', text: textIn(event, 'message') ?? 'error' }]
        case 'result': {
          const inputTokens = countIn(event.stats, 'input_tokens')
          const used: HostEvent = {
            kind: 'usage',
            usage: { inputTokens, outputTokens: countIn(event.stats, 'output_tokens') },
          }
          if (event.status !== 'error') return [...said(), used]
          return [
            ...said(),
            used,
            { kind: 'failure', message: textIn(event.error, 'message') ?? 'no reason' },
          ]
        }
        default:
          return []
      }
    },
    end: said,
  }
}
