import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { type ForgottenEntries, NONE_FORGOTTEN } from './decide/forgotten-entries.ts'
import type { ObsidianLink } from './decide/obsidian-vault.ts'
import type { SyncPlan } from './decide/plan-sync.ts'
import type { ObsidianPorts } from './decide/ports.ts'

/**
 * Reads from the journal the texts of entries that a plan would restore or does not know, and what was imported from notes since the last
 * agreement. Only called for plans with such entries or with new notes, because reading the journal is slow.
 */
export async function readForgotten(
  memory: Memory & ObsidianPorts,
  link: ObsidianLink,
  { steps, unknown }: SyncPlan,
): Promise<ForgottenEntries> {
  const revived = steps.flatMap(step => (step.does === 'revive_entry' ? [step.id] : []))
  const wanted = new Set([...revived, ...unknown])
  const isTaking = steps.some(({ does }) => does === 'add_entry')
  if (wanted.size === 0 && !isTaking) return NONE_FORGOTTEN
  const agreed = await memory.obsidian.agreedRecord(link)
  const versions = new Map<string, Entry[]>()
  const gone = new Set<string>()
  const standing = new Set<string>()
  const taken: Entry[] = []
  const left = new Set(revived)
  let isAgreed = false
  // Newest first: the removal of an entry comes before its texts.
  for await (const record of memory.store.readJournal({})) {
    isAgreed ||= record.id === agreed || record.at < link.since
    for (const change of record.changes) {
      if (change.type !== 'entry') continue
      const id = (change.after ?? change.before)?.id ?? ''
      if (!gone.has(id) && !standing.has(id)) (change.after === null ? gone : standing).add(id)
      if (wanted.has(id) && (left.delete(id) || !isAgreed))
        versions.set(id, [...(versions.get(id) ?? []), ...versionsIn(change)])
      if (!isAgreed && record.action === 'sync' && change.before === null && change.after && gone.has(id))
        taken.push(change.after)
    }
    if (isAgreed && left.size === 0) break
  }
  const redaction = redactionOptions(await memory.config())
  return { versions, taken, clean: text => redact(text, redaction).text }
}

function versionsIn({ before, after }: { before: Entry | null; after: Entry | null }): Entry[] {
  return [before, after].filter(entry => entry !== null)
}
