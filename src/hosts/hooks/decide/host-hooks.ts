import type { HostId } from '../../../kernel/model/host.ts'
import type { HookPurpose } from './hook-purpose.ts'

/** One moment of a host at which it calls `cairn hook <host> <event>`. */
export interface HostHook {
  /** As the host names it. */
  readonly event: string
  readonly purpose: HookPurpose
  /** Only for these, where the host can tell them apart: tools, or ways a session starts. */
  readonly matcher?: string
  /** How long the host waits at most. Our own deadline is shorter. */
  readonly timeoutSeconds: number
}

/**
 * Every hook that is installed, in an order that never changes: Codex knows a trusted hook by its place and its text. New ones go to
 * the end. The matchers name tools that change something or run something.
 */
export const HOST_HOOKS: Readonly<Record<HostId, readonly HostHook[]>> = {
  'claude-code': [
    { event: 'SessionStart', purpose: 'start', timeoutSeconds: 5 },
    { event: 'UserPromptSubmit', purpose: 'prompt', timeoutSeconds: 5 },
    { event: 'SubagentStart', purpose: 'agent-start', timeoutSeconds: 5 },
    {
      event: 'PostToolUse',
      purpose: 'tool',
      matcher: 'Bash|Read|Edit|MultiEdit|Write|NotebookEdit',
      timeoutSeconds: 5,
    },
    {
      event: 'PostToolUseFailure',
      purpose: 'tool',
      matcher: 'Bash|Read|Edit|MultiEdit|Write|NotebookEdit',
      timeoutSeconds: 5,
    },
    { event: 'PreCompact', purpose: 'compact', timeoutSeconds: 5 },
    { event: 'Stop', purpose: 'turn-end', timeoutSeconds: 5 },
    { event: 'SubagentStop', purpose: 'agent-end', timeoutSeconds: 5 },
    { event: 'SessionEnd', purpose: 'end', timeoutSeconds: 5 },
  ],
  codex: [
    { event: 'SessionStart', purpose: 'start', timeoutSeconds: 5 },
    { event: 'UserPromptSubmit', purpose: 'prompt', timeoutSeconds: 5 },
    { event: 'SubagentStart', purpose: 'agent-start', timeoutSeconds: 5 },
    { event: 'PostToolUse', purpose: 'tool', timeoutSeconds: 5 },
    { event: 'PreCompact', purpose: 'compact', timeoutSeconds: 5 },
    { event: 'Stop', purpose: 'turn-end', timeoutSeconds: 5 },
    { event: 'SubagentStop', purpose: 'agent-end', timeoutSeconds: 5 },
    { event: 'SessionEnd', purpose: 'end', timeoutSeconds: 3 },
  ],
  gemini: [
    { event: 'SessionStart', purpose: 'start', timeoutSeconds: 5 },
    { event: 'BeforeAgent', purpose: 'prompt', timeoutSeconds: 5 },
    { event: 'AfterTool', purpose: 'tool', timeoutSeconds: 5 },
    { event: 'PreCompress', purpose: 'compact', timeoutSeconds: 5 },
    { event: 'AfterAgent', purpose: 'turn-end', timeoutSeconds: 5 },
    { event: 'SessionEnd', purpose: 'end', timeoutSeconds: 5 },
  ],
  // Called by our plugin, which runs inside OpenCode.
  opencode: [
    { event: 'session.start', purpose: 'start', timeoutSeconds: 2 },
    { event: 'chat.message', purpose: 'prompt', timeoutSeconds: 2 },
    { event: 'tool.execute.after', purpose: 'tool', timeoutSeconds: 2 },
    { event: 'session.compacting', purpose: 'compact', timeoutSeconds: 2 },
    { event: 'session.idle', purpose: 'turn-end', timeoutSeconds: 2 },
    { event: 'session.deleted', purpose: 'end', timeoutSeconds: 2 },
  ],
  copilot: [
    { event: 'sessionStart', purpose: 'start', timeoutSeconds: 5 },
    { event: 'userPromptSubmitted', purpose: 'prompt', timeoutSeconds: 5 },
    { event: 'postToolUse', purpose: 'tool', timeoutSeconds: 5 },
    { event: 'agentStop', purpose: 'turn-end', timeoutSeconds: 5 },
    { event: 'sessionEnd', purpose: 'end', timeoutSeconds: 5 },
  ],
  cursor: [
    { event: 'sessionStart', purpose: 'start', timeoutSeconds: 5 },
    { event: 'beforeSubmitPrompt', purpose: 'prompt', timeoutSeconds: 5 },
    { event: 'postToolUse', purpose: 'tool', timeoutSeconds: 5 },
    { event: 'afterAgentResponse', purpose: 'turn-end', timeoutSeconds: 5 },
    { event: 'preCompact', purpose: 'compact', timeoutSeconds: 5 },
    { event: 'sessionEnd', purpose: 'end', timeoutSeconds: 5 },
  ],
}
