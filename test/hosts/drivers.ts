import { CLAUDE_CODE } from './drivers/claude-code.ts'
import { CODEX } from './drivers/codex.ts'
import { COPILOT } from './drivers/copilot.ts'
import { GEMINI_CLI } from './drivers/gemini.ts'
import { OPENCODE } from './drivers/opencode.ts'
import type { HostDriver } from './host-driver.ts'

/** Cursor has no program that could be run here: its payloads are replayed in test/e2e. */
export const DRIVERS: readonly HostDriver[] = [CLAUDE_CODE, CODEX, GEMINI_CLI, OPENCODE, COPILOT]
