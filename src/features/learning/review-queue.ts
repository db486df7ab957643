import type { Memory } from '../../kernel/memory.ts'
import { type Category, homeOfKind, type Kind } from '../../kernel/model/category.ts'
import { type Entry, haveOneReader, isSuggestion } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Anchoring } from '../../kernel/model/freshness.ts'
import type { Change, EntryChange, JournalAction } from '../../kernel/model/journal.ts'
import { lineageOf, type UntrustedSource, type Writer, writerOf } from '../../kernel/model/provenance.ts'
import { findAgentInstruction } from '../../kernel/text/agent-instructions.ts'
import type { JsonObject, StoreView } from '../../kernel/vault/ports.ts'
import { actorLabel } from '../entries/decide/confirmations.ts'
import { withFeedback } from '../entries/decide/curation.ts'
import { captureEntries, withConfirmationsFor } from '../entries/write-entries.ts'
import { anchorFiles, withAnchors } from '../freshness/anchoring.ts'
import type { FreshnessPorts } from '../freshness/decide/ports.ts'
import {
  type AskedChange,
  changedBy,
  isOpen,
  PROPOSALS,
  type ProposedAction,
  type ProposedChange,
  waitingIn,
  withoutWaiting,
  withRejected,
} from '../review/decide/proposed-changes.ts'
import type { MeaningPorts } from '../search/decide/ports.ts'
import { namedPredecessor, successionOf } from '../search/decide/succession.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import { MAX_WAITING } from './decide/plan-promotion.ts'
import type { KnownFinding, LearningPorts } from './decide/ports.ts'
import { findingQueue, readSessions } from './evidence.ts'

/** A change that an agent asks for, a candidate or a suggestion, for a person to judge. */
export interface Proposal {
  /** Of the finding (`f…`), of the entry, or of the change (`<entry>:<action>`). */
  readonly id: string
  /** `change`: an agent proposes to change a person's entry; nothing changes until they accept. `candidate`: an agent saved it; it is injected, marked as unconfirmed. `suggestion`: shown only here. */
  readonly level: 'change' | 'candidate' | 'suggestion'
  /** `change`: stored next to its entry. `entry`: stored in the vault. `finding`: stored with its session. */
  readonly stage: 'change' | 'entry' | 'finding'
  readonly writer: Writer
  /** For a change, the current text of the entry. */
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
  /** The session contained text from outside the project. */
  readonly untrusted?: UntrustedSource
  /** Why it looks like an instruction to an agent. */
  readonly quarantine?: string
  /** Why it is hidden by default. */
  readonly archived?: string
  /** The proposed change and its author. */
  readonly change?: ChangeView
  /** The entry that is superseded when this one is accepted. */
  readonly replaces?: { readonly id: string; readonly content: string }
}

export interface ChangeView extends AskedChange {
  readonly entry: string
  /** Host and agent. */
  readonly by: string
}

interface ReviewQuery {
  readonly agent?: string
  /** Lists the archived suggestions instead. */
  readonly archived?: boolean
  readonly limit: number
  readonly offset?: number
}

export interface ReviewQueue {
  readonly proposals: readonly Proposal[]
  readonly total: number
  /** How many of the total are changes proposed by agents. */
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

/** How many are shown, according to the index: no session file is opened. */
export async function countProposals(memory: Memory & LearningPorts): Promise<number> {
  const { changes, candidates, suggestions } = await wholeQueue(memory, undefined)
  return changes.length + candidates.length + suggestions.length
}

/** More than a person can review. */
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

interface WaitingChange {
  readonly proposal: ProposedChange
  /** Its current version. */
  readonly entry: Entry
}

/** Newest first, without outdated changes: the entry changed, was removed, or is already that way. */
export async function openChanges(memory: Memory, agent?: string): Promise<readonly WaitingChange[]> {
  const open: WaitingChange[] = []
  for (const proposal of waitingIn(await memory.store.readDocument(PROPOSALS))) {
    const entry = await memory.store.findEntry(proposal.entry)
    if (isOpen(proposal, entry) && (agent === undefined || entry.agent === agent))
      open.push({ proposal, entry })
  }
  return open.sort((a, b) => (a.proposal.at < b.proposal.at ? 1 : a.proposal.at > b.proposal.at ? -1 : 0))
}

/** The changes among these ids, and the ids of everything else. */
export async function partChanges(
  memory: Memory,
  ids: readonly string[],
): Promise<{ readonly changes: readonly WaitingChange[]; readonly others: readonly string[] }> {
  const openById = new Map((await openChanges(memory)).map(each => [each.proposal.id, each]))
  const wanted = [...new Set(ids)]
  for (const id of wanted) {
    const ofEntry = [...openById].flatMap(([change, { proposal }]) => (proposal.entry === id ? [change] : []))
    if (ofEntry.length === 0) continue
    throw new CairnError({
      code: 'invalid_input',
      message: `${id} is an entry with ${ofEntry.length === 1 ? 'a proposed change' : 'proposed changes'}. Nothing was changed.`,
      hint: `Name the change: ${ofEntry.join(', ')}`,
    })
  }
  return {
    changes: wanted.flatMap(id => openById.get(id) ?? []),
    others: wanted.filter(id => !openById.has(id)),
  }
}

/** A change with the words of a person: only an edit has words. */
export async function reworded(
  memory: Memory,
  change: WaitingChange,
  content: string | undefined,
): Promise<WaitingChange> {
  if (content === undefined) return change
  const { proposal } = change
  if (proposal.action !== 'edit')
    throw new CairnError({
      code: 'invalid_input',
      message: `${proposal.id} proposes to ${proposal.action} an entry, which has no text to edit.`,
      hint: `Accept or reject it, or change the entry with \`cairn edit ${proposal.entry}\`.`,
    })
  const [captured] = await captureEntries(memory, [{ content }])
  const fields = { ...proposal.fields, ...(captured && { content: captured.entry.content }) }
  return { ...change, proposal: { ...proposal, fields } }
}

/** Anchors for an accepted text or file: the person has just checked it. */
export async function anchorsOf(
  memory: FreshnessPorts,
  changes: readonly WaitingChange[],
): Promise<ReadonlyMap<string, Anchoring>> {
  const anchors = new Map<string, Anchoring>()
  for (const { proposal, entry } of changes) {
    const { id, fields } = proposal
    if (fields?.content === undefined && fields?.files === undefined) continue
    anchors.set(id, await anchorFiles(memory, fields.files ?? entry.files, fields.content ?? entry.content))
  }
  return anchors
}

const ACTIONS: Readonly<Record<ProposedAction, JournalAction>> = {
  pin: 'pin',
  unpin: 'unpin',
  forget: 'remove',
  edit: 'update',
  feedback: 'feedback',
}

/** The journal action for changes that are accepted together. */
export function actionOf(changes: readonly WaitingChange[]): JournalAction {
  const actions = new Set(changes.map(({ proposal }) => ACTIONS[proposal.action]))
  const [only] = actions
  return actions.size === 1 && only !== undefined ? only : 'update'
}

interface AcceptedChanges {
  readonly curation: JsonObject
  /** By proposal: the entry as it is now, or as it was. */
  readonly entryById: ReadonlyMap<string, Entry>
}

/** Adds the accepted changes to `byEntry` in order; throws `finding_not_found` if one is outdated. */
export async function acceptChanges(
  memory: Memory,
  view: StoreView,
  {
    changes,
    anchors,
    curation: before,
    byEntry,
  }: {
    readonly changes: readonly WaitingChange[]
    readonly anchors: ReadonlyMap<string, Anchoring>
    readonly curation: JsonObject
    readonly byEntry: Map<string, EntryChange>
  },
): Promise<AcceptedChanges> {
  const updated = new Date(memory.clock.nowMs()).toISOString().slice(0, 19)
  const standing = new Set(waitingIn(await view.readDocument(PROPOSALS)).map(({ id }) => id))
  const entryById = new Map<string, Entry>()
  let curation = before
  for (const { proposal } of changes) {
    const { id, action, saying } = proposal
    const first = await view.findEntry(proposal.entry)
    if (!standing.has(id) || !isOpen(proposal, first)) throw noChange(id)
    const earlier = byEntry.get(proposal.entry)
    const entry = earlier === undefined ? first : earlier.after
    if (entry === null) throw noChange(id)
    const changed = changedBy(proposal, entry, updated)
    const anchoring = anchors.get(id)
    const after = changed === null || anchoring === undefined ? changed : withAnchors(changed, anchoring)
    entryById.set(id, after ?? entry)
    if (after !== entry)
      byEntry.set(entry.id, { type: 'entry', before: earlier === undefined ? first : earlier.before, after })
    if (saying !== undefined) curation = withFeedback(curation, entry.id, saying)
    if (action === 'edit' && after !== null && after.content !== entry.content)
      curation = await withConfirmationsFor(memory, curation, [after])
  }
  return { curation, entryById }
}

/** The proposals without the accepted ones. */
export async function withoutAccepted(view: StoreView, changes: readonly WaitingChange[]): Promise<Change[]> {
  if (changes.length === 0) return []
  const before = await view.readDocument(PROPOSALS)
  const after = withoutWaiting(before, new Set(changes.map(({ proposal }) => proposal.id)))
  return [{ type: 'document', name: PROPOSALS, before, after }]
}

/** A rejection: the same request is refused as long as the entry does not change. */
export async function rejectChanges(
  memory: Memory,
  view: StoreView,
  changes: readonly WaitingChange[],
): Promise<Change[]> {
  if (changes.length === 0) return []
  const before = await view.readDocument(PROPOSALS)
  const standing = new Set(waitingIn(before).map(({ id }) => id))
  const gone = changes.find(({ proposal }) => !standing.has(proposal.id))
  if (gone !== undefined) throw noChange(gone.proposal.id)
  const said = { at: new Date(memory.clock.nowMs()).toISOString(), by: actorLabel(memory.actor) }
  const proposals = changes.map(({ proposal }) => proposal)
  return [{ type: 'document', name: PROPOSALS, before, after: withRejected(before, proposals, said) }]
}

function noChange(id: string): CairnError {
  return new CairnError({
    code: 'finding_not_found',
    message: `${id} is no longer open: it was accepted or rejected, or its entry changed.`,
    hint: '`cairn review` lists the open items.',
  })
}
