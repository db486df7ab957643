import type { HostId } from '../../model/host.ts'
import type { HostIntegration } from './host-integration.ts'
import { claudeCode } from './hosts/claude-code.ts'
import { codex } from './hosts/codex.ts'
import { copilot } from './hosts/copilot.ts'
import { cursor } from './hosts/cursor.ts'
import { gemini } from './hosts/gemini.ts'
import { openCode } from './hosts/opencode.ts'

export const INTEGRATIONS: Readonly<Record<HostId, HostIntegration>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  opencode: openCode,
  copilot,
  cursor,
}
