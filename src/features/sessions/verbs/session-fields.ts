import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Message } from '../../../kernel/model/message.ts'
import { SESSION_STATES, type SessionHead, type SessionKey } from '../../../kernel/model/session.ts'
import { problemsSchema, text } from '../../../verbs/operation.ts'
import type { SessionPorts } from '../decide/ports.ts'
import { sessionKey } from '../session-ids.ts'

/** The fields that select a conversation. */
export const keyFields = {
  session: v.optional(text('The session (default: CAIRN_SESSION)')),
  agent: v.optional(text('The agent (default: CAIRN_AGENT, else vault.defaultAgent)')),
}

/** The named session, or the one of the caller. */
export function sessionOf(memory: Memory, session: string | undefined): string {
  const named = session ?? memory.actor.session
  if (named !== undefined) return named
  throw new CairnError({
    code: 'invalid_input',
    message: 'No session was given, and CAIRN_SESSION is not set.',
    hint: '`cairn sessions` lists them, `cairn session start` starts one.',
  })
}

export async function keyOf(
  memory: Memory & SessionPorts,
  { session, agent }: { readonly session?: string | undefined; readonly agent?: string | undefined },
): Promise<SessionKey> {
  return sessionKey(memory, { session: sessionOf(memory, session), agent })
}

export const stateSchema = v.picklist(SESSION_STATES)

export const unreadSchema = v.pipe(
  problemsSchema,
  v.description('Parts that could not be read; the rest is returned'),
)

export const headSchema = v.object({
  session: v.string(),
  agent: v.string(),
  host: v.string(),
  startedAt: v.string(),
  parent: v.exactOptional(v.pipe(v.string(), v.description('The session it was forked from'))),
  chat: v.exactOptional(v.pipe(v.string(), v.description('The host’s name for it'))),
  model: v.exactOptional(v.string()),
})

export function headOf({ session, agent, host, startedAt, parent, chat, model }: SessionHead) {
  return {
    session,
    agent,
    host,
    startedAt,
    ...(parent !== undefined && { parent }),
    ...(chat !== undefined && { chat }),
    ...(model !== undefined && { model }),
  }
}

const runSchema = v.object({
  tool: v.string(),
  command: v.exactOptional(v.string()),
  ok: v.exactOptional(v.boolean()),
  exitCode: v.exactOptional(v.number()),
  output: v.exactOptional(v.string()),
  files: v.exactOptional(v.array(v.string())),
  isEdit: v.exactOptional(v.boolean()),
})

export const messageSchema = v.object({
  role: v.string(),
  text: v.string(),
  internal: v.exactOptional(v.boolean()),
  at: v.exactOptional(v.string()),
  run: v.exactOptional(runSchema),
})

export function messageOf({
  role,
  text: said,
  internal,
  at,
  run,
}: Message): v.InferOutput<typeof messageSchema> {
  return {
    role,
    text: said,
    ...(internal !== undefined && { internal }),
    ...(at !== undefined && { at }),
    ...(run !== undefined && {
      run: { ...run, ...(run.files !== undefined && { files: [...run.files] }) } as v.InferOutput<
        typeof runSchema
      >,
    }),
  }
}
