import { ignoredNames } from '../layout.ts'

/** Who may use a file or a folder that is created. */
export interface FileRights {
  readonly file: number
  readonly folder: number
}

/** Everybody that the user's own settings allow. */
export const OPEN: FileRights = { file: 0o666, folder: 0o777 }
/** Nobody but the user. */
export const PRIVATE: FileRights = { file: 0o600, folder: 0o700 }

/** Of memories, or of copies of them: what is committed is open, what git ignores is only for the user, whatever the umask. */
export function rightsInMemories(memories: readonly string[]): (file: string) => FileRights {
  let ignored: RegExp | undefined
  const isPrivate = (file: string) => {
    ignored ??= new RegExp(`^/(?:${ignoredNames().join('|').replaceAll('.', '\\.')})(?![\\w-])`, 'i')
    return memories.some(
      memory => file.startsWith(memory) && ignored?.test(file.slice(memory.length).replaceAll('\\', '/')),
    )
  }
  return file => (isPrivate(file) ? PRIVATE : OPEN)
}
