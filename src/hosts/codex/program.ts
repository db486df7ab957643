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

export const codexProgram: HostProgram = {
  program: 'codex',
  words: ({ chat, model, hasOwnServer }) => [
    ...(chat === undefined ? ['exec'] : ['exec', 'resume']),
    ...['--json', '--skip-git-repo-check'],
    // Its servers get only the variables that are named here, and ours must know that Cairn runs it. It rejects one for a server that it does not list.
    ...(hasOwnServer === true ? ['-c', 'mcp_servers.cairn.env.CAIRN_INTERNAL="1"'] : []),
    ...option('--model', model),
    ...(chat === undefined ? [] : [chat]),
    '-',
  ],
  events: codexEvents,
  serverList: {
    folder: ['CODEX_HOME', '.codex'],
    projectFolder: '.codex',
    file: 'config.toml',
    ownEntry: /^\s*\[mcp_servers\.(?:cairn|"cairn")\]/m,
  },
}

/**
 * `codex exec --json`:
 *
 *   thread.started                 thread_id
 *   item.started, item.completed   a command, a change of files, a tool of a server, a message of the agent
 *   turn.completed                 what it used
 *   turn.failed                    why there is no answer
 *   error                          that it tries again, and things the like
 */
function codexEvents(): HostReader {
  const started = new Set<string>()
  return {
    read(event) {
      const item = fieldsOf(event.item)
      const id = textIn(item, 'id') ?? ''
      switch (event.type) {
        case 'thread.started': {
          const chat = textIn(event, 'thread_id')
          return chat === undefined ? [] : [{ kind: 'chat', id: chat }]
        }
        case 'item.started': {
          const tool = toolOf(item)
          if (tool === undefined) return []
          started.add(id)
          return [{ kind: 'tool', ...tool }]
        }
        case 'item.completed':
          return completed(item, started.delete(id))
        case 'turn.completed': {
          const inputTokens = countIn(event.usage, 'input_tokens')
          return [
            { kind: 'usage', usage: { inputTokens, outputTokens: countIn(event.usage, 'output_tokens') } },
          ]
        }
        case 'turn.failed':
          return [{ kind: 'failure', message: textIn(event.error, 'message') ?? 'no reason' }]
        case 'error':
          return [{ kind: 'remark', text: textIn(event, 'message') ?? 'error' }]
        default:
          return []
      }
    },
    end: () => [],
  }
}

function completed(item: EventFields, wasTold: boolean): HostEvent[] {
  const text = textIn(item, 'text')
  if (item.type === 'agent_message')
    return text === undefined ? [] : [{ kind: 'text', text }, { kind: 'said' }]
  if (item.type === 'error') return [{ kind: 'remark', text: textIn(item, 'message') ?? 'error' }]
  const tool = toolOf(item)
  if (tool === undefined) return []
  const exitCode = item.exit_code
  const isFailed = item.status === 'failed'
  const run: HostEvent = {
    kind: 'ran',
    run: {
      tool: tool.name,
      input: tool.input,
      output: item.aggregated_output ?? item.result ?? '',
      ...(typeof exitCode === 'number' && { exitCode }),
      ...(isFailed && {
        error: textIn(item.error, 'message') ?? textIn(item, 'aggregated_output') ?? 'it failed',
      }),
    },
  }
  return wasTold ? [run] : [{ kind: 'tool', ...tool }, run]
}

function toolOf(item: EventFields): { readonly name: string; readonly input: unknown } | undefined {
  switch (item.type) {
    case 'command_execution':
      return { name: 'shell', input: { command: withoutShell(textIn(item, 'command') ?? '') } }
    case 'file_change': {
      const paths = listIn(item, 'changes').flatMap(change => textIn(change, 'path') ?? [])
      return { name: 'apply_patch', input: { files: paths } }
    }
    case 'mcp_tool_call': {
      const name = [textIn(item, 'server'), textIn(item, 'tool')].filter(part => part !== undefined).join('.')
      return { name, input: field(item, 'arguments') }
    }
    case 'web_search':
      return { name: 'web_search', input: { query: textIn(item, 'query') } }
    default:
      return undefined
  }
}

/** `/bin/bash -lc 'npm test'` is `npm test`. */
function withoutShell(line: string): string {
  const [, quoted, plain] = /^\S*\/(?:ba|z|da)?sh -\w*c (?:'([\s\S]*)'|([\s\S]*))$/.exec(line) ?? []
  return (quoted?.replaceAll(`'\\''`, "'").replaceAll(`'"'"'`, "'") ?? plain ?? line).trim()
}
