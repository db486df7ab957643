import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Anchoring } from '../../kernel/model/freshness.ts'
import type { Change, EntryChange, JournalAction } from '../../kernel/model/journal.ts'
import type { JsonObject, StoreView } from '../../kernel/vault/ports.ts'
import { actorLabel } from '../entries/decide/confirmations.ts'
import { withFeedback } from '../entries/decide/curation.ts'
import { captureEntries, withConfirmationsFor } from '../entries/write-entries.ts'
import { anchorFiles, withAnchors } from '../freshness/anchoring.ts'
import type { FreshnessPorts } from '../freshness/decide/ports.ts'
import {
  changedBy,
  isOpen,
  PROPOSALS,
  type ProposedAction,
  type ProposedChange,
  waitingIn,
  withoutWaiting,
  withRejected,
} from '../review/decide/proposed-changes.ts'

export interface WaitingChange {
  readonly proposal: ProposedChange
  /** As it is now. */
  readonly entry: Entry
}

/** Newest first. What lost its reason is left out: its entry changed or went, or is that way already. */
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
      message: `${id} is an entry of which ${ofEntry.length === 1 ? 'a change waits' : 'changes wait'}. Nothing was changed.`,
      hint: `Name the change: ${ofEntry.join(', ')}`,
    })
  }
  return {
    changes: wanted.flatMap(id => openById.get(id) ?? []),
    others: wanted.filter(id => !openById.has(id)),
  }
}

/** A change in other words, where a person gave them: only an edit has words. */
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
      message: `${proposal.id} is to ${proposal.action} an entry: there are no words to edit.`,
      hint: `Accept or reject it, or change the entry with \`cairn edit ${proposal.entry}\`.`,
    })
  const [captured] = await captureEntries(memory, [{ content }])
  const fields = { ...proposal.fields, ...(captured && { content: captured.entry.content }) }
  return { ...change, proposal: { ...proposal, fields } }
}

/** Whoever accepts a text or files has looked at them now. */
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

/** What the journal calls it when these are accepted together. */
export function actionOf(changes: readonly WaitingChange[]): JournalAction {
  const actions = new Set(changes.map(({ proposal }) => ACTIONS[proposal.action]))
  const [only] = actions
  return actions.size === 1 && only !== undefined ? only : 'update'
}

export interface AcceptedChanges {
  readonly curation: JsonObject
  /** By proposal: the entry that it is now, or that it was. */
  readonly entryById: ReadonlyMap<string, Entry>
}

/** Adds to `byEntry` what accepted changes do, each after the other; throws `finding_not_found` where one lost its reason meanwhile. */
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

/** The proposals without those that were accepted. */
export async function withoutAccepted(view: StoreView, changes: readonly WaitingChange[]): Promise<Change[]> {
  if (changes.length === 0) return []
  const before = await view.readDocument(PROPOSALS)
  const after = withoutWaiting(before, new Set(changes.map(({ proposal }) => proposal.id)))
  return [{ type: 'document', name: PROPOSALS, before, after }]
}

/** A no: the same request is refused from now on, while the entry says what it says. */
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
    message: `${id} no longer waits: it was judged, or its entry changed.`,
    hint: '`cairn review` lists what waits.',
  })
}
