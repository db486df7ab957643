import { untrustedTextIn } from '../../features/agent-saves/save-entries.ts'
import { sessionKeyOf } from '../../features/brief/brief.ts'
import type { BriefPorts } from '../../features/brief/decide/ports.ts'
import { closeSession } from '../../features/learning/closing.ts'
import type { ClosingPorts } from '../../features/learning/decide/ports.ts'
import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import {
  appendMessages,
  checkpointSession,
  recordEventsAgain,
  recordRuns,
  startSession,
} from '../../features/sessions/sessions.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Change, JournalRecord } from '../../kernel/model/journal.ts'
import type { ToolRun } from '../../kernel/model/message.ts'
import { speakerOf } from '../../kernel/model/message.ts'
import { extraOfLineage } from '../../kernel/model/provenance.ts'
import type { SessionKey } from '../../kernel/model/session.ts'
import { errnoOf, nodeDisk } from '../../kernel/system/disk.ts'
import { agentWritten, earliestObservation } from '../../kernel/vault/agent-written.ts'
import { sameEntry } from '../../kernel/vault/observe.ts'
import { HOSTS } from '../hosts.ts'
import type { HookQueueCursor } from './decide/hook-queue.ts'
import type { HookPorts } from './decide/ports.ts'
import type { HookQueueLine } from './decide/queue-line.ts'
import { followTranscripts } from './follow-transcripts.ts'
import { agentOfEvent } from './session-of-event.ts'

/** The maximum number of last messages that may belong to the current turn. */
const MAX_TURN_MESSAGES = 400
/** A host may write an answer into its transcript a moment after its hook ran. */
const LATE_MS = 1_500
const LATE_PAUSE_MS = 100
/** A hook that ran longer ago has a transcript that is complete. */
const RECENT_MS = 10_000

interface SessionLines {
  /** The session's name in the spool. */
  readonly name: string
  readonly lines: readonly HookQueueLine[]
  /** How many of the first lines are in the conversation: an earlier worker died after it stored them. */
  readonly stored: number
  /** An earlier worker died over these lines: some of the others may be stored too. */
  readonly isLeftover: boolean
  /** The cursor after all of them are stored. */
  readonly done: HookQueueCursor['done']
}

/** One item of a conversation. */
interface Item {
  readonly at: string
  readonly agent: string
  readonly said?: { readonly role: 'user' | 'agent'; readonly text: string }
  readonly run?: ToolRun
}

/**
 * Stores what the hooks of one session saw, in its conversations: messages and runs in their order, then what the agent wrote into the
 * vault, then a checkpoint where the host compacts, then the end of the session. Each message has one source:
 *
 *   what a person asked     the payload of the prompt's hook
 *   what the agent said     the host's transcript (follow-transcripts.ts); the payload where there is none, or it does not have it yet
 *   what was run            the payload of the tool's hook
 *
 * Storing the same lines again adds nothing.
 */
export async function storeSessionLines(
  memory: Memory & ClosingPorts & HookPorts,
  given: SessionLines,
): Promise<void> {
  const { lines } = given
  const [first] = lines
  if (first === undefined) return
  if (lines.length > given.stored) await storeLines(memory, given, first)
  await claimAgentText(memory, lines)
  await checkpointWhenCompacted(memory, first.session, lines)
  if (isOver(lines)) await closeIfBegun(memory, first.session)
}

async function storeLines(
  memory: Memory & SessionPorts & HookPorts,
  given: SessionLines,
  { session, host }: HookQueueLine,
): Promise<void> {
  const { name, isLeftover, done } = given
  const cursor = await memory.hookQueue.readCursor(name)
  const lines = runsWithOutcome(given.lines.slice(given.stored))
  const transcripts = followTranscripts(memory, cursor, lines)
  const items: Item[] = []
  const turns = new Map<string, string[]>()
  let model = cursor.model
  let askedAt = ''
  const turnOf = async (agent: string): Promise<string[]> => {
    const turn = turns.get(agent) ?? (await storedTurn(memory, { session, agent }))
    turns.set(agent, turn)
    return turn
  }
  const read = async (line: HookQueueLine, agent: string) => {
    const followed = await transcripts.readUpTo(line)
    const latest = line.purpose === 'turn-end' ? new Date(memory.clock.nowMs()).toISOString() : line.at
    const since = line.agent === undefined ? askedAt : ''
    for (const { text, at, isStored } of followed?.texts ?? []) {
      if (isStored) continue
      const turn = await turnOf(agent)
      turn.push(text)
      items.push({ at: within(at ?? line.at, since, latest), agent, said: { role: 'agent', text } })
    }
    return followed
  }
  for (const [index, line] of lines.entries()) {
    const agent = await agentOfEvent(memory, line)
    model = line.agent === undefined ? (line.model ?? model) : model
    const followed =
      line.agent === undefined || line.purpose === 'agent-end' ? await read(line, agent) : undefined
    if (line.run !== undefined) items.push({ at: line.at, agent, run: line.run })
    else if (line.purpose === 'prompt' && line.text !== undefined) {
      askedAt = line.at
      turns.set(agent, [])
      items.push({ at: line.at, agent, said: { role: 'user', text: line.text } })
    } else if ((line.purpose === 'turn-end' || line.purpose === 'agent-end') && line.text !== undefined) {
      const { text } = line
      const turn = await turnOf(agent)
      const isAwaited = followed !== undefined && !followed.isTurnOver && index === lines.length - 1
      if (isAwaited && !isSaidIn(turn, text))
        await waitForAnswer(memory, line, text, turn, () => read(line, agent))
      if (!isSaidIn(turn, text)) {
        turn.push(text)
        items.push({ at: line.at, agent, said: { role: 'agent', text } })
        transcripts.storedAhead(line, text)
      }
    }
  }
  items.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  const counts: Record<string, number> = { ...cursor.counts }
  for (const agent of new Set(items.map(item => item.agent))) {
    const own = items.filter(item => item.agent === agent)
    const key = { session, agent }
    const fresh = isLeftover ? await unstored(memory, key, own, counts[agent] ?? 0) : own
    if (fresh.length > 0)
      await storeItems(memory, key, fresh, { host, chat: session, ...(model !== undefined && { model }) })
    counts[agent] = (await memory.sessions.readEnd(key, 1))?.count ?? 0
  }
  await memory.hookQueue.saveCursor(name, {
    ...transcripts.cursor(),
    counts,
    ...(done !== undefined && { done }),
    ...(model !== undefined && { model }),
  })
}

/** Texts of the agent since the last prompt that is stored. */
async function storedTurn(memory: SessionPorts, key: SessionKey): Promise<string[]> {
  const { messages = [] } = (await memory.sessions.readEnd(key, MAX_TURN_MESSAGES)) ?? {}
  const asked = messages.findLastIndex(({ role }) => speakerOf(role) === 'user')
  return messages.slice(asked + 1).flatMap(({ role, text }) => (speakerOf(role) === 'agent' ? text : []))
}

/** Whether the turn has it: as one message, or as its last ones together, which some hosts hand over as one. */
function isSaidIn(turn: readonly string[], text: string): boolean {
  const wanted = text.replace(/\s+/g, '')
  let last = ''
  for (const one of turn.toReversed()) {
    const bare = one.replace(/\s+/g, '')
    last = bare + last
    if (bare === wanted || last === wanted) return true
  }
  return false
}

async function waitForAnswer(
  { clock }: Memory,
  line: HookQueueLine,
  text: string,
  turn: readonly string[],
  read: () => Promise<{ readonly isTurnOver: boolean } | undefined>,
): Promise<void> {
  const startMs = clock.nowMs()
  if (startMs - Date.parse(line.at) > RECENT_MS) return
  while (clock.nowMs() - startMs < LATE_MS) {
    await clock.sleep(LATE_PAUSE_MS)
    const followed = await read()
    if (followed === undefined || followed.isTurnOver || isSaidIn(turn, text)) return
  }
}

/** A message of a turn was said after its prompt and before its hook ran, whatever the clock of the transcript says. */
function within(at: string, askedAt: string, latest: string): string {
  if (at > latest) return latest
  return at < askedAt ? askedAt : at
}

async function storeItems(
  memory: Memory & SessionPorts,
  key: SessionKey,
  items: readonly Item[],
  head: { readonly host: string; readonly chat: string; readonly model?: string },
): Promise<void> {
  await startSession(memory, { ...key, ...head })
  for (let at = 0; at < items.length; ) {
    const isRun = items[at]?.run !== undefined
    let next = at
    while (next < items.length && (items[next]?.run !== undefined) === isRun) next++
    const stretch = items.slice(at, next)
    if (isRun)
      await recordRuns(
        memory,
        key,
        stretch.flatMap(({ run }) => run ?? []),
        { at: stretch.map(item => item.at) },
      )
    else
      await appendMessages(
        memory,
        key,
        stretch.flatMap(({ said, at: when }) => (said === undefined ? [] : [{ ...said, at: when }])),
      )
    at = next
  }
}

/**
 * What an earlier worker did not store before it died: what it did is among the messages that were added since the cursor was saved. The
 * events of runs that it stored are recorded if they are missing.
 */
async function unstored(
  memory: Memory & SessionPorts,
  key: SessionKey,
  items: readonly Item[],
  countBefore: number,
): Promise<readonly Item[]> {
  const end = await memory.sessions.readEnd(key, MAX_TURN_MESSAGES + items.length)
  if (end === undefined || end.count <= countBefore) return items
  const runs = new Set(items.flatMap(({ run, at }) => (run === undefined ? [] : printOf('tool', at, run))))
  await recordEventsAgain(
    memory,
    key,
    ({ run, at }) => run !== undefined && runs.has(printOf('tool', at, run)),
  )
  const added = end.messages
    .slice(countBefore - end.count)
    .map(({ role, text, at, run }) => printOf(speakerOf(role), at, run, text))
  return items.filter(({ said, run, at }) => {
    const index = added.indexOf(printOf(said?.role ?? 'tool', at, run, said?.text))
    if (index !== -1) added.splice(index, 1)
    return index === -1
  })
}

/** An agent's text is recognised by its words: the transcript may have grown since, and then it has another time than the payload. */
function printOf(role: string, at: string | undefined, run: ToolRun | undefined, text = ''): string {
  if (role === 'agent') return `agent ${text.trim()}`
  return `${role} ${at ?? ''} ${run?.tool ?? ''} ${run?.command ?? run?.files?.join(' ') ?? ''}`
}

async function checkpointWhenCompacted(
  memory: Memory & BriefPorts & SessionPorts,
  session: string,
  lines: readonly HookQueueLine[],
): Promise<void> {
  const compacted = lines.filter(({ purpose }) => purpose === 'compact')
  const [last] = compacted.slice(-1)
  if (last === undefined) return
  const { compaction } = HOSTS[last.host].hooks
  const isCertain = compaction === 'each-turn' ? last.isManual === true : compaction === 'certain'
  if (isCertain) await memory.briefs.forgetSent(sessionKeyOf(session))
  for (const head of await memory.sessions.conversationsOf(session)) {
    const end = await memory.sessions.readEnd(head, 1)
    const { checkpoint } = await memory.sessions.findCheckpoint(head.agent, session)
    if (end === undefined || (checkpoint !== undefined && checkpoint.savedAt >= Date.parse(end.activeAt)))
      continue
    await checkpointSession(memory, head)
  }
}

/** The session ended and was not resumed since. */
function isOver(lines: readonly HookQueueLine[]): boolean {
  const end = lines.findLastIndex(({ purpose }) => purpose === 'end')
  return (
    end !== -1 && !lines.slice(end + 1).some(({ purpose }) => purpose === 'prompt' || purpose === 'start')
  )
}

/** A session in which nothing was said leaves nothing behind. */
async function closeIfBegun(memory: Memory & ClosingPorts, session: string): Promise<void> {
  try {
    await closeSession(memory, session)
  } catch (error) {
    if (!(error instanceof CairnError) || error.code !== 'session_not_found') throw error
  }
}

/**
 * Text that an agent's edit tool wrote into a vault file is the agent's candidate. Any read may have indexed the file before, as an edit of
 * the user: the journal says which entries came with the edit. It is one record, which `cairn undo` reverts.
 */
async function claimAgentText(memory: Memory & SessionPorts, lines: readonly HookQueueLine[]): Promise<void> {
  const writing = lines.filter(line => line.written !== undefined)
  const [last] = writing.slice(-1)
  if (last === undefined) return
  const edits = writing.flatMap(({ written }) => written ?? [])
  const entries = agentWritten(await observedSince(memory, earliestObservation(edits)), edits)
  if (entries.length === 0) return
  const { session, host } = last
  const untrusted = await untrustedTextIn(memory, session)
  const claimed = (entry: Entry): Entry => {
    const extra = { ...entry.extra, ...(untrusted !== undefined && extraOfLineage({ untrusted })) }
    return {
      ...entry,
      origin: 'agent',
      status: 'candidate',
      session,
      ...(Object.keys(extra).length > 0 && { extra }),
    }
  }
  // Without `isAgent`: an agent that could undo it would confirm its own words.
  const by = { host, agent: await agentOfEvent(memory, last), session }
  await memory.store.write(by, async view => {
    const changes: Change[] = []
    for (const entry of entries)
      if (sameEntry(await view.findEntry(entry.id), entry))
        changes.push({ type: 'entry', before: entry, after: claimed(entry) })
    return { action: 'update', changes }
  })
}

/** Newest first, with what the vault files say now. */
async function observedSince(memory: Memory, since: string): Promise<JournalRecord[]> {
  await memory.store.refresh()
  const stale = memory.store.takeDegraded().find(({ code }) => code === 'index_stale')
  if (stale !== undefined)
    throw new CairnError({
      code: 'store_locked',
      message: `What an agent wrote into the vault is not marked as the agent's yet. ${stale.message}`,
      hint: 'It is tried again with the next hook.',
    })
  const records: JournalRecord[] = []
  for await (const record of memory.store.readJournal({})) {
    if (record.at < since) break
    records.push(record)
  }
  return records
}

/** The runs of the last turns are at its end. */
const TAIL_BYTES = 8 * 1_048_576

/**
 * The same lines, with the exit code of a run where only the host's transcript has it. Nothing else is taken from it, and without it the
 * outcome stays unknown.
 */
function runsWithOutcome(lines: readonly HookQueueLine[]): readonly HookQueueLine[] {
  const open = lines.filter(isOpen)
  if (open.length === 0) return lines
  const codes = new Map<string, number>()
  const calls = new Set(open.flatMap(line => line.callId ?? []))
  const hostByTranscript = new Map(
    open.flatMap(line => (line.transcript === undefined ? [] : [[line.transcript, line.host] as const])),
  )
  for (const [transcript, host] of hostByTranscript)
    for (const [id, code] of HOSTS[host].hooks.exitCodes?.(endOf(transcript), calls) ?? [])
      codes.set(id, code)
  return lines.map(line => {
    const exitCode = isOpen(line) ? codes.get(line.callId ?? '') : undefined
    if (exitCode === undefined || line.run === undefined) return line
    return { ...line, run: { ...line.run, ok: exitCode === 0, exitCode } }
  })
}

function isOpen({ host, run, callId, transcript }: HookQueueLine): boolean {
  if (HOSTS[host].hooks.exitCodes === undefined || run === undefined || run.ok !== undefined) return false
  return callId !== undefined && transcript?.endsWith('.jsonl') === true
}

function endOf(transcript: string): string[] {
  try {
    const read = nodeDisk.readTail(transcript, TAIL_BYTES)
    return read === undefined ? [] : new TextDecoder().decode(read.tail).split('\n')
  } catch (error) {
    // It is the host's file: it may be gone or not readable for us.
    if (errnoOf(error) !== undefined || error instanceof CairnError) return []
    throw error
  }
}
