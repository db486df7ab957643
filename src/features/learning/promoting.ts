import type { Memory } from '../../kernel/memory.ts'
import type { EntryChange } from '../../kernel/model/journal.ts'
import type { CapturedEntry } from '../../kernel/model/new-entry.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import type { StoreView } from '../../kernel/vault/ports.ts'
import { planRemember } from '../entries/decide/plan-remember.ts'
import { captureEntries, withNewAnchors } from '../entries/write-entries.ts'
import type { FreshnessPorts } from '../freshness/decide/ports.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import { type HandoffInput, planHandoffs, prepareHandoffs } from '../sessions/handoffs.ts'
import { entryOfFinding, type PromotionOutcome, type Weighed } from './decide/plan-promotion.ts'

/** What closing a session adds to the vault. */
export interface Promotion extends HandoffInput {
  readonly weighed: readonly Weighed[]
  readonly outcomes: readonly PromotionOutcome[]
  /** The import that it belongs to: one `undo` reverts all of it. */
  readonly batch?: string
}

interface Promoted {
  readonly added: string[]
  readonly strengthened: string[]
  readonly handoffs: string[]
  /** The entry of each finding: the new one, or the existing one with the same words. */
  readonly idByFinding: ReadonlyMap<number, string>
  /** The change that `undo` reverts; null: nothing changed. */
  readonly record: string | null
}

/** Writes the requested entries and the handoff as one mutation, which one `cairn undo` reverts. */
export async function writePromotion(
  memory: Memory & SearchPorts & FreshnessPorts,
  promotion: Promotion,
): Promise<Promoted> {
  const { session, weighed, outcomes, date } = promotion
  const captured = new Map<number, CapturedEntry>()
  for (const [at, { kind }] of outcomes.entries()) {
    if (kind !== 'add') continue
    const each = weighed[at] as Weighed
    // A session with several agents stores its requests for all of them.
    const agent = promotion.conversations.length > 1 ? 'shared' : each.agent
    const input = entryOfFinding({ ...each, agent }, { session, date })
    const [one] = await withNewAnchors(memory, await captureEntries(memory, [input]))
    if (one !== undefined) captured.set(at, one.entry)
  }
  const handoffs = await prepareHandoffs(memory, promotion)
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
    const nowMs = memory.clock.nowMs()
    const idByPrint = new Map<string, string>()
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome.kind === 'known') written.idByFinding.set(at, outcome.entry.id)
      const entry = captured.get(at)
      if (entry === undefined) continue
      const print = fingerprint(entry.content)
      const sameHere = idByPrint.get(print)
      if (sameHere !== undefined) {
        written.idByFinding.set(at, sameHere)
        continue
      }
      const before = await view.findDuplicate(print, [entry.agent, 'shared'])
      const newId = () => view.newId(entry.dateMs)
      const plan = planRemember(entry, before, { newId, nowMs, isFromSession: true })
      idByPrint.set(print, plan.after.id)
      written.idByFinding.set(at, plan.after.id)
      if (plan.kind === 'added') {
        changes.set(plan.after.id, { type: 'entry', before: null, after: plan.after })
        written.added.push(plan.after.id)
        continue
      }
      if (plan.after === plan.before) continue
      changes.set(plan.after.id, {
        type: 'entry',
        before: plan.before,
        after: { ...plan.after, tags: plan.before.tags },
      })
      written.strengthened.push(plan.after.id)
    }
    const left = await planHandoffs(view, handoffs, nowMs)
    written.handoffs.push(...left.ids)
    return [...changes.values(), ...left.changes]
  }
  const { batch } = promotion
  const record = await memory.store.write({ ...memory.actor, session }, async view => {
    const changes = await decide(view)
    return changes.length === 0
      ? null
      : { action: 'finalize', changes, ...(batch !== undefined && { batch }) }
  })
  await memory.store.recordAccess(written.strengthened)
  return { ...written, record: record?.id ?? null }
}

/** Does the same without writing: new entries have `NOT_YET` as their id. */
export function tryOut({ outcomes }: Promotion): Promoted {
  const idByFinding = new Map<number, string>()
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.kind === 'known') idByFinding.set(at, outcome.entry.id)
    if (outcome.kind === 'add') idByFinding.set(at, NOT_YET)
  }
  const added = [...idByFinding.values()].filter(id => id === NOT_YET)
  return { added, strengthened: [], handoffs: [], idByFinding, record: null }
}

/** In place of the id of an entry that would be added. */
export const NOT_YET = 'new'
