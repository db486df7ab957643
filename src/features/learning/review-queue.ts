import type { Memory } from '../../kernel/memory.ts'
import { type Category, homeOfKind, type Kind } from '../../kernel/model/category.ts'
import { type Entry, haveOneReader, isSuggestion } from '../../kernel/model/entry.ts'
import { lineageOf, type UntrustedSource, type Writer, writerOf } from '../../kernel/model/provenance.ts'
import { findAgentInstruction } from '../../kernel/text/agent-instructions.ts'
import { namedPredecessor, successionOf } from '../conflicts/decide/supersedes.ts'
import type { AskedChange } from '../review/decide/proposed-changes.ts'
import type { MeaningPorts } from '../search/decide/ports.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import type { KnownFinding } from './decide/finding-index.ts'
import { MAX_WAITING } from './decide/plan-promotion.ts'
import type { LearningPorts } from './decide/ports.ts'
import { readSessions } from './evidence.ts'
import { openChanges, type WaitingChange } from './proposed-changes.ts'
import { findingQueue } from './waiting-findings.ts'

/** A change that an agent asks for, a candidate or a suggestion, for a person to judge. */
export interface Proposal {
  /** Of the finding (`f…`), of the entry, or of the change (`<entry>:<action>`). */
  readonly id: string
  /** `change`: an agent asks to change an entry that is a person's; nothing changes before they accept. `candidate`: an agent saved it; it is injected, marked as unconfirmed. `suggestion`: only shown here. */
  readonly level: 'change' | 'candidate' | 'suggestion'
  /** `change`: it waits beside its entry. `entry`: it is in the vault. `finding`: it waits with its session. */
  readonly stage: 'change' | 'entry' | 'finding'
  readonly writer: Writer
  /** Of a change, what the entry says now. */
  readonly content: string
  readonly kind: Kind
  readonly category: Category
  readonly agent: string
  readonly session?: string
  /** UTC, to the minute. */
  readonly date: string
  readonly importance: number
  readonly confidence?: number
  readonly files: readonly string[]
  /** The evidence, each with points. */
  readonly signals: readonly string[]
  readonly speaker?: string
  /** Text from outside the project was in the session. */
  readonly untrusted?: UntrustedSource
  /** Why it looks like an instruction to an agent. */
  readonly quarantine?: string
  /** Why it is not shown by default. */
  readonly archived?: string
  /** What would change, and who asks for it. */
  readonly change?: ChangeView
  /** The entry that is superseded when this one is accepted. */
  readonly replaces?: { readonly id: string; readonly content: string }
}

export interface ChangeView extends AskedChange {
  readonly entry: string
  /** Host and agent. */
  readonly by: string
}

export interface ReviewQuery {
  readonly agent?: string
  /** The archived suggestions instead. */
  readonly archived?: boolean
  readonly limit: number
  readonly offset?: number
}

export interface ReviewQueue {
  readonly proposals: readonly Proposal[]
  readonly total: number
  /** How many of the total are changes that agents ask for. */
  readonly changes: number
  /** How many of the total are candidates; the rest are suggestions. */
  readonly candidates: number
  /** Suggestions over the caps or below the preset's filters. */
  readonly archived: number
}

/** Changes first, then candidates, then suggestions, each newest first. */
export async function reviewQueue(
  memory: Memory & MeaningPorts & SessionPorts & LearningPorts,
  { agent, archived, limit, offset = 0 }: ReviewQuery,
): Promise<ReviewQueue> {
  await readSessions(memory)
  const queue = await wholeQueue(memory, agent)
  const listed =
    archived === true ? queue.archived : [...queue.changes, ...queue.candidates, ...queue.suggestions]
  const proposals: Proposal[] = []
  for (const each of listed.slice(offset, offset + limit))
    if ('proposal' in each) proposals.push(ofChange(each))
    else if ('root' in each) proposals.push(ofFinding(each))
    else {
      const replaces = await replacedBy(memory, each)
      const proposal = ofEntry(each, await memory.findings.findByEntry(each.id))
      proposals.push({ ...proposal, ...(replaces !== undefined && { replaces }) })
    }
  return {
    proposals: archived === true ? proposals.map(each => ({ archived: 'project_cap', ...each })) : proposals,
    total: listed.length,
    changes: archived === true ? 0 : queue.changes.length,
    candidates: archived === true ? 0 : queue.candidates.length,
    archived: queue.archived.length,
  }
}

/** How many are shown, as far as sessions were read in: no file is opened for it. */
export async function countProposals(memory: Memory & LearningPorts): Promise<number> {
  const { changes, candidates, suggestions } = await wholeQueue(memory, undefined)
  return changes.length + candidates.length + suggestions.length
}

/** More than anybody reviews. */
const MAX_CANDIDATES = 5_000

async function wholeQueue(memory: Memory & LearningPorts, agent: string | undefined) {
  const filter = { status: 'candidate' as const, ...(agent !== undefined && { agent }) }
  const { entries } = await memory.store.listEntries({ filter, limit: MAX_CANDIDATES, offset: 0 })
  const imported = entries.filter(isSuggestion)
  const findings = await findingQueue(memory, agent)
  const suggestions: (Entry | KnownFinding)[] = [...findings.waiting, ...imported]
  return {
    changes: await openChanges(memory, agent),
    candidates: entries.filter(entry => !isSuggestion(entry)),
    suggestions: suggestions.slice(0, MAX_WAITING),
    archived: [...suggestions.slice(MAX_WAITING), ...findings.archived],
  }
}

function ofChange({ proposal, entry }: WaitingChange): Proposal {
  const { id, action, fields, saying, at, by, session } = proposal
  return {
    id,
    level: 'change',
    stage: 'change',
    writer: 'agent',
    content: entry.content,
    kind: entry.kind,
    category: entry.category,
    agent: entry.agent,
    date: at.slice(0, 16),
    importance: entry.importance,
    files: entry.files,
    signals: [],
    ...(session !== undefined && { session }),
    change: {
      action,
      entry: entry.id,
      by,
      ...(fields !== undefined && { fields }),
      ...(saying !== undefined && { saying }),
    },
  }
}

function ofEntry(entry: Entry, finding: KnownFinding | undefined): Proposal {
  const quarantine = isSuggestion(entry) ? findAgentInstruction(entry.content) : undefined
  const { untrusted } = lineageOf(entry)
  return {
    id: entry.id,
    level: isSuggestion(entry) ? 'suggestion' : 'candidate',
    stage: 'entry',
    writer: writerOf(entry),
    content: entry.content,
    kind: entry.kind,
    category: entry.category,
    agent: entry.agent,
    date: entry.date,
    importance: entry.importance,
    files: entry.files,
    signals: finding?.signals ?? [],
    ...(entry.session !== undefined && { session: entry.session }),
    ...(entry.confidence !== undefined && { confidence: entry.confidence }),
    ...(finding?.speaker !== undefined && { speaker: finding.speaker }),
    ...(untrusted !== undefined && { untrusted }),
    ...(quarantine !== undefined && { quarantine }),
  }
}

async function replacedBy(memory: Memory, entry: Entry): Promise<Proposal['replaces']> {
  const named = namedPredecessor(entry)
  const older = named === undefined ? undefined : await memory.store.findEntry(named)
  if (older === undefined || !haveOneReader(entry, older)) return undefined
  const accepted = { ...entry, origin: 'person', status: 'confirmed' } as const
  return successionOf(accepted, older) === 'superseded' ? { id: older.id, content: older.content } : undefined
}

function ofFinding(finding: KnownFinding): Proposal {
  return {
    id: finding.id,
    level: 'suggestion',
    stage: 'finding',
    writer: 'rule',
    content: finding.content,
    kind: finding.category,
    category: finding.file ?? homeOfKind(finding.category),
    agent: finding.agent,
    session: finding.session,
    date: new Date(finding.finalizedAt).toISOString().slice(0, 16),
    importance: finding.importance,
    confidence: finding.confidence,
    files: finding.filePaths ?? [],
    signals: finding.signals ?? [],
    ...(finding.speaker !== undefined && { speaker: finding.speaker }),
    ...(finding.untrusted !== undefined && { untrusted: finding.untrusted }),
    ...(finding.quarantine !== undefined && { quarantine: finding.quarantine }),
    ...(finding.archived !== undefined && { archived: finding.archived }),
  }
}
