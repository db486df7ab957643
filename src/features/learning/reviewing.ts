import type { Memory } from '../../kernel/memory.ts'
import { homeOfKind } from '../../kernel/model/category.ts'
import { type Entry, withPinnedBy } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Change, DocumentChange, EntryChange, JournalRecord } from '../../kernel/model/journal.ts'
import type { CapturedEntry, NewEntry } from '../../kernel/model/new-entry.ts'
import { PRIVATE_VAULT } from '../../kernel/model/vault-layout.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import type { JsonObject, StoreView } from '../../kernel/vault/ports.ts'
import { actorLabel, withConfirmations } from '../entries/decide/confirmations.ts'
import { type Rejection, rejectionsIn, repeats } from '../entries/decide/curation.ts'
import { planRemember } from '../entries/decide/plan-remember.ts'
import { captureEntries, withNewAnchors } from '../entries/write-entries.ts'
import type { FreshnessPorts } from '../freshness/decide/ports.ts'
import type { MeaningPorts } from '../search/decide/ports.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import { entryOfFinding } from './decide/plan-promotion.ts'
import type { KnownFinding, LearningPorts } from './decide/ports.ts'
import { changeFindings, readableMemory, readSessions } from './evidence.ts'
import { withoutRuleTags } from './learn.ts'
import {
  acceptChanges,
  actionOf,
  anchorsOf,
  partChanges,
  rejectChanges,
  reworded,
  withoutAccepted,
} from './review-queue.ts'

export type { Proposal } from './review-queue.ts'

export interface Reviewed {
  readonly id: string
  /** The entry as it is now, or as it was. */
  readonly entry: Entry | null
}

export interface Review {
  readonly reviewed: readonly Reviewed[]
  /** The change that `undo` reverts, for all of them. */
  readonly record: string | null
}

/**
 * Accepts proposals, with other words if the person gives them: candidates and suggestions become confirmed entries, which upkeep does
 * not remove; a change that an agent proposed is made. Either all of them or none.
 */
export async function acceptProposals(
  memory: Memory & MeaningPorts & SessionPorts & LearningPorts & FreshnessPorts,
  ids: readonly string[],
  edit: { readonly content?: string } = {},
): Promise<Review> {
  const { changes: waiting, others } = await partChanges(memory, ids)
  const asked = await Promise.all(waiting.map(change => reworded(memory, change, edit.content)))
  const anchors = await anchorsOf(memory, asked)
  const proposed = await findProposed(memory, others)
  const captured = new Map<string, CapturedEntry>()
  for (const { id, finding, entry } of proposed) {
    const input = finding !== undefined && entry === undefined ? newEntryOf(finding) : undefined
    if (input === undefined && edit.content === undefined) continue
    const [one] = await withNewAnchors(
      memory,
      await captureEntries(memory, [{ content: '', ...input, ...edit }]),
    )
    if (one !== undefined) captured.set(id, one.entry)
  }
  const entryById = new Map<string, Entry>()
  const record = await memory.store.write(memory.actor, async view => {
    const changes = new Map<string, EntryChange>()
    const nowMs = memory.clock.nowMs()
    for (const { id, entry } of proposed) {
      const change = await acceptance(view, { id, entry, captured: captured.get(id), nowMs })
      changes.set(change.after.id, change)
      entryById.set(id, change.after)
    }
    const before = await view.readDocument('curation.json')
    const confirmed = [...entryById.values()].map(entry => entry.id)
    const made = await acceptChanges(memory, view, {
      changes: asked,
      anchors,
      curation: confirmed.length === 0 ? before : withConfirmed(memory, before, confirmed),
      byEntry: changes,
    })
    for (const [id, entry] of made.entryById) entryById.set(id, entry)
    return {
      action: actionFor(proposed) ?? actionOf(asked),
      changes: [
        ...changes.values(),
        ...(made.curation === before ? [] : [documentChange(before, made.curation)]),
        ...(await withoutAccepted(view, asked)),
      ],
    }
  })
  for (const { id, finding, entry } of proposed) {
    const accepted = entryById.get(id)
    if (finding !== undefined && entry === undefined && accepted !== undefined)
      await setPromoted(memory, finding.session, new Map([[finding.id, accepted.id]]))
  }
  const useful = asked.flatMap(({ proposal }) => (proposal.saying === 'useful' ? [proposal.entry] : []))
  const accepted = proposed.flatMap(({ id }) => entryById.get(id)?.id ?? [])
  await memory.store.recordAccess([...accepted, ...useful])
  return {
    reviewed: ids.map(id => ({ id, entry: entryById.get(id) ?? null })),
    record: record?.id ?? null,
  }
}

function actionFor(proposed: readonly Proposed[]): 'promote' | 'confirm' | undefined {
  if (proposed.length === 0) return undefined
  return proposed.some(({ entry }) => entry === undefined) ? 'promote' : 'confirm'
}

async function acceptance(
  view: StoreView,
  {
    id,
    entry,
    captured,
    nowMs,
  }: { id: string; entry: Entry | undefined; captured: CapturedEntry | undefined; nowMs: number },
): Promise<{ type: 'entry'; before: Entry | null; after: Entry }> {
  if (entry === undefined) {
    if (captured === undefined) throw noProposal(id)
    const known = await view.findDuplicate(fingerprint(captured.content), [captured.agent, 'shared'])
    const plan = planRemember(captured, known, { newId: () => view.newId(captured.dateMs), nowMs })
    const status = plan.after.status === 'pinned' ? 'pinned' : 'confirmed'
    return {
      type: 'entry',
      before: plan.kind === 'merged' ? plan.before : null,
      after: { ...plan.after, status },
    }
  }
  const before = await view.findEntry(entry.id)
  if (before === undefined) throw noProposal(id)
  const after: Entry = {
    ...withPinnedBy(before, 'person'),
    ...(captured !== undefined && { content: captured.content }),
    status: before.status === 'candidate' ? 'confirmed' : before.status,
    // The person confirms it: an agent can no longer retire it.
    origin: 'person',
    updated: new Date(nowMs).toISOString().slice(0, 19),
  }
  return { type: 'entry', before, after }
}

/**
 * Rejects proposals: the same words are not suggested again and no handoff repeats them, and the same change is not proposed again.
 * Other words can be. Either all of them or none.
 */
export async function rejectProposals(
  memory: Memory & MeaningPorts & SessionPorts & LearningPorts,
  ids: readonly string[],
): Promise<Review> {
  const { changes: asked, others } = await partChanges(memory, ids)
  const proposed = await findProposed(memory, others)
  const wrong = proposed.find(({ entry }) => entry !== undefined && entry.status !== 'candidate')?.entry
  if (wrong !== undefined) throw notProposed(wrong)
  const handoffs = await handoffsOf(memory, proposed)
  const record = await memory.store.write(memory.actor, async view => {
    const changes = new Map<string, Change>()
    const before = await view.readDocument('curation.json')
    let rejections = rejectionsIn(before)
    for (const { finding, entry } of proposed) {
      const content = statementOf({ finding, entry })
      const print = fingerprint(content)
      const session = finding?.session ?? entry?.session
      const agent = entry?.agent ?? finding?.agent
      const own = agent === PRIVATE_VAULT ? { agent } : {}
      const rejection: Rejection = {
        fingerprint: print,
        content,
        kind: finding?.category ?? entry?.kind ?? 'lesson',
        ...(session !== undefined && { session }),
        ...own,
        at: new Date(memory.clock.nowMs()).toISOString(),
      }
      const isEarlier = (each: Rejection) =>
        each.fingerprint === print && each.session === session && each.agent === own.agent
      rejections = [...rejections.filter(each => !isEarlier(each)), rejection]
      const standing = entry === undefined ? undefined : await view.findEntry(entry.id)
      if (standing !== undefined) changes.set(standing.id, { type: 'entry', before: standing, after: null })
    }
    for (const { id } of handoffs) {
      const handoff = await view.findEntry(id)
      const content = handoff && withoutLines(handoff.content, proposed.map(statementOf))
      if (handoff === undefined || content === undefined || content === handoff.content) continue
      changes.set(id, {
        type: 'entry',
        before: handoff,
        after: content === '' ? null : { ...handoff, content },
      })
    }
    const document = proposed.length === 0 ? [] : [documentChange(before, { ...before, rejections })]
    const answered = await rejectChanges(memory, view, asked)
    return { action: 'reject', changes: [...changes.values(), ...document, ...answered] }
  })
  return {
    reviewed: [
      ...asked.map(({ proposal, entry }) => ({ id: proposal.id, entry })),
      ...proposed.map(({ id, entry }) => ({ id, entry: entry ?? null })),
    ],
    record: record?.id ?? null,
  }
}

interface Proposed {
  readonly id: string
  readonly finding: KnownFinding | undefined
  /** The entry made of it; undefined while it waits. */
  readonly entry: Entry | undefined
}

/** Throws `finding_not_found` for the first id that is not open. */
async function findProposed(
  memory: Memory & MeaningPorts & SessionPorts & LearningPorts,
  ids: readonly string[],
): Promise<readonly Proposed[]> {
  await readSessions(memory)
  const proposed: Proposed[] = []
  for (const id of new Set(ids)) {
    const finding = await memory.findings.find(id)
    const entry = await memory.store.findEntry(finding?.promotedEntryId ?? id)
    if (finding === undefined && entry === undefined) throw noProposal(id)
    proposed.push({ id, finding: finding ?? (entry && (await memory.findings.findByEntry(entry.id))), entry })
  }
  return proposed
}

async function handoffsOf(memory: Memory, proposed: readonly Proposed[]): Promise<readonly Entry[]> {
  const sessions = new Set(proposed.map(({ finding, entry }) => finding?.session ?? entry?.session))
  const { entries } = await memory.store.listEntries({
    filter: { category: 'handoffs', tags: ['auto-handoff'] },
    limit: 200,
    offset: 0,
  })
  return entries.filter(entry => entry.origin === 'machine' && sessions.has(entry.session))
}

function statementOf({ finding, entry }: Pick<Proposed, 'finding' | 'entry'>): string {
  return finding?.content ?? entry?.content ?? ''
}

function withoutLines(content: string, statements: readonly string[]): string {
  return content
    .split('\n')
    .filter(line => !statements.some(statement => repeats(line, statement)))
    .join('\n')
}

/** Resets the findings of an undone mutation: their entries are gone, so they wait again. */
export async function findingsOfUndone(
  engine: MeaningPorts & SessionPorts & LearningPorts,
  record: JournalRecord,
): Promise<void> {
  const gone = new Map<string, Set<string>>()
  for (const change of record.changes) {
    if (change.type !== 'entry' || change.before !== null || change.after?.session === undefined) continue
    const { id, session } = change.after
    gone.set(session, (gone.get(session) ?? new Set()).add(id))
  }
  for (const [session, ids] of gone) {
    const memory = await readableMemory(engine, session)
    const waiting = memory?.findings.filter(finding => ids.has(finding.promotedEntryId ?? '')) ?? []
    if (waiting.length > 0)
      await setPromoted(engine, session, new Map(waiting.map(finding => [finding.id, undefined])))
  }
}

/** Stored next to the entries, so that upkeep knows that a person saw them. */
function withConfirmed(memory: Memory, curation: JsonObject, ids: readonly string[]): JsonObject {
  const by = actorLabel(memory.actor)
  return withConfirmations(curation, ids, { at: new Date(memory.clock.nowMs()).toISOString(), by })
}

function documentChange(before: JsonObject, after: JsonObject): DocumentChange {
  return { type: 'document', name: 'curation.json', before, after }
}

/** Records the result in the session's own file; undefined: they wait. */
async function setPromoted(
  memory: MeaningPorts & SessionPorts & LearningPorts,
  session: string,
  entryByFinding: ReadonlyMap<string, string | undefined>,
): Promise<void> {
  await changeFindings(memory, session, each => {
    if (!entryByFinding.has(each.id)) return each
    const { promotedEntryId: _, ...finding } = each
    const entry = entryByFinding.get(each.id)
    return entry === undefined
      ? { ...finding, promotedToProjectMemory: false }
      : { ...finding, promotedToProjectMemory: true, promotedEntryId: entry }
  })
}

function newEntryOf(finding: KnownFinding): NewEntry {
  return entryOfFinding(
    {
      agent: finding.agent,
      finding: {
        text: finding.content,
        message: finding.message ?? 0,
        speaker: finding.speaker === 'user' ? 'user' : 'agent',
        kind: finding.category,
        category: finding.file ?? homeOfKind(finding.category),
        importance: finding.importance,
        confidence: finding.confidence,
        files: finding.filePaths ?? [],
        tags: withoutRuleTags(finding.tags ?? []),
        fingerprint: finding.fingerprint,
      },
    },
    {
      session: finding.session,
      date: new Date(finding.finalizedAt).toISOString().slice(0, 16),
      untrusted: finding.untrusted,
    },
  )
}

function noProposal(id: string): CairnError {
  return new CairnError({
    code: 'finding_not_found',
    message: `No item in the review has the id ${id}.`,
    hint: '`cairn review` lists the open items, `cairn review --archived` the archived ones.',
  })
}

function notProposed(entry: Entry): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `${entry.id} is ${entry.status}, not a candidate, so it cannot be rejected.`,
    hint: `\`cairn forget ${entry.id}\` removes it.`,
  })
}
