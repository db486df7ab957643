import type { AgentHost } from '../kernel/model/agent-run.ts'
import type { HostId } from '../kernel/model/host.ts'
import { claudeCode } from './claude-code/adapter.ts'
import { codex } from './codex/adapter.ts'
import { copilot } from './copilot/adapter.ts'
import { cursor } from './cursor/adapter.ts'
import { gemini } from './gemini/adapter.ts'
import type { HostAdapter } from './host-adapter.ts'
import { openCode } from './opencode/adapter.ts'

type Adapters = Readonly<Record<HostId, HostAdapter> & Record<AgentHost, RunnableHost>>
type RunnableHost = HostAdapter & Required<Pick<HostAdapter, 'program'>>

/** Every host. The ids and the titles are in `kernel/model/host.ts`: an id without an adapter does not compile. */
export const HOSTS: Adapters = {
  'claude-code': claudeCode,
  codex,
  gemini,
  opencode: openCode,
  copilot,
  cursor,
}
