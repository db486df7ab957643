import { projectAt } from '../../features/projects/resolve-project.ts'
import type { Memory } from '../../kernel/memory.ts'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { ObsidianLink } from './decide/obsidian-vault.ts'
import type { ObsidianPorts } from './decide/ports.ts'
import { vaultMissing } from './decide/vault-missing.ts'

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

/** Throws `not_trusted`, `not_initialised`: what a stranger wrote into a memory does not get into somebody's notes. */
export function refuseUntrusted(memory: Memory): void {
  const { standing } = projectAt(memoryFolderOf(memory).root)
  if (standing === 'trusted') return
  if (standing === 'none')
    throw new CairnError({
      code: 'not_initialised',
      message: `There is no memory in ${memoryFolderOf(memory).root} yet.`,
      hint: '`cairn init` makes one.',
    })
  throw new CairnError({
    code: 'not_trusted',
    message: `The memory in ${memoryFolderOf(memory).root} came from elsewhere, so nothing of it is written into your notes.`,
    hint: '`cairn trust` shows what is in it, and asks.',
  })
}

/** Throws `obsidian_vault_missing`: a disk that is not mounted looks as if every note had been deleted. */
export async function refuseMissing(memory: ObsidianPorts, link: ObsidianLink): Promise<void> {
  const look = await memory.obsidian.look(link)
  if (look === 'there') return
  throw vaultMissing(link, look)
}

/** What happened by then is part of what a look sees. */
export async function newestRecord(memory: Memory): Promise<string | undefined> {
  for await (const { id } of memory.store.readJournal({ limit: 1 })) return id
  return undefined
}
