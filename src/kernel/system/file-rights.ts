import { ignoredNames } from '../layout.ts'

/** The permissions of a new file or folder. */
export interface FileRights {
  readonly file: number
  readonly folder: number
}

/** As the user's umask allows. */
export const OPEN: FileRights = { file: 0o666, folder: 0o777 }
/** Only the user. */
export const PRIVATE: FileRights = { file: 0o600, folder: 0o700 }

/** In memories and copies of them, committed files are open and ignored files are only for the user, whatever the umask. */
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
