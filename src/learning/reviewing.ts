import { captureEntries, withAnchorsTaken } from '../engine.ts'
import type { Engine } from '../engine-parts.ts'
import { type Category, homeOfKind, type Kind } from '../model/category.ts'
import type { Entry } from '../model/entry.ts'
import { CairnError } from '../model/errors.ts'
import type { Change, DocumentChange } from '../model/journal.ts'
import type { NewEntry } from '../model/new-entry.ts'
import { withConfirmations } from '../pipeline/promote/confirmations.ts'
import type { KnownFinding } from '../pipeline/promote/finding-index.ts'
import { entryOfFinding } from '../pipeline/promote/plan-promotion.ts'
import { planRemember } from '../pipeline/promote/plan-remember.ts'
import type { JsonObject, StoreView } from '../pipeline/store/ports.ts'
import { fingerprint } from '../text/fingerprint.ts'
import { redact } from '../text/redaction/redact.ts'
import { readSessions } from './evidence.ts'

/** Something the machine thinks worth keeping, for a person to judge. */
export interface Proposal {
  /** Of the finding (`f…`), or of the entry that it has become. */
  readonly id: string
  /** `entry`: it is a candidate in the vault, and told in briefs as unconfirmed. `finding`: it waits with its session. */
  readonly stage: 'entry' | 'finding'
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
  /** What spoke for it. */
  readonly signals: readonly string[]
  /** What was missing for it to become an entry by itself. */
  readonly missing?: string
  readonly speaker?: string
}

export interface ReviewQuery {
  readonly agent?: string
  readonly limit: number
  readonly offset?: number
}

/** Candidates of the vault first, then what waits, each newest first. */
export async function reviewQueue(
  engine: Engine,
  { agent, limit, offset = 0 }: ReviewQuery,
): Promise<{ proposals: readonly Proposal[]; total: number }> {
  await readSessions(engine)
  const filter = { status: 'candidate' as const, ...(agent !== undefined && { agent }) }
  const candidates = await engine.store.listEntries({ filter, limit, offset })
  const proposals: Proposal[] = []
  for (const entry of candidates.entries)
    proposals.push(ofEntry(entry, await engine.findings.findByEntry(entry.id)))
  const waiting = await waitingFindings(engine, agent)
  const from = Math.max(0, offset - candidates.total)
  proposals.push(...waiting.slice(from, from + limit - proposals.length).map(ofFinding))
  return { proposals, total: candidates.total + waiting.length }
}

/** Every finding that nobody has judged, one for each statement. */
async function waitingFindings(engine: Engine, agent: string | undefined): Promise<readonly KnownFinding[]> {
  const rejected = new Set(
    rejectionsIn(await engine.store.readDocument('curation.json')).map(each => each.fingerprint),
  )
  const { findings } = await engine.findings.pending({ limit: MOST_WAITING, offset: 0 })
  const seen = new Set<string>()
  return findings.filter(finding => {
    if (seen.has(finding.fingerprint) || rejected.has(finding.fingerprint)) return false
    if (finding.rejectedBy === 'rejected_before' || finding.rejectedBy === 'refined_away') return false
    if (agent !== undefined && finding.agent !== agent) return false
    seen.add(finding.fingerprint)
    return true
  })
}

/** More than anybody reviews; older ones go to the archive with their sessions. */
const MOST_WAITING = 5_000

export interface Reviewed {
  readonly id: string
  /** The entry that it is now, or that it was. */
  readonly entry: Entry | null
}

/** A person's yes, with other words if they like: a confirmed entry, which upkeep leaves alone. */
export async function acceptProposal(
  engine: Engine,
  id: string,
  edit: { readonly content?: string } = {},
): Promise<Reviewed> {
  await readSessions(engine)
  const finding = await engine.findings.find(id)
  if (finding === undefined || finding.promotedEntryId !== undefined)
    return acceptEntry(engine, finding?.promotedEntryId ?? id, edit)
  const [captured] = await withAnchorsTaken(
    engine,
    await captureEntries(engine, [{ ...newEntryOf(finding), ...edit }]),
  )
  if (captured === undefined) throw new Error('one finding in, one entry out')
  let entry: Entry | undefined
  await engine.store.write(engine.actor, async view => {
    const known = await view.findDuplicate(fingerprint(captured.entry.content), [
      captured.entry.agent,
      'shared',
    ])
    const plan = planRemember(captured.entry, known, {
      newId: () => view.newId(captured.entry.dateMs),
      nowMs: engine.clock.nowMs(),
    })
    entry = { ...plan.after, status: plan.after.status === 'pinned' ? 'pinned' : 'confirmed' }
    const before = plan.kind === 'merged' ? plan.before : null
    const confirmation = await confirmationOf(engine, view, entry.id)
    return { action: 'promote', changes: [{ type: 'entry', before, after: entry }, confirmation] }
  })
  if (entry === undefined) throw new Error('an accepted finding is an entry')
  await markPromoted(engine, finding, entry.id)
  await engine.store.recordAccess([entry.id])
  return { id, entry }
}

async function acceptEntry(
  engine: Engine,
  id: string,
  edit: { readonly content?: string },
): Promise<Reviewed> {
  const content =
    edit.content === undefined
      ? undefined
      : (await captureEntries(engine, [{ content: edit.content }]))[0]?.entry.content
  let entry: Entry | undefined
  await engine.store.write(engine.actor, async view => {
    const before = await view.findEntry(id)
    if (before === undefined) throw noProposal(id)
    entry = {
      ...before,
      ...(content !== undefined && { content }),
      status: before.status === 'candidate' ? 'confirmed' : before.status,
      updated: new Date(engine.clock.nowMs()).toISOString().slice(0, 19),
    }
    return {
      action: 'confirm',
      changes: [{ type: 'entry', before, after: entry }, await confirmationOf(engine, view, id)],
    }
  })
  await engine.store.recordAccess([id])
  return { id, entry: entry ?? null }
}

/** A person's no, which is remembered: what says the same is not proposed again. */
export async function rejectProposal(engine: Engine, id: string): Promise<Reviewed> {
  await readSessions(engine)
  const finding = await engine.findings.find(id)
  let entry: Entry | undefined
  await engine.store.write(engine.actor, async view => {
    const entryId = finding === undefined ? id : finding.promotedEntryId
    entry = entryId === undefined ? undefined : await view.findEntry(entryId)
    if (entry === undefined && finding === undefined) throw noProposal(id)
    if (entry !== undefined && entry.origin === 'person') throw notProposed(entry)
    const changes: Change[] = entry === undefined ? [] : [{ type: 'entry', before: entry, after: null }]
    const before = await view.readDocument('curation.json')
    const said = finding ?? { content: entry?.content ?? '', category: entry?.kind ?? 'lesson' }
    const rejection: Rejection = {
      fingerprint: fingerprint(said.content),
      content: said.content,
      kind: said.category,
      at: new Date(engine.clock.nowMs()).toISOString(),
    }
    const others = rejectionsIn(before).filter(each => each.fingerprint !== rejection.fingerprint)
    changes.push(documentChange(before, { ...before, rejections: [...others, rejection] }))
    return { action: 'reject', changes }
  })
  return { id, entry: entry ?? null }
}

interface Rejection {
  readonly fingerprint: string
  readonly content: string
  readonly kind: string
  readonly at: string
}

function rejectionsIn(document: JsonObject): readonly Rejection[] {
  const { rejections } = document
  if (!Array.isArray(rejections)) return []
  return rejections.filter(
    (each): each is Rejection =>
      typeof each === 'object' && each !== null && typeof each.fingerprint === 'string',
  )
}

/** Noted beside the entry, so that upkeep knows that a person has seen it. */
async function confirmationOf(engine: Engine, view: StoreView, id: string): Promise<DocumentChange> {
  const before = await view.readDocument('curation.json')
  const { host, agent } = engine.actor
  const by = redact(agent === undefined ? host : `${host}/${agent}`).text
  const at = new Date(engine.clock.nowMs()).toISOString()
  return documentChange(before, withConfirmations(before, [id], { at, by }))
}

function documentChange(before: JsonObject, after: JsonObject): DocumentChange {
  return { type: 'document', name: 'curation.json', before, after }
}

/** The session's own file says what became of its finding. */
async function markPromoted(engine: Engine, finding: KnownFinding, entry: string): Promise<void> {
  const memory = await engine.sessions.findMemory(finding.session)
  if (memory === undefined) return
  await engine.sessions.saveMemory({
    ...memory,
    findings: memory.findings.map(each =>
      each.id === finding.id ? { ...each, promotedToProjectMemory: true, promotedEntryId: entry } : each,
    ),
  })
  await readSessions(engine)
}

function newEntryOf(finding: KnownFinding): NewEntry {
  const made = entryOfFinding(
    {
      agent: finding.agent,
      sessions: 1,
      finding: {
        text: finding.content,
        message: finding.message ?? 0,
        speaker: finding.speaker === 'user' ? 'user' : 'agent',
        kind: finding.category,
        category: finding.file ?? homeOfKind(finding.category),
        importance: finding.importance,
        confidence: finding.confidence,
        files: finding.filePaths ?? [],
        tags: finding.tags ?? [],
        fingerprint: finding.fingerprint,
      },
    },
    { session: finding.session, date: new Date(finding.finalizedAt).toISOString().slice(0, 16) },
  )
  return { ...made, status: 'confirmed' }
}

function ofEntry(entry: Entry, finding: KnownFinding | undefined): Proposal {
  return {
    id: entry.id,
    stage: 'entry',
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
  }
}

function ofFinding(finding: KnownFinding): Proposal {
  return {
    id: finding.id,
    stage: 'finding',
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
    ...(finding.rejectedBy !== undefined && { missing: finding.rejectedBy }),
    ...(finding.speaker !== undefined && { speaker: finding.speaker }),
  }
}

function noProposal(id: string): CairnError {
  return new CairnError({
    code: 'finding_not_found',
    message: `Nothing that waits for review has the id ${id}.`,
    hint: '`cairn review` lists what does.',
  })
}

function notProposed(entry: Entry): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `${entry.id} was written by a person: there is nothing to reject.`,
    hint: `\`cairn forget ${entry.id}\` removes it.`,
  })
}
