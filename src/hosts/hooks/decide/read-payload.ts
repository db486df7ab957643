import type { HostId } from '../../../kernel/model/host.ts'
import type { ToolRun } from '../../../kernel/model/message.ts'
import { askedPrompt } from './asked-prompt.ts'
import type { HookEvent, StartSource, SubAgent } from './hook-event.ts'
import type { HookPurpose } from './hook-purpose.ts'
import { HOST_HOOKS } from './host-hooks.ts'
import { ANSWERING_HOSTS, type MemoryCommand, readMemoryCommand } from './memory-command.ts'
import { isFields, numberField, ownField, type PayloadFields, textField } from './payload-fields.ts'
import { toolRunOf } from './tool-run.ts'
import { writtenText } from './written-text.ts'

/** Names come from outside and name files: what is longer is no name. */
const MAX_ID_LENGTH = 200
const MAX_PATH_LENGTH = 4_096
const MAX_NAME_LENGTH = 200
/** More than a person types; a pasted file is looked at from both ends elsewhere. */
const MAX_TEXT_LENGTH = 1_000_000
/** Of any project: which one is for the worker to say. */
const IN_MEMORY = /(?:^|[\\/])\.memory[\\/]/

/** Where hosts differ: what they call a thing. The first name that is there counts. */
interface Dialect {
  readonly session: readonly string[]
  readonly cwd: readonly string[]
  readonly prompt: readonly string[]
  readonly answer: readonly string[]
  readonly transcript: readonly string[]
  readonly tool: readonly string[]
  readonly input: readonly string[]
  readonly response: readonly string[]
}

/** Claude Code, Codex and Gemini say it alike. */
const SNAKE: Dialect = {
  session: ['session_id'],
  cwd: ['cwd'],
  prompt: ['prompt'],
  answer: ['last_assistant_message', 'prompt_response'],
  transcript: ['transcript_path'],
  tool: ['tool_name'],
  input: ['tool_input'],
  // The second is Copilot's, where it runs the hooks of Claude Code.
  response: ['tool_response', 'tool_result'],
}

const DIALECTS: Readonly<Record<HostId, Dialect>> = {
  'claude-code': SNAKE,
  codex: SNAKE,
  gemini: SNAKE,
  // What our own plugin sends.
  opencode: {
    session: ['sessionID', 'session'],
    cwd: ['directory', 'cwd'],
    prompt: ['prompt'],
    answer: ['text'],
    transcript: [],
    tool: ['tool'],
    input: ['args'],
    response: ['output', 'result'],
  },
  // Events in PascalCase come with a payload in snake case.
  copilot: {
    session: ['sessionId', 'session_id'],
    cwd: ['cwd'],
    prompt: ['prompt'],
    answer: ['lastAssistantMessage', 'last_assistant_message'],
    transcript: ['transcriptPath', 'transcript_path'],
    tool: ['toolName', 'tool_name'],
    input: ['toolArgs', 'tool_input', 'tool_args'],
    response: ['toolResult', 'tool_result', 'tool_response'],
  },
  cursor: {
    session: ['conversation_id', 'session_id'],
    cwd: ['cwd'],
    prompt: ['prompt'],
    answer: ['text', 'response'],
    transcript: ['transcript_path'],
    tool: ['tool_name'],
    input: ['tool_input'],
    response: ['tool_output', 'tool_response', 'result_json'],
  },
}

const SOURCES: Readonly<Record<string, StartSource>> = {
  startup: 'new',
  new: 'new',
  resume: 'resume',
  compact: 'compact',
  clear: 'clear',
}

/** The purpose of a host's moment; undefined: we are not called there. */
export function purposeOf(host: HostId, name: string): HookPurpose | undefined {
  return HOST_HOOKS[host].find(({ event }) => event === name)?.purpose
}

/** One payload in our words. Anything may be missing or of another kind; `payload` undefined is an empty one. */
export function readPayload(
  host: HostId,
  name: string,
  purpose: HookPurpose,
  payload: PayloadFields = {},
): HookEvent {
  const dialect = DIALECTS[host]
  const session = named(textField(payload, ...dialect.session), MAX_ID_LENGTH)
  const cwd = named(textField(payload, ...dialect.cwd) ?? firstRoot(payload), MAX_PATH_LENGTH)
  const transcript = named(textField(payload, ...dialect.transcript), MAX_PATH_LENGTH)
  const agent = agentOf(payload)
  const agentTranscript = named(textField(payload, 'agent_transcript_path'), MAX_PATH_LENGTH)
  const model = named(textField(payload, 'model'), MAX_NAME_LENGTH)
  const remaining = numberField(payload, 'context_tokens_remaining', 'remaining_context_tokens')
  const isStart = purpose === 'start'
  const event: HookEvent = {
    host,
    name,
    purpose,
    ...(session !== undefined && { session }),
    ...(cwd !== undefined && { cwd }),
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
    ...(remaining !== undefined && remaining >= 0 && { remainingContext: Math.floor(remaining) }),
    ...(isStart && { source: sourceOf(payload) }),
  }
  // What a sub-agent said is in a transcript of its own; that of the session is not searched for it.
  const path =
    purpose === 'agent-end'
      ? agentTranscript
      : agent === undefined
        ? transcript
        : (agentTranscript ?? transcript)
  const withPath = path === undefined ? event : { ...event, transcript: path }
  switch (purpose) {
    case 'prompt': {
      const typed = cut(textField(payload, ...dialect.prompt))
      const command = commandOf(host, typed)
      if (command !== undefined) return { ...withPath, command }
      const prompt = askedPrompt(typed)
      const files = attachedFiles(payload)
      const asked = files.length === 0 ? withPath : { ...withPath, files }
      return prompt === undefined ? asked : { ...asked, prompt }
    }
    case 'tool': {
      const run = runOf(host, name, payload)
      const callId = named(textField(payload, 'tool_use_id'), MAX_ID_LENGTH)
      if (run === undefined) return withPath
      const written = writtenOf(run, host, payload)
      return {
        ...withPath,
        run,
        ...(written !== undefined && { written }),
        ...(callId !== undefined && { callId }),
      }
    }
    case 'turn-end':
    case 'agent-end': {
      const answer = cut(textField(payload, ...dialect.answer))
      const isActive = ownField(payload, 'stop_hook_active') === true
      const ended = isActive ? { ...withPath, isStopActive: true } : withPath
      return answer === undefined ? ended : { ...ended, answer }
    }
    case 'compact':
      return { ...withPath, isManual: textField(payload, 'trigger') === 'manual' }
    default:
      return withPath
  }
}

function writtenOf(run: ToolRun, host: HostId, payload: PayloadFields): string | undefined {
  if (run.isEdit !== true || run.ok === false || !run.files?.some(file => IN_MEMORY.test(file)))
    return undefined
  return cut(writtenText(parsed(firstOf(payload, DIALECTS[host].input))))
}

function runOf(host: HostId, event: string, payload: PayloadFields): ToolRun | undefined {
  const dialect = DIALECTS[host]
  const tool = textField(payload, ...dialect.tool)
  if (tool === undefined) return undefined
  const error = textField(payload, 'error')
  const response = parsed(firstOf(payload, dialect.response))
  const exitCode = numberField(payload, 'exitCode')
  return toolRunOf({
    host,
    event,
    tool,
    input: parsed(firstOf(payload, dialect.input)),
    response: exitCode === undefined || isFields(response) ? response : { output: response, exitCode },
    isInterrupted: ownField(payload, 'is_interrupt') === true,
    ...(error !== undefined && { error }),
  })
}

/** Some hosts hand JSON over as a text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch (error) {
    if (error instanceof SyntaxError) return value
    throw error
  }
}

function firstOf(payload: PayloadFields, names: readonly string[]): unknown {
  for (const name of names) {
    const value = ownField(payload, name)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

function agentOf(payload: PayloadFields): SubAgent | undefined {
  const kind = named(textField(payload, 'agent_type', 'agentType', 'subagent_type'), MAX_NAME_LENGTH)
  const id = named(textField(payload, 'agent_id', 'agentId', 'subagent_id'), MAX_ID_LENGTH)
  if (kind === undefined && id === undefined) return undefined
  return { kind: kind ?? 'agent', ...(id !== undefined && { id }) }
}

function sourceOf(payload: PayloadFields): StartSource {
  const told = textField(payload, 'source') ?? ''
  return Object.hasOwn(SOURCES, told) ? (SOURCES[told] ?? 'new') : 'new'
}

/** Cursor tells its workspace as a list. */
function firstRoot(payload: PayloadFields): string | undefined {
  const roots = ownField(payload, 'workspace_roots') ?? ownField(payload, 'workspaceRoots')
  const [first] = Array.isArray(roots) ? roots : []
  if (typeof first === 'string') return first
  return isFields(first) ? textField(first, 'path') : undefined
}

const MAX_ATTACHED = 20

/** Cursor tells what the person put beside the prompt. */
function attachedFiles(payload: PayloadFields): string[] {
  const attachments = ownField(payload, 'attachments')
  if (!Array.isArray(attachments)) return []
  return attachments.slice(0, MAX_ATTACHED).flatMap(one => {
    const file = isFields(one)
      ? named(textField(one, 'file_path', 'filePath', 'path'), MAX_PATH_LENGTH)
      : undefined
    return file === undefined ? [] : [file]
  })
}

function named(text: string | undefined, longest: number): string | undefined {
  return text === undefined || text.trim() === '' || text.length > longest || text.includes('\0')
    ? undefined
    : text
}

function cut(text: string | undefined): string | undefined {
  if (text === undefined || text.length <= MAX_TEXT_LENGTH) return text
  return `${text.slice(0, MAX_TEXT_LENGTH / 2)}\n${text.slice(-MAX_TEXT_LENGTH / 2)}`
}

function commandOf(host: HostId, typed: string | undefined): MemoryCommand | undefined {
  const sigils = ANSWERING_HOSTS[host]
  return typed === undefined || sigils === undefined ? undefined : readMemoryCommand(typed, sigils)
}
