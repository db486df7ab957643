import {
  countIn,
  field,
  fieldsOf,
  type HostEvent,
  type HostReader,
  textIn,
} from '../run/decide/host-event.ts'
import { type HostProgram, option } from '../run/decide/host-program.ts'

export const openCodeProgram: HostProgram = {
  program: 'opencode',
  words: ({ chat, model }) => [
    ...['run', '--format', 'json'],
    ...option('--model', model),
    ...option('--session', chat),
  ],
  events: openCodeEvents,
}

/**
 * `opencode run --format json`: every event has the sessionID, and a part that is finished.
 *
 *   text          a message
 *   tool_use      a tool with its state: input, output, status
 *   step_finish   what a step used
 *   error         why there is no answer
 */
function openCodeEvents(): HostReader {
  let chat: string | undefined
  return {
    read(event) {
      const events: HostEvent[] = []
      const id = textIn(event, 'sessionID')
      if (id !== undefined && chat === undefined) {
        chat = id
        events.push({ kind: 'chat', id })
      }
      const part = fieldsOf(event.part)
      switch (event.type) {
        case 'text': {
          const text = textIn(part, 'text')
          if (text !== undefined) events.push({ kind: 'text', text }, { kind: 'said' })
          break
        }
        case 'tool_use': {
          const state = fieldsOf(part.state)
          const name = textIn(part, 'tool') ?? 'tool'
          const exitCode = field(state.metadata, 'exit')
          const isFailed = state.status === 'error'
          const output = state.output ?? ''
          events.push(
            { kind: 'tool', name, input: state.input },
            {
              kind: 'ran',
              run: {
                tool: name,
                input: state.input,
                output,
                ...(typeof exitCode === 'number' && { exitCode }),
                ...(isFailed && { error: textIn(state, 'error') ?? 'it failed' }),
              },
            },
          )
          break
        }
        case 'step_finish': {
          const cache = field(part.tokens, 'cache')
          const cached = countIn(cache, 'read') + countIn(cache, 'write')
          const cost = part.cost
          events.push({
            kind: 'usage',
            usage: {
              inputTokens: countIn(part.tokens, 'input') + cached,
              outputTokens: countIn(part.tokens, 'output') + countIn(part.tokens, 'reasoning'),
              ...(typeof cost === 'number' && cost > 0 && { costUsd: cost }),
            },
          })
          break
        }
        case 'error': {
          const { error } = event
          const message = textIn(field(error, 'data'), 'message') ?? textIn(error, 'message')
          events.push({ kind: 'failure', message: message ?? textIn(error, 'name') ?? 'no reason' })
          break
        }
      }
      return events
    },
    end: () => [],
  }
}
