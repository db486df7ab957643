import { captureMessage } from '../../features/sessions/decide/capture-message.ts'
import type { Memory } from '../../kernel/memory.ts'
import { rootOf } from '../../kernel/memory-place.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import type { HookQueueCursor } from './decide/hook-queue.ts'
import type { HookQueueLine } from './decide/queue-line.ts'
import type { TranscriptEvent } from './decide/transcript-event.ts'
import { isReadable, readTranscript, transcriptSize } from './read-transcript.ts'

/** A host writes the same message again right after the first time. */
const MAX_IDS = 50
const MAX_AHEAD = 20

/** A message of an agent, without secrets. */
interface SaidText {
  readonly text: string
  /** UTC ISO. */
  readonly at: string | undefined
  /** It was stored before, from a payload. */
  readonly isStored: boolean
}

interface FollowedText {
  readonly texts: readonly SaidText[]
  /** The transcript already has the next prompt: this turn gets no more messages. */
  readonly isTurnOver: boolean
}

/**
 * Reads the transcripts of one session along the lines of its spool. Each line recorded how long the transcript was when its hook ran, so
 * the bytes decide what came before a prompt or a tool run and what came after it; neither clocks nor texts are compared.
 *
 *   spool         prompt 1 (0 bytes)   stop (900)          prompt 2 (950)   stop (1,800)
 *   transcript    Q1 … A1                                   Q2 … A2
 *   read          nothing              up to 900,          up to 950        up to 1,800,
 *                                      then up to 950                       then up to the next prompt
 */
export function followTranscripts(memory: Memory, cursor: HookQueueCursor, lines: readonly HookQueueLine[]) {
  const offsets: Record<string, number> = { ...cursor.offsets }
  const ids = new Map(Object.entries(cursor.ids ?? {}))
  const ahead = new Map(Object.entries(cursor.ahead ?? {}))
  const unwritten = new Set(cursor.unwritten)

  /** The messages up to this line that were not read yet. undefined: the line has no readable transcript. */
  async function readUpTo(line: HookQueueLine): Promise<FollowedText | undefined> {
    const transcript = transcriptOf(line)
    if (transcript === undefined) return undefined
    const size = transcriptSize(transcript)
    if (size === undefined) return undefined
    const known = offsets[transcript]
    // A transcript that became shorter is a different one.
    const isFirst = known === undefined || known > size
    const endsTurn = line.purpose === 'turn-end' || line.purpose === 'agent-end'
    const hasOwnSize = line.transcript !== undefined && line.transcriptBytes !== undefined
    const from = isFirst ? 0 : known
    const to = hasOwnSize ? (line.transcriptBytes ?? 0) : endsTurn ? size : from
    // Messages before the first hook of a session are not captured, except for the turn that the hook ends.
    if (isFirst && !endsTurn) {
      offsets[transcript] = Math.min(to, size)
      if (line.purpose === 'prompt') unwritten.add(transcript)
      return { texts: [], isTurnOver: false }
    }
    const canHaveRest = endsTurn || line.purpose === 'end' || !hasOwnSize
    const part = readTranscript({
      host: line.host,
      transcript,
      isOfSubAgent: line.agent !== undefined,
      from,
      to,
      ...(canHaveRest && { restUntil: nextSize(line, transcript) }),
    })
    if (part === undefined) return undefined
    offsets[transcript] = part.offset
    const isPartial = isFirst && line.agent === undefined
    const events = isPartial ? lastTurn(part.events) : part.events
    const texts: SaidText[] = []
    for (const event of events) {
      if (event.kind === 'prompt') {
        // The prompt of the turn itself may be written as late as its answer.
        if (!unwritten.delete(transcript)) ahead.delete(transcript)
      } else if (!isAgain(transcript, event.id)) {
        const text = await clean(event.text)
        texts.push({ text, at: event.at, isStored: wasAhead(transcript, text) })
      }
    }
    if (line.purpose === 'prompt') unwritten.add(transcript)
    return { texts, isTurnOver: part.isTurnOver }
  }

  /** Notes that an answer was stored before the transcript of its line had it. */
  function storedAhead(line: HookQueueLine, text: string): void {
    const transcript = transcriptOf(line)
    if (transcript !== undefined)
      ahead.set(transcript, [...(ahead.get(transcript) ?? []), fingerprint(text)].slice(-MAX_AHEAD))
  }

  /** The transcript of the line, or for hosts that name it only at the end of a turn, the only one of the session. */
  function transcriptOf({ host, transcript, purpose }: HookQueueLine): string | undefined {
    if (transcript !== undefined) return isReadable(host, transcript) ? transcript : undefined
    if (purpose !== 'prompt' && purpose !== 'end') return undefined
    const [only, ...others] = Object.keys(offsets)
    return others.length === 0 ? only : undefined
  }

  /** The size of the transcript at the next line that has one: the text behind it belongs to that line. */
  function nextSize(line: HookQueueLine, transcript: string): number {
    const following = lines.slice(lines.indexOf(line) + 1)
    const next = following.find(one => one.transcript === transcript && one.transcriptBytes !== undefined)
    return next?.transcriptBytes ?? Number.POSITIVE_INFINITY
  }

  function isAgain(transcript: string, id: string | undefined): boolean {
    if (id === undefined) return false
    const known = ids.get(transcript) ?? []
    if (known.includes(id)) return true
    ids.set(transcript, [...known, id].slice(-MAX_IDS))
    return false
  }

  function wasAhead(transcript: string, text: string): boolean {
    const prints = ahead.get(transcript) ?? []
    const at = prints.indexOf(fingerprint(text))
    if (at === -1) return false
    ahead.set(transcript, prints.toSpliced(at, 1))
    return true
  }

  async function clean(text: string): Promise<string> {
    const config = await memory.config()
    const now = new Date(memory.clock.nowMs()).toISOString()
    const captured = captureMessage({ role: 'agent', text }, { config, root: rootOf(memory), now }).message
      .text
    return config['redaction.secondNet'] ? (await memory.secondNet(captured)).text : captured
  }

  return {
    readUpTo,
    storedAhead,
    cursor: (): HookQueueCursor => ({
      offsets,
      ids: listed(ids),
      ahead: listed(ahead),
      ...(unwritten.size > 0 && { unwritten: [...unwritten] }),
    }),
  }
}

function listed(map: ReadonlyMap<string, readonly string[]>): Record<string, readonly string[]> {
  return Object.fromEntries([...map].filter(([, values]) => values.length > 0))
}

function lastTurn(events: readonly TranscriptEvent[]): readonly TranscriptEvent[] {
  return events.slice(events.findLastIndex(({ kind }) => kind === 'prompt') + 1)
}
