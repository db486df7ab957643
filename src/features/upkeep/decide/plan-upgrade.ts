import { SUMMARY_KIND } from '../../../kernel/model/category.ts'
import { type Entry, isSuggestion } from '../../../kernel/model/entry.ts'
import type { JournalRecord } from '../../../kernel/model/journal.ts'
import { provenanceOf } from '../../../kernel/model/provenance.ts'

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
