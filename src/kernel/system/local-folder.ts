import * as path from 'node:path'
import type { Disk } from './disk.ts'

/** In a folder: git ignores all of it. */
export const IGNORE_ALL = '*\n'

/**
 * Makes a folder of the memory that is not committed. A memory of another tool that is only read has no `.gitignore`: then the folder
 * brings its own, so that git shows nothing new.
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
