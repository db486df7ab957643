import type { Memory } from '../../kernel/memory.ts'
import { AUTOMATIC, type Entry } from '../../kernel/model/entry.ts'
import type { EntryChange } from '../../kernel/model/journal.ts'
import { speakerOf } from '../../kernel/model/message.ts'
import type { CapturedEntry } from '../../kernel/model/new-entry.ts'
import type { Conversation } from '../../kernel/model/session.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import type { StoreView } from '../../kernel/vault/ports.ts'
import { planRemember } from '../entries/decide/plan-remember.ts'
import { captureEntries } from '../entries/write-entries.ts'
import type { SearchPorts } from '../search/decide/ports.ts'

const HANDOFF_TAGS = ['auto-handoff', 'session-close'] as const
/** Seed A: the last six messages, 200 characters each. */
const SEED_FORM = { last: 6, characters: 200 } as const
/** Seed A: the last three messages of the agent among those that upkeep removes from a conversation. */
const COMPACTED_TAGS = ['compacted', 'auto-handoff'] as const
const COMPACTED_FORM = { last: 3, characters: 200 } as const
const MAX_FILES = 5
const MINUTE_MS = 60_000
/** More than the agents of one session. */
const MAX_HANDOFFS = 200

export interface HandoffInput {
  readonly session: string
  readonly conversations: readonly Conversation[]
  /** UTC ISO. */
  readonly date: string
  /** `messages`: the seed's last six messages, for its REST route. */
  readonly handoffForm?: 'composed' | 'messages'
}

/** The handoff of one conversation before it is written. */
type PreparedHandoff =
  /** The agent saved one, which is the handoff of the session and replaces a composed one. */
  | { readonly kind: 'agent'; readonly entry: Entry; readonly composed: Entry | undefined }
  /** `known`: from an earlier closing of the session, and replaced. */
  | { readonly kind: 'composed'; readonly entry: CapturedEntry; readonly known: Entry | undefined }

/** One for each agent whose conversation was real work. A side session has none, so that the last real handoff stays (ADR 58). */
export async function prepareHandoffs(
  memory: Memory & SearchPorts,
  input: HandoffInput,
): Promise<PreparedHandoff[]> {
  const { session, conversations, date, handoffForm = 'composed' } = input
  const config = await memory.config()
  if (!config['memory.auto']) return []
  const { changedIn, composeHandoff, lastMessages } = await import('./decide/handoff.ts')
  const { entries } = await memory.search.listEntries({
    filter: { session, category: 'handoffs' },
    limit: MAX_HANDOFFS,
    offset: 0,
  })
  const prepared: PreparedHandoff[] = []
  for (const one of conversations) {
    if (isOfSubAgent(one, conversations)) continue
    const { head, messages } = one
    const known = entries.find(
      ({ agent, origin, tags }) =>
        agent === head.agent && origin === 'machine' && tags.includes(HANDOFF_TAGS[1]),
    )
    const saved = entries.find(
      ({ agent, origin }) => origin === 'agent' && (agent === head.agent || conversations.length === 1),
    )
    if (saved !== undefined) {
      prepared.push({ kind: 'agent', entry: saved, composed: known })
      continue
    }
    const content =
      handoffForm === 'messages'
        ? lastMessages(messages, SEED_FORM)
        : composeHandoff(messages, { maxBytes: config['vault.maxEntryBytes'] })
    if (content === '') continue
    const [captured] = await captureEntries(memory, [
      {
        content,
        agent: head.agent,
        category: 'handoffs',
        kind: 'handoff',
        tags: HANDOFF_TAGS,
        files: changedIn(messages).slice(0, MAX_FILES),
        session,
        date,
        origin: 'machine',
        status: 'confirmed',
      },
    ])
    if (captured !== undefined) prepared.push({ kind: 'composed', entry: captured.entry, known })
  }
  return prepared
}

/** The changes that write them, and the ids of the session's handoffs. Idempotent. */
export async function planHandoffs(
  view: StoreView,
  prepared: readonly PreparedHandoff[],
  nowMs: number,
): Promise<{ readonly changes: readonly EntryChange[]; readonly ids: readonly string[] }> {
  const changes: EntryChange[] = []
  const ids: string[] = []
  for (const handoff of prepared) {
    if (handoff.kind === 'agent') {
      ids.push(handoff.entry.id)
      const composed = handoff.composed && (await view.findEntry(handoff.composed.id))
      if (composed !== undefined && composed.updated === undefined)
        changes.push({ type: 'entry', before: composed, after: null })
      continue
    }
    const { known, entry } = handoff
    const before =
      known === undefined
        ? // Another process may have written the same meanwhile.
          await view.findDuplicate(fingerprint(entry.content), [entry.agent])
        : await view.findEntry(known.id)
    if (before?.content === entry.content) {
      ids.push(before.id)
      continue
    }
    const made = () => planRemember(entry, undefined, { newId: () => view.newId(entry.dateMs), nowMs }).after
    if (before !== undefined && known !== undefined && isOfLaterEnd(before, entry)) {
      const { updated: _, ...unchanged } = before
      const { id, date } = made()
      changes.push({ type: 'entry', before, after: null })
      changes.push({ type: 'entry', before: null, after: { ...unchanged, id, date, content: entry.content } })
      ids.push(id)
      continue
    }
    const after: Entry =
      before === undefined
        ? made()
        : { ...before, content: entry.content, updated: new Date(nowMs).toISOString().slice(0, 19) }
    changes.push({ type: 'entry', before: before ?? null, after })
    ids.push(after.id)
  }
  return { changes, ids }
}

/** The session continued after others were closed, so its handoff is the newest; handoffs are sorted by id. */
function isOfLaterEnd(before: Entry, { tags, dateMs }: CapturedEntry): boolean {
  return (
    tags.includes(HANDOFF_TAGS[1]) &&
    dateMs !== undefined &&
    new Date(dateMs).toISOString().slice(0, 16) > before.date
  )
}

/**
 * Leaves one handoff before upkeep removes the first messages of an open conversation; the next one replaces it. Its date is before
 * the end of the conversation and before the session's other handoffs, because those are newer.
 */
export async function leaveCompactedHandoff(
  memory: Memory & SearchPorts,
  { head: { session, agent }, activeAt, messages }: Conversation,
  removed: number,
): Promise<void> {
  if (!(await memory.config())['memory.auto']) return
  const { lastMessages } = await import('./decide/handoff.ts')
  const leaving = messages.slice(0, removed)
  const said = leaving.filter(({ role }) => speakerOf(role) === 'agent')
  const content = lastMessages(said, COMPACTED_FORM)
  if (content === '') return
  const { entries } = await memory.search.listEntries({
    filter: { session, category: 'handoffs' },
    limit: MAX_HANDOFFS,
    offset: 0,
  })
  const isCompacted = ({ tags }: Entry) => tags.includes(COMPACTED_TAGS[0])
  const others = entries
    .filter(entry => !isCompacted(entry))
    .map(({ date }) => Date.parse(date.includes('T') ? `${date}Z` : date))
  const [captured] = await captureEntries(memory, [
    {
      content,
      agent,
      category: 'handoffs',
      kind: 'handoff',
      tags: COMPACTED_TAGS,
      session,
      date: new Date(
        Math.min(
          Date.parse(leaving.at(-1)?.at ?? activeAt),
          ...[Date.parse(activeAt), ...others].map(ms => ms - MINUTE_MS),
        ),
      ).toISOString(),
      origin: 'machine',
      status: 'confirmed',
    },
  ])
  if (captured === undefined) return
  const known = entries.find(
    entry => isCompacted(entry) && entry.agent === agent && entry.origin === 'machine',
  )
  // Not requested by a person: `cairn undo` without an id skips it.
  await memory.store.write({ ...AUTOMATIC, session }, async view => {
    const prepared: PreparedHandoff = { kind: 'composed', entry: captured.entry, known }
    const { changes } = await planHandoffs(view, [prepared], memory.clock.nowMs())
    return changes.length === 0 ? null : { action: 'finalize', changes }
  })
}

/**
 * Whether this is the conversation of a sub-agent, started by another agent of the session: it has no message of a user. Its findings
 * belong to the session, and it gets no folder in the vault.
 */
export function isOfSubAgent(one: Conversation, all: readonly Conversation[]): boolean {
  return !isAsked(one) && all.some(isAsked)
}

/** The agent under which a finding of this conversation is stored. */
export function storedUnder(agent: string, all: readonly Conversation[]): string {
  const own = all.find(({ head }) => head.agent === agent)
  if (own === undefined || !isOfSubAgent(own, all)) return agent
  return all.find(isAsked)?.head.agent ?? agent
}

function isAsked({ messages }: Conversation): boolean {
  return messages.some(({ role }) => speakerOf(role) === 'user')
}
