import type { Engine } from '../../engine-parts.ts'
import { appendMessages } from '../../features/sessions/sessions.ts'
import type { SessionKey } from '../../kernel/model/session.ts'

/** For whoever reads the conversation; nothing that was said. */
export async function noteEnd(engine: Engine, key: SessionKey, text: string): Promise<void> {
  await appendMessages(engine, key, [{ role: 'system', text, internal: true }])
}
