import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { coldRef } from '../../kernel/model/transcript.ts'
import { asEntry } from './cold-search.ts'
import type { ColdPorts } from './decide/ports.ts'
import { showCold } from './show-cold.ts'

const AROUND = 2

/** A passage of a transcript and what stands around it, for those who show entries. It is a view: nothing of it is in the memory. */
export async function coldEntry(memory: Memory & ColdPorts, ref: string): Promise<Entry> {
  const { transcript, messages } = await showCold(memory, ref, AROUND)
  const content = messages
    .map(({ role, at, text }) => `[${role}${at === undefined ? '' : ` ${at.slice(0, 16)}`}] ${text}`)
    .join('\n\n')
  const meant = messages.find(({ isMeant }) => isMeant) ?? messages[0]
  return {
    ...asEntry(coldRef(transcript, meant?.line ?? 1), content, { role: 'transcript', at: meant?.at ?? '' }),
    session: transcript.session,
  }
}
