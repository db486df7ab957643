import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { SessionHead, SessionKey } from '../../kernel/model/session.ts'
import { closeSession } from '../learning/closing.ts'
import type { ClosingPorts } from '../learning/decide/ports.ts'
import { parseSessionMemory } from '../sessions/decide/parse-message.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import type { ConversationFacts, SessionFacts } from './decide/plan-compaction.ts'
import type { ConversationFile, SessionFile, StampedFacts, UpkeepPorts } from './decide/ports.ts'

/** A larger file is skipped. */
const MAX_BYTES = 268_435_456

/** Cached facts about a file, so that it is read once. */
interface ReadConversation {
  readonly session: string
  readonly agent: string
  readonly activeAtMs: number
  readonly messages: number
  readonly trimmed: number
}
interface ReadMemory {
  readonly session: string
  readonly finalizedAtMs: number
  readonly distilled: Readonly<Record<string, number>>
}

/**
 * The facts about sessions that upkeep needs. Every conversation and every memory is read once after it changed, and the result is cached
 * in the index. An unreadable one is in no list, so nothing is done to it.
 */
export async function gatherSessionFacts(
  engine: SessionPorts & UpkeepPorts,
  files: { readonly conversations: readonly ConversationFile[]; readonly memories: readonly SessionFile[] },
): Promise<readonly SessionFacts[]> {
  const known = await engine.upkeepIndex.cachedFacts()
  const keep = new Map<string, StampedFacts>()
  let isNew = false
  const remembered = async <T>(file: SessionFile, read: () => Promise<T | null>): Promise<T | null> => {
    const before = known.get(file.path)
    if (before?.stamp === file.stamp) {
      keep.set(file.path, before)
      return JSON.parse(before.facts) as T | null
    }
    isNew = true
    const facts = await read()
    keep.set(file.path, { stamp: file.stamp, facts: JSON.stringify(facts) })
    return facts
  }

  const memoryByName = new Map<string, ReadMemory | null>()
  for (const file of files.memories)
    memoryByName.set(file.name, await remembered(file, () => readMemory(engine, file.path)))
  const memoryFileByName = new Map(files.memories.map(file => [file.name, file]))
  const conversationsByName = new Map<string, ConversationFile[]>()
  for (const file of files.conversations) {
    const own = conversationsByName.get(file.name)
    if (own === undefined) conversationsByName.set(file.name, [file])
    else own.push(file)
  }
  const facts: SessionFacts[] = []
  for (const name of new Set([...memoryByName.keys(), ...conversationsByName.keys()])) {
    const own = conversationsByName.get(name) ?? []
    const memory = memoryByName.get(name)
    // A growing or unreadable conversation keeps the whole session in place.
    if (memory === null || (await isGrowing(engine, own))) continue
    const documents = own.filter(file => file.isClosed)
    const conversations: (ConversationFacts & { activeAtMs: number })[] = []
    for (const file of documents) {
      const read = await remembered(file, () => readConversation(engine, file))
      if (read === null) continue
      const distilled = memory?.distilled[read.agent] ?? 0
      conversations.push({
        key: { session: read.session, agent: read.agent },
        path: file.path,
        messages: read.messages,
        // A client of seed A rewrites the whole file, so its count can be any number.
        isDistilled:
          file.seed === undefined
            ? distilled >= read.messages + read.trimmed
            : distilled === read.messages + read.trimmed,
        activeAtMs: read.activeAtMs,
        ...(file.seed !== undefined && { isSeed: true as const }),
      })
    }
    if (conversations.length < documents.length) continue
    const memoryFile = memoryFileByName.get(name)
    facts.push({
      session: conversations[0]?.key.session ?? memory?.session ?? name,
      isClosed: true,
      activeAtMs: Math.max(memory?.finalizedAtMs ?? 0, ...conversations.map(({ activeAtMs }) => activeAtMs)),
      paths: [...(memoryFile === undefined ? [] : [memoryFile.path]), ...own.map(file => file.path)],
      conversations,
    })
  }
  if (isNew || keep.size !== known.size) await engine.upkeepIndex.saveFacts(keep)
  return facts
}

/** Lines next to a document may remain from a closing that died: then the conversation is closed. */
async function isGrowing(
  memory: SessionPorts & UpkeepPorts,
  own: readonly ConversationFile[],
): Promise<boolean> {
  for (const lines of own.filter(file => !file.isClosed)) {
    const document = own.find(file => file.isClosed && file.agent === lines.agent)
    if (document === undefined || (await readConversation(memory, document)) === null) return true
  }
  return false
}

/** The ids are read from the file, because its name can differ. */
async function readConversation(
  memory: SessionPorts & UpkeepPorts,
  file: ConversationFile,
): Promise<ReadConversation | null> {
  const key = file.seed ?? (await keyIn(memory, file.path))
  const conversation = key === undefined ? null : await orNull(memory.sessions.read(key))
  if (conversation === null || conversation.state !== 'closed' || conversation.problems.length > 0)
    return null
  const activeAtMs = Date.parse(conversation.activeAt)
  if (Number.isNaN(activeAtMs)) return null
  const { session, agent } = conversation.head
  return { session, agent, activeAtMs, messages: conversation.messages.length, trimmed: conversation.trimmed }
}

async function keyIn(memory: UpkeepPorts, path: string): Promise<SessionKey | undefined> {
  const { sessionId, agentId } = (await readObject(memory, path)) ?? {}
  if (typeof sessionId !== 'string' || typeof agentId !== 'string') return undefined
  return { session: sessionId, agent: agentId }
}

async function readMemory(memory: UpkeepPorts, path: string): Promise<ReadMemory | null> {
  const parsed = parseSessionMemory(await readObject(memory, path))
  if (parsed.kind === 'damaged') return null
  const { sessionId, finalizedAt, distilled = {} } = parsed.memory
  return { session: sessionId, finalizedAtMs: finalizedAt, distilled }
}

async function readObject(memory: UpkeepPorts, path: string): Promise<Record<string, unknown> | undefined> {
  const bytes = await orNull(memory.memoryFiles.read(path))
  if (bytes === null || bytes.length > MAX_BYTES) return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

/** The verbs about sessions report a damaged file; upkeep does not change it. */
async function orNull<T>(reading: Promise<T | undefined>): Promise<T | null> {
  try {
    return (await reading) ?? null
  } catch (error) {
    if (error instanceof CairnError) return null
    throw error
  }
}

export interface Unclosed {
  readonly session: string
  readonly kind: 'seed' | 'open'
}

/** A conversation that was open and is reopened afterwards. */
export interface Interrupted {
  readonly head: SessionHead
  readonly state: 'open' | 'asleep'
}

/**
 * Seed files whose current version was not distilled, and open sessions without tool runs that exceed the limit of upkeep. A session with
 * tool runs stays whole until it is closed, because its handoff needs all of it.
 */
export async function unclosedConversations(
  memory: Memory & SessionPorts & UpkeepPorts,
): Promise<readonly Unclosed[]> {
  const seeds = (await gatherSessionFacts(memory, await memory.memoryFiles.survey()))
    .flatMap(({ conversations }) => conversations)
    .filter(({ isSeed, isDistilled }) => isSeed === true && !isDistilled)
    .map(({ key }): Unclosed => ({ session: key.session, kind: 'seed' }))
  const most = (await memory.config())['upkeep.conversationMessages']
  const busy = new Set<string>()
  const long = new Set<string>()
  for (const { state, ...key } of most === 0 ? [] : await memory.sessions.unclosed()) {
    const isLong = ((await memory.sessions.readEnd(key, 1))?.count ?? 0) > most
    const conversation = isLong ? await memory.sessions.read(key) : undefined
    if (state === 'ending' || conversation?.messages.some(({ run }) => run !== undefined) === true)
      busy.add(key.session)
    else if (conversation !== undefined && conversation.messages.length > most) long.add(key.session)
  }
  const open = [...long]
    .filter(session => !busy.has(session))
    .map((session): Unclosed => ({ session, kind: 'open' }))
  return [...seeds, ...open]
}

/** An unreadable conversation is skipped and does not stop the others. */
export async function distilUnclosed(
  memory: Memory & ClosingPorts,
  unclosed: readonly Unclosed[],
): Promise<{ readonly interrupted: readonly Interrupted[]; readonly problems: readonly Problem[] }> {
  const interrupted: Interrupted[] = []
  const problems: Problem[] = []
  for (const { session, kind } of unclosed) {
    try {
      const open = kind === 'open' ? await openConversations(memory, session) : []
      await closeSession(memory, session, { foundBy: 'compaction' })
      interrupted.push(...open)
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      const { code, message, hint } = error
      problems.push({
        code,
        path: `sessions/${session}`,
        message: `Session ${session} is not trimmed: ${message}`,
        hint,
      })
    }
  }
  return { interrupted, problems }
}

async function openConversations(memory: SessionPorts, session: string): Promise<Interrupted[]> {
  const open: Interrupted[] = []
  for (const head of await memory.sessions.conversationsOf(session)) {
    const state = (await memory.sessions.readEnd(head, 1))?.state
    if (state === 'open' || state === 'asleep') open.push({ head, state })
  }
  return open
}

/** A process that dies before this leaves a closed session, which its next message reopens. */
export async function reopenSessions(
  memory: Memory & SessionPorts,
  interrupted: readonly Interrupted[],
): Promise<void> {
  for (const { head, state } of interrupted) {
    await memory.sessions.start(head)
    if (state === 'asleep')
      await memory.sessions.setState(head, state, new Date(memory.clock.nowMs()).toISOString())
  }
}
