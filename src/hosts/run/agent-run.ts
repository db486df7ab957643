import * as path from 'node:path'
import { promptBrief, startBrief } from '../../features/brief/brief.ts'
import type { PromptPorts } from '../../features/brief/decide/ports.ts'
import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import {
  appendMessages,
  checkpointSession,
  recordRuns,
  startSession,
} from '../../features/sessions/sessions.ts'
import type { Memory } from '../../kernel/memory.ts'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import type { AgentCommand, AgentEvent, AgentHost, AgentUsage } from '../../kernel/model/agent-run.ts'
import type { Config } from '../../kernel/model/config.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { HOST_TITLES } from '../../kernel/model/host.ts'
import type { ToolRun } from '../../kernel/model/message.ts'
import type { SessionKey } from '../../kernel/model/session.ts'
import { nodeDisk } from '../../kernel/system/disk.ts'
import { isInside } from '../../kernel/system/paths.ts'
import { plainFileInfo, readPart } from '../../kernel/system/plain-file.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { toolRunOf } from '../hooks/decide/tool-run.ts'
import { answerSoFar } from './answer-so-far.ts'
import type { AgentRunFiles } from './decide/agent-pipeline.ts'
import { composePrompt, personaPaths, personaText } from './decide/compose-prompt.ts'
import type { HostEvent, ToolResult } from './decide/host-event.ts'
import type { HostProgram } from './decide/host-program.ts'
import { hostWords } from './decide/host-program.ts'
import { hasOwnServer } from './host-programs.ts'
import { type HostRun, type HostRunEnd, runHost } from './run-host.ts'

/** A longer answer is not readable. */
const MAX_ANSWER = 4_000_000
const DRAFT_EVERY_MS = 1_000
/** How often a silent run shows that it is alive. */
const SIGN_EVERY_MS = 30_000
const TOOL_INPUT_CHARACTERS = 300
const REASON_CHARACTERS = 500
const MAX_REMARKS = 200

interface AgentRunParts {
  readonly engine: Memory & PromptPorts & SessionPorts
  readonly runFiles: AgentRunFiles
  readonly key: SessionKey
  readonly host: AgentHost
  readonly hostProgram: HostProgram
  /** Where its program is. */
  readonly program: string
  readonly command: AgentCommand
  /** The chat to continue; undefined: a new one. */
  readonly chat: string | undefined
  readonly emit: (event: AgentEvent) => void
}

export interface AgentRun {
  readonly ended: Promise<void>
  stop(): void
}

/** Runs one command to its end. Everything is reported as an event and stored: nothing is thrown. */
export function startAgentRun(parts: AgentRunParts): AgentRun {
  let running: HostRun | undefined
  let isStopped = false
  const ended = async () => {
    try {
      const config = await parts.engine.config()
      const prompt = await composeFor(parts)
      if (isStopped) return await reportStopped(parts)
      await follow(parts, config, onEvent => {
        const chat = { chat: parts.chat, model: parts.command.model }
        const words = hostWords(parts.hostProgram, {
          ...chat,
          hasOwnServer: hasOwnServer(parts.hostProgram, memoryFolderOf(parts.engine).root),
        })
        running = runHost({
          program: parts.hostProgram,
          command: [parts.program, ...words],
          cwd: memoryFolderOf(parts.engine).root,
          prompt,
          silenceMs: config['agents.silenceSeconds'] * 1_000,
          onEvent,
        })
        return running
      })
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      parts.emit(errorEvent(error))
    }
  }
  return {
    ended: ended(),
    stop() {
      isStopped = true
      running?.stop('stopped')
    },
  }
}

/** A new chat begins with the role and the briefs; a continued one has them. */
async function composeFor({
  engine: memory,
  key,
  host,
  command,
  chat,
  emit,
}: AgentRunParts): Promise<string> {
  if (chat !== undefined) return `${command.command}\n`
  const { agent, session } = key
  const given = { host, agent, session, isDelivered: true }
  const start = await startBrief(memory, {
    ...given,
    prompt: command.command,
    projectScope: { name: nameOf(memoryFolderOf(memory).root), workspace: memoryFolderOf(memory).root },
  })
  const fitting = await promptBrief(memory, {
    ...given,
    prompt: command.command,
    spentTokens: start.brief.tokens,
  })
  const found = command.persona === undefined ? findPersona(memoryFolderOf(memory).root, agent) : undefined
  const persona = command.persona === undefined ? found?.text : personaText(command.persona)
  emit({
    event: 'brief',
    data: {
      tokens: start.brief.tokens + fitting.brief.tokens,
      items: [...start.brief.included, ...fitting.brief.included].map(({ id, tier, tokens }) => ({
        ...(id !== undefined && { id }),
        tier,
        tokens,
      })),
      persona: command.persona === undefined ? (found?.path ?? null) : 'request',
      degraded: [...start.degraded, ...fitting.degraded],
    },
  })
  // A file of the repository: it is sent to the host like the briefs.
  const options = redactionOptions(await memory.config())
  return composePrompt({
    persona: persona && redact(persona, options).text,
    startBrief: start.brief.text,
    promptBrief: fitting.brief.text,
    command: command.command,
  })
}

async function follow(
  parts: AgentRunParts,
  config: Config,
  start: (onEvent: (event: HostEvent) => void) => HostRun,
): Promise<void> {
  const { engine: memory, runFiles, key, host, emit } = parts
  const redaction = redactionOptions(config)
  const clean = (text: string) => redact(text, redaction).text
  const answer = answerSoFar(clean)
  let chat = parts.chat
  let usage: AgentUsage | undefined
  let failure: string | undefined
  let lastRemark: string | undefined
  let remarks = 0

  // Stored in order, while the host continues.
  let trouble: unknown
  let writing: Promise<unknown> = Promise.resolve()
  const keep = (work: () => Promise<unknown>) => {
    writing = writing.then(work).catch(error => {
      trouble ??= error
      run.stop('stopped')
    })
  }
  const finishMessage = () => {
    const { pieces, message } = answer.finish()
    for (const text of pieces) emit({ event: 'text', data: { text } })
    if (message.trim() === '') return
    keep(async () => {
      await appendMessages(memory, key, [{ role: 'agent', text: message }])
      await runFiles.keepDraft(key, answer.draft())
    })
  }
  const takeText = (text: string) => {
    const isNew = answer.draft() === ''
    const pieces = answer.add(text)
    // The beginning immediately, the rest at intervals: what the user has read is not lost with this process.
    if (isNew && pieces.length > 0) keep(() => runFiles.keepDraft(key, answer.draft()))
    for (const piece of pieces) emit({ event: 'text', data: { text: piece } })
    if (answer.shown().length > MAX_ANSWER) run.stop('flood')
  }
  const onEvent = (event: HostEvent) => {
    switch (event.kind) {
      case 'chat': {
        if (event.id === chat) break
        const id = event.id
        chat = id
        keep(() => startSession(memory, { ...key, host, chat: id }))
        const isResumed = parts.chat !== undefined
        emit({
          event: 'chat',
          data: { session: key.session, chatId: id, host, agentId: key.agent, isResumed },
        })
        break
      }
      case 'text':
        takeText(event.text)
        break
      case 'said':
        finishMessage()
        break
      case 'answer':
        if (answer.shown() === '' && answer.draft() === '') {
          takeText(event.text)
          finishMessage()
        }
        break
      case 'tool': {
        const input = clean(inputText(event.input)).slice(0, TOOL_INPUT_CHARACTERS)
        emit({ event: 'tool', data: { name: clean(event.name), ...(input !== '' && { input }) } })
        break
      }
      case 'ran': {
        const done = runOf(parts, event.run)
        if (done !== undefined) keep(() => recordRuns(memory, key, [done]))
        break
      }
      case 'usage':
        usage = sum(usage, event.usage)
        break
      case 'failure':
        failure = event.message
        break
      case 'remark':
        lastRemark = event.text
        if (remarks++ < MAX_REMARKS) emit({ event: 'remark', data: { text: clean(event.text) } })
        break
    }
  }
  const run = start(onEvent)

  let savedDraft = ''
  let signedMs = memory.clock.nowMs()
  const signs = setInterval(() => {
    const draft = answer.draft()
    const isDue = memory.clock.nowMs() - signedMs >= SIGN_EVERY_MS
    if (draft === savedDraft && !isDue) return
    savedDraft = draft
    signedMs = memory.clock.nowMs()
    keep(() => runFiles.keepDraft(key, answer.draft()))
  }, DRAFT_EVERY_MS)
  const end = await run.ended.finally(() => clearInterval(signs))
  finishMessage()
  await writing
  if (trouble !== undefined) throw trouble

  const reason = whyFailed(end, { failure, lastRemark })
  if (end.verdict !== 'stopped' && reason !== undefined) {
    const error = hostFailed(host, clean(reason), parts.chat)
    await noteEnd(memory, key, error.message)
    await checkpointSession(memory, key)
    throw error
  }
  const isStopped = end.verdict === 'stopped'
  if (isStopped) await noteEnd(memory, key, 'The run was stopped.')
  await checkpointSession(memory, key)
  emit({
    event: 'done',
    data: {
      text: answer.shown(),
      chatId: chat ?? null,
      session: key.session,
      ...(usage !== undefined && { usage }),
      isStopped,
    },
  })
}

async function reportStopped({ engine: memory, key, chat, emit }: AgentRunParts): Promise<void> {
  await noteEnd(memory, key, 'The run was stopped before it began.')
  emit({ event: 'done', data: { text: '', chatId: chat ?? null, session: key.session, isStopped: true } })
}

function whyFailed(
  { code, verdict, errors }: HostRunEnd,
  { failure, lastRemark }: { readonly failure: string | undefined; readonly lastRemark: string | undefined },
): string | undefined {
  if (verdict === 'silent')
    return 'it was ended because it printed nothing for too long (`agents.silenceSeconds`)'
  if (verdict === 'flood') return 'it printed far too much, and was ended'
  if (failure !== undefined) return failure
  if (code === 0) return undefined
  // The first line of an error says what it is; what follows is where.
  const lines = errors.split('\n').map(plainLine).filter(Boolean)
  const why =
    lines.find(line => /error|not found|invalid|cannot|fail/i.test(line)) ?? lines.at(-1) ?? lastRemark
  return `it ended with ${code ?? 'a signal'}${why === undefined ? '' : `: ${why}`}`
}

/** Without the colours of a terminal. */
function plainLine(line: string): string {
  return line.replace(/\u001b\[[0-9;]*m/g, '').trim()
}

function hostFailed(host: AgentHost, reason: string, chat: string | undefined): CairnError {
  const why = reason.slice(0, REASON_CHARACTERS).replace(/[.\s]+$/, '')
  const isChatGone =
    chat !== undefined && /no conversation|no rollout|session (?:not found|identifier)|not found/i.test(why)
  return new CairnError({
    code: 'agent_host_failed',
    message: `${HOST_TITLES[host]} failed: ${why}.`,
    hint: isChatGone
      ? 'The host does not know this chat any more: begin a new one, without a chat id.'
      : 'The text until then is stored. Run the host itself in this project once: it may want you to sign in or to trust the folder.',
  })
}

export function errorEvent(error: CairnError): AgentEvent {
  return {
    event: 'error',
    data: { code: error.code, message: redact(error.message).text, hint: error.hint },
  }
}

function runOf(
  { host, hostProgram }: AgentRunParts,
  { tool, input, output, exitCode, error }: ToolResult,
): ToolRun | undefined {
  const reported = toolRunOf({
    ...{ host, event: '', tool, input, response: output },
    ...(error !== undefined && { error }),
  })
  if (reported === undefined) return undefined
  const { ok: isFine, exitCode: code, ...run } = reported
  if (error !== undefined) return { ...run, ok: false, ...(code !== undefined && { exitCode: code }) }
  if (exitCode !== undefined) return { ...run, ok: exitCode === 0, exitCode }
  if (hostProgram.hidesExitCodes === true && run.command !== undefined) return run
  return {
    ...run,
    ...(isFine !== undefined && { ok: isFine }),
    ...(code !== undefined && { exitCode: code }),
  }
}

function inputText(input: unknown): string {
  if (typeof input === 'string') return input
  if (typeof input !== 'object' || input === null) return ''
  const fields = input as Readonly<Record<string, unknown>>
  const names = [
    'command',
    'cmd',
    'file_path',
    'filePath',
    'absolute_path',
    'path',
    'pattern',
    'query',
    'url',
  ]
  const named = names.map(name => fields[name]).find(value => typeof value === 'string' && value !== '')
  return typeof named === 'string' ? named : JSON.stringify(input)
}

function sum(before: AgentUsage | undefined, more: AgentUsage): AgentUsage {
  if (before === undefined) return more
  const cost = (before.costUsd ?? 0) + (more.costUsd ?? 0)
  return {
    inputTokens: before.inputTokens + more.inputTokens,
    outputTokens: before.outputTokens + more.outputTokens,
    ...(cost > 0 && { costUsd: cost }),
  }
}

function nameOf(root: string): string {
  return root.split(/[\\/]/).filter(Boolean).at(-1) ?? 'project'
}

/** A note for readers of the conversation, not a message of the agent. */
async function noteEnd(memory: Memory & SessionPorts, key: SessionKey, text: string): Promise<void> {
  await appendMessages(memory, key, [{ role: 'system', text, internal: true }])
}

const MAX_BYTES = 65_536

interface Persona {
  readonly text: string
  /** Relative to the project. */
  readonly path: string
}

/** The role of an agent from a file of the project. No link is followed out of the project. */
function findPersona(root: string, agent: string): Persona | undefined {
  const realRoot = nodeDisk.realPath(root) ?? root
  for (const each of personaPaths(agent)) {
    const seen = plainFileInfo(path.join(root, each))
    if (seen === undefined || !isInside(seen.realPath, realRoot)) continue
    const bytes = readPart(seen.realPath, 0, Math.min(seen.size, MAX_BYTES))
    const text = personaText(new TextDecoder().decode(bytes))
    if (text !== '') return { text, path: each }
  }
  return undefined
}
