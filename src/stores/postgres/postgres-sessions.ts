import { parseObject } from '../../features/sessions/decide/closed-conversation.ts'
import {
  type ConversationOverview,
  forkedMessages,
  isGrown,
  isRequest,
  placedMessages,
  requestOf,
  sessionExists,
  sessionNotFound,
  sessionOverview,
  updatedHead,
} from '../../features/sessions/decide/conversation-rules.ts'
import { parseSessionMemory } from '../../features/sessions/decide/parse-message.ts'
import { parseSavedCheckpoint } from '../../features/sessions/decide/saved-checkpoint.ts'
import type { SessionFiles } from '../../features/sessions/decide/session-files.ts'
import { LAYOUT } from '../../kernel/layout.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Message } from '../../kernel/model/message.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { SessionKey, SessionMemory, SessionOverview } from '../../kernel/model/session.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { sessionFileName } from '../../kernel/system/session-names.ts'
import {
  activeAt,
  addMessages,
  CONVERSATION_COLUMNS,
  type ConversationRow,
  findRow,
  glanceOf,
  headOf,
  nameOfKey,
  putRow,
  readConversation,
  removeMessages,
  replaceMessage,
} from './conversation-rows.ts'
import type { BlobFacts, MemoryBlobs } from './memory-blobs.ts'
import { announce } from './postgres-changes.ts'
import { lockProject } from './project-row.ts'
import type { Tenant } from './tenant.ts'

const CHECKPOINTS = LAYOUT.checkpoints.path
const MEMORIES = 'sessions/'
const MEMORY_ENDING = '.memory.json'

interface SessionParts {
  readonly tenant: Tenant
  readonly blobs: MemoryBlobs
  readonly clock: Clock
}

interface SavedSessions {
  readonly port: Pick<
    SessionFiles,
    | 'saveCheckpoint'
    | 'findCheckpoint'
    | 'listCheckpoints'
    | 'removeCheckpoint'
    | 'saveMemory'
    | 'findMemory'
    | 'memoryStamps'
  >
  /** By the name of its session, as a file has it. */
  readNamed(name: string): Promise<SessionMemory | undefined>
  memoryNames(): Promise<readonly { readonly name: string; readonly writtenMs: number }[]>
}

/** The memory of a whole session: its last messages and its outcome. */
function savedSessions({ tenant, blobs, clock }: SessionParts): SavedSessions {
  const checkpointPath = ({ agent, session }: SessionKey) =>
    `${CHECKPOINTS}${sessionFileName(agent)}/${sessionFileName(session)}.json`
  const memoryPath = (name: string) => `${MEMORIES}${name}${MEMORY_ENDING}`

  const readCheckpoint = async ({ path, writtenMs }: BlobFacts) => {
    const text = await blobs.readText(path)
    const [agent = '', session = ''] = path.slice(CHECKPOINTS.length, -'.json'.length).split('/')
    const about = { name: path, key: { agent, session }, writtenMs, nowMs: clock.nowMs() }
    return text === undefined ? undefined : parseSavedCheckpoint(text, about)
  }
  const readNamed = async (name: string): Promise<SessionMemory | undefined> => {
    const text = await blobs.readText(memoryPath(name))
    if (text === undefined) return undefined
    const parsed = parseSessionMemory(parseObject(text))
    if (parsed.kind === 'memory') return parsed.memory
    throw new CairnError({
      code: 'document_damaged',
      message: `${memoryPath(name)} is not the memory of a session: ${parsed.why}.`,
      hint: 'A newer Cairn may have written it: update Cairn on this machine.',
    })
  }
  const memories = async (only?: string): Promise<readonly (BlobFacts & { name: string })[]> => {
    const found = only === undefined ? await blobs.list(MEMORIES) : [await blobs.facts(memoryPath(only))]
    return found.flatMap(facts =>
      facts?.path.endsWith(MEMORY_ENDING) === true
        ? [{ ...facts, name: facts.path.slice(MEMORIES.length, -MEMORY_ENDING.length) }]
        : [],
    )
  }

  return {
    readNamed,
    memoryNames: () => memories(),
    port: {
      async saveCheckpoint(checkpoint) {
        const path = checkpointPath({ agent: checkpoint.agentId, session: checkpoint.sessionId })
        await blobs.write(path, `${JSON.stringify(checkpoint)}\n`)
      },

      async findCheckpoint(agent, session) {
        const problems: Problem[] = []
        const folder = `${CHECKPOINTS}${sessionFileName(agent)}/`
        const one = session && (await blobs.facts(checkpointPath({ agent, session })))
        const found =
          session === undefined
            ? [...(await blobs.list(folder))].sort((a, b) => b.writtenMs - a.writtenMs)
            : [one].filter(facts => facts !== undefined && facts !== '')
        for (const facts of found) {
          const reading = await readCheckpoint(facts)
          problems.push(...(reading?.problems ?? []))
          if (reading?.checkpoint !== undefined) return { checkpoint: reading.checkpoint, problems }
        }
        return { checkpoint: undefined, problems }
      },

      async listCheckpoints() {
        const checkpoints: { key: SessionKey; path: string; savedAt: number }[] = []
        const damaged: Problem[] = []
        for (const facts of await blobs.list(CHECKPOINTS)) {
          const reading = await readCheckpoint(facts)
          if (reading?.checkpoint === undefined) damaged.push(...(reading?.problems ?? []))
          else {
            const { agentId: agent, sessionId: session, savedAt } = reading.checkpoint
            checkpoints.push({ key: { agent, session }, path: facts.path, savedAt })
          }
        }
        return { checkpoints, damaged }
      },

      removeCheckpoint: key => blobs.remove(checkpointPath(key)),

      async saveMemory(memory) {
        const path = memoryPath(sessionFileName(memory.sessionId))
        await tenant.transaction(async () => {
          await blobs.write(path, `${JSON.stringify(memory, null, 2)}\n`)
          await announce(tenant, ['sessions', 'review'])
        })
      },

      findMemory: session => readNamed(sessionFileName(session)),

      async memoryStamps(only) {
        const stamps = []
        for (const { name, stamp } of await memories(only === undefined ? undefined : sessionFileName(only)))
          stamps.push({ session: await idOf(name), stamp })
        return stamps
      },
    },
  }

  /** A name with a `~` is derived from another id, which only the memory itself has. */
  async function idOf(name: string): Promise<string> {
    if (!name.includes('~')) return name
    const id = parseObject((await blobs.readText(memoryPath(name))) ?? '')?.sessionId
    return typeof id === 'string' ? id : name
  }
}

/** Conversations as rows, one for each message; checkpoints and session memories are stored as written. */
export function postgresSessions({ tenant, blobs, clock }: SessionParts): SessionFiles {
  const saved = savedSessions({ tenant, blobs, clock })
  const changing = <T>(work: () => Promise<T>): Promise<T> =>
    tenant.transaction(async () => {
      const result = await work()
      await announce(tenant, ['sessions'])
      return result
    })

  return {
    ...saved.port,

    start: head =>
      changing(async () => {
        // Two processes may begin the same conversation together: no row exists yet that the second could lock.
        await lockProject(tenant)
        const name = nameOfKey(head)
        const row = await findRow(tenant, name, { isLocked: true })
        if (row === undefined) {
          await putRow(tenant, name, { ...EMPTY, head }, clock.nowMs())
          return { head, isNew: true }
        }
        const known = headOf(row)
        const next = updatedHead(known, head)
        if (known.chat !== next.chat || known.model !== next.model || row.state !== 'open')
          await putRow(tenant, name, { ...factsOf(row), head: next, state: 'open' }, clock.nowMs())
        return { head: next, isNew: false }
      }),

    growLast: (key, whole) =>
      changing(async () => {
        const name = nameOfKey(key)
        const row = await findRow(tenant, name, { isLocked: true })
        const conversation = row && (await readConversation(tenant, name, clock.nowMs()))
        const last = conversation?.messages.at(-1)
        if (row === undefined || row.state === 'closed' || last === undefined || !isGrown(last, whole))
          return false
        await replaceMessage(tenant, name, { message: whole, n: row.count - 1 })
        const facts = { ...factsOf(row), state: 'open' as const }
        await putRow(tenant, name, { ...facts, ...toldBy([whole], facts) }, clock.nowMs())
        return true
      }),

    append: (key, messages, numbering) =>
      changing(async () => {
        const name = nameOfKey(key)
        const row = await findRow(tenant, name, { isLocked: true })
        if (row === undefined) throw sessionNotFound(key)
        const placed = placedMessages(messages, numbering, { n: row.count, seen: row.seen })
        const added = placed.length
        const count = row.count + added
        const seen = placed.at(-1)?.place.seen ?? row.seen
        if (added > 0) {
          await addMessages(
            tenant,
            name,
            placed.map(({ message, place }) => ({ message, n: place.n })),
          )
          const facts = { ...factsOf(row), state: 'open' as const, count, seen }
          await putRow(
            tenant,
            name,
            {
              ...facts,
              ...toldBy(
                placed.map(each => each.message),
                facts,
              ),
            },
            clock.nowMs(),
          )
        }
        return { count, added, first: row.count, seen }
      }),

    async setState(key, state, at) {
      const name = nameOfKey(key)
      await changing(() =>
        tenant.query(
          `UPDATE conversation c SET state = $4, said_at = $5, written_ms = $6, version = c.version + 1
           WHERE c.project = $1 AND c.session_name = $2 AND c.agent_name = $3 AND c.state <> 'closed'`,
          name.session,
          name.agent,
          state,
          at,
          clock.nowMs(),
        ),
      )
    },

    settle: (key, { messages, trimmed, expected }) =>
      changing(async () => {
        const name = nameOfKey(key)
        const row = await findRow(tenant, name, { isLocked: true })
        if (row === undefined) throw sessionNotFound(key)
        const kept = await tenant.one<{ n: number }>(
          'SELECT count(*)::int AS n FROM message m WHERE m.project = $1 AND m.session_name = $2 AND m.agent_name = $3',
          name.session,
          name.agent,
        )
        if (kept?.n !== expected) return false
        await removeMessages(tenant, name)
        const first = row.count - messages.length
        await addMessages(
          tenant,
          name,
          messages.map((message, at) => ({ message, n: first + at })),
        )
        const nowMs = clock.nowMs()
        // Upkeep writes it again when it archives old messages: that does not close it a second time.
        const saidAt = row.state === 'closed' ? activeAt(row, nowMs) : new Date(nowMs).toISOString()
        const asked = messages.findLast(isRequest)
        const doing = asked && requestOf(asked)
        await putRow(tenant, name, { ...factsOf(row), state: 'closed', saidAt, trimmed, doing }, nowMs)
        return true
      }),

    fork: (from, head) =>
      changing(async () => {
        await lockProject(tenant)
        const source = await readConversation(tenant, nameOfKey(from), clock.nowMs())
        if (source === undefined) throw sessionNotFound(from)
        const name = nameOfKey(head)
        if ((await findRow(tenant, name)) !== undefined) throw sessionExists(head)
        const { seen } = source.row
        const placed = forkedMessages(source.messages, seen)
        const facts = { ...EMPTY, head, count: placed.length, seen }
        await putRow(tenant, name, { ...facts, ...toldBy(source.messages, facts) }, clock.nowMs())
        await addMessages(
          tenant,
          name,
          placed.map(({ message, place }) => ({ message, n: place.n })),
        )
        return { count: placed.length }
      }),

    async read(key) {
      const found = await readConversation(tenant, nameOfKey(key), clock.nowMs())
      if (found === undefined) return undefined
      const { row: _, ...conversation } = found
      return conversation
    },

    readEnd: (key, most) =>
      tenant.transaction(async () => {
        const name = nameOfKey(key)
        const row = await findRow(tenant, name)
        if (row === undefined) return undefined
        const rows = await tenant.query<{ packed: string }>(
          `SELECT m.packed FROM message m WHERE m.project = $1 AND m.session_name = $2 AND m.agent_name = $3 AND NOT m.is_internal
           ORDER BY m.n DESC LIMIT $4`,
          name.session,
          name.agent,
          most,
        )
        const { doing: _, ...glance } = glanceOf(row, clock.nowMs())
        return { ...glance, messages: rows.map(({ packed }) => JSON.parse(packed) as Message).reverse() }
      }),

    async conversationsOf(session) {
      return (await rowsOf([sessionFileName(session)])).map(headOf)
    },

    list: query => tenant.transaction(() => listSessions(saved, query)),

    async unclosed() {
      const rows = await tenant.query<ConversationRow>(
        `SELECT ${CONVERSATION_COLUMNS} FROM conversation c WHERE c.project = $1 AND c.state <> 'closed' ORDER BY c.written_ms`,
      )
      return rows.map(row => {
        const { session, agent } = headOf(row)
        const state = row.state as 'open' | 'asleep' | 'ending'
        return { session, agent, state, activeAt: activeAt(row, clock.nowMs()) }
      })
    },
  }

  async function rowsOf(names: readonly string[]): Promise<ConversationRow[]> {
    return tenant.query<ConversationRow>(
      `SELECT ${CONVERSATION_COLUMNS} FROM conversation c
       WHERE c.project = $1 AND c.session_name = ANY ($2::text[]) ORDER BY c.agent_name`,
      names,
    )
  }

  async function listSessions(
    { memoryNames, readNamed }: SavedSessions,
    { limit, offset = 0, agent, state }: Parameters<SessionFiles['list']>[0],
  ): ReturnType<SessionFiles['list']> {
    const own = agent === undefined ? undefined : sessionFileName(agent)
    const found = (await groups())
      .filter(({ agents }) => own === undefined || agents.includes(own))
      .filter(({ isGrowing }) => state === undefined || (state === 'closed') !== isGrowing)
      .map(({ name }) => name)
    const isPaged = state === undefined || state === 'closed'
    const shown = await overviews(isPaged ? found.slice(offset, offset + limit) : found)
    if (isPaged) return { sessions: shown, total: found.length, problems: [] }
    const sessions = shown.filter(overview => overview.state === state)
    return { sessions: sessions.slice(offset, offset + limit), total: sessions.length, problems: [] }

    /** Every session by its stored name, the newest first; upkeep may have left only the memory of one. */
    async function groups() {
      const grouped = await tenant.query<{ name: string; agents: string[]; ms: number; growing: boolean }>(
        `SELECT c.session_name AS name, array_agg(c.agent_name) AS agents, max(c.written_ms) AS ms, bool_or(c.state <> 'closed') AS growing
         FROM conversation c WHERE c.project = $1 GROUP BY c.session_name`,
      )
      const known = new Set(grouped.map(({ name }) => name))
      const alone = (await memoryNames())
        .filter(({ name }) => !known.has(name))
        .map(({ name, writtenMs }) => ({ name, agents: [], ms: writtenMs, growing: false }))
      return [...grouped, ...alone]
        .sort((a, b) => b.ms - a.ms || (a.name < b.name ? 1 : -1))
        .map(({ name, agents, growing }) => ({ name, agents, isGrowing: growing }))
    }

    async function overviews(names: readonly string[]): Promise<SessionOverview[]> {
      const glancesByName = new Map<string, ConversationOverview[]>(names.map(name => [name, []]))
      for (const row of await rowsOf(names))
        glancesByName.get(row.session_name)?.push(glanceOf(row, clock.nowMs()))
      const made: SessionOverview[] = []
      for (const [name, seen] of glancesByName) {
        const memory: SessionMemory | undefined = await readNamed(name)
        const overview = sessionOverview(name, seen, memory)
        if (overview !== undefined) made.push(overview)
      }
      return made.sort((a, b) => (a.activeAt < b.activeAt ? 1 : a.activeAt > b.activeAt ? -1 : 0))
    }
  }
}

const EMPTY = {
  state: 'open',
  saidAt: undefined,
  count: 0,
  seen: 0,
  trimmed: 0,
  doing: undefined,
} as const

function factsOf(row: ConversationRow) {
  return {
    head: headOf(row),
    state: row.state,
    saidAt: row.said_at ?? undefined,
    count: row.count,
    seen: row.seen,
    trimmed: row.trimmed,
    doing: row.doing === null ? undefined : (JSON.parse(row.doing) as string),
  }
}

/** The state of the conversation after these messages. */
function toldBy(
  messages: readonly Message[],
  before: { readonly saidAt: string | undefined; readonly doing: string | undefined },
) {
  const asked = messages.findLast(isRequest)
  return {
    saidAt: messages.findLast(({ at }) => at !== undefined)?.at ?? before.saidAt,
    doing: asked === undefined ? before.doing : requestOf(asked),
  }
}
