/**
 * The index holds two collections in tables of the same shape: the entries of the vaults, and the documents of the
 * workspaces, whose tables begin with `doc_`. What is asked of the one (a list, counts, duplicates, upkeep) never sees the other.
 */
export type Shelf = '' | 'doc_'

export const VAULT_SHELF: Shelf = ''
export const DOCUMENT_SHELF: Shelf = 'doc_'
