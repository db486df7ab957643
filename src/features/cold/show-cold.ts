import type { Memory } from '../../kernel/memory.ts'
import { rootOf } from '../../kernel/memory-place.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Message } from '../../kernel/model/message.ts'
import { coldRef, isTranscriptHost, readColdRef, type Transcript } from '../../kernel/model/transcript.ts'
import { captureMessage } from '../sessions/decide/capture-message.ts'
import { asEntry, messageText } from './cold-search.ts'
import { coldParts, coldTranscripts } from './cold-transcripts.ts'
import type { ColdPorts } from './decide/ports.ts'

/** A message in a transcript, as it is shown: without secrets, and cut where it is very long. */
interface ShownMessage {
  readonly line: number
  readonly role: string
  readonly at?: string
  readonly text: string
  /** This message was requested; the others surround it. */
  readonly isMeant: boolean
}

interface ShownTranscript {
  readonly transcript: Transcript
  readonly messages: readonly ShownMessage[]
}

/**
 * The passage of a reference with the messages around it; without a line, the beginning of the session. Throws
 * `transcript_not_found`.
 */
export async function showCold(
  memory: Memory & ColdPorts,
  ref: string,
  around: number,
): Promise<ShownTranscript> {
  const meant = readColdRef(ref)
  if (meant === undefined || !isTranscriptHost(meant.host)) throw notFound(ref)
  const { transcripts } = await coldTranscripts(memory, [meant.host])
  const exact = transcripts.filter(({ session }) => session === meant.session)
  const near = transcripts.filter(({ session }) => session.startsWith(meant.session))
  const transcript = exact[0] ?? (near.length === 1 ? near[0] : undefined)
  if (transcript === undefined) throw notFound(ref, near)
  const config = await memory.config()
  const shown: ShownMessage[] = []
  let after = 0
  for await (const { message, line } of coldParts(memory, transcript)) {
    if (message === undefined) continue
    const isMeant = meant.line === line
    if (meant.line === undefined ? shown.length > 2 * around : line > meant.line && ++after > around) break
    const text = await clean(memory, message, config)
    shown.push({
      line,
      role: message.role,
      ...(message.at !== undefined && { at: message.at }),
      text,
      isMeant,
    })
    if (meant.line !== undefined && line < meant.line && shown.length > around) shown.shift()
  }
  return { transcript, messages: shown }
}

async function clean(
  memory: Memory,
  message: Message,
  config: Awaited<ReturnType<Memory['config']>>,
): Promise<string> {
  const text = messageText(captureMessage(message, { config, root: rootOf(memory), now: '' }).message)
  return config['redaction.secondNet'] ? (await memory.secondNet(text)).text : text
}

function notFound(ref: string, near: readonly Transcript[] = []): CairnError {
  return new CairnError({
    code: 'transcript_not_found',
    message: `There is no transcript ${ref.slice(0, 80)}.`,
    hint:
      near.length > 1
        ? `Did you mean ${near
            .slice(0, 3)
            .map(one => coldRef(one, 1))
            .join(', ')}?`
        : '`cairn search --cold` gives the references; they look like cold:codex/<session>:<line>.',
  })
}

const AROUND = 2

/**
 * A passage of a transcript and the messages around it, in the form of an entry. It is a view: nothing of it is in the
 * memory.
 */
export async function coldEntry(memory: Memory & ColdPorts, ref: string): Promise<Entry> {
  const { transcript, messages } = await showCold(memory, ref, AROUND)
  const content = messages
    .map(({ role, at, text }) => `[${role}${at === undefined ? '' : ` ${at.slice(0, 16)}`}] ${text}`)
    .join('\n\n')
  const meant = messages.find(({ isMeant }) => isMeant) ?? messages[0]
  return {
    ...asEntry(coldRef(transcript, meant?.line ?? 1), content, { role: 'transcript', at: meant?.at ?? '' }),
    session: transcript.session,
  }
}
