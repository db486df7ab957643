/** The vault's Markdown format, for tools that read or write it without the engine: `cairn-memory/format`. */
export { newEntryId, timeOfId } from './model/entry-id.ts'
export { entriesOf, insertEntry, removeEntry, replaceEntry } from './pipeline/store/vault-edit.ts'
export { parseVaultFile, renderEntry, renderVaultFile, type VaultFile } from './pipeline/store/vault-file.ts'
