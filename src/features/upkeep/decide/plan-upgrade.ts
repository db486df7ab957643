import { SUMMARY_KIND } from '../../../kernel/model/category.ts'
import { type Entry, isSuggestion } from '../../../kernel/model/entry.ts'
import { compareIds, isTypedId } from '../../../kernel/model/entry-id.ts'
import type { JournalRecord } from '../../../kernel/model/journal.ts'
import { provenanceOf } from '../../../kernel/model/provenance.ts'
import { areaOf, LOCAL_FOLDER, parseVaultPath, type VaultPlace } from '../../../kernel/model/vault-layout.ts'
import { entryFileName } from '../../../kernel/vault/entry-file-name.ts'

/** Suggestions that a project keeps waiting; the rest is archived. */
export const MAX_SUGGESTIONS = 30

/** What the journal shows about how entries of version 0.1.0 came to be trusted. */
export interface TrustHistory {
  /** Added over MCP: 0.1.0 stored them as a person's words. */
  readonly savedByAgents: ReadonlySet<string>
  /** Candidates that 0.1.0 confirmed because they had been read, without asking a person. */
  readonly confirmedByUse: ReadonlySet<string>
  /** Entries that a person changed, pinned or confirmed. */
  readonly changedByPerson: ReadonlySet<string>
}

/** Reads journal records, in any order, without those that were undone: an undone migration is not a person's edit. */
export function trustHistory(): {
  readonly add: (record: JournalRecord) => void
  readonly history: TrustHistory
} {
  const savedByAgents = new Set<string>()
  const confirmedByUse = new Set<string>()
  const changedByPerson = new Set<string>()
  const add = ({ action, by, changes }: JournalRecord) => {
    // A person's confirmation is also written to curation.json; the automatic one changed entries alone.
    const isAutomatic = action === 'confirm' && changes.every(({ type }) => type === 'entry')
    for (const change of changes) {
      if (change.type !== 'entry' || change.after === null) continue
      const { id } = change.after
      if (isAutomatic) confirmedByUse.add(id)
      else if (action === 'add' && change.before === null) {
        if (by.host === AGENT_HOST) savedByAgents.add(id)
      } else if (PERSONS_ACTIONS.has(action) && by.host !== AGENT_HOST) changedByPerson.add(id)
    }
  }
  return { add, history: { savedByAgents, confirmedByUse, changedByPerson } }
}

/** The actor that 0.1.0 recorded for calls of its MCP server. */
const AGENT_HOST = 'mcp'
const PERSONS_ACTIONS: ReadonlySet<string> = new Set([
  'merge',
  'update',
  'pin',
  'observe',
  'confirm',
  'promote',
])

export interface UpgradeInput {
  /** Every entry that the plan may concern; others are ignored. */
  readonly entries: readonly Entry[]
  readonly history: TrustHistory
  /** Ids in `confirmations` of curation.json. */
  readonly confirmedByPerson: ReadonlySet<string>
  readonly maxSuggestions?: number
}

export interface UpgradePlan {
  /** Saved by agents over MCP: they become the agents' candidates. */
  readonly toAgent: readonly Entry[]
  /** Confirmed by use alone: they become suggestions. */
  readonly toSuggestion: readonly Entry[]
  /** Suggestions over the cap, the least important and oldest first. */
  readonly archive: readonly Entry[]
}

/** What `cairn migrate` changes in a memory of 0.1.0, so that only a person's word counts as confirmed. Planned again afterwards, nothing is left. */
export function planUpgrade({
  entries,
  history,
  confirmedByPerson,
  maxSuggestions = MAX_SUGGESTIONS,
}: UpgradeInput): UpgradePlan {
  const isPersons = ({ id }: Entry) => confirmedByPerson.has(id) || history.changedByPerson.has(id)
  const toAgent: Entry[] = []
  const toSuggestion: Entry[] = []
  const suggestions: Entry[] = []
  for (const entry of entries) {
    if (isPersons(entry) || entry.category === 'handoffs' || entry.kind === SUMMARY_KIND) continue
    const isConfirmed = entry.status === 'confirmed'
    if (isConfirmed && entry.origin === 'person' && history.savedByAgents.has(entry.id)) toAgent.push(entry)
    const wasByUse = isConfirmed && entry.origin === 'machine' && history.confirmedByUse.has(entry.id)
    if (wasByUse) toSuggestion.push(entry)
    // An import is what somebody asked for: it waits whole.
    if ((wasByUse || isSuggestion(entry)) && provenanceOf(entry) === undefined) suggestions.push(entry)
  }
  const archive = suggestions.sort(leastFirst).slice(0, Math.max(0, suggestions.length - maxSuggestions))
  const leaving = new Set(archive.map(({ id }) => id))
  return { toAgent, toSuggestion: toSuggestion.filter(({ id }) => !leaving.has(id)), archive }
}

function leastFirst(a: Entry, b: Entry): number {
  if (a.importance !== b.importance) return a.importance - b.importance
  return a.date === b.date ? (a.id < b.id ? -1 : 1) : a.date < b.date ? -1 : 1
}

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
