import { sessionKeyOf } from '../brief.ts'
import type { Engine } from '../engine-parts.ts'
import { closeSession } from '../learning/closing.ts'
import { CairnError } from '../model/errors.ts'
import type { Message, ToolRun } from '../model/message.ts'
import { speakerOf } from '../model/message.ts'
import type { SessionKey } from '../model/session.ts'
import type { SpoolLine } from '../pipeline/hooks/spool-line.ts'
import {
  appendMessages,
  checkpointSession,
  recordEventsAgain,
  recordRuns,
  startSession,
} from '../sessions/sessions.ts'
import { redact } from '../text/redaction/redact.ts'
import { redactionOptions } from '../text/redaction/redaction-options.ts'
import { readTranscript } from './read-transcript.ts'
import { runsWithOutcome } from './runs-with-outcome.ts'
import { agentOfEvent } from './session-of-event.ts'

/** So far back a turn is looked for what was kept of it already. */
const LOOKED_BACK = 400

export interface SessionLines {
  /** Under which the session lies in the spool. */
  readonly name: string
  readonly lines: readonly SpoolLine[]
  /** A worker died over them: those that are kept already are left out. */
  readonly isLeftover: boolean
  readonly note: (event: string, error: unknown) => void
}

/** One thing that goes into a conversation. */
interface Item {
  readonly at: string
  readonly agent: string
  readonly said?: { readonly role: 'user' | 'agent'; readonly text: string }
  readonly run?: ToolRun
}

/**
 * Puts what hooks saw of one session where it belongs: messages and runs into its conversations, in the order of their time, then a
 * checkpoint where the host compacts, then its end. Done twice it adds nothing twice.
 */
export async function takeInSession(engine: Engine, given: SessionLines): Promise<void> {
  const { name, isLeftover } = given
  const lines = runsWithOutcome(given.lines)
  const [first] = lines
  if (first === undefined) return
  const { session } = first
  const cursor = await engine.hookSpool.readCursor(name)
  const redaction = redactionOptions(await engine.config())
  const offsets: Record<string, number> = { ...cursor.offsets }
  const items: Item[] = []
  let model = cursor.model
  let askedAt = ''
  const take = (line: SpoolLine, agent: string): readonly string[] => {
    const read = readTranscript(line, offsets)
    const texts = (read?.texts ?? []).map(({ text, at }) => ({ text: redact(text, redaction).text, at }))
    if (read !== undefined && line.transcript !== undefined) offsets[line.transcript] = read.offset
    const known = new Set(items.flatMap(({ at, said }) => (at >= askedAt && said ? said.text.trim() : [])))
    for (const { text, at } of texts)
      if (!known.has(text.trim()))
        items.push({ at: within(at, askedAt, line.at), agent, said: { role: 'agent', text } })
    return texts.map(({ text }) => text.trim())
  }
  for (const line of lines) {
    const agent = await agentOfEvent(engine, line)
    model = line.agent === undefined ? (line.model ?? model) : model
    // A host may write down its last answer only after it said that the turn is over.
    const late = line.purpose === 'prompt' || line.purpose === 'end' ? onlyTranscript(offsets) : undefined
    if (late !== undefined && line.agent === undefined) take({ ...line, transcript: late }, agent)
    if (line.run !== undefined) items.push({ at: line.at, agent, run: line.run })
    else if (line.purpose === 'prompt' && line.text !== undefined) {
      askedAt = line.at
      items.push({ at: line.at, agent, said: { role: 'user', text: line.text } })
    } else if (line.purpose === 'turn-end' || line.purpose === 'agent-end') {
      const texts = take(line, agent)
      const answer = line.text
      if (answer !== undefined && !texts.includes(answer.trim()))
        items.push({ at: line.at, agent, said: { role: 'agent', text: answer } })
    }
  }
  items.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  for (const agent of new Set(items.map(item => item.agent))) {
    const own = items.filter(item => item.agent === agent)
    await keepItems(engine, { session, agent }, own, {
      isLeftover,
      head: { host: first.host, chat: session, ...(model !== undefined && { model }) },
    })
  }
  await engine.hookSpool.saveCursor(name, { offsets, ...(model !== undefined && { model }) })
  await checkpointWhenCompacted(engine, session, lines)
  if (isOver(lines)) await closeIfBegun(engine, session)
}

/** The transcript of the session, where no sub-agent has one of its own beside it. */
function onlyTranscript(offsets: Readonly<Record<string, number>>): string | undefined {
  const [one, ...others] = Object.keys(offsets)
  return others.length === 0 ? one : undefined
}

/** What a transcript says was said after it was asked for and before we heard of it, whatever its clock says. */
function within(at: string | undefined, askedAt: string, heardAt: string): string {
  if (at === undefined || at > heardAt) return heardAt
  return at < askedAt ? askedAt : at
}

async function keepItems(
  engine: Engine,
  key: SessionKey,
  items: readonly Item[],
  {
    isLeftover,
    head,
  }: {
    readonly isLeftover: boolean
    readonly head: { readonly host: string; readonly chat: string; readonly model?: string }
  },
): Promise<void> {
  const end = await engine.sessions.readEnd(key, LOOKED_BACK)
  if (isLeftover && end !== undefined) {
    const prints = new Set(
      items.flatMap(({ run, at }) => (run === undefined ? [] : printOf('tool', at, run))),
    )
    await recordEventsAgain(
      engine,
      key,
      ({ run, at }) => run !== undefined && prints.has(printOf('tool', at, run)),
    )
  }
  const fresh = unkept(items, end?.messages ?? [], isLeftover)
  if (fresh.length === 0) return
  await startSession(engine, { ...key, ...head })
  for (let at = 0; at < fresh.length; ) {
    const isRun = fresh[at]?.run !== undefined
    let next = at
    while (next < fresh.length && (fresh[next]?.run !== undefined) === isRun) next++
    const stretch = fresh.slice(at, next)
    if (isRun)
      await recordRuns(
        engine,
        key,
        stretch.flatMap(({ run }) => run ?? []),
        { at: stretch.map(item => item.at) },
      )
    else
      await appendMessages(
        engine,
        key,
        stretch.flatMap(({ said, at: when }) => (said === undefined ? [] : [{ ...said, at: when }])),
      )
    at = next
  }
}

/**
 * Without what the conversation has. An agent's words of this turn may come by its payload and by the transcript: once is enough. All
 * else comes once, unless a worker died over it: it is known again by its time then.
 */
function unkept(items: readonly Item[], kept: readonly Message[], isLeftover: boolean): Item[] {
  const counts = new Map<string, number>()
  if (isLeftover)
    for (const { role, at, run } of kept) {
      const print = printOf(speakerOf(role), at, run)
      counts.set(print, (counts.get(print) ?? 0) + 1)
    }
  let turn = new Set<string>()
  for (const { role, text } of kept) {
    if (speakerOf(role) === 'user') turn = new Set()
    else if (speakerOf(role) === 'agent') turn.add(text.trim())
  }
  return items.filter(({ said, run, at }) => {
    const print = printOf(said?.role ?? 'tool', at, run)
    const count = counts.get(print) ?? 0
    if (count > 0) {
      counts.set(print, count - 1)
      return false
    }
    if (said === undefined) return true
    if (said.role === 'user') turn = new Set()
    else if (turn.has(said.text.trim())) return false
    else turn.add(said.text.trim())
    return true
  })
}

function printOf(role: string, at: string | undefined, run: ToolRun | undefined): string {
  return `${role} ${at ?? ''} ${run?.tool ?? ''} ${run?.command ?? run?.files?.join(' ') ?? ''}`
}

/** Hosts that begin anew after a compaction say so then; the others only before it. */
const BEGINS_ANEW: ReadonlySet<string> = new Set(['claude-code', 'codex'])

async function checkpointWhenCompacted(
  engine: Engine,
  session: string,
  lines: readonly SpoolLine[],
): Promise<void> {
  const compacted = lines.filter(({ purpose }) => purpose === 'compact')
  const [last] = compacted.slice(-1)
  if (last === undefined) return
  // Gemini tells of every turn; only when a person asked for it is it certain.
  const isCertain = last.host === 'gemini' ? last.isManual === true : !BEGINS_ANEW.has(last.host)
  if (isCertain) await engine.briefs.forgetSent(sessionKeyOf(session))
  for (const head of await engine.sessions.conversationsOf(session)) {
    const end = await engine.sessions.readEnd(head, 1)
    const { checkpoint } = await engine.sessions.findCheckpoint(head.agent, session)
    if (end === undefined || (checkpoint !== undefined && checkpoint.savedAt >= Date.parse(end.activeAt)))
      continue
    await checkpointSession(engine, head)
  }
}

/** It ended, and was not taken up again since. */
function isOver(lines: readonly SpoolLine[]): boolean {
  const end = lines.findLastIndex(({ purpose }) => purpose === 'end')
  return (
    end !== -1 && !lines.slice(end + 1).some(({ purpose }) => purpose === 'prompt' || purpose === 'start')
  )
}

/** A session in which nothing was said leaves nothing behind. */
async function closeIfBegun(engine: Engine, session: string): Promise<void> {
  try {
    await closeSession(engine, session)
  } catch (error) {
    if (!(error instanceof CairnError) || error.code !== 'session_not_found') throw error
  }
}
