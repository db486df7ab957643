import type { Memory } from '../../kernel/memory.ts'
import { suggestAgentId } from '../../kernel/model/agent-id.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { parseFlatFile } from '../../kernel/vault/flat-sections.ts'
import type { UpkeepPorts } from './decide/ports.ts'

const MAX_ENTRIES = 100_000

/** The flat files (`dev.md`, `dev.md.bak`) that were migrated; a backup in a vault's own folder counts as migrated. */
export async function migratedOf(memory: Memory & UpkeepPorts, paths: readonly string[]): Promise<string[]> {
  const migrated: string[] = []
  for (const path of paths) {
    const bytes = path.includes('/') ? undefined : await memory.memoryFiles.read(path)
    if (bytes === undefined || (await isMigrated(memory, agentOf(path), bytes))) migrated.push(path)
  }
  return migrated
}

/**
 * Whether the content of a flat file is in the vault. The existence of a vault does not prove it, because any handoff creates one. A
 * migration stores all sections or none, so one section that is or was an entry proves it.
 */
export async function isMigrated(
  memory: Memory & UpkeepPorts,
  agent: string,
  bytes: Uint8Array,
): Promise<boolean> {
  const maxBytes = (await memory.config())['vault.maxEntryBytes']
  const sections = parseFlatFile(new TextDecoder().decode(bytes), maxBytes)
  const prints = new Set(sections.map(({ content }) => fingerprint(content)))
  if (prints.size === 0) return true
  const { entries } = await memory.store.listEntries({ filter: { agent }, limit: MAX_ENTRIES, offset: 0 })
  if (entries.some(({ content }) => prints.has(fingerprint(content)))) return true
  for await (const { item } of memory.archive.entries())
    if (item.entry.agent === agent && prints.has(fingerprint(item.entry.content))) return true
  return false
}

function agentOf(path: string): string {
  return suggestAgentId(path.replace(/\.md(?:\.bak)?$/, ''))
}
