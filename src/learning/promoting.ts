import { captureEntries, withAnchorsTaken } from '../engine.ts'
import type { Engine } from '../engine-parts.ts'
import type { Entry } from '../model/entry.ts'
import type { EntryChange } from '../model/journal.ts'
import type { CapturedEntry } from '../model/new-entry.ts'
import type { Conversation, SessionFinding } from '../model/session.ts'
import { entryOfFinding, type PromotionOutcome, type Weighed } from '../pipeline/promote/plan-promotion.ts'
import { planRemember } from '../pipeline/promote/plan-remember.ts'
import { sameEntry } from '../pipeline/store/observe.ts'
import type { StoreView } from '../pipeline/store/ports.ts'
import { HANDOFF } from '../sessions/sessions.ts'
import { isOfSubAgent } from '../sessions/sub-agents.ts'
import { fingerprint } from '../text/fingerprint.ts'

const HANDOFF_TAGS = ['auto-handoff', 'session-close'] as const

/** What a session brings into the vault. */
export interface Promotion {
  readonly session: string
  readonly conversations: readonly Conversation[]
  readonly weighed: readonly Weighed[]
  readonly outcomes: readonly PromotionOutcome[]
  readonly date: string
  /** Findings of an earlier closing that a model let go of. */
  readonly gone: readonly SessionFinding[]
  /** The import that it came with: `undo` takes that back as one. */
  readonly batch?: string
}

export interface Promoted {
  readonly added: string[]
  readonly strengthened: string[]
  /** Entries that were taken out again. */
  readonly replaced: string[]
  readonly handoffs: string[]
  /** The entry that each finding became or joined. */
  readonly idByFinding: ReadonlyMap<number, string>
  /** What `undo` takes back; null: nothing was changed. */
  readonly record: string | null
}

/** Everything that the session brings into the vault, as one mutation: `cairn undo` takes it back as a whole. */
export async function writePromotion(engine: Engine, promotion: Promotion): Promise<Promoted> {
  const { session, weighed, outcomes, date } = promotion
  const captured = new Map<number, CapturedEntry>()
  for (const [at, { kind }] of outcomes.entries()) {
    if (kind !== 'add' && kind !== 'strengthen' && kind !== 'reword') continue
    const each = weighed[at] as Weighed
    // What was found where several agents worked is for all of them.
    const agent = promotion.conversations.length > 1 ? 'shared' : each.agent
    const input = entryOfFinding({ ...each, agent }, { session, date })
    const [one] = await withAnchorsTaken(engine, await captureEntries(engine, [input]))
    if (one !== undefined) captured.set(at, one.entry)
  }
  const handoffs = await handoffsOf(engine, promotion)
  const written = {
    added: [] as string[],
    strengthened: [] as string[],
    replaced: [] as string[],
    handoffs: [] as string[],
    idByFinding: new Map<number, string>(),
  }

  const decide = async (view: StoreView): Promise<EntryChange[]> => {
    for (const list of [written.added, written.strengthened, written.replaced, written.handoffs])
      list.length = 0
    written.idByFinding.clear()
    const changes = new Map<string, EntryChange>()
    const nowMs = engine.clock.nowMs()
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome.kind === 'echo') written.idByFinding.set(at, outcome.entry.id)
      const entry = captured.get(at)
      if (entry === undefined) continue
      if (outcome.kind === 'reword') {
        const id = outcome.earlier.promotedEntryId
        const before = id === undefined ? undefined : await view.findEntry(id)
        if (before === undefined) continue
        written.idByFinding.set(at, before.id)
        if (!(await isUntouched(engine, before, { session, content: outcome.earlier.content }))) continue
        const { content, kind, category, tags, files } = entry
        const after = { ...before, content, kind, category, tags, files, updated: secondOf(nowMs) }
        changes.set(before.id, { type: 'entry', before, after })
        written.replaced.push(before.id)
        continue
      }
      const before =
        outcome.kind === 'strengthen'
          ? await view.findEntry(outcome.entry.id)
          : await view.findDuplicate(fingerprint(entry.content), [entry.agent, 'shared'])
      if (before === undefined && outcome.kind === 'strengthen') continue
      const plan = planRemember(entry, before, { newId: () => view.newId(entry.dateMs), nowMs })
      written.idByFinding.set(at, plan.after.id)
      if (plan.kind === 'added') {
        changes.set(plan.after.id, { type: 'entry', before: null, after: plan.after })
        written.added.push(plan.after.id)
        continue
      }
      // Changed since it was looked at: another process is closing the same session, and has strengthened it.
      const isAsSeen = outcome.kind === 'strengthen' && sameEntry(outcome.entry, plan.before)
      if (!isAsSeen || changes.has(plan.after.id)) continue
      changes.set(plan.after.id, {
        type: 'entry',
        before: plan.before,
        after: { ...plan.after, tags: plan.before.tags },
      })
      written.strengthened.push(plan.after.id)
    }
    for (const [at, outcome] of outcomes.entries()) {
      const id = outcome.kind === 'joined' ? written.idByFinding.get(outcome.to) : undefined
      if (id !== undefined) written.idByFinding.set(at, id)
    }
    for (const { promotedEntryId, content } of promotion.gone) {
      const before = promotedEntryId === undefined ? undefined : await view.findEntry(promotedEntryId)
      if (before === undefined || changes.has(before.id)) continue
      if ([...written.idByFinding.values()].includes(before.id)) continue
      if (!(await isUntouched(engine, before, { session, content }))) continue
      changes.set(before.id, { type: 'entry', before, after: null })
      written.replaced.push(before.id)
    }
    for (const { known, entry } of handoffs) {
      const before =
        known === undefined
          ? // Another process may have left the same in the meantime.
            await view.findDuplicate(fingerprint(entry.content), [entry.agent])
          : await view.findEntry(known.id)
      if (before !== undefined && before.content === entry.content) {
        written.handoffs.push(before.id)
        continue
      }
      const after: Entry =
        before === undefined
          ? planRemember(entry, undefined, { newId: () => view.newId(entry.dateMs), nowMs }).after
          : { ...before, content: entry.content, updated: secondOf(nowMs) }
      changes.set(after.id, { type: 'entry', before: before ?? null, after })
      written.handoffs.push(after.id)
    }
    return [...changes.values()]
  }
  const { batch } = promotion
  const record = await engine.store.write({ ...engine.actor, session }, async view => {
    const changes = await decide(view)
    return changes.length === 0
      ? null
      : { action: 'finalize', changes, ...(batch !== undefined && { batch }) }
  })
  await engine.store.recordAccess(written.strengthened)
  return { ...written, record: record?.id ?? null }
}

/** Still as this session brought it in: nobody has confirmed, pinned, reworded, asked for or said it again. */
async function isUntouched(
  engine: Engine,
  entry: Entry,
  { session, content }: { session: string; content: string },
): Promise<boolean> {
  const isCandidate = entry.status === 'candidate' && entry.origin === 'machine' && entry.session === session
  if (!isCandidate || entry.updated !== undefined || !entry.content.endsWith(content)) return false
  return ((await engine.briefs.accessCounts([entry.id])).get(entry.id) ?? 0) === 0
}

function secondOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 19)
}

/** The same without writing: what would be added goes by the id of its finding. */
export function tryOut({ outcomes }: Promotion): Promoted {
  const promoted: Promoted = {
    added: [],
    strengthened: [],
    replaced: [],
    handoffs: [],
    idByFinding: new Map<number, string>(),
    record: null,
  }
  const ids = promoted.idByFinding as Map<number, string>
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.kind === 'strengthen' || outcome.kind === 'echo') ids.set(at, outcome.entry.id)
    if (outcome.kind === 'strengthen') promoted.strengthened.push(outcome.entry.id)
    if (outcome.kind === 'add') promoted.added.push(NOT_YET)
    if (outcome.kind === 'add') ids.set(at, NOT_YET)
  }
  return promoted
}

/** In place of the id of an entry that would be made. */
export const NOT_YET = 'new'

/** So many agents took part in a session. */
const MOST_HANDOFFS = 200

/** One for each agent that was spoken with. Closed again, a session changes the handoff that it left before. */
async function handoffsOf(engine: Engine, { session, conversations, date }: Promotion) {
  if (!(await engine.config())['memory.auto']) return []
  const { composeHandoff } = await import('../pipeline/distill/handoff.ts')
  const handoffs = []
  for (const one of conversations) {
    if (isOfSubAgent(one, conversations)) continue
    const { head, messages } = one
    const content = composeHandoff(messages, HANDOFF)
    if (content === '') continue
    const { entries } = await engine.search.listEntries({
      filter: { session, category: 'handoffs', tags: [HANDOFF_TAGS[1]] },
      limit: MOST_HANDOFFS,
      offset: 0,
    })
    const known = entries.find(({ agent, origin }) => agent === head.agent && origin === 'machine')
    const [captured] = await captureEntries(engine, [
      {
        content,
        agent: head.agent,
        category: 'handoffs',
        kind: 'handoff',
        tags: HANDOFF_TAGS,
        session,
        date,
        origin: 'machine',
        status: 'confirmed',
      },
    ])
    if (captured !== undefined) handoffs.push({ known, entry: captured.entry })
  }
  return handoffs
}
