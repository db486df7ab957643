import * as path from 'node:path'
import { saveCopies } from '../../features/cold/cold-transcripts.ts'
import type { ColdPorts } from '../../features/cold/decide/ports.ts'
import type { ClosingPorts } from '../../features/learning/decide/ports.ts'
import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import type { UpkeepPorts } from '../../features/upkeep/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Config } from '../../kernel/model/config.ts'
import type { ImportSource } from '../../kernel/model/import-source.ts'
import {
  isTranscriptHost,
  TRANSCRIPT_HOSTS,
  type Transcript,
  type TranscriptHost,
} from '../../kernel/model/transcript.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import type { ImportPorts, SourcePorts } from './decide/ports.ts'
import type { FileCursor, FileCursors, TranscriptState } from './decide/source-registry.ts'
import { sessionImporter } from './session-importer.ts'
import type { SourceItem, SourceMessage, Trouble } from './sources/source.ts'
import { isSameFile } from './sources/source-snapshot.ts'
import { storeSourceItems } from './take-in.ts'
import type { ImportCounts, OnProgress } from './tally.ts'

/** How often the import position is saved; a killed process repeats at most this many sessions. */
const SESSIONS_BETWEEN_NOTES = 25

/** `transcripts:codex` in sources.json. */
const TYPE = 'transcripts:'

/** The host whose transcripts a source contains; undefined: it is another kind of source. */
export function hostOfSource({ type }: Pick<ImportSource, 'type'>): TranscriptHost | undefined {
  const name = type.startsWith(TYPE) ? type.slice(TYPE.length) : ''
  return isTranscriptHost(name) ? name : undefined
}

interface SyncedTranscripts {
  readonly seen: number
  /** Read, because they are new or have grown. */
  readonly read: number
  /** The total that stays cold; `search --cold` searches them. */
  readonly cold: number
  /** Captured by hooks before. */
  readonly captured: number
  readonly taken: ImportCounts
  readonly troubles: readonly string[]
}

export interface TranscriptSyncOptions extends TranscriptLimits {
  readonly dryRun?: boolean
  readonly onProgress?: OnProgress | undefined
}

/**
 * Imports the sessions of this project from one host. The transcripts stay where they are. Recent ones become conversations,
 * findings and events like any imported conversation, under the id that the host uses, so a session that hooks captured is never
 * imported twice.
 */
export async function syncTranscripts(
  memory: Memory & ClosingPorts & UpkeepPorts & ColdPorts & SourcePorts,
  source: ImportSource,
  host: TranscriptHost,
  { dryRun = false, onProgress, sinceMs, most }: TranscriptSyncOptions,
): Promise<SyncedTranscripts> {
  const config = await memory.config()
  const listed = await memory.transcripts.list([host])
  const nowMs = memory.clock.nowMs()
  const known = await memory.sourceRegistry.cursors(source.id)
  const chosen = chooseTranscripts(listed.transcripts, known, { sinceMs, most, nowMs })
  const cursors: Record<string, FileCursor> = {}
  for (const transcript of listed.transcripts) {
    const cursor = known[keyOfTranscript(transcript)]
    if (cursor !== undefined) cursors[keyOfTranscript(transcript)] = cursor
  }
  const note = (transcript: Transcript, standing: TranscriptState, trouble?: string) => {
    const { size, mtimeMs, inode } = transcript
    cursors[keyOfTranscript(transcript)] = {
      ...{ size, mtimeMs, inode, checkedMs: nowMs },
      ...(trouble !== undefined && { trouble }),
      transcript: standing,
    }
  }
  for (const transcript of chosen.cold) note(transcript, { as: 'cold' })

  let chats: Promise<ReadonlySet<string>> | undefined
  const chatsKept = () => {
    chats ??= renamedChats(memory)
    return chats
  }
  let done = 0
  const place = listed.places[host] ?? source.path
  const items = async function* (): AsyncIterable<SourceItem> {
    for (const transcript of chosen.distilled) {
      const parts = { source, config, place, known: cursors, chatsKept }
      const found = await sessionIn(memory, transcript, parts)
      if (found.kind === 'left') {
        yield* found.troubles.map((trouble): SourceItem => ({ what: 'refused', trouble }))
        const [first] = found.troubles
        note(transcript, { as: found.as }, first && `${first.file}:${first.line}: ${first.message}`)
      } else {
        yield found.item
        const trouble = found.firstTrouble()
        const key = { session: transcript.session, agent: found.item.head.agent }
        const messages = dryRun ? 0 : ((await memory.sessions.readEnd(key, 1))?.count ?? 0)
        note(transcript, { as: 'kept', messages }, trouble)
      }
      onProgress?.(++done, chosen.distilled.length, `sessions of ${source.id}`)
      if (!dryRun && done % SESSIONS_BETWEEN_NOTES === 0)
        await memory.sourceRegistry.keepCursors(source.id, cursors)
    }
  }
  const taken = await storeSourceItems(memory, items(), {
    dryRun,
    from: 'transcripts',
    sourceId: source.id,
    sessionImporter: sessionImporter(memory, config),
  })
  if (!dryRun) await memory.sourceRegistry.keepCursors(source.id, cursors)
  if (!dryRun && config['cold.keep']) await saveCopies(memory, listed.transcripts, onProgress)
  const standings = Object.values(cursors).flatMap(({ transcript }) => transcript?.as ?? [])
  return {
    seen: listed.transcripts.length,
    read: chosen.distilled.length,
    cold: standings.filter(as => as === 'cold').length,
    captured: standings.filter(as => as === 'captured').length,
    taken,
    troubles: [
      ...Object.values(cursors).flatMap(({ trouble }) => trouble ?? []),
      ...listed.problems.map(({ message }) => message),
    ],
  }
}

/** Chats of sessions that have an id other than the host's. Read once, and only if a transcript is new. */
async function renamedChats(memory: SessionPorts): Promise<ReadonlySet<string>> {
  const { sessions } = await memory.sessions.list({ limit: Number.MAX_SAFE_INTEGER })
  return new Set(
    sessions.flatMap(({ session, chats }) => Object.values(chats).filter(chat => chat !== session)),
  )
}

/** The maximum number of messages to read before the session begins. */
const MAX_AHEAD = 10

interface SessionParts {
  readonly source: ImportSource
  readonly config: Config
  readonly place: string
  readonly known: Readonly<Record<string, FileCursor>>
  readonly chatsKept: () => Promise<ReadonlySet<string>>
}

type FoundSession =
  | { readonly kind: 'left'; readonly as: 'captured' | 'empty'; readonly troubles: readonly Trouble[] }
  | {
      readonly kind: 'session'
      readonly item: Extract<SourceItem, { what: 'session' }>
      readonly firstTrouble: () => string | undefined
    }

const CAPTURED = { kind: 'left', as: 'captured', troubles: [] } as const

/** The session in a transcript, or why it is not imported. */
async function sessionIn(
  memory: Memory & SessionPorts & ColdPorts,
  transcript: Transcript,
  { source, config, place, known, chatsKept }: SessionParts,
): Promise<FoundSession> {
  const heads = await memory.sessions.conversationsOf(transcript.session)
  const own = heads.find(head => head.source === source.id)
  if (heads.length > 0 && own === undefined) return CAPTURED
  // Cairn started this chat and stored it under its own id.
  if (own === undefined && (await chatsKept()).has(transcript.session)) return CAPTURED
  const before = known[keyOfTranscript(transcript)]?.transcript
  if (own !== undefined && before?.as === 'kept') {
    // The session continued with hooks; they captured the later messages.
    const count = (await memory.sessions.readEnd(own, 1))?.count ?? 0
    if (count > before.messages) return CAPTURED
  }
  const file = path.relative(place, transcript.file) || path.basename(transcript.file)
  const { about, parts } = await memory.transcripts.open(transcript)
  let firstTrouble: string | undefined
  const messages = toMessages()
  async function* toMessages(): AsyncIterable<SourceMessage> {
    for await (const { said, trouble, line, done } of parts) {
      const at: Trouble | undefined = trouble && { file, line, ...trouble }
      if (at !== undefined) firstTrouble ??= `${file}:${line}: ${at.message}`
      yield { done, ...(said !== undefined && { message: said }), ...(at !== undefined && { trouble: at }) }
    }
  }
  // The first message gives the start time; the model follows soon after.
  const iterator = messages[Symbol.asyncIterator]()
  const ahead: SourceMessage[] = []
  let first: SourceMessage['message']
  while (first === undefined || (about.model === undefined && ahead.length < MAX_AHEAD)) {
    const next = await iterator.next()
    if (next.done === true) break
    ahead.push(next.value)
    first ??= next.value.message
  }
  if (first === undefined)
    return { kind: 'left', as: 'empty', troubles: ahead.flatMap(({ trouble }) => trouble ?? []) }
  const all = async function* () {
    yield* ahead
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return {
    kind: 'session',
    firstTrouble: () => firstTrouble,
    item: {
      what: 'session',
      at: { file },
      head: {
        session: transcript.session,
        agent: own?.agent ?? source.agent ?? memory.actor.agent ?? config['vault.defaultAgent'],
        host: transcript.host,
        startedAt: about.startedAt ?? first.at ?? new Date(transcript.mtimeMs).toISOString(),
        chat: transcript.session,
        ...(about.model !== undefined && { model: about.model }),
        source: source.id,
      },
      messages: all(),
    },
  }
}

/**
 * The entries of hosts in sources.json: one for each host with transcripts of this project. Starting a sync allows reading them.
 * Their paths come from the code, never from that file.
 */
export async function hostSources(
  memory: Memory & ColdPorts & SourcePorts & ImportPorts,
  hosts: readonly TranscriptHost[] = TRANSCRIPT_HOSTS,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<readonly ImportSource[]> {
  const { transcripts, places } = await memory.transcripts.list(hosts)
  const at = new Date(memory.clock.nowMs()).toISOString()
  const there = new Set(transcripts.map(({ host }) => host))
  // A registry that came with a clone does not allow anything.
  const ours = await memory.sourceUse.allowed((await memory.sourceRegistry.list()).sources)
  const wanted: ImportSource[] = []
  const withThem = (sources: readonly ImportSource[]): readonly ImportSource[] => {
    wanted.length = 0
    const others = sources.filter(source => {
      const host = hostOfSource(source)
      return host === undefined || !hosts.includes(host)
    })
    const taken = new Set(others.map(({ id }) => id))
    let isChanged = false
    for (const host of hosts) {
      const known = sources.find(source => hostOfSource(source) === host && ours.has(source.id))
      if (known === undefined && !there.has(host)) continue
      const place = places[host] ?? ''
      isChanged ||= known === undefined || known.path !== place
      wanted.push({
        ...{ lastSyncedAt: null, lastSyncStatus: null, lastSyncError: null, lastImportedCount: 0 },
        ...{ id: taken.has(host) ? `${host}-transcripts` : host, createdAt: at },
        ...(known?.path === place && known),
        ...{ type: `${TYPE}${host}`, path: place, updatedAt: known?.path === place ? known.updatedAt : at },
      })
    }
    return isChanged ? [...others, ...wanted] : sources
  }
  if (dryRun) withThem((await memory.sourceRegistry.list()).sources)
  else {
    await memory.sourceRegistry.edit(withThem)
    for (const source of wanted) await memory.sourceUse.trust(source)
  }
  return wanted
}

const DAY_MS = 86_400_000
/**
 * Only recent transcripts are distilled, and only so many. Otherwise the first sync of years of transcripts would flood the
 * memory and hide what the user remembered on purpose. All other transcripts stay cold.
 */
export const MAX_DISTILLED_DAYS = 30
export const MAX_DISTILLED_SESSIONS = 50

interface TranscriptLimits {
  /** Distill sessions that were active at this time or later. */
  readonly sinceMs?: number | undefined
  /** The maximum number of sessions to distill, newest first. */
  readonly most?: number | undefined
}

interface ChosenTranscripts {
  /** To distill, oldest first. */
  readonly distilled: readonly Transcript[]
  /** New or changed, but not distilled. */
  readonly cold: readonly Transcript[]
  /** Unchanged. */
  readonly known: number
}

/**
 * Decides what happens to each transcript of a host. A cold, unchanged transcript stays cold unless the caller sets a limit;
 * otherwise every sync would distill the next fifty. A transcript that grew is a session that continued.
 */
function chooseTranscripts(
  transcripts: readonly Transcript[],
  cursors: FileCursors,
  { sinceMs, most, nowMs }: TranscriptLimits & { readonly nowMs: number },
): ChosenTranscripts {
  const isSaid = sinceMs !== undefined || most !== undefined
  const from =
    sinceMs ?? (most === undefined ? nowMs - MAX_DISTILLED_DAYS * DAY_MS : Number.NEGATIVE_INFINITY)
  const room = most ?? (sinceMs === undefined ? MAX_DISTILLED_SESSIONS : Number.POSITIVE_INFINITY)
  const distilled: Transcript[] = []
  const cold: Transcript[] = []
  let known = 0
  for (const transcript of [...transcripts].sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    const cursor = cursors[keyOfTranscript(transcript)]
    const isSame = isSameFile({ ...transcript, checkedMs: nowMs }, cursor)
    const isWanted = !transcript.isSubAgent && transcript.mtimeMs >= from
    if (isSame && !(isSaid && isWanted && cursor?.transcript?.as === 'cold')) known++
    else if (isWanted && distilled.length < room) distilled.push(transcript)
    else cold.push(transcript)
  }
  return { distilled: distilled.reverse(), cold, known }
}

/** A path may contain a secret, so only its hash is stored. */
function keyOfTranscript({ host, session, file }: Transcript): string {
  return textHash(`${host}\n${session}\n${file}`)
}
