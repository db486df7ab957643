import { SUMMARY_KIND } from '../../../kernel/model/category.ts'
import { type Entry, isSuggestion } from '../../../kernel/model/entry.ts'
import { compareIds, isTypedId } from '../../../kernel/model/entry-id.ts'
import type { JournalRecord } from '../../../kernel/model/journal.ts'
import { provenanceOf } from '../../../kernel/model/provenance.ts'
import { areaOf, LOCAL_FOLDER, parseVaultPath, type VaultPlace } from '../../../kernel/model/vault-layout.ts'
import { entryFileName } from '../../../kernel/vault/entry-file-name.ts'

/** How many suggestions of a project may wait; the rest is archived. */
export const MAX_SUGGESTIONS = 30

/** How entries of version 0.1.0 came to be trusted, according to the journal. */
interface TrustHistory {
  /** Added over MCP: 0.1.0 stored them as a person's entries. */
  readonly savedByAgents: ReadonlySet<string>
  /** Candidates that 0.1.0 confirmed because they were read, without asking a person. */
  readonly confirmedByUse: ReadonlySet<string>
  /** Entries that a person changed, pinned or confirmed. */
  readonly changedByPerson: ReadonlySet<string>
}

/** Reads journal records in any order, without undone ones: an undone migration is not a person's edit. */
export function trustHistory(): {
  readonly add: (record: JournalRecord) => void
  readonly history: TrustHistory
} {
  const savedByAgents = new Set<string>()
  const confirmedByUse = new Set<string>()
  const changedByPerson = new Set<string>()
  const add = ({ action, by, changes }: JournalRecord) => {
    // A person's confirmation is also in curation.json; the automatic one only changed entries.
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

interface UpgradeInput {
  /** All entries; those that the plan does not concern are ignored. */
  readonly entries: readonly Entry[]
  readonly history: TrustHistory
  /** Ids in `confirmations` of curation.json. */
  readonly confirmedByPerson: ReadonlySet<string>
  readonly maxSuggestions?: number
}

export interface UpgradePlan {
  /** Saved by agents over MCP: they become the agents' candidates. */
  readonly toAgent: readonly Entry[]
  /** Confirmed only by use: they become suggestions. */
  readonly toSuggestion: readonly Entry[]
  /** Suggestions over the cap, least important and oldest first. */
  readonly archive: readonly Entry[]
}

/** What `cairn migrate` changes in a memory of 0.1.0, so that only a person's confirmation counts. Idempotent. */
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
    // Imports were requested by a person, so all of them wait.
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

/** How many committed entries get a file each. Older ones stay in their pages, because every read checks each file. */
const MAX_MIGRATED_FILES = 2_000

export interface PlacedEntry extends Pick<Entry, 'id' | 'agent' | 'category' | 'status' | 'origin' | 'date'> {
  readonly kind: string
  /** Relative to `.memory/`. */
  readonly path: string
  /** Other files that also contain it. */
  readonly copies?: readonly string[]
  /** The beginning of its text. */
  readonly text: string
  readonly extra?: Readonly<Record<string, string>>
}

export interface Relocation {
  readonly entry: PlacedEntry
  readonly to: string
}

export interface LayoutPlan {
  /** Candidates, suggestions and handoffs in tracked files. */
  readonly toLocal: readonly Relocation[]
  /** Committed entries that share a file, or that the configuration now shares. */
  readonly toFiles: readonly Relocation[]
  /** Entries that are also in a second file, for example after a merge with a branch from before the migration. They are removed there. */
  readonly copies: readonly Relocation[]
}

/** Moves a vault of format 1, or one with another `vault.share`, to the layout of format 2. Idempotent. */
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
    // 0.1.0 allowed an agent with the name `local`: git would ignore a new file in that folder.
    if (place === undefined || entry.agent === 'private' || place.agent === LOCAL_FOLDER) continue
    const area = areaOf(entry, shared)
    if (area === 'local') {
      if (place.area === 'vault')
        toLocal.push({ entry, to: `${LOCAL_FOLDER}/${place.folder}/${place.category}.md` })
    } else if (place.area === 'vault' && place.role === 'page' && countByPath.get(entry.path) === 1)
      ownFiles++
    // Text that a person typed into a file stays there.
    else if (!isTypedId(entry.id)) sharing.push({ entry, to: ownFile(place, entry) })
  }
  const toFiles = sharing.slice(0, Math.max(0, maxFiles - ownFiles))
  // A move includes all copies.
  const moving = new Set([...toLocal, ...toFiles].map(({ entry }) => entry.id))
  const copies = entries
    .filter(({ id }) => !moving.has(id))
    .flatMap(entry => (entry.copies ?? []).map(path => ({ entry: { ...entry, path }, to: entry.path })))
  return { toLocal, toFiles, copies }
}

function ownFile({ folder, category }: VaultPlace, { text, ...entry }: PlacedEntry): string {
  return `${folder}/${category}/${entryFileName({ ...entry, content: text })}`
}
