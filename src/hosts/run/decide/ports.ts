import type { AgentPipeline } from './agent-pipeline.ts'

export interface AgentPorts {
  /** Agents at work through their hosts' own programs: off until this user enables a host. */
  readonly agents: AgentPipeline
}
