import { rootOfId } from '../../kernel/model/entry-id.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { EntryIndex, LocatedEntry } from '../../kernel/vault/entry-index.ts'
import type { Twin } from '../../kernel/vault/observe.ts'
import type { VaultFile } from '../../kernel/vault/vault-file.ts'

export function addTo<T>(groups: Map<string, T[]>, key: string, value: T): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [value])
  else group.push(value)
}

export function twinProblem({ id, path, counts }: Twin): Problem {
  return {
    code: 'entry_twice',
    path,
    entry: id,
    message: `The entry ${id} is in ${path} and in ${counts}. The second one counts.`,
    hint: 'Remove one of the two, or run `cairn migrate`, which leaves the one that counts.',
  }
}

export function withAlias(file: VaultFile, id: string, alias: string): VaultFile {
  const segments = file.segments.map(segment =>
    segment.type === 'entry' && segment.entry.id === id
      ? { ...segment, idMissing: true, entry: { ...segment.entry, id: alias } }
      : segment,
  )
  return { ...file, segments }
}

function hasEntry(file: VaultFile, id: string): boolean {
  return file.segments.some(segment => segment.type === 'entry' && segment.entry.id === id)
}

/** The same file with this entry marked as one that needs an id of its own. */
export function requireNewId(file: VaultFile, id: string): VaultFile {
  const segments = file.segments.map(segment =>
    segment.type === 'entry' && segment.entry.id === id ? { ...segment, idMissing: true } : segment,
  )
  return { ...file, segments }
}

/** `ID~2` for an entry whose id another file has; the same one as long as both are there. */
export function freeAlias(
  id: string,
  {
    path,
    files,
    index,
  }: { readonly path: string; readonly files: ReadonlyMap<string, VaultFile>; readonly index: EntryIndex },
): string {
  const isTaken = (alias: string) => {
    const indexed = index.find(alias)
    if (indexed !== undefined && indexed.path !== path && !files.has(indexed.path)) return true
    return [...files.values()].some(file => hasEntry(file, alias))
  }
  let copies = 2
  while (isTaken(`${id}~${copies}`)) copies++
  return `${id}~${copies}`
}

/** The file with the aliases that the index has for entries of it. */
export function withKnownAliases(file: VaultFile, known: readonly LocatedEntry[]): VaultFile {
  return known
    .filter(({ entry }) => rootOfId(entry.id) !== entry.id && !hasEntry(file, entry.id))
    .reduce((aliased, { entry }) => withAlias(aliased, rootOfId(entry.id), entry.id), file)
}
