import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'
import type { SyncBase } from './agreement.ts'

/** Where the notes of a project lie: decided by the user of this machine, and kept in their own folder. */
export interface ObsidianLink {
  /** The vault, an absolute path behind links. */
  readonly vault: string
  /** The folder in it that is synced, with `/`. */
  readonly folder: string
  /** Only the entries of these; absent: of all. */
  readonly agents?: readonly string[]
  readonly includesPrivate: boolean
  /** Whether `.obsidian` was there when it was linked: a vault without it is then not mounted. */
  readonly hasSettings: boolean
  /** UTC, to the minute. */
  readonly since: string
}

/** A note as it lies in the synced folder. */
export type NoteFile =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly trouble: NoteTrouble }

export interface NoteTrouble {
  readonly code: NoticeCode
  readonly message: string
}

/** `missing`: no such folder. `unmounted`: it has no `.obsidian` any more. */
export type VaultLook = 'there' | 'missing' | 'unmounted'

/** Every access to the user's notes. Paths are below the synced folder, with `/`; nothing goes through a link. */
export interface ObsidianVault {
  link(): Promise<ObsidianLink | undefined>
  keepLink(link: ObsidianLink): Promise<void>
  /** False: there was none. */
  dropLink(): Promise<boolean>
  /** The links of other projects of this user, with their roots. */
  otherLinks(): Promise<readonly { readonly project: string; readonly link: ObsidianLink }[]>
  look(link: ObsidianLink): Promise<VaultLook>
  /** Every Markdown file of the synced folder, by path; what cannot be read is told, a folder as one. */
  notes(link: ObsidianLink): Promise<readonly NoteFile[]>
  /** `seen`: the text that it takes the place of; null: there was none. `changed`: it is another by now, and stays. A trouble is this note's alone: others can be written. */
  write(
    link: ObsidianLink,
    path: string,
    text: string,
    seen: string | null,
  ): Promise<'written' | 'changed' | NoteTrouble>
  /** Into `.trash/` of the vault, where Obsidian shows it. */
  trash(link: ObsidianLink, path: string, seen: string): Promise<'moved' | 'changed' | NoteTrouble>
  /** A copy of a text, into `.trash/`. */
  keepCopy(link: ObsidianLink, path: string, text: string): Promise<void>
  /** When it was last written, by the clock of its disk; undefined: it is not there. */
  savedMs(link: ObsidianLink, path: string): Promise<number | undefined>
  /** Removes what a process that was killed left behind in the synced folder. */
  clearLeftovers(link: ObsidianLink): Promise<void>
  /** Another text means that something in the synced folder changed. Nothing is read for it. */
  stamp(link: ObsidianLink): Promise<string>
  base(link: ObsidianLink): Promise<SyncBase>
  /** The last change in the journal that is part of that agreement; undefined: unknown. */
  agreedRecord(link: ObsidianLink): Promise<string | undefined>
  /** Once the notes that were written are safe on their disk. */
  keepBase(link: ObsidianLink, base: SyncBase, record?: string): Promise<void>
  dropBase(): Promise<void>
  /** Alone among all syncs of this memory. Throws `store_locked`. */
  alone<T>(work: () => Promise<T>): Promise<T>
}
