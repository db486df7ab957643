import type { PromptPorts } from '../features/brief/decide/ports.ts'
import type { SessionPorts } from '../features/sessions/decide/ports.ts'
import type { AgentAllowances, AgentPipeline } from '../hosts/run/decide/agent-pipeline.ts'
import { openPipeline } from '../hosts/run/open-pipeline.ts'
import type { Memory } from '../kernel/memory.ts'
import { type AgentHost, isAgentHost } from '../kernel/model/agent-run.ts'
import { readEnvironment } from '../kernel/system/environment.ts'
import { agentRunFolder } from '../stores/files/agent-run-folder.ts'
import type { AllowanceFile } from '../stores/files/allowance-file.ts'

type AgentParts = Parameters<typeof agentRunFolder>[0] & {
  readonly engine: () => Memory & PromptPorts & SessionPorts
  readonly allowances: AllowanceFile
  readonly now: () => string
}

export function composeAgents({ engine: memory, allowances, now, ...beside }: AgentParts): AgentPipeline {
  return openPipeline({
    engine: memory,
    allowances: composeAgentAllowances({ allowances, now }),
    runFiles: agentRunFolder(beside),
    isInternal: readEnvironment().isInternal,
  })
}

/**
 * The hosts that the user enabled for this project on this machine, each with its program: stored in the user's own folder, so that a
 * repository cannot enable one.
 */
function composeAgentAllowances({
  allowances,
  now,
}: {
  readonly allowances: AllowanceFile
  readonly now: () => string
}): AgentAllowances {
  type Enabled = Partial<Record<AgentHost, { readonly program: string; readonly since: string }>>
  const read = (): Enabled => {
    const found = allowances.find()
    return found.kind === 'allowed' ? readEnabled(found.terms) : {}
  }
  return {
    enabled: () => new Map(Object.entries(read()) as [AgentHost, { program: string; since: string }][]),
    enable(host, program) {
      const since = now()
      allowances.put(JSON.stringify({ ...read(), [host]: { program, since } }), since)
    },
    disable(host) {
      const { [host]: gone, ...others } = read()
      if (gone === undefined) return false
      if (Object.keys(others).length === 0) allowances.remove()
      else allowances.put(JSON.stringify(others), now())
      return true
    },
  }
}

/** An unreadable file enables nothing. */
function readEnabled(text: string): Partial<Record<AgentHost, { program: string; since: string }>> {
  let stored: unknown
  try {
    stored = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  if (typeof stored !== 'object' || stored === null) return {}
  return Object.fromEntries(
    Object.entries(stored as Record<string, { program?: unknown; since?: unknown } | null>).flatMap(
      ([host, one]) =>
        isAgentHost(host) && typeof one?.program === 'string' && typeof one.since === 'string'
          ? [[host, { program: one.program, since: one.since }]]
          : [],
    ),
  )
}
