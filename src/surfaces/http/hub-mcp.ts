import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Context, Hono } from 'hono'
import { may } from '../../addons/hub/decide/judge-request.ts'
import type { Held } from '../../addons/hub/gate.ts'
import type { Hub } from '../../compose/compose-hub.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { MemoryPool } from '../mcp/memory-pool.ts'
import { memoryServer } from '../mcp/server.ts'
import { methodUnknown, PROJECT_PARAMETER } from './app.ts'
import { endedBy } from './ended-by.ts'
import { engineFor, enterProject, type InProject } from './hub-app.ts'
import { MAX_BODY_BYTES, readJsonText } from './read-body.ts'
import { noteRequest } from './watching/request-note.ts'
import type { ServerMetrics } from './watching/server-metrics.ts'

/** What opens a stream that goes on, in a POST. */
const LISTEN = /"method"\s*:\s*"subscriptions\/listen"/
const PATH = `/p/:${PROJECT_PARAMETER}/mcp`

/**
 * MCP of every project. A server is made for each request, so that it is never of somebody else: with the tools that the token may call,
 * over the memory that it may read.
 */
export function serveHubMcp(
  app: Hono,
  {
    hub,
    version,
    onFault,
    metrics,
  }: {
    readonly hub: Hub
    readonly version: string
    readonly onFault: (error: unknown) => void
    readonly metrics: Pick<ServerMetrics, 'countCall' | 'beginStream' | 'beginWait'>
  },
): { close(): Promise<void> } {
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const entered = authInfo?.extra?.entered as InProject | undefined
      if (entered === undefined) throw new Error('a request of MCP came past the gate')
      const { principal, project } = entered
      return memoryServer({
        version,
        pool: poolOf(hub, entered),
        folder: async () => `/p/${project.name}`,
        hasAllTools: false,
        isReadOnly: !may(principal, 'write', project.name),
        onCalled(tool, call) {
          metrics.countCall(tool, call)
          // Reads are not recorded.
          if (!call.isChanging) return
          hub.trail.note({
            principal: principal.name,
            token: principal.token,
            project: project.name,
            action: `mcp ${tool}`,
            outcome: call.outcome,
          })
        },
        hooks: { answer: () => undefined },
        beginWait: metrics.beginWait,
      })
    },
    { onerror: onFault, maxRequestBodySize: MAX_BODY_BYTES },
  )
  /** Whoever listens is not being answered; every other answer is a stream too, and ends with its call. */
  const listening = (context: Context, { signal, release }: Held): Held => {
    noteRequest(context, { isStream: true })
    const over = metrics.beginStream()
    let isOver = false
    return {
      signal,
      release() {
        release()
        if (!isOver) over()
        isOver = true
      },
    }
  }
  const answer = async (context: Context) => {
    noteRequest(context, { route: 'mcp' })
    const entered = await enterProject(hub, context, 'read', 'mcp')
    const { raw } = context.req
    const body = raw.method === 'POST' ? await oneMessage(raw) : undefined
    const { name, token } = entered.principal
    // Before anything is done: who may not listen would not hear what became of it.
    const held = hub.gate.hold(entered.principal, entered.project.name, 'read')
    const signal = AbortSignal.any([raw.signal, held.signal])
    const { url, method, headers } = raw
    const request = new Request(url, { method, headers, signal, ...(body !== undefined && { body }) })
    let isStream = false
    try {
      const response = await handler.fetch(request, {
        authInfo: { token, clientId: name, scopes: [], extra: { entered } },
      })
      isStream = response.headers.get('content-type')?.includes('text/event-stream') === true
      if (!isStream) return response
      const isListening = raw.method === 'GET' || LISTEN.test(body ?? '')
      return endedBy(response, isListening ? listening(context, held) : held)
    } finally {
      if (!isStream) held.release()
    }
  }
  app.on(['POST', 'GET', 'DELETE'], PATH, answer)
  app.all(PATH, context => {
    throw methodUnknown(context, ['POST'])
  })
  return { close: () => handler.close() }
}

/** A list of messages would be many calls for one turn of the token. The protocol has none since its version 2025-06-18. */
async function oneMessage(request: Request): Promise<string> {
  const text = await readJsonText(request)
  if (!/^\s*\[/.test(text)) return text
  throw new CairnError({
    code: 'invalid_input',
    message: 'The body is a list, and a hub takes one message at a time.',
    hint: 'Send each message in a request of its own.',
  })
}

/** The memory of one project, as one principal has it; whether that may was asked before. */
function poolOf(hub: Hub, entered: InProject): MemoryPool {
  const memory = engineFor(hub, entered, 'mcp')
  const automation = { wake: () => hub.wake(entered.project), stop: async () => undefined }
  return {
    enter: async (_folder, work) => work({ engine: memory, automation }),
    standingOf: () => 'trusted',
    settled: async () => undefined,
    close: async () => undefined,
  }
}
