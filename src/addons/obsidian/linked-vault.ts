import { projectAt } from '../../features/projects/resolve-project.ts'
import type { Memory } from '../../kernel/memory.ts'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { type ObsidianLink, vaultMissing } from './decide/obsidian-vault.ts'
import type { ObsidianPorts } from './decide/ports.ts'

/** The link of this project. Throws `obsidian_not_linked`. */
export async function getLink(memory: ObsidianPorts): Promise<ObsidianLink> {
  const link = await memory.obsidian.link()
  if (link !== undefined) return link
  throw new CairnError({
    code: 'obsidian_not_linked',
    message: 'No Obsidian vault is linked to this project on this machine.',
    hint: '`cairn obsidian link <vault-folder>` links one.',
  })
}

/** Throws `not_trusted`, `not_initialised`: text that a stranger put into a memory must not reach the user's notes. */
export function refuseUntrusted(memory: Memory): void {
  const { standing } = projectAt(memoryFolderOf(memory).root)
  if (standing === 'trusted') return
  if (standing === 'none')
    throw new CairnError({
      code: 'not_initialised',
      message: `${memoryFolderOf(memory).root} has no memory yet.`,
      hint: '`cairn init` makes one.',
    })
  throw new CairnError({
    code: 'not_trusted',
    message: `The memory in ${memoryFolderOf(memory).root} came from elsewhere and is not trusted, so it is not written to your notes.`,
    hint: '`cairn trust` shows what is in it and asks you to confirm.',
  })
}

/** Throws `obsidian_vault_missing`: if a disk is not mounted, it looks as if every note had been deleted. */
export async function refuseMissing(memory: ObsidianPorts, link: ObsidianLink): Promise<void> {
  const look = await memory.obsidian.look(link)
  if (look === 'there') return
  throw vaultMissing(link, look)
}

/** Every change up to this record is part of the comparison. */
export async function newestRecord(memory: Memory): Promise<string | undefined> {
  for await (const { id } of memory.store.readJournal({ limit: 1 })) return id
  return undefined
}
