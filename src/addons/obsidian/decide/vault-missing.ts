import { CairnError } from '../../../kernel/model/errors.ts'
import type { ObsidianLink, VaultLook } from './obsidian-vault.ts'

/** A disk that is not mounted looks as if every note had been deleted. */
export function vaultMissing({ vault }: ObsidianLink, look: Exclude<VaultLook, 'there'>): CairnError {
  return new CairnError({
    code: 'obsidian_vault_missing',
    message:
      look === 'missing'
        ? `The vault ${vault} is not there; nothing was synced.`
        : `${vault} has no .obsidian folder any more, so it is not the vault that was linked; nothing was synced.`,
    hint: 'Mount or restore it; `cairn obsidian link <vault-folder>` names another place.',
  })
}
