import { CairnError } from '../../../kernel/model/errors.ts'
import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'
import type { SyncBase } from './agreement.ts'

/** The place of a project's notes. The user of this machine chooses it, and it is stored in their own folder. */
export interface ObsidianLink {
  /** The vault: an absolute path with links resolved. */
  readonly vault: string
  /** The synced folder in the vault, with `/`. */
  readonly folder: string
  /** Only the entries of these agents; absent: of all. */
  readonly agents?: readonly string[]
  readonly includesPrivate: boolean
  /** Whether `.obsidian` existed when the vault was linked. If it is missing later, the disk is not mounted. */
  readonly hasSettings: boolean
  /** UTC, to the minute. */
  readonly since: string
}

/** A note in the synced folder. */
export type NoteFile =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly trouble: NoteTrouble }

export interface NoteTrouble {
  readonly code: NoticeCode
  readonly message: string
}

/** `missing`: the folder does not exist. `unmounted`: it no longer has `.obsidian`. */
export type VaultState = 'there' | 'missing' | 'unmounted'

/** Every access to the user's notes. Paths are below the synced folder, with `/`; links are never followed. */
export interface ObsidianVault {
  link(): Promise<ObsidianLink | undefined>
  keepLink(link: ObsidianLink): Promise<void>
  /** False: there was no link. */
  dropLink(): Promise<boolean>
  /** The links of other projects of this user, with their roots. */
  otherLinks(): Promise<readonly { readonly project: string; readonly link: ObsidianLink }[]>
  look(link: ObsidianLink): Promise<VaultState>
  /** Every Markdown file of the synced folder, by path; reports what cannot be read, a folder as one problem. */
  notes(link: ObsidianLink): Promise<readonly NoteFile[]>
  /**
   * `seen`: the text that it replaces; null: there was none. `changed`: the text is another one now, and stays. A trouble concerns only
   * this note; others can still be written.
   */
  write(
    link: ObsidianLink,
    path: string,
    text: string,
    seen: string | null,
  ): Promise<'written' | 'changed' | NoteTrouble>
  /** Moves it into `.trash/` of the vault, where Obsidian shows it. */
  trash(link: ObsidianLink, path: string, seen: string): Promise<'moved' | 'changed' | NoteTrouble>
  /** Stores a copy of a text in `.trash/`. */
  keepCopy(link: ObsidianLink, path: string, text: string): Promise<void>
  /** The modification time according to the disk's clock; undefined: the file does not exist. */
  savedMs(link: ObsidianLink, path: string): Promise<number | undefined>
  /** Removes temporary files of a killed process from the synced folder. */
  clearLeftovers(link: ObsidianLink): Promise<void>
  /** Changes whenever something in the synced folder changes. Reads no file. */
  stamp(link: ObsidianLink): Promise<string>
  base(link: ObsidianLink): Promise<SyncBase>
  /** The last journal record that the agreement includes; undefined: unknown. */
  agreedRecord(link: ObsidianLink): Promise<string | undefined>
  /** Called after the written notes are safe on disk. */
  keepBase(link: ObsidianLink, base: SyncBase, record?: string): Promise<void>
  dropBase(): Promise<void>
  /** Runs alone among all syncs of this memory. Throws `store_locked`. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

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
