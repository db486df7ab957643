import type { Rename } from './ports.ts'

/** Where a file is now, after all the renames since, oldest first; undefined: it was never renamed. */
export function followRenames(file: string, renames: readonly Rename[]): string | undefined {
  let at = file
  for (const { from, to } of renames) if (from === at) at = to
  return at === file ? undefined : at
}

/**
 * Where to search for a missing file, the most likely place first: the same name in another folder, then another name
 * in the same folder, then any file of its type. Most moves change one of the two.
 */
export function likelyPlaces(file: string, known: readonly string[], most: number): string[] {
  const rank = (other: string): number => {
    if (nameOf(other) === nameOf(file)) return 0
    if (endingOf(other) !== endingOf(file)) return 3
    return folderOf(other) === folderOf(file) ? 1 : 2
  }
  return known
    .map(other => ({ other, rank: rank(other) }))
    .filter(({ other, rank: at }) => at < 3 && other !== file)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ other }) => other)
}

export function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')))
}

function endingOf(file: string): string {
  const name = nameOf(file)
  return name.slice(Math.max(0, name.lastIndexOf('.')))
}
