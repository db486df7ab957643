import { IGNORED_NAMES } from '../layout.ts'

/** Who may use a file or a folder that is created. */
export interface FileRights {
  readonly file: number
  readonly folder: number
}

/** Everybody that the user's own settings allow. */
export const OPEN: FileRights = { file: 0o666, folder: 0o777 }
/** Nobody but the user. */
export const PRIVATE: FileRights = { file: 0o600, folder: 0o700 }

/** What git ignores: only this user's processes work there. */
const PRIVATE_PARTS = new RegExp(`^/(?:${IGNORED_NAMES.join('|').replaceAll('.', '\\.')})(?![\\w-])`, 'i')

/** Of memories, or of copies of them: what is committed is open, the rest is only for the user, whatever the umask. */
export function rightsInMemories(memories: readonly string[]): (file: string) => FileRights {
  const isPrivate = (file: string) =>
    memories.some(
      memory =>
        file.startsWith(memory) && PRIVATE_PARTS.test(file.slice(memory.length).replaceAll('\\', '/')),
    )
  return file => (isPrivate(file) ? PRIVATE : OPEN)
}
