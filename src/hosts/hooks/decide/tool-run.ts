import type { HostId } from '../../../kernel/model/host.ts'
import type { ToolRun } from '../../../kernel/model/message.ts'
import { HOSTS } from '../../hosts.ts'
import { isFields, ownField, type PayloadFields, textField } from './payload-fields.ts'
import { PATCH_FIELDS } from './written-text.ts'

/** The input and the response of a tool, whatever the host calls the fields. */
interface ToolCall {
  readonly host: HostId
  /** The host's name for the event. */
  readonly event: string
  readonly tool: string
  readonly input: unknown
  readonly response: unknown
  /** The host's message about a failure. */
  readonly error?: string
  /** The user stopped it. */
  readonly isInterrupted?: boolean
}

const COMMAND_TOOLS =
  /^(?:bash|shell|sh|zsh|powershell|exec|exec_command|run_shell_command|run_terminal_cmd|terminal|command|local_shell|unified_exec)$/i
const EDIT_TOOLS =
  /^(?:edit|multiedit|write|notebookedit|write_file|replace|create|str_replace\w*|str_replace_editor|apply_patch|patch|edit_file|search_replace|delete_file|insert|update)$/i
const READ_TOOLS = /^(?:read|read_file|view|cat|open|read_many_files|notebookread|show_file)$/i
const PATH_FIELDS = [
  'file_path',
  'filePath',
  'path',
  'absolute_path',
  'notebook_path',
  'target_file',
  'filename',
  'file',
]
const PATCH_FILE = /^\*\*\* (?:Add|Update|Delete) File: (.{1,500})$/gm
/** Where a response may have its text, in order of preference. */
const TEXT_FIELDS = [
  'stdout',
  'output',
  'aggregated_output',
  'formatted_output',
  'llmContent',
  'textResultForLlm',
  'text_result_for_llm',
  'content',
  'text',
  'result',
  'returnDisplay',
  'error',
]
const MAX_FILES = 50
/** Only the end of an output is stored: it says how the run ended, and an output of 10 MB is not worth copying. */
const OUTPUT_CHARACTERS = 40_000
const COMMAND_CHARACTERS = 8_000
const MAX_DEPTH = 4

/** undefined: the run says nothing about the project (a tool of ours, a search, a question to the user). */
export function toolRunOf(call: ToolCall): ToolRun | undefined {
  const { tool, input, response } = call
  const fields = isFields(input) ? input : {}
  const name = tool.slice(0, 200)
  const isCommand = COMMAND_TOOLS.test(name)
  const isEdit = EDIT_TOOLS.test(name)
  const command = isCommand ? commandOf(input, fields) : undefined
  const files = isEdit || READ_TOOLS.test(name) ? filesOf(input, fields) : []
  if (command === undefined && files.length === 0) return undefined
  const { ok, exitCode, output } = HOSTS[call.host].hooks.outcomeOf({
    event: call.event,
    isCommand,
    response,
    output: outputOf(response),
    isInterrupted: call.isInterrupted === true,
    ...(call.error !== undefined && { error: call.error }),
  })
  return {
    tool: name,
    ...(command !== undefined && { command: command.slice(0, COMMAND_CHARACTERS) }),
    ...(ok !== undefined && { ok }),
    ...(exitCode !== undefined && { exitCode }),
    // The text of a file that was read belongs to the file, not to the conversation.
    ...(isCommand && output !== '' && { output: output.slice(-OUTPUT_CHARACTERS) }),
    ...(!isCommand && ok === false && output !== '' && { output: output.slice(-OUTPUT_CHARACTERS) }),
    ...(files.length > 0 && { files }),
    ...(isEdit && { isEdit: true }),
  }
}

function commandOf(input: unknown, fields: PayloadFields): string | undefined {
  if (typeof input === 'string') return input === '' ? undefined : input
  const words = ownField(fields, 'command') ?? ownField(fields, 'cmd') ?? ownField(fields, 'script')
  if (typeof words === 'string') return words === '' ? undefined : words
  if (!Array.isArray(words)) return undefined
  const parts = words.filter((word): word is string => typeof word === 'string')
  // ["/bin/bash", "-lc", "npm test"] is a command run by a shell.
  const shell = /(?:^|\/)(?:ba|z|da)?sh$/.test(parts[0] ?? '') && /^-\w*c$/.test(parts[1] ?? '')
  const line = shell ? (parts[2] ?? '') : parts.join(' ')
  return line === '' ? undefined : line
}

function filesOf(input: unknown, fields: PayloadFields): string[] {
  const patch = typeof input === 'string' ? input : textField(fields, ...PATCH_FIELDS)
  const named = PATH_FIELDS.flatMap(name => {
    const value = ownField(fields, name)
    return typeof value === 'string' && value !== '' ? [value] : []
  })
  const many = [ownField(fields, 'paths'), ownField(fields, 'files')].flatMap(list =>
    Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : [],
  )
  const patched = patch === undefined ? [] : Array.from(patch.matchAll(PATCH_FILE), ([, file = '']) => file)
  return [...new Set([...named, ...many, ...patched])].slice(0, MAX_FILES)
}

function outputOf(response: unknown, depth = 0): string {
  if (typeof response === 'string') return response
  if (depth >= MAX_DEPTH) return ''
  if (Array.isArray(response))
    return response
      .slice(0, 200)
      .map(part => outputOf(part, depth + 1))
      .filter(part => part !== '')
      .join('\n')
  if (!isFields(response)) return ''
  const stderr = ownField(response, 'stderr')
  for (const name of TEXT_FIELDS) {
    const text = outputOf(ownField(response, name), depth + 1)
    if (text !== '') return typeof stderr === 'string' && stderr !== '' ? `${text}\n${stderr}` : text
  }
  return typeof stderr === 'string' ? stderr : ''
}
