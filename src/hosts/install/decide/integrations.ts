import type { HostId } from '../../../kernel/model/host.ts'
import { claudeCode } from '../../claude-code/install.ts'
import { codex } from '../../codex/install.ts'
import { copilot } from '../../copilot/install.ts'
import { cursor } from '../../cursor/install.ts'
import { gemini } from '../../gemini/install.ts'
import { openCode } from '../../opencode/install.ts'
import type { HostIntegration } from './host-integration.ts'

export const INTEGRATIONS: Readonly<Record<HostId, HostIntegration>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  opencode: openCode,
  copilot,
  cursor,
}
