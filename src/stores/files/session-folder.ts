import { parseObject } from '../../features/sessions/decide/closed-conversation.ts'
import {
  type ConversationOverview,
  sessionOverview,
} from '../../features/sessions/decide/conversation-rules.ts'
import { parseSessionMemory } from '../../features/sessions/decide/parse-message.ts'
import {
  MAX_SEED_CHATS_BYTES,
  parseSeedChats,
  SEED_CHATS_FILE,
} from '../../features/sessions/decide/seed-chats.ts'
import type { SessionFiles } from '../../features/sessions/decide/session-files.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type {
  Conversation,
  SessionHead,
  SessionKey,
  SessionMemory,
  SessionOverview,
} from '../../kernel/model/session.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { asStorageError, type Disk } from '../../kernel/system/disk.ts'
import type { MemoryPaths } from '../../kernel/system/paths.ts'
import { seedSessionOf, sessionFileName } from '../../kernel/system/session-names.ts'
import { checkpointFiles } from './checkpoint-files.ts'
import { type ConversationPlace, conversationFiles } from './conversation-files.ts'
import { replaceFile, type SessionParts, safePaths } from './safe-path.ts'

/** Conversations, checkpoints and the memories of sessions, as files. See docs/format/sessions.md. */
export function sessionFolder(parts: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  /** Runs under the lock of this memory. */
  readonly exclusively: <T>(work: () => T | Promise<T>) => Promise<T>
}): SessionFiles {
  const { paths, disk, exclusively } = parts
  const safe = safePaths(paths, disk)
  const conversations = conversationFiles({ ...parts, safe })
  const memories = sessionMemories({ ...parts, safe })
  const checkpoints = checkpointFiles({ ...parts, safe })

  return {
    start: head => exclusively(() => storing(() => conversations.start(head))),
    append: (key, messages, numbering) =>
      exclusively(() => storing(() => conversations.append(key, messages, numbering))),
    growLast: (key, whole) => exclusively(() => storing(() => conversations.growLast(key, whole))),
    setState: async (key, state, at) => {
      if (state === 'ending') return storing(() => conversations.mark(key, state, at))
      await exclusively(() => storing(() => conversations.mark(key, state, at)))
    },
    settle: (key, closed) => exclusively(() => storing(() => conversations.settle(key, closed))),
    fork: (from, head) => exclusively(() => storing(() => conversations.fork(from, head))),

    async read(key) {
      const whole = conversations.readWhole(conversations.placeOf(key))
      if (whole === undefined) return chatOnly(key)
      const { place: _, isWhole: __, ...conversation } = whole
      return { ...conversation, head: withSeedChat(conversation.head) }
    },
    readEnd: async (key, most) => conversations.end(conversations.placeOf(key), most),

    async conversationsOf(session) {
      const name = sessionFileName(session)
      const heads: SessionHead[] = []
      for (const item of listed(paths.conversations, [])) {
        const agent = item.endsWith('.json') ? item.slice(0, -5) : item
        if (item !== agent && session !== seedSessionOf(agent)) continue
        const place = item === agent ? placeIn(agent, name) : conversations.placeOf({ agent, session })
        const seen = conversations.glance(place)
        if (seen !== undefined && !heads.some(head => head.agent === seen.head.agent))
          heads.push(withSeedChat(seen.head))
      }
      for (const [agent] of seedChats().chats) {
        const own = chatOnly({ agent, session })
        if (own !== undefined && !heads.some(head => head.agent === agent)) heads.push(own.head)
      }
      return heads
    },

    async list({ limit, offset = 0, agent, state }) {
      const problems: Problem[] = []
      const own = agent === undefined ? undefined : sessionFileName(agent)
      // Closed conversations are known by their names; only growing ones must be opened.
      const wanted = [...group(problems)]
        .filter(([, found]) => own === undefined || found.agents.has(own))
        .filter(([, found]) => state === undefined || (state === 'closed') !== found.isGrowing)
        .sort(([a, one], [b, other]) => other.activeMs - one.activeMs || (a < b ? 1 : -1))
      const shown = (items: typeof wanted) =>
        items
          .flatMap(([name, found]) => overviewOf(name, found, problems) ?? [])
          .sort((a, b) => (a.activeAt < b.activeAt ? 1 : a.activeAt > b.activeAt ? -1 : 0))
      if (state === undefined || state === 'closed')
        return { sessions: shown(wanted.slice(offset, offset + limit)), total: wanted.length, problems }
      const sessions = shown(wanted).filter(overview => overview.state === state)
      return { sessions: sessions.slice(offset, offset + limit), total: sessions.length, problems }
    },

    async unclosed() {
      const open: (SessionKey & { state: 'open' | 'asleep' | 'ending'; activeAt: string })[] = []
      for (const { places, isGrowing } of group([]).values()) {
        for (const place of isGrowing ? places : []) {
          if (disk.stamp(place.lines) === undefined) continue
          const seen = conversations.glance(place)
          if (seen === undefined || seen.state === 'closed') continue
          const { session, agent } = seen.head
          open.push({ session, agent, state: seen.state, activeAt: seen.activeAt })
        }
      }
      return open
    },

    saveCheckpoint: async checkpoint => storing(() => checkpoints.saveCheckpoint(checkpoint)),
    findCheckpoint: checkpoints.findCheckpoint,
    listCheckpoints: checkpoints.listCheckpoints,
    removeCheckpoint: async key => storing(() => checkpoints.removeCheckpoint(key)),
    saveMemory: async memory => storing(() => memories.saveMemory(memory)),
    findMemory: memories.findMemory,
    memoryStamps: memories.memoryStamps,
  }

  /** Every session by its file names: one stat each, no file is opened. */
  function group(problems: Problem[]): Map<string, Found> {
    const foundByName = new Map<string, Found>()
    const found = (name: string): Found => {
      const known = foundByName.get(name) ?? {
        places: [],
        agents: new Set<string>(),
        activeMs: 0,
        isGrowing: false,
      }
      foundByName.set(name, known)
      return known
    }
    for (const item of listed(paths.conversations, problems)) {
      const path = `${paths.conversations}/${item}`
      if (item.endsWith('.json')) {
        const agent = item.slice(0, -5)
        add(found(sessionFileName(seedSessionOf(agent))), path, agent, seedSessionOf(agent))
      } else if (disk.isFolder(path) === true) {
        for (const file of listed(path, problems)) {
          const [, name] = /^(.+)\.jsonl?$/.exec(file) ?? []
          if (name !== undefined) add(found(name), `${path}/${file}`, item, name)
        }
      }
    }
    const { chats, changedMs } = seedChats()
    for (const agent of chats.keys()) {
      const entry = found(sessionFileName(seedSessionOf(agent)))
      entry.agents.add(agent)
      if (entry.places.length === 0) entry.activeMs = changedMs
    }
    for (const file of listed(paths.sessions, problems)) {
      if (!file.endsWith(MEMORY_ENDING)) continue
      const entry = found(file.slice(0, -MEMORY_ENDING.length))
      if (entry.places.length === 0) entry.activeMs = disk.stamp(`${paths.sessions}/${file}`)?.mtimeMs ?? 0
    }
    return foundByName
  }

  function add(found: Found, file: string, agent: string, name: string): void {
    found.activeMs = Math.max(found.activeMs, disk.stamp(file)?.mtimeMs ?? 0)
    if (file.endsWith('.jsonl') && !conversations.isSettled(placeIn(agent, name))) found.isGrowing = true
    if (found.agents.has(agent)) return
    found.agents.add(agent)
    found.places.push(placeIn(agent, name))
  }

  /** By the names of its folder and its files, which are not always its ids. */
  function placeIn(agent: string, name: string): ConversationPlace {
    const base = `${paths.conversations}/${agent}/${name}`
    const flat = `${paths.conversations}/${agent}.json`
    const isFlat = name === seedSessionOf(agent) && disk.stamp(`${base}.json`) === undefined
    return {
      lines: `${base}.jsonl`,
      document: isFlat ? flat : `${base}.json`,
      key: { agent, session: name },
    }
  }

  /** Chats of the older format: read in place; newer data counts more. */
  function seedChats(): { readonly chats: ReadonlyMap<string, string>; readonly changedMs: number } {
    const file = `${paths.root}/${SEED_CHATS_FILE}`
    const reading = disk.readPlain(file, MAX_SEED_CHATS_BYTES)
    if (reading === undefined || reading === 'link' || reading.kind !== 'read') return NO_CHATS
    return {
      chats: parseSeedChats(new TextDecoder().decode(reading.bytes)),
      changedMs: disk.stamp(file)?.mtimeMs ?? 0,
    }
  }

  function withSeedChat(head: SessionHead): SessionHead {
    if (head.chat !== undefined || head.session !== seedSessionOf(head.agent)) return head
    const chat = seedChats().chats.get(head.agent)
    return chat === undefined ? head : { ...head, chat }
  }

  /** A chat with only an id. */
  function chatOnly({ session, agent }: SessionKey): Conversation | undefined {
    if (session !== seedSessionOf(agent)) return undefined
    const { chats, changedMs } = seedChats()
    const chat = chats.get(agent)
    if (chat === undefined) return undefined
    const at = new Date(changedMs).toISOString()
    const head = { session, agent, host: 'cursor', startedAt: at, chat }
    return { head, state: 'closed', activeAt: at, messages: [], trimmed: 0, problems: [] }
  }

  function* listed(folder: string, problems: Problem[]): Iterable<string> {
    for (const item of disk.listFolder(folder) ?? []) {
      const outside = item.isSymbolicLink() ? safe.problemOf(`${folder}/${item.name}`) : undefined
      if (outside === undefined) yield item.name
      else problems.push(outside)
    }
  }

  function overviewOf(name: string, found: Found, problems: Problem[]): SessionOverview | undefined {
    const seen = found.places.flatMap((place): ConversationOverview[] => {
      const one = conversations.glance(place)
      if (one === undefined) problems.push(unreadable(safe.nameOf(place.document)))
      return one === undefined ? [] : [{ ...one, head: withSeedChat(one.head) }]
    })
    for (const agent of seen.length === 0 ? found.agents : []) {
      const own = chatOnly({ agent, session: name })
      if (own === undefined) continue
      const { messages: _, ...rest } = own
      seen.push({ ...rest, count: 0, doing: undefined })
    }
    const memory = memoryOf(name, problems)
    return sessionOverview(name, seen, memory)
  }

  function memoryOf(name: string, problems: Problem[]) {
    try {
      return memories.readNamed(name)
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      const path = `sessions/${name}${MEMORY_ENDING}`
      problems.push({ code: error.code, path, message: error.message, hint: error.hint })
      return undefined
    }
  }
}

const NO_CHATS = { chats: new Map<string, string>(), changedMs: 0 }

interface Found {
  readonly places: ConversationPlace[]
  readonly agents: Set<string>
  activeMs: number
  isGrowing: boolean
}

function unreadable(path: string): Problem {
  return {
    code: 'conversation_damaged',
    path,
    message: `${path} is not a conversation.`,
    hint: 'The other sessions are listed, and the file is not changed.',
  }
}

async function storing<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asStorageError(error, 'The session')
  }
}

export const MEMORY_ENDING = '.memory.json'
/** The maximum length of an id in JSON. */
const HEAD_BYTES = 32_768

type Port = Pick<SessionFiles, 'saveMemory' | 'findMemory' | 'memoryStamps'>

/** `sessions/{session}.memory.json` */
function sessionMemories({
  paths,
  disk,
  clock,
  safe,
}: SessionParts): Port & { readNamed(name: string): SessionMemory | undefined } {
  const idByName = new Map<string, { readonly state: string; readonly id: string }>()
  const fileOf = (name: string) => `${paths.sessions}/${name}${MEMORY_ENDING}`

  /** By the name of its file, without the ending. */
  function readNamed(name: string): SessionMemory | undefined {
    const file = safe.check(fileOf(name))
    const bytes = disk.readFile(file)
    if (bytes === undefined) return undefined
    const parsed = parseSessionMemory(parseObject(new TextDecoder().decode(bytes)))
    if (parsed.kind === 'memory') return parsed.memory
    throw new CairnError({
      code: 'document_damaged',
      message: `.memory/${safe.nameOf(file)} is not the memory of a session: ${parsed.why}.`,
      hint: 'Correct the file, or move it away: the session is then distilled again from its conversation.',
    })
  }

  return {
    readNamed,
    async saveMemory(memory) {
      const file = safe.check(fileOf(sessionFileName(memory.sessionId)))
      replaceFile(disk, file, `${JSON.stringify(memory, null, 2)}\n`, clock.random(2 ** 40))
    },
    findMemory: async session => readNamed(sessionFileName(session)),
    async memoryStamps(only) {
      const stamps: { session: string; stamp: string }[] = []
      const names =
        only === undefined
          ? [...(disk.listFolder(paths.sessions) ?? [])].flatMap(({ name }) =>
              name.endsWith(MEMORY_ENDING) ? [name.slice(0, -MEMORY_ENDING.length)] : [],
            )
          : [sessionFileName(only)]
      for (const name of names) {
        const file = fileOf(name)
        const stamp = safe.problemOf(file) === undefined ? disk.stamp(file) : undefined
        if (stamp === undefined) continue
        const state = `${stamp.size}-${stamp.mtimeMs}-${stamp.inode}`
        stamps.push({ session: idOf(name, state), stamp: state })
      }
      return stamps
    },
  }

  /** A name with a `~` is a hash of an id that only the file has: read once while the file is unchanged. */
  function idOf(name: string, state: string): string {
    if (!name.includes('~')) return name
    const known = idByName.get(name)
    if (known?.state === state) return known.id
    const id = idInHead(name) ?? idInFile(name)
    idByName.set(name, { state, id })
    return id
  }

  /** Our files start with the id, and the file name proves it: then the rest is not read. */
  function idInHead(name: string): string | undefined {
    const head = disk.readRange(fileOf(name), 0, HEAD_BYTES)
    const [, quoted] = /"sessionId":\s*("(?:[^"\\]|\\.)*")/.exec(new TextDecoder().decode(head)) ?? []
    const id = quoted === undefined ? undefined : parseText(quoted)
    return id !== undefined && id.trim() !== '' && sessionFileName(id) === name ? id : undefined
  }

  function idInFile(name: string): string {
    const bytes = disk.readFile(fileOf(name))
    const id = bytes && parseObject(new TextDecoder().decode(bytes))?.sessionId
    return typeof id === 'string' ? id : name
  }
}

function parseText(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}
