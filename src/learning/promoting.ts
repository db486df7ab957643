import { captureEntries, withAnchorsTaken } from '../engine.ts'
import type { Engine } from '../engine-parts.ts'
import type { Entry } from '../model/entry.ts'
import type { EntryChange } from '../model/journal.ts'
import type { UntrustedSource } from '../model/lineage.ts'
import type { CapturedEntry } from '../model/new-entry.ts'
import type { Conversation } from '../model/session.ts'
import { entryOfFinding, type PromotionOutcome, type Weighed } from '../pipeline/promote/plan-promotion.ts'
import { planRemember } from '../pipeline/promote/plan-remember.ts'
import type { StoreView } from '../pipeline/store/ports.ts'
import { HANDOFF } from '../sessions/sessions.ts'
import { fingerprint } from '../text/fingerprint.ts'

const HANDOFF_TAGS = ['auto-handoff', 'session-close'] as const

/** What a session brings into the vault. */
export interface Promotion {
  readonly session: string
  readonly conversations: readonly Conversation[]
  readonly weighed: readonly Weighed[]
  readonly outcomes: readonly PromotionOutcome[]
  readonly date: string
  readonly untrusted?: UntrustedSource | undefined
  /** Entries that another closing of this session has written: they are not strengthened again. Asked while nobody else writes. */
  readonly touched: () => Promise<ReadonlySet<string>>
  /** The import that it came with: one `undo` undoes all of it. */
  readonly batch?: string
}

export interface Promoted {
  readonly added: string[]
  readonly strengthened: string[]
  readonly handoffs: string[]
  /** The entry that each finding became, or that has its words. */
  readonly idByFinding: ReadonlyMap<number, string>
  /** The change that `undo` undoes; null: nothing was changed. */
  readonly record: string | null
}

/** What the person asked for, the rules they stated, and the handoff, as one mutation: one `cairn undo` undoes it. */
export async function writePromotion(engine: Engine, promotion: Promotion): Promise<Promoted> {
  const { session, weighed, outcomes, date, untrusted } = promotion
  const captured = new Map<number, CapturedEntry>()
  for (const [at, { kind }] of outcomes.entries()) {
    if (kind !== 'add') continue
    const each = weighed[at] as Weighed
    // What was said where several agents worked is for all of them.
    const agent = promotion.conversations.length > 1 ? 'shared' : each.agent
    const input = entryOfFinding({ ...each, agent }, { session, date, untrusted })
    const [one] = await withAnchorsTaken(engine, await captureEntries(engine, [input]))
    if (one !== undefined) captured.set(at, one.entry)
  }
  const handoffs = await handoffsOf(engine, promotion)
  const written = {
    added: [] as string[],
    strengthened: [] as string[],
    handoffs: [] as string[],
    idByFinding: new Map<number, string>(),
  }

  const decide = async (view: StoreView): Promise<EntryChange[]> => {
    for (const list of [written.added, written.strengthened, written.handoffs]) list.length = 0
    written.idByFinding.clear()
    const changes = new Map<string, EntryChange>()
    const nowMs = engine.clock.nowMs()
    const idByPrint = new Map<string, string>()
    const touched = await promotion.touched()
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome.kind === 'known') written.idByFinding.set(at, outcome.entry.id)
      const entry = captured.get(at)
      if (entry === undefined) continue
      const print = fingerprint(entry.content)
      const isWanted = weighed[at]?.finding.wanted === true
      const sameHere = idByPrint.get(print)
      if (sameHere !== undefined) {
        written.idByFinding.set(at, sameHere)
        continue
      }
      const before = await view.findDuplicate(print, [entry.agent, 'shared'])
      const plan = planRemember(entry, before, { newId: () => view.newId(entry.dateMs), nowMs })
      idByPrint.set(print, plan.after.id)
      written.idByFinding.set(at, plan.after.id)
      if (plan.kind === 'added') {
        changes.set(plan.after.id, { type: 'entry', before: null, after: plan.after })
        written.added.push(plan.after.id)
        continue
      }
      // Said again in passing confirms nothing; only what the person asks for does, and once per session.
      const isDone = touched.has(plan.before.id) && plan.before.status !== 'candidate'
      if (!isWanted || isDone) continue
      changes.set(plan.after.id, {
        type: 'entry',
        before: plan.before,
        after: { ...plan.after, tags: plan.before.tags },
      })
      written.strengthened.push(plan.after.id)
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

function secondOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 19)
}

/** The same without writing: what would be added has `NOT_YET` in place of its id. */
export function tryOut({ outcomes }: Promotion): Promoted {
  const idByFinding = new Map<number, string>()
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.kind === 'known') idByFinding.set(at, outcome.entry.id)
    if (outcome.kind === 'add') idByFinding.set(at, NOT_YET)
  }
  const added = [...idByFinding.values()].filter(id => id === NOT_YET)
  return { added, strengthened: [], handoffs: [], idByFinding, record: null }
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
  for (const { head, messages } of conversations) {
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
