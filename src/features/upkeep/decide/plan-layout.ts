import type { Entry } from '../../../kernel/model/entry.ts'
import { compareIds, isTypedId } from '../../../kernel/model/entry-id.ts'
import { areaOf, LOCAL_FOLDER, parseVaultPath, type VaultPlace } from '../../../kernel/model/vault-layout.ts'
import { entryFileName } from '../../../kernel/vault/entry-file-name.ts'

/** Committed entries with a file of their own. Older ones stay in their pages: every read checks each file. */
export const MAX_MIGRATED_FILES = 2_000

export interface PlacedEntry extends Pick<Entry, 'id' | 'agent' | 'category' | 'status' | 'origin' | 'date'> {
  readonly kind: string
  /** Relative to `.memory/`. */
  readonly path: string
  /** Other files that it is in too. */
  readonly copies?: readonly string[]
  /** What it begins with. */
  readonly text: string
  readonly extra?: Readonly<Record<string, string>>
}

export interface Relocation {
  readonly entry: PlacedEntry
  readonly to: string
}

export interface LayoutPlan {
  /** Candidates, suggestions and handoffs in files that git sees. */
  readonly toLocal: readonly Relocation[]
  /** Committed entries that share a file with others, or that the configuration shares now. */
  readonly toFiles: readonly Relocation[]
  /** Entries that are in a second file too: as after a merge with a branch from before the migration. They leave that file. */
  readonly copies: readonly Relocation[]
}

/** What brings a vault of format 1, or one with another `vault.share`, into the layout of format 2. Planned again, nothing is left. */
export function planLayout(
  entries: readonly PlacedEntry[],
  shared: readonly string[],
  maxFiles = MAX_MIGRATED_FILES,
): LayoutPlan {
  const toLocal: Relocation[] = []
  const sharing: Relocation[] = []
  let ownFiles = 0
  const countByPath = new Map<string, number>()
  for (const { path } of entries) countByPath.set(path, (countByPath.get(path) ?? 0) + 1)
  for (const entry of [...entries].sort((a, b) => compareIds(a.id, b.id))) {
    const place = parseVaultPath(entry.path)
    // An agent that 0.1.0 allowed to be called `local`: a file that is new in that folder would be ignored by git.
    if (place === undefined || entry.agent === 'private' || place.agent === LOCAL_FOLDER) continue
    const area = areaOf(entry, shared)
    if (area === 'local') {
      if (place.area === 'vault')
        toLocal.push({ entry, to: `${LOCAL_FOLDER}/${place.folder}/${place.category}.md` })
    } else if (place.area === 'vault' && place.role === 'page' && countByPath.get(entry.path) === 1)
      ownFiles++
    // What a person typed into a file stays where it was typed.
    else if (!isTypedId(entry.id)) sharing.push({ entry, to: ownFile(place, entry) })
  }
  const toFiles = sharing.slice(0, Math.max(0, maxFiles - ownFiles))
  // A move takes all copies along.
  const moving = new Set([...toLocal, ...toFiles].map(({ entry }) => entry.id))
  const copies = entries
    .filter(({ id }) => !moving.has(id))
    .flatMap(entry => (entry.copies ?? []).map(path => ({ entry: { ...entry, path }, to: entry.path })))
  return { toLocal, toFiles, copies }
}

function ownFile({ folder, category }: VaultPlace, { text, ...entry }: PlacedEntry): string {
  return `${folder}/${category}/${entryFileName({ ...entry, content: text })}`
}
