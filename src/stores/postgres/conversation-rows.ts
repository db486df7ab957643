import { activeAtOf, type ConversationOverview } from '../../features/sessions/decide/conversation-rules.ts'
import type { Message } from '../../kernel/model/message.ts'
import type { Conversation, SessionHead, SessionKey, SessionState } from '../../kernel/model/session.ts'
import { sessionFileName } from '../../kernel/system/session-names.ts'
import type { Tenant } from './tenant.ts'

export interface ConversationRow {
  readonly session_name: string
  readonly agent_name: string
  readonly head: string
  readonly state: SessionState
  readonly said_at: string | null
  readonly written_ms: number
  readonly count: number
  readonly seen: number
  readonly trimmed: number
  readonly doing: string | null
  readonly version: number
}

/** Names as in files: an id may contain characters that PostgreSQL cannot store. The id itself is in the head. */
export interface ConversationName {
  readonly session: string
  readonly agent: string
}

export const CONVERSATION_COLUMNS =
  'c.session_name, c.agent_name, c.head, c.state, c.said_at, c.written_ms, c.count, c.seen, c.trimmed, c.doing, c.version'

export function nameOfKey({ session, agent }: SessionKey): ConversationName {
  return { session: sessionFileName(session), agent: sessionFileName(agent) }
}

export const headOf = ({ head }: ConversationRow) => JSON.parse(head) as SessionHead

export function activeAt({ said_at, written_ms }: ConversationRow, nowMs: number): string {
  return activeAtOf(said_at ?? undefined, { writtenMs: written_ms, nowMs })
}

export function glanceOf(row: ConversationRow, nowMs: number): ConversationOverview {
  return {
    head: headOf(row),
    state: row.state,
    activeAt: activeAt(row, nowMs),
    count: row.count,
    doing: row.doing === null ? undefined : (JSON.parse(row.doing) as string),
  }
}

export async function findRow(
  tenant: Tenant,
  { session, agent }: ConversationName,
  { isLocked = false } = {},
): Promise<ConversationRow | undefined> {
  return tenant.one<ConversationRow>(
    `SELECT ${CONVERSATION_COLUMNS} FROM conversation c
     WHERE c.project = $1 AND c.session_name = $2 AND c.agent_name = $3${isLocked ? ' FOR UPDATE' : ''}`,
    session,
    agent,
  )
}

async function readMessages(tenant: Tenant, { session, agent }: ConversationName): Promise<Message[]> {
  const rows = await tenant.query<{ packed: string }>(
    'SELECT m.packed FROM message m WHERE m.project = $1 AND m.session_name = $2 AND m.agent_name = $3 ORDER BY m.n',
    session,
    agent,
  )
  return rows.map(({ packed }) => JSON.parse(packed) as Message)
}

export async function addMessages(
  tenant: Tenant,
  { session, agent }: ConversationName,
  messages: readonly { readonly message: Message; readonly n: number }[],
): Promise<void> {
  if (messages.length === 0) return
  await tenant.query(
    `INSERT INTO message (project, session_name, agent_name, n, is_internal, packed)
     SELECT $1, $2, $3, r.n, r.is_internal, r.packed FROM json_to_recordset($4::json) AS r(n int, is_internal boolean, packed text)
     RETURNING n`,
    session,
    agent,
    JSON.stringify(
      messages.map(({ message, n }) => ({
        n,
        is_internal: message.internal === true,
        packed: JSON.stringify(message),
      })),
    ),
  )
}

export async function replaceMessage(
  tenant: Tenant,
  { session, agent }: ConversationName,
  { message, n }: { readonly message: Message; readonly n: number },
): Promise<void> {
  await tenant.query(
    `UPDATE message SET packed = $5 WHERE project = $1 AND session_name = $2 AND agent_name = $3 AND n = $4`,
    session,
    agent,
    n,
    JSON.stringify(message),
  )
}

interface StoredConversation {
  readonly head: SessionHead
  readonly state: SessionState
  readonly saidAt: string | undefined
  readonly count: number
  readonly seen: number
  readonly trimmed: number
  readonly doing: string | undefined
}

/** Replaces the row of the conversation; messages are stored separately. */
export async function putRow(
  tenant: Tenant,
  { session, agent }: ConversationName,
  facts: StoredConversation,
  nowMs: number,
): Promise<void> {
  await tenant.query(
    `INSERT INTO conversation AS c (project, session_name, agent_name, head, state, said_at, written_ms, count, seen, trimmed, doing, version)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1)
     ON CONFLICT (project, session_name, agent_name) DO UPDATE SET head = excluded.head, state = excluded.state, said_at = excluded.said_at,
       written_ms = excluded.written_ms, count = excluded.count, seen = excluded.seen, trimmed = excluded.trimmed, doing = excluded.doing,
       version = c.version + 1`,
    session,
    agent,
    JSON.stringify(facts.head),
    facts.state,
    facts.saidAt ?? null,
    nowMs,
    facts.count,
    facts.seen,
    facts.trimmed,
    facts.doing === undefined ? null : JSON.stringify(facts.doing),
  )
}

export async function removeConversation(
  tenant: Tenant,
  { session, agent }: ConversationName,
): Promise<void> {
  await removeMessages(tenant, { session, agent })
  await tenant.query(
    'DELETE FROM conversation c WHERE c.project = $1 AND c.session_name = $2 AND c.agent_name = $3',
    session,
    agent,
  )
}

export async function removeMessages(tenant: Tenant, { session, agent }: ConversationName): Promise<void> {
  await tenant.query(
    'DELETE FROM message m WHERE m.project = $1 AND m.session_name = $2 AND m.agent_name = $3',
    session,
    agent,
  )
}

export async function readConversation(
  tenant: Tenant,
  name: ConversationName,
  nowMs: number,
): Promise<(Conversation & { readonly row: ConversationRow }) | undefined> {
  return tenant.transaction(async () => {
    const row = await findRow(tenant, name)
    if (row === undefined) return undefined
    return {
      row,
      head: headOf(row),
      state: row.state,
      activeAt: activeAt(row, nowMs),
      messages: await readMessages(tenant, name),
      trimmed: row.trimmed,
      problems: [],
    }
  })
}
