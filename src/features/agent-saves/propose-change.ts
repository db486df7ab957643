import type { Memory } from '../../kernel/memory.ts'
import { type Entry, isPinnedByAgent } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { actorLabel } from '../entries/decide/confirmations.ts'
import {
  type AskedChange,
  isOpen,
  isRejected,
  MAX_PROPOSED,
  PROPOSALS,
  type ProposedChange,
  proposedId,
  waitingIn,
  withWaiting,
} from '../review/decide/proposed-changes.ts'
import { refusalOf, statementOf } from './decide/check-statement.ts'

export interface Proposed {
  /** Its id in `cairn review accept` and `cairn review reject`. */
  readonly id: string
  /** null: the same proposal is already waiting. */
  readonly record: string | null
}

/** At most one proposal waits per entry and action; a different one is refused. Throws `not_confirmed`. */
export async function proposeChange(memory: Memory, entry: Entry, asked: AskedChange): Promise<Proposed> {
  const { actor, clock, store } = memory
  const print = fingerprint(entry.content)
  const proposal: ProposedChange = {
    id: proposedId(entry.id, asked),
    entry: entry.id,
    ...asked,
    print,
    at: new Date(clock.nowMs()).toISOString(),
    by: actorLabel(actor),
    ...(actor.session !== undefined && { session: actor.session }),
  }
  let { id } = proposal
  const record = await store.write(actor, async view => {
    const before = await view.readDocument(PROPOSALS)
    if (isRejected(before, proposal.id, print)) throw rejectedBefore(proposal)
    // Outdated proposals no longer count, and the next write removes them.
    const open: ProposedChange[] = []
    for (const each of waitingIn(before)) if (isOpen(each, await view.findEntry(each.entry))) open.push(each)
    const same = open.find(each => each.entry === entry.id && each.action === asked.action)
    id = same?.id ?? proposal.id
    if (same !== undefined && proposedId(entry.id, same) !== proposal.id) throw waitsOtherwise(same)
    if (same !== undefined) return null
    if (open.length >= MAX_PROPOSED) throw tooMany()
    const after = withWaiting(before, [...open, proposal])
    return { action: 'propose', changes: [{ type: 'document', name: PROPOSALS, before, after }] }
  })
  return { id, record: record?.id ?? null }
}

function rejectedBefore({ entry, action }: ProposedChange): CairnError {
  return new CairnError({
    code: 'not_confirmed',
    message: `The user rejected this ${action} of ${entry} before. Nothing was changed.`,
    hint: 'Leave the entry as it is.',
  })
}

function waitsOtherwise({ id, entry, action }: ProposedChange): CairnError {
  return new CairnError({
    code: 'not_confirmed',
    message: `Another ${action} of ${entry} already waits for the user (${id}). Nothing was changed, and this one was not added.`,
    hint: 'Ask the user to accept or reject it in `cairn review` first.',
  })
}

function tooMany(): CairnError {
  return new CairnError({
    code: 'not_confirmed',
    message: `${MAX_PROPOSED} proposals already wait for the user. Nothing was changed.`,
    hint: 'Ask the user to go through `cairn review` first.',
  })
}

/** An agent may change entries that agents saved and no person confirmed. For all others it can only call `proposeChange`. */
export function isOwnEntry(entry: Entry): boolean {
  return entry.origin === 'agent' && (entry.status === 'candidate' || isPinnedByAgent(entry))
}

/** Checks the new text of an entry like a save. Throws `invalid_input`. */
export function requireStorable(content: string): void {
  const reason = refusalOf(statementOf(content))
  if (reason === undefined) return
  throw new CairnError({
    code: 'invalid_input',
    message: `Not stored. ${reason}`,
    hint: 'Write one lasting fact that names its subject.',
  })
}
