import type { EntryIndex } from '../../kernel/vault/entry-index.ts'
import { settleTyped } from '../../kernel/vault/typed-names.ts'
import type { VaultFile } from '../../kernel/vault/vault-file.ts'
import type { ScannedFile } from '../../kernel/vault/vault-folder.ts'

export interface ReadFile {
  readonly scanned: ScannedFile
  readonly hash: string
  readonly file: VaultFile
}

/**
 * What people typed without an id and without a date, in files that were read together. Both must last while the text does, and be of one
 * entry only: the index knows those of the other files. `dates` has what the journal knows, for the index may be new.
 */
export function settleFiles(
  read: readonly ReadFile[],
  {
    gone,
    index,
    dates,
  }: {
    readonly gone: readonly string[]
    readonly index: EntryIndex
    readonly dates: ReadonlyMap<string, string>
  },
): ReadFile[] {
  const changing = new Set([...read.map(({ scanned }) => scanned.path), ...gone])
  const taken = new Set<string>()
  /** Ids that are written in a comment line: what somebody typed with the same words is another entry. */
  const written = new Map<string, string>()
  for (const { scanned, file } of read)
    for (const segment of file.segments)
      if (segment.type === 'entry' && !segment.idMissing) written.set(segment.entry.id, scanned.path)
  const standsElsewhere = (id: string) => {
    const located = index.find(id)
    return located !== undefined && !changing.has(located.path)
  }
  return read.map(one => {
    const file = settleTyped(one.file, {
      known: () => index.inFile(one.scanned.path),
      isTaken: id =>
        taken.has(id) || standsElsewhere(id) || (written.get(id) ?? one.scanned.path) !== one.scanned.path,
      dateOf: id => dates.get(id),
    })
    for (const segment of file.segments) if (segment.type === 'entry') taken.add(segment.entry.id)
    return file === one.file ? one : { ...one, file }
  })
}
