import type { JournalRecord } from '../../../kernel/model/journal.ts'

/** What of a memory somebody may be looking at. */
export const MEMORY_PARTS = [
  'entries',
  'review',
  'conflicts',
  'sessions',
  'state',
  'project-text',
  'config',
  'upkeep',
  'obsidian',
  'work',
] as const
export type MemoryPart = (typeof MEMORY_PARTS)[number]

const NOTHING: readonly MemoryPart[] = []
/** What an entry says decides what waits for review and what is against what. */
const VAULT: readonly MemoryPart[] = ['entries', 'review', 'conflicts']

const BY_FILE: Readonly<Record<string, readonly MemoryPart[]>> = {
  '_project.md': ['project-text'],
  'config.json': ['config'],
  'sources.json': ['config'],
  'curation.json': VAULT,
  'local/curation.json': VAULT,
  'history/proposals.json': ['review'],
  'state.json': ['state'],
  '.vault/compact-log.json': ['upkeep'],
}
const BY_FOLDER: Readonly<Record<string, readonly MemoryPart[]>> = {
  // The journal too: where the project stands is told by what happened since.
  history: ['state'],
  archive: ['upkeep'],
  sessions: ['sessions', 'review'],
  conversations: ['sessions'],
  '.vault': NOTHING,
}
/** Written beside a file before it takes its place: ours, and those of editors. */
const PASSING = /\.cairn-tmp$|~$|\.sw[a-z]$|^\.#|^#.*#$|^4913$/

/** Which parts a change of this path concerns; none: nobody looks at it. Relative to `.memory/`, with `/`. */
export function partsOf(path: string): readonly MemoryPart[] {
  const names = path.split('/')
  const name = names.at(-1) ?? ''
  if (PASSING.test(name)) return NOTHING
  if (Object.hasOwn(BY_FILE, path)) return BY_FILE[path] ?? NOTHING
  const [top = ''] = names
  if (name.startsWith('obsidian') && (names.length === 1 || top === '.vault')) return ['obsidian']
  if (names.length > 1 && Object.hasOwn(BY_FOLDER, top)) return BY_FOLDER[top] ?? NOTHING
  return names.length > 1 && !top.startsWith('.') && name.endsWith('.md') ? VAULT : NOTHING
}

/** How deep each folder of a memory is looked into; those that are named by nobody are vaults, with pages below. */
const LEVELS: Readonly<Record<string, number>> = {
  '.vault': 1,
  // A batch comes or goes as a whole.
  archive: 1,
  history: 2,
  sessions: 1,
  conversations: 2,
}
const VAULT_LEVELS = 3

/** Whether what lies in this folder is looked at. `''` is the memory itself. */
export function isLookedInto(folder: string): boolean {
  if (folder === '') return true
  const names = folder.split('/')
  const [top = ''] = names
  if (Object.hasOwn(LEVELS, top)) return names.length <= (LEVELS[top] ?? 0)
  return !top.startsWith('.') && names.length <= VAULT_LEVELS
}

/** What a folder held: of each name in it what tells one version from another. */
export type FolderSight = ReadonlyMap<string, string>

/** The parts that are not as they were, by what came, went or changed in one folder. */
export function partsChanged(folder: string, before: FolderSight, after: FolderSight): Set<MemoryPart> {
  const changed = new Set<MemoryPart>()
  const note = (name: string) => {
    for (const part of partsOf(folder === '' ? name : `${folder}/${name}`)) changed.add(part)
  }
  for (const [name, stamp] of after) if (before.get(name) !== stamp) note(name)
  for (const name of before.keys()) if (!after.has(name)) note(name)
  return changed
}

/** The parts that a record of the journal concerns, whatever keeps them. */
export function partsOfRecord({ changes }: Pick<JournalRecord, 'changes'>): Set<MemoryPart> {
  // The journal too: where the project stands is told by what happened since.
  const parts = new Set<MemoryPart>(['state'])
  for (const change of changes) {
    const own =
      change.type === 'entry'
        ? VAULT
        : partsOf(change.type === 'document' ? change.name : change.path.replace(/^\.memory\//, ''))
    for (const part of own) parts.add(part)
  }
  return parts
}
