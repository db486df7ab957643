import { parseClosed, renderDocument } from '../../features/sessions/decide/closed-conversation.ts'
import { headLine, messageLine } from '../../features/sessions/decide/conversation-lines.ts'
import { isPlainPath } from '../../features/upkeep/decide/archive.ts'
import { EMPTY_LOG, parseLog, renderLog } from '../../features/upkeep/decide/compaction-log.ts'
import type { MemoryFiles } from '../../features/upkeep/decide/ports.ts'
import { LAYOUT } from '../../kernel/layout.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import {
  addMessages,
  CONVERSATION_COLUMNS,
  type ConversationName,
  type ConversationRow,
  putRow,
  readConversation,
  removeConversation,
} from './conversation-rows.ts'
import type { MemoryBlobs } from './memory-blobs.ts'
import { announce } from './postgres-changes.ts'
import { lockProject } from './project-row.ts'
import type { Tenant } from './tenant.ts'

const LOG = LAYOUT.compactLog.path
const MEMORY = /^sessions\/(?<name>[^/]+)\.memory\.json$/
const CONVERSATION = /^conversations\/(?<agent>[^/]+)\/(?<session>[^/]+)\.json(?<open>l)?$/

/** The files that upkeep archives, named as on disk; a conversation is written as its file would be. */
export function postgresMemoryFiles({
  tenant,
  blobs,
  clock,
}: {
  readonly tenant: Tenant
  readonly blobs: MemoryBlobs
  readonly clock: Clock
}): MemoryFiles {
  const alone = <T>(work: () => Promise<T>): Promise<T> =>
    tenant.transaction(async () => {
      await lockProject(tenant)
      return work()
    })
  const readLog = async () => {
    const text = await blobs.readText(LOG)
    return text === undefined ? EMPTY_LOG : parseLog(text)
  }

  return {
    async survey() {
      const conversations = await tenant.query<ConversationRow>(
        `SELECT ${CONVERSATION_COLUMNS} FROM conversation c WHERE c.project = $1 ORDER BY c.agent_name, c.session_name`,
      )
      const memories = await blobs.list('sessions/')
      return {
        // Leftovers of file migrations: there are none in a database.
        backups: [],
        flatFiles: [],
        conversations: conversations.map(({ agent_name, session_name, state, version, written_ms }) => ({
          path: `conversations/${agent_name}/${session_name}.json${state === 'closed' ? '' : 'l'}`,
          stamp: `${version} ${written_ms}`,
          name: session_name,
          agent: agent_name,
          isClosed: state === 'closed',
        })),
        memories: memories.flatMap(({ path, stamp }) => {
          const name = MEMORY.exec(path)?.groups?.name
          return name === undefined ? [] : [{ path, stamp, name }]
        }),
      }
    },

    read,

    removeUnchanged: (path, bytes) => alone(() => removeUnchanged(path, bytes)),

    removeTogether: (files, mayGo) =>
      alone(async () => {
        for (const { path, bytes } of files) {
          const now = await read(path)
          if (now !== undefined && !equal(now, bytes)) return 0
        }
        if (!(await mayGo())) return 0
        let removed = 0
        for (const { path, bytes } of files) if (await removeUnchanged(path, bytes)) removed++
        return removed
      }),

    put: (path, bytes, instead) =>
      alone(async () => {
        const now = await read(path)
        if (now !== undefined && equal(now, bytes)) return 'same'
        if (now !== undefined && !(instead !== undefined && equal(now, instead))) return 'taken'
        await write(path, bytes)
        return 'written'
      }),

    readLog,

    editLog: edit =>
      alone(async () => {
        const edited = edit(await readLog())
        if (edited === undefined) return
        await blobs.write(LOG, renderLog(edited))
        await announce(tenant, ['upkeep'])
      }),
  }

  async function read(path: string): Promise<Uint8Array | undefined> {
    const name = conversationAt(checked(path))
    if (name === undefined) return blobs.read(path)
    const found = await readConversation(tenant, name, clock.nowMs())
    if (found === undefined || (found.state === 'closed') === name.isOpen) return undefined
    const { row, head, messages } = found
    const place = { n: row.count, seen: row.seen }
    if (name.isOpen) {
      const first = row.count - messages.length
      const lines = messages.map((message, at) => messageLine(message, { n: first + at, seen: row.seen }, 0))
      return encode(headLine(head, { n: 0, seen: 0 }) + lines.join(''))
    }
    return encode(
      renderDocument({
        head,
        closedAt: found.activeAt,
        messages,
        trimmed: row.trimmed,
        place,
        ...(row.doing !== null && { doing: JSON.parse(row.doing) as string }),
      }),
    )
  }

  async function removeUnchanged(path: string, bytes: Uint8Array): Promise<boolean> {
    const now = await read(path)
    if (now === undefined || !equal(now, bytes)) return false
    const name = conversationAt(path)
    await (name === undefined ? blobs.remove(path) : removeConversation(tenant, name))
    await announce(tenant, ['sessions', 'state'])
    return true
  }

  async function write(path: string, bytes: Uint8Array): Promise<void> {
    const name = conversationAt(path)
    if (name === undefined) await blobs.write(path, bytes)
    else await putConversation(path, name, bytes)
    await announce(tenant, ['sessions', 'state'])
  }

  async function putConversation(path: string, name: ConversationName, bytes: Uint8Array): Promise<void> {
    const nowMs = clock.nowMs()
    const reading = parseClosed(new TextDecoder().decode(bytes), {
      name: path,
      key: name,
      nowMs,
      writtenMs: nowMs,
    })
    if (reading.kind === 'damaged' || !reading.isWhole)
      throw new CairnError({
        code: 'document_damaged',
        message: `${path} is not a readable conversation; it was not restored.`,
        hint: 'It stays in the archive.',
      })
    const { head, closedAt, messages, trimmed, place, doing } = reading.closed
    await removeConversation(tenant, name)
    const facts = { head, state: 'closed' as const, saidAt: closedAt, trimmed, doing }
    await putRow(tenant, name, { ...facts, count: place.n, seen: place.seen }, nowMs)
    const first = place.n - messages.length
    await addMessages(
      tenant,
      name,
      messages.map((message, at) => ({ message, n: first + at })),
    )
  }
}

function conversationAt(path: string): (ConversationName & { readonly isOpen: boolean }) | undefined {
  const groups = CONVERSATION.exec(path)?.groups
  if (groups === undefined) return undefined
  return { session: groups.session ?? '', agent: groups.agent ?? '', isOpen: groups.open !== undefined }
}

/** A manifest may name any path: one outside the memory is rejected. */
function checked(path: string): string {
  if (isPlainPath(path)) return path
  throw new CairnError({
    code: 'memory_outside_project',
    message: `${path} is not inside the memory.`,
    hint: 'Nothing was changed there.',
  })
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0
}
