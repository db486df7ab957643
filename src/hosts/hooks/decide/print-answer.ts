import type { HostId } from '../../../kernel/model/host.ts'

/** What an answer is printed with. */
interface AnswerShape {
  /** Moments at which this host reads what we print. */
  readonly events: ReadonlySet<string>
  readonly print: (name: string, context: string) => unknown
}

/** Codex takes no other key than these: one more, and nothing is injected. */
const inHookOutput = (hookEventName: string, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
})

const SHAPES: Readonly<Record<HostId, AnswerShape>> = {
  'claude-code': {
    events: new Set([
      'SessionStart',
      'UserPromptSubmit',
      'SubagentStart',
      'PostToolUse',
      'PostToolUseFailure',
    ]),
    print: inHookOutput,
  },
  codex: {
    events: new Set(['SessionStart', 'UserPromptSubmit', 'SubagentStart', 'PostToolUse']),
    print: inHookOutput,
  },
  gemini: { events: new Set(['SessionStart', 'BeforeAgent', 'AfterTool']), print: inHookOutput },
  opencode: {
    events: new Set(['session.start', 'chat.message', 'tool.execute.after', 'session.compacting']),
    print: (_, context) => ({ context }),
  },
  copilot: {
    events: new Set(['sessionStart', 'userPromptSubmitted', 'postToolUse']),
    print: (_, additionalContext) => ({ additionalContext }),
  },
  cursor: {
    events: new Set(['sessionStart', 'beforeSubmitPrompt', 'postToolUse']),
    print: (name, additional_context) =>
      name === 'beforeSubmitPrompt' ? { continue: true, additional_context } : { additional_context },
  },
}

/** The prompt was a command of ours, and is done: the host shows this instead of asking its model. Only where a prompt is submitted. */
export function printDone(reason: string): string {
  return `${JSON.stringify({ decision: 'block', reason })}\n`
}

/** Where the end of a turn can be answered with a question, and the host was seen to go on once and then to end. */
const STOP_EVENTS: Readonly<Partial<Record<HostId, string>>> = { 'claude-code': 'Stop', codex: 'Stop' }

export function asksAtStop(host: HostId): boolean {
  return STOP_EVENTS[host] !== undefined
}

/**
 * A question at the end of a turn: the host gives it to its model instead of ending. Two in a row are an endless loop in Codex: the
 * caller has persisted that the session is asked before it prints this.
 */
export function printStopQuestion(host: HostId, name: string, question: string): string {
  if (question === '' || STOP_EVENTS[host] !== name) return ''
  return `${JSON.stringify({ decision: 'block', reason: question })}\n`
}

/**
 * What the process prints: the host's own shape on one line, or nothing at all. Never a word beside it: Claude Code would inject it,
 * Codex reject it.
 */
export function printAnswer(host: HostId, name: string, context: string): string {
  const shape = SHAPES[host]
  if (context === '' || !shape.events.has(name)) return ''
  return `${JSON.stringify(shape.print(name, context))}\n`
}
