import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import { appendMessages } from '../../features/sessions/sessions.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { SessionKey } from '../../kernel/model/session.ts'

/** For whoever reads the conversation; nothing that was said. */
export async function noteEnd(memory: Memory & SessionPorts, key: SessionKey, text: string): Promise<void> {
  await appendMessages(memory, key, [{ role: 'system', text, internal: true }])
}
