import { CairnError } from '../../../kernel/model/errors.ts'
import type { ObsidianLink, VaultState } from './obsidian-vault.ts'

/** If a disk is not mounted, it looks as if every note had been deleted. */
export function vaultMissing({ vault }: ObsidianLink, look: Exclude<VaultState, 'there'>): CairnError {
  return new CairnError({
    code: 'obsidian_vault_missing',
    message:
      look === 'missing'
        ? `The vault ${vault} does not exist; nothing was synced.`
        : `${vault} no longer has an .obsidian folder, so it is not the linked vault; nothing was synced.`,
    hint: 'Mount or restore it; `cairn obsidian link <vault-folder>` names another place.',
  })
}
