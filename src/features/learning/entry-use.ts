import type { Memory } from '../../kernel/memory.ts'
import { type Message, speakerOf } from '../../kernel/model/message.ts'
import type { Conversation, SessionMemory } from '../../kernel/model/session.ts'
import type { BriefPorts } from '../brief/decide/ports.ts'
import type { SearchPorts } from '../search/decide/ports.ts'

/**
 * Counts the use of entries that were injected into a session: the agent named one by its id, or edited a file that one names. Injection alone
 * is not a use (SPEC, section 5). Only messages since the last closing count, so that closing twice counts once.
 */
export async function recordUse(
  memory: Memory & SearchPorts & BriefPorts,
  session: string,
  { conversations, known }: { conversations: readonly Conversation[]; known: SessionMemory | undefined },
): Promise<void> {
  const { sessionKeyOf } = await import('../brief/brief.ts')
  const injected = await memory.briefs.sentIn(sessionKeyOf(session))
  if (injected.size === 0) return
  const messages = conversations.flatMap(({ head, messages: all, trimmed }) =>
    all.slice(Math.max(0, (known?.distilled?.[head.agent] ?? 0) - trimmed)),
  )
  const edited = new Set(messages.flatMap(({ run }) => (run?.isEdit === true ? (run.files ?? []) : [])))
  const entryById = await memory.search.loadEntries([...injected])
  const used = [...entryById.values()].filter(
    ({ id, files }) => files.some(file => edited.has(file)) || messages.some(message => names(message, id)),
  )
  await memory.store.recordAccess(used.map(({ id }) => id))
}

function names({ role, text }: Message, id: string): boolean {
  return speakerOf(role) === 'agent' && text.includes(id)
}
