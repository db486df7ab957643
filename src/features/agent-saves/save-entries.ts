import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Message } from '../../kernel/model/message.ts'
import type { NewEntry } from '../../kernel/model/new-entry.ts'
import type { UntrustedSource } from '../../kernel/model/provenance.ts'
import { findAgentInstruction } from '../../kernel/text/agent-instructions.ts'
import { analyseEntry } from '../../kernel/text/analyse.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { withoutSecret } from '../../kernel/text/redaction/safe-names.ts'
import { captureEntries, changeEntry, remember } from '../entries/write-entries.ts'
import type { FreshnessPorts } from '../freshness/decide/ports.ts'
import { untrustedIn } from '../learning/decide/untrusted-text.ts'
import { findAlike } from '../search/decide/find-alike.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import { refusalOf, statementOf, withReason } from './decide/check-statement.ts'
import type { AskPorts } from './decide/ports.ts'

export const MAX_SAVED_AT_ONCE = 5
const MAX_HANDOFF_CHARACTERS = 2_000
const MAX_SIMILAR = 3
/** How much of a refused, unchecked statement is repeated in the answer. */
const MAX_REFUSED_CHARACTERS = 500
/** How many messages are read of each conversation, from its end. */
const MAX_MESSAGES = 2_000
const CONSIDERED_ALIKE = 6
/** The share of common words, relative to the shorter text, from which two entries are compared. */
const SIMILAR_SHARE = 0.5
const MIN_SHARED_WORDS = 3

/** Marks the handoff that an agent wrote for its session. */
const AGENT_HANDOFF_TAG = 'agent-handoff'

/** A fact that an agent saves. */
export interface AgentEntry {
  /** One sentence that names its subject. */
  readonly statement: string
  /** The reason or the evidence. */
  readonly why?: string | undefined
  readonly kind?: string | undefined
  readonly files?: readonly string[] | undefined
  readonly tags?: readonly string[] | undefined
  /** The id of the entry that this one replaces. */
  readonly supersedes?: string | undefined
}

export interface AgentSave {
  /** At most 5. */
  readonly entries?: readonly AgentEntry[] | undefined
  /** What was asked, verified, only claimed, and left. A second handoff of the session replaces the first. */
  readonly handoff?: string | undefined
  readonly session?: string | undefined
  readonly agent?: string | undefined
}

export interface AgentSaved {
  /** In the order of the accepted entries. */
  readonly stored: readonly Entry[]
  readonly refused: readonly { readonly statement: string; readonly reason: string }[]
  /** Up to three older entries that resemble the stored ones. */
  readonly similar: readonly Entry[]
  readonly handoff: Entry | null
  readonly record: string | null
}

/** Stores valid entries as candidates with `origin: agent`. An invalid entry is refused with a reason and does not affect the others. */
export async function saveEntries(
  memory: Memory & SearchPorts & SessionPorts & FreshnessPorts & AskPorts,
  save: AgentSave,
): Promise<AgentSaved> {
  const agent = save.agent ?? memory.actor.agent
  const session = save.session ?? memory.actor.session
  // The session names a file: see `noteSaved`.
  if (session !== undefined) withoutSecret('session', session)
  const owner = { ...(agent !== undefined && { agent }), ...(session !== undefined && { session }) }
  const refused: { statement: string; reason: string }[] = []
  const refuse = (statement: string, reason: string) => refused.push({ statement, reason })
  const accepted: NewEntry[] = []
  const similar = new Map<string, Entry>()
  const given = save.entries ?? []
  const untrusted = session === undefined ? undefined : await untrustedTextIn(memory, session)
  for (const entry of given.slice(0, MAX_SAVED_AT_ONCE)) {
    const input = { ...newEntryOf(entry, untrusted), ...owner }
    const [captured] = await captureEntries(memory, [input])
    if (captured === undefined) throw new Error('one entry in, one answer out')
    const { content, agent: vault } = captured.entry
    const [secret] = captured.redacted
    const alike = await alikeEntries(memory, content, agent)
    const known = await duplicateOf(memory, { content, vault, alike })
    const reason =
      refusalOf(entry.statement, entry.why) ??
      (secret && `Contains what looks like a secret (${secret.type}): leave the value out.`) ??
      (known && `Already stored as [${known.id}]: no action is needed.`) ??
      (await supersededProblem(memory, entry.supersedes)) ??
      (accepted.some(other => sameStatement(other.content, content))
        ? 'Given twice in this call.'
        : undefined)
    if (reason !== undefined) refuse(statementOf(content), reason)
    else {
      accepted.push(input)
      for (const other of alike)
        if (other.id !== entry.supersedes && isSimilar(content, other.content)) similar.set(other.id, other)
    }
  }
  for (const { statement } of given.slice(MAX_SAVED_AT_ONCE))
    refuse(
      (await cleaned(memory, statement.slice(0, 4 * MAX_REFUSED_CHARACTERS))).text.slice(
        0,
        MAX_REFUSED_CHARACTERS,
      ),
      `At most ${MAX_SAVED_AT_ONCE} entries at once: save the most lasting ones.`,
    )
  const results = accepted.length === 0 ? [] : await remember(memory, accepted)
  const handoff = save.handoff?.trim() ? await saveHandoff(memory, save.handoff.trim(), owner) : undefined
  if (typeof handoff === 'string') refuse('handoff', handoff)
  // Another process may have stored the same text after the check.
  for (const { entry } of results.filter(({ duplicate }) => duplicate))
    refuse(statementOf(entry.content), `Already stored as [${entry.id}]: no action is needed.`)
  const stored = results.filter(({ duplicate }) => !duplicate).map(({ entry }) => entry)
  if (session !== undefined && (stored.length > 0 || typeof handoff === 'object'))
    await memory.asks.noteSaved(session, new Date(memory.clock.nowMs()).toISOString())
  return {
    stored,
    refused,
    similar: [...similar.values()].slice(0, MAX_SIMILAR),
    handoff: typeof handoff === 'object' ? handoff : null,
    record: results[0]?.record ?? null,
  }
}

/** Saves one text for callers that need the entry. Throws `invalid_input` with the reason if it is refused. */
export async function saveOne(
  memory: Memory & SearchPorts & SessionPorts & FreshnessPorts & AskPorts,
  entry: AgentEntry,
): Promise<Entry> {
  const { stored, refused } = await saveEntries(memory, { entries: [entry] })
  const [saved] = stored
  if (saved !== undefined) return saved
  throw new CairnError({
    code: 'invalid_input',
    message: `Not stored. ${refused[0]?.reason ?? ''}`,
    hint: 'Save one lasting fact that names its subject, or leave it out.',
  })
}

/** Whether the session contained text from outside the project. The entry records it, so that readers do not mistake it for the agent's own finding. */
export async function untrustedTextIn(
  memory: SessionPorts,
  session: string,
): Promise<UntrustedSource | undefined> {
  const messages: Message[] = []
  for (const head of await memory.sessions.conversationsOf(session))
    messages.push(...((await memory.sessions.readEnd(head, MAX_MESSAGES))?.messages ?? []))
  return untrustedIn(messages)
}

function newEntryOf(
  { statement, why, kind, files, tags, supersedes }: AgentEntry,
  untrusted: UntrustedSource | undefined,
): NewEntry {
  const replaced = supersedes?.trim()
  return {
    content: withReason(statement, why),
    origin: 'agent',
    status: 'candidate',
    ...(kind?.trim() && { kind }),
    ...(files !== undefined && { files }),
    ...(tags !== undefined && { tags }),
    ...((replaced || untrusted) && {
      lineage: { ...(replaced && { supersedes: replaced }), ...(untrusted && { untrusted }) },
    }),
  }
}

async function alikeEntries(
  memory: Memory & SearchPorts,
  text: string,
  agent: string | undefined,
): Promise<readonly Entry[]> {
  await memory.store.refresh()
  const filter = agent === undefined ? {} : { reader: agent }
  const ids = await findAlike(memory.search, { text, filter, limit: CONSIDERED_ALIKE })
  const found = await Promise.all(ids.map(id => memory.store.findEntry(id)))
  return found.flatMap(entry => (entry === undefined || entry.category === 'handoffs' ? [] : [entry]))
}

/** An entry with the same text, or the same statement with another reason. */
async function duplicateOf(
  memory: Memory,
  { content, vault, alike }: { content: string; vault: string; alike: readonly Entry[] },
): Promise<Entry | undefined> {
  let known: Entry | undefined
  await memory.store.write(memory.actor, async view => {
    known = await view.findDuplicate(fingerprint(content), [vault, 'shared'])
    return null
  })
  return known ?? alike.find(entry => sameStatement(entry.content, content))
}

function sameStatement(a: string, b: string): boolean {
  return fingerprint(statementOf(a)) === fingerprint(statementOf(b))
}

async function supersededProblem(memory: Memory, id: string | undefined): Promise<string | undefined> {
  if (!id?.trim() || (await memory.store.findEntry(id.trim())) !== undefined) return undefined
  return `There is no entry ${id.trim().slice(0, 40)} to supersede: search for its id, or leave \`supersedes\` out.`
}

function isSimilar(text: string, other: string): boolean {
  const [a, b] = [wordsOf(text), wordsOf(other)]
  const shared = [...a].filter(word => b.has(word)).length
  return shared >= MIN_SHARED_WORDS && shared / Math.min(a.size, b.size) >= SIMILAR_SHARE
}

function wordsOf(content: string): ReadonlySet<string> {
  const { body } = analyseEntry({ content: statementOf(content), tags: [], files: [], kind: '', date: '' })
  return new Set(body.split(' ').filter(word => word !== ''))
}

/** The entry, or why it was refused. */
async function saveHandoff(
  memory: Memory & FreshnessPorts,
  content: string,
  owner: { readonly agent?: string; readonly session?: string },
): Promise<Entry | string> {
  if (content.length > MAX_HANDOFF_CHARACTERS)
    return `Too long (${content.length} of at most ${MAX_HANDOFF_CHARACTERS} characters): asked, verified, claimed, left, in a line each.`
  const { text, hasSecret } = await cleaned(memory, content)
  if (hasSecret) return 'Contains what looks like a secret: leave the value out.'
  const instruction = findAgentInstruction(text)
  if (instruction !== undefined)
    return `Reads as an instruction to an agent ("${instruction.slice(0, 60)}"): say what is done and what is left.`
  const earlier = owner.session === undefined ? undefined : await handoffOf(memory, owner.session)
  if (earlier !== undefined) {
    const updated = new Date(memory.clock.nowMs()).toISOString().slice(0, 19)
    const { after } = await changeEntry(memory, earlier.id, 'update', entry =>
      entry.content === text ? entry : { ...entry, content: text, updated },
    )
    if (after === null) throw new Error('an update leaves an entry')
    return after
  }
  const [result] = await remember(memory, [
    {
      content: text,
      category: 'handoffs',
      kind: 'handoff',
      origin: 'agent',
      status: 'candidate',
      tags: [AGENT_HANDOFF_TAG],
      ...owner,
    },
  ])
  if (result === undefined) throw new Error('one entry in, one answer out')
  return result.entry
}

/** The handoff that an agent wrote for a session. */
export async function handoffOf(memory: Memory, session: string): Promise<Entry | undefined> {
  const filter = { category: 'handoffs' as const, tags: [AGENT_HANDOFF_TAG], session }
  const { entries } = await memory.store.listEntries({ filter, limit: 1, offset: 0 })
  return entries.find(({ origin }) => origin === 'agent')
}

async function cleaned(memory: Memory, content: string): Promise<{ text: string; hasSecret: boolean }> {
  if (content.trim() === '') return { text: '', hasSecret: false }
  const [captured] = await captureEntries(memory, [{ content }])
  return { text: captured?.entry.content ?? '', hasSecret: (captured?.redacted.length ?? 0) > 0 }
}
