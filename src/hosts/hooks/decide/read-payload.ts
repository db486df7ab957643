import type { HostId } from '../../../kernel/model/host.ts'
import type { ToolRun } from '../../../kernel/model/message.ts'
import { FENCES } from '../../../kernel/text/memory-context-lines.ts'
import { HOSTS } from '../../hosts.ts'
import type { HookEvent, HookPurpose, StartSource, SubAgent } from './hook-event.ts'
import { type MemoryCommand, readMemoryCommand } from './memory-command.ts'
import { isFields, numberField, ownField, type PayloadFields, textField } from './payload-fields.ts'
import { toolRunOf } from './tool-run.ts'
import { writtenText } from './written-text.ts'

/** Ids come from outside and name files: a longer one is not an id. */
const MAX_ID_LENGTH = 200
const MAX_PATH_LENGTH = 4_096
const MAX_NAME_LENGTH = 200
/** More than a user types; of a pasted file, both ends are used elsewhere. */
const MAX_TEXT_LENGTH = 1_000_000
/** Of any project: the worker finds out which one. */
const IN_MEMORY = /(?:^|[\\/])\.memory[\\/]/

const SOURCES: Readonly<Record<string, StartSource>> = {
  startup: 'new',
  new: 'new',
  resume: 'resume',
  compact: 'compact',
  clear: 'clear',
}

/** The purpose of a host's event; undefined: no hook is installed for it. */
export function purposeOf(host: HostId, name: string): HookPurpose | undefined {
  return HOSTS[host].hooks.events.find(({ event }) => event === name)?.purpose
}

/** One payload in our words. Any field may be missing or of another type; `payload` undefined is an empty one. */
export function readPayload(
  host: HostId,
  name: string,
  purpose: HookPurpose,
  payload: PayloadFields = {},
): HookEvent {
  const { names } = HOSTS[host].hooks
  const session = named(textField(payload, ...names.session), MAX_ID_LENGTH)
  const cwd = named(textField(payload, ...names.cwd) ?? firstRoot(payload), MAX_PATH_LENGTH)
  const transcript = named(textField(payload, ...names.transcript), MAX_PATH_LENGTH)
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
  // A sub-agent has its own transcript; that of the session is not searched for its messages.
  const path =
    purpose === 'agent-end'
      ? agentTranscript
      : agent === undefined
        ? transcript
        : (agentTranscript ?? transcript)
  const withPath = path === undefined ? event : { ...event, transcript: path }
  switch (purpose) {
    case 'prompt': {
      const typed = cut(textField(payload, ...names.prompt))
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
      const answer = cut(textField(payload, ...names.answer))
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
  return cut(writtenText(parsed(firstOf(payload, HOSTS[host].hooks.names.input))))
}

function runOf(host: HostId, event: string, payload: PayloadFields): ToolRun | undefined {
  const { names } = HOSTS[host].hooks
  const tool = textField(payload, ...names.tool)
  if (tool === undefined) return undefined
  const error = textField(payload, 'error')
  const response = parsed(firstOf(payload, names.response))
  const exitCode = numberField(payload, 'exitCode')
  return toolRunOf({
    host,
    event,
    tool,
    input: parsed(firstOf(payload, names.input)),
    response: exitCode === undefined || isFields(response) ? response : { output: response, exitCode },
    isInterrupted: ownField(payload, 'is_interrupt') === true,
    ...(error !== undefined && { error }),
  })
}

/** Some hosts send JSON as a string. */
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
  const source = textField(payload, 'source') ?? ''
  return Object.hasOwn(SOURCES, source) ? (SOURCES[source] ?? 'new') : 'new'
}

/** Cursor sends its workspace as a list. */
function firstRoot(payload: PayloadFields): string | undefined {
  const roots = ownField(payload, 'workspace_roots') ?? ownField(payload, 'workspaceRoots')
  const [first] = Array.isArray(roots) ? roots : []
  if (typeof first === 'string') return first
  return isFields(first) ? textField(first, 'path') : undefined
}

const MAX_ATTACHED = 20

/** Cursor sends the files that the user attached to the prompt. */
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
  const sigils = HOSTS[host].hooks.commands?.sigils
  return typed === undefined || sigils === undefined ? undefined : readMemoryCommand(typed, sigils)
}

/** Text that hosts put around or in place of a prompt, and that no user typed. */
const OF_THE_HOST =
  /^<(?:task-notification|command-name|command-message|command-args|local-command-\w+|bash-\w+|system-reminder|session_context|environment_context|user_instructions|hook_context|skill|background-\w+)\b/i
/** A slash command, or one of a skill: `/x`, `/plugin:x`, `$x`. Not a path, and not an amount. */
const COMMAND = /^[/$][A-Za-z][\w:-]*(?:\s|$)/
const HOOK_CONTEXT = /^\s*<hook_context>[\s\S]*?<\/hook_context>\s*/
const USER_QUERY = /^\s*<user_query>\s*([\s\S]*?)\s*<\/user_query>\s*$/
/** More rounds than any host wraps. */
const MAX_WRAPPINGS = 8

/**
 * The prompt as the user typed it, without what the host put around it; undefined where it is not from a user: a command, a notice.
 *
 *   <hook_context>…</hook_context>\n\nhello   →  hello        (Gemini, where the start brief comes before the prompt)
 *   <user_query>hello</user_query>            →  hello        (Cursor)
 *   /remember x, <task-notification>…         →  undefined
 */
function askedPrompt(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  let asked = text
  for (let round = 0; round < MAX_WRAPPINGS; round++) {
    const bare = withoutFence(asked.replace(HOOK_CONTEXT, '')).replace(USER_QUERY, '$1')
    if (bare === asked) break
    asked = bare
  }
  asked = asked.trim()
  if (asked === '' || OF_THE_HOST.test(asked) || COMMAND.test(asked)) return undefined
  return asked
}

/** Removes a brief of ours before the prompt. */
function withoutFence(text: string): string {
  const trimmed = text.trimStart()
  for (const { open, close } of Object.values(FENCES)) {
    if (!trimmed.startsWith(open)) continue
    const end = trimmed.indexOf(close)
    if (end !== -1) return trimmed.slice(end + close.length).trimStart()
  }
  return text
}
