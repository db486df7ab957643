import { untrustedTextIn } from '../../features/agent-saves/save-entries.ts'
import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Change, JournalRecord } from '../../kernel/model/journal.ts'
import { extraOfLineage } from '../../kernel/model/provenance.ts'
import { agentWritten, earliestObservation } from '../../kernel/vault/agent-written.ts'
import { sameEntry } from '../../kernel/vault/observe.ts'
import type { SpoolLine } from './decide/spool-line.ts'
import { agentOfEvent } from './session-of-event.ts'

/**
 * Text that an agent's edit tool wrote into a vault file is the agent's candidate. Any read may have indexed the file before, as an edit of
 * the user: the journal says which entries came with the edit. It is one record, which `cairn undo` reverts.
 */
export async function claimAgentText(
  memory: Memory & SessionPorts,
  lines: readonly SpoolLine[],
): Promise<void> {
  const writing = lines.filter(line => line.written !== undefined)
  const [last] = writing.slice(-1)
  if (last === undefined) return
  const edits = writing.flatMap(({ written }) => written ?? [])
  const entries = agentWritten(await observedSince(memory, earliestObservation(edits)), edits)
  if (entries.length === 0) return
  const { session, host } = last
  const untrusted = await untrustedTextIn(memory, session)
  const claimed = (entry: Entry): Entry => {
    const extra = { ...entry.extra, ...(untrusted !== undefined && extraOfLineage({ untrusted })) }
    return {
      ...entry,
      origin: 'agent',
      status: 'candidate',
      session,
      ...(Object.keys(extra).length > 0 && { extra }),
    }
  }
  // Without `isAgent`: an agent that could undo it would confirm its own words.
  const by = { host, agent: await agentOfEvent(memory, last), session }
  await memory.store.write(by, async view => {
    const changes: Change[] = []
    for (const entry of entries)
      if (sameEntry(await view.findEntry(entry.id), entry))
        changes.push({ type: 'entry', before: entry, after: claimed(entry) })
    return { action: 'update', changes }
  })
}

/** Newest first, with what the vault files say now. */
async function observedSince(memory: Memory, since: string): Promise<JournalRecord[]> {
  await memory.store.refresh()
  const stale = memory.store.takeDegraded().find(({ code }) => code === 'index_stale')
  if (stale !== undefined)
    throw new CairnError({
      code: 'store_locked',
      message: `What an agent wrote into the vault is not marked as the agent's yet. ${stale.message}`,
      hint: 'It is tried again with the next hook.',
    })
  const records: JournalRecord[] = []
  for await (const record of memory.store.readJournal({})) {
    if (record.at < since) break
    records.push(record)
  }
  return records
}
