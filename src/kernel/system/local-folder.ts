import * as path from 'node:path'
import type { Disk } from './disk.ts'

/** As the `.gitignore` of a folder: git ignores all of it. */
export const IGNORE_ALL = '*\n'

/**
 * Creates an ignored folder of the memory. A read-only memory of another tool has no `.gitignore`: then the folder gets its own, so that
 * git shows nothing new.
 */
export function makeLocalFolder(
  disk: Pick<Disk, 'makeFolder' | 'stamp' | 'writeFile'>,
  folder: string,
): void {
  disk.makeFolder(folder)
  const ignores = [path.dirname(folder), folder].map(each => path.join(each, '.gitignore'))
  if (ignores.every(file => disk.stamp(file) === undefined))
    disk.writeFile(path.join(folder, '.gitignore'), new TextEncoder().encode(IGNORE_ALL))
}
