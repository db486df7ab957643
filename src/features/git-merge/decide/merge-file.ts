import { rowsOf } from '../../../kernel/layout.ts'
import { parseVaultPath } from '../../../kernel/model/vault-layout.ts'
import type { FileOwner } from '../../../kernel/vault/vault-file.ts'
import { laterDocument, mergeDocuments } from './merge-document.ts'
import type { Merged, MergeInput } from './merge-input.ts'
import { mergeLogs } from './merge-log.ts'
import { mergeVaultFiles } from './merge-vault.ts'

export type FileKind =
  | { readonly kind: 'vault'; readonly owner: FileOwner }
  | { readonly kind: 'document'; readonly isMachineMade: boolean }
  /** The bundle carries a hash of itself: two of them cannot be mixed, and the next recall makes it anew. */
  | { readonly kind: 'state' }
  | { readonly kind: 'log' }
  /** Prose, or something of a later version: merged as text. */
  | { readonly kind: 'text' }

/** By its path in the repository: `.memory/dev/decisions/2026-11-18-….md` is a vault file, wherever in it the project lies. */
export function fileKindOf(path: string): FileKind {
  const parts = path.replaceAll('\\', '/').split('/')
  const name = parts
    .slice(parts.lastIndexOf('.memory') + 1)
    .filter(part => part !== '')
    .join('/')
  const [merge] = rowsOf(name).flatMap(row => row.merge ?? [])
  if (merge === 'document' || merge === 'machine_document')
    return { kind: 'document', isMachineMade: merge === 'machine_document' }
  if (merge !== undefined) return { kind: merge }
  const place = parseVaultPath(name)
  if (place === undefined) return { kind: 'text' }
  return { kind: 'vault', owner: { agent: place.agent, category: place.category } }
}

/** undefined: as text. Throws where a version cannot be read, and then it must be merged as text too. */
export function mergeFile(path: string, input: MergeInput): Merged | undefined {
  const file = fileKindOf(path)
  switch (file.kind) {
    case 'vault':
      return mergeVaultFiles(input, file.owner)
    case 'document':
      return mergeDocuments(input, file)
    case 'state':
      return laterDocument(input)
    case 'log':
      return mergeLogs(input)
    case 'text':
      return undefined
  }
}
