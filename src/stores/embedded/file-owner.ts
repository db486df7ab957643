import type { Entry } from '../../kernel/model/entry.ts'
import { parseVaultPath } from '../../kernel/model/vault-layout.ts'

/** `Dev/decisions/2026-02.md` belongs to agent `dev`, category `decisions`. */
export function ownerOf(path: string): Pick<Entry, 'agent' | 'category'> {
  const place = parseVaultPath(path)
  if (place === undefined) throw new Error(`${path} is not a vault file`)
  return { agent: place.agent, category: place.category }
}
