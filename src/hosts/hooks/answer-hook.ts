import { promptBrief, sessionKeyOf, startBrief } from '../../features/brief/brief.ts'
import type { BriefPorts, PromptPorts } from '../../features/brief/decide/ports.ts'
import type { SearchPorts } from '../../features/search/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Degradation } from '../../kernel/model/search.ts'
import { HOSTS } from '../hosts.ts'
import type { HookEvent } from './decide/hook-event.ts'
import { agentOfEvent } from './session-of-event.ts'

interface HookAnswer {
  /** The text to inject; empty: nothing. */
  readonly context: string
  readonly degraded: readonly Degradation[]
}

const NOTHING: HookAnswer = { context: '', degraded: [] }

interface AnswerOptions {
  /** How long the host may wait from now on. */
  readonly withinMs?: number
}

/**
 * What is injected at an event of a host. The caller, a process of its own or the MCP server, prints it with `printAnswer`. Nothing is
 * captured here.
 */
export async function answerHook(
  memory: Memory & PromptPorts,
  event: HookEvent,
  options: AnswerOptions = {},
): Promise<HookAnswer> {
  switch (event.purpose) {
    case 'start':
      // OpenCode gives a sub-agent a session of its own.
      return event.agent === undefined ? answerStart(memory, event) : answerAgentStart(memory, event)
    case 'agent-start':
      return answerAgentStart(memory, event)
    case 'prompt':
      return answerPrompt(memory, event, options)
    case 'tool':
      return answerTool(memory, event)
    default:
      return NOTHING
  }
}

async function answerStart(memory: Memory & PromptPorts, event: HookEvent): Promise<HookAnswer> {
  const { session, source } = event
  // The earlier context is gone.
  if (session !== undefined && (source === 'compact' || source === 'clear'))
    await memory.briefs.forgetSent(sessionKeyOf(session))
  if (startsWithPrompt(event)) return NOTHING
  // The context of a resumed session is restored, including its start brief.
  if (
    source === 'resume' &&
    session !== undefined &&
    (await memory.briefs.hasStartBrief(sessionKeyOf(session)))
  )
    return NOTHING
  const { brief, degraded } = await startBrief(memory, { ...readerOf(memory), ...givenTo(event) })
  return { context: brief.text, degraded }
}

/** A sub-agent has a context of its own: it does not see the start brief of the session, and what it gets counts for it alone. */
async function answerAgentStart(memory: Memory & PromptPorts, event: HookEvent): Promise<HookAnswer> {
  const { session, agent, host } = event
  if (agent === undefined) return NOTHING
  const { brief, degraded } = await startBrief(memory, {
    host,
    agent: await agentOfEvent(memory, event),
    ...(session !== undefined && { session: `${session} ${agent.id ?? agent.kind}`, isDelivered: true }),
  })
  return { context: brief.text, degraded }
}

/** On some hosts the start brief goes with the first prompt that a user typed. */
function startsWithPrompt({ host, session }: HookEvent): boolean {
  return HOSTS[host].hooks.startsWithPrompt === true && session !== undefined
}

async function answerPrompt(
  memory: Memory & PromptPorts,
  event: HookEvent,
  options: AnswerOptions,
): Promise<HookAnswer> {
  const { prompt, session } = event
  if (prompt === undefined) return NOTHING
  const beganMs = memory.clock.nowMs()
  const isFirst =
    startsWithPrompt(event) &&
    session !== undefined &&
    !(await memory.briefs.hasStartBrief(sessionKeyOf(session)))
  const start = isFirst ? await startBrief(memory, { ...readerOf(memory), ...givenTo(event) }) : undefined
  if (!(await memory.config())['hooks.prompts'])
    return start === undefined ? NOTHING : { context: start.brief.text, degraded: start.degraded }
  const { withinMs } = options
  const spentMs = memory.clock.nowMs() - beganMs
  const { brief, degraded } = await promptBrief(memory, {
    prompt,
    ...readerOf(memory),
    ...givenTo(event),
    ...(event.files !== undefined && { files: event.files }),
    ...(event.remainingContext !== undefined && { remainingContext: event.remainingContext }),
    ...(withinMs !== undefined && { withinMs: Math.max(1, withinMs - spentMs) }),
    ...(start !== undefined && { spentTokens: start.brief.tokens }),
  })
  const texts = [start?.brief.text ?? '', brief.text].filter(text => text !== '')
  return { context: texts.join('\n\n'), degraded: [...(start?.degraded ?? []), ...degraded] }
}

/** Off by default: every tool run would wait for it. */
async function answerTool(memory: Memory & SearchPorts & BriefPorts, event: HookEvent): Promise<HookAnswer> {
  const files = event.run?.files ?? []
  if (files.length === 0 || event.session === undefined) return NOTHING
  if (!(await memory.config())['hooks.fileWarnings']) return NOTHING
  const { fileWarnings } = await import('./file-warnings.ts')
  return { context: await fileWarnings(memory, event, files), degraded: [] }
}

function givenTo({ host, session }: HookEvent) {
  return { host, ...(session !== undefined && { session, isDelivered: true }) }
}

/** An agent without a name reads every vault. */
function readerOf({ actor }: Memory): { agent?: string } {
  return actor.agent === undefined ? {} : { agent: actor.agent }
}
