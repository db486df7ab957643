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
import { chooseTranscripts, type HowMuch, keyOfTranscript } from './choose-transcripts.ts'
import type { ImportPorts, SourcePorts } from './decide/ports.ts'
import type { FileCursor, TranscriptStanding } from './decide/source-registry.ts'
import { keepSession } from './keep-session.ts'
import type { SourceItem, SourceMessage, Trouble } from './sources/source.ts'
import { takeIn } from './take-in.ts'
import type { ImportCounts, OnProgress } from './tally.ts'

/** How far a host is taken in is noted so often: whoever is killed repeats no more than this. */
const SESSIONS_BETWEEN_NOTES = 25

/** `transcripts:codex` in sources.json. */
const TYPE = 'transcripts:'

/** Whose transcripts a source is; undefined: it is another kind of source. */
export function hostOfSource({ type }: Pick<ImportSource, 'type'>): TranscriptHost | undefined {
  const name = type.startsWith(TYPE) ? type.slice(TYPE.length) : ''
  return isTranscriptHost(name) ? name : undefined
}

export interface SyncedTranscripts {
  readonly seen: number
  /** Read, for they are new or have grown. */
  readonly read: number
  /** Left where they are, to be searched when asked for: all that are. */
  readonly cold: number
  /** Had by hooks already. */
  readonly captured: number
  readonly taken: ImportCounts
  readonly troubles: readonly string[]
}

export interface TranscriptSyncOptions extends HowMuch {
  readonly dryRun?: boolean
  readonly onProgress?: OnProgress | undefined
}

/**
 * Takes in what one host keeps of this project's sessions. They stay there; what is recent becomes conversations, findings and events like
 * any imported conversation, under the id that the host gave it, so that what hooks captured is never taken twice.
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
  const note = (transcript: Transcript, standing: TranscriptStanding, trouble?: string) => {
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
    chats ??= keptUnderOwnIds(memory)
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
  const taken = await takeIn(memory, items(), {
    dryRun,
    from: 'transcripts',
    sourceId: source.id,
    keepSession: keepSession(memory, config),
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

/** The chats of sessions that are not called as their host calls them: asked once, and only when a transcript is new. */
async function keptUnderOwnIds(memory: SessionPorts): Promise<ReadonlySet<string>> {
  const { sessions } = await memory.sessions.list({ limit: Number.MAX_SAFE_INTEGER })
  return new Set(
    sessions.flatMap(({ session, chats }) => Object.values(chats).filter(chat => chat !== session)),
  )
}

/** So many messages are read before the session is begun. */
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

/** The session in a transcript, or why it is none of ours to take. */
async function sessionIn(
  memory: Memory & SessionPorts & ColdPorts,
  transcript: Transcript,
  { source, config, place, known, chatsKept }: SessionParts,
): Promise<FoundSession> {
  const heads = await memory.sessions.conversationsOf(transcript.session)
  const own = heads.find(head => head.source === source.id)
  if (heads.length > 0 && own === undefined) return CAPTURED
  // Cairn had an agent say it, and kept it under an id of its own.
  if (own === undefined && (await chatsKept()).has(transcript.session)) return CAPTURED
  const before = known[keyOfTranscript(transcript)]?.transcript
  if (own !== undefined && before?.as === 'kept') {
    // It went on with hooks: what they wrote is what was said there since.
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
  // When it began is known with the first words, and the model soon after.
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
 * The sources by which hosts are known in sources.json: one a host that has transcripts of this project. Asking for a sync is the yes to
 * reading them; where they lie is known here and never taken from that file.
 */
export async function hostSources(
  memory: Memory & ColdPorts & SourcePorts & ImportPorts,
  hosts: readonly TranscriptHost[] = TRANSCRIPT_HOSTS,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<readonly ImportSource[]> {
  const { transcripts, places } = await memory.transcripts.list(hosts)
  const at = new Date(memory.clock.nowMs()).toISOString()
  const there = new Set(transcripts.map(({ host }) => host))
  // What came with a clone says nothing about what this user wants.
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
