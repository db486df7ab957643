/** The vault's Markdown format, for tools that read or write it without the engine: `cairn-memory/format`. */
export { newEntryId, timeOfId } from './kernel/model/entry-id.ts'
export { entriesOf, insertEntry, removeEntry, replaceEntry } from './kernel/vault/vault-edit.ts'
export { parseVaultFile, renderEntry, renderVaultFile, type VaultFile } from './kernel/vault/vault-file.ts'
