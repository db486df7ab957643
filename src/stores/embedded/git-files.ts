import { ignoredRows } from '../../kernel/layout.ts'
import { isPage, isTrackedPath, LOCAL_FOLDER, pageFolderOf } from '../../kernel/model/vault-layout.ts'
import { IGNORE_ALL } from '../../kernel/system/local-folder.ts'
import type { FileWrite, VaultFolder } from '../../kernel/vault/vault-folder.ts'

/** Shared files are committed; local and large files are not. */
export const GITIGNORE = `# Written by Cairn. Vaults, _project.md, config.json and curation.json are meant to be committed.
${ignoredRows()
  .map(({ path }) => path)
  .join('\n')}
`

/**
 * `local/` gets its `.gitignore` before any other file, so that `git add` ignores it: the one above may be from 0.1.0.
 */
export function missingIgnore(
  writes: readonly FileWrite[],
  folder: Pick<VaultFolder, 'stamp'>,
): readonly FileWrite[] {
  const path = `${LOCAL_FOLDER}/.gitignore`
  const isDue = writes.some(write => write.path.startsWith(`${LOCAL_FOLDER}/`) && write.bytes !== null)
  if (!isDue || folder.stamp(path) !== undefined) return []
  return [{ path, bytes: new TextEncoder().encode(IGNORE_ALL) }]
}

/**
 * A committed folder without entries has an empty `.gitkeep` until the next entry. Otherwise git would treat a move of its last entry to
 * another category as a rename of the folder, and report every entry that another branch adds there as a conflict.
 */
export function folderMarks(
  writes: readonly FileWrite[],
  folder: Pick<VaultFolder, 'stamp'>,
  filesIn: (folder: string) => readonly string[],
): readonly FileWrite[] {
  const bytesByPath = new Map(writes.map(({ path, bytes }) => [path, bytes]))
  const folders = new Set(
    [...bytesByPath.keys()].filter(path => isTrackedPath(path) && isPage(path)).map(pageFolderOf),
  )
  return [...folders].flatMap((name): FileWrite[] => {
    const path = `${name}/.gitkeep`
    const gains = [...bytesByPath].some(([file, bytes]) => bytes !== null && pageFolderOf(file) === name)
    if (gains) return folder.stamp(path) === undefined ? [] : [{ path, bytes: null }]
    const isLeft = filesIn(name).some(file => bytesByPath.get(file) !== null)
    return isLeft ? [] : [{ path, bytes: new Uint8Array() }]
  })
}
