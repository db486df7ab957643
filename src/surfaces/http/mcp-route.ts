import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Context, Hono } from 'hono'
import type { AcrossProjects } from '../../addons/across/decide/rooms.ts'
import { projectAt } from '../../features/projects/resolve-project.ts'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { type MemoryPool, notInitialised, notTrusted, type OpenMemory } from '../mcp/memory-pool.ts'
import { memoryServer } from '../mcp/server.ts'
import { type AdmissionRules, admitCaller } from './admission.ts'
import { methodUnknown, peerOf } from './app.ts'
import { endedBy } from './ended-by.ts'
import { MAX_BODY_BYTES, readJsonText } from './read-body.ts'
import type { StreamSlots } from './stream-slots.ts'
import { noteRequest } from './watching/request-note.ts'
import type { ServerMetrics } from './watching/server-metrics.ts'

interface McpParts {
  readonly memory: OpenMemory
  readonly rules: AdmissionRules
  readonly streams: StreamSlots
  readonly version: string
  readonly onFault: (error: unknown) => void
  readonly metrics: Pick<ServerMetrics, 'countCall'>
}

/** What agents are served over standard input and output, at `/mcp`: the same server, and the same rule of trust. */
export function serveMcp(
  app: Hono,
  { memory, rules, streams, version, onFault, metrics }: McpParts,
): { close(): Promise<void> } {
  const engine = { ...memory.engine, actor: { host: 'mcp' }, across: THIS_PROJECT_ALONE }
  const pool = poolOf({ ...memory, engine })
  const handler = createMcpHandler(
    () =>
      memoryServer({
        version,
        pool,
        folder: async () => memoryFolderOf(engine).root,
        hasAllTools: false,
        onCalled: metrics.countCall,
        // Hosts call their hooks over the server that they start themselves.
        hooks: { answer: () => undefined },
      }),
    { onerror: onFault, maxRequestBodySize: MAX_BODY_BYTES },
  )
  const answer = async (context: Context) => {
    noteRequest(context, { route: 'mcp' })
    const token = admitCaller(context, 'write', { rules, peer: peerOf(context) })
    const { raw } = context.req
    const request = raw.method === 'POST' ? await withReadBody(raw) : raw
    const held = streams.hold(token)
    let isStream = false
    try {
      const response = await handler.fetch(request)
      isStream = response.headers.get('content-type')?.includes('text/event-stream') === true
      return isStream ? endedBy(response, held) : response
    } finally {
      if (!isStream) held.release()
    }
  }
  app.on(['POST', 'GET', 'DELETE'], '/mcp', answer)
  app.all('/mcp', context => {
    throw methodUnknown(context, ['POST'])
  })
  return {
    async close() {
      await handler.close()
      await pool.close()
    },
  }
}

/** Whoever has the token of this server was let into one project, perhaps from another machine. */
const THIS_PROJECT_ALONE: AcrossProjects = {
  atOnce: 1,
  hasOthers: async () => false,
  readable: async () => {
    throw new CairnError({
      code: 'request_refused',
      message: 'This server answers for one project, and looks into no other for whoever asks over HTTP.',
      hint: 'An agent whose host starts `cairn mcp` can ask all projects; `cairn everywhere` can, too.',
    })
  },
}

/** The same request, with a body that is judged before a parser builds a value of it. */
async function withReadBody(request: Request): Promise<Request> {
  const { url, method, headers, signal } = request
  return new Request(url, { method, headers, signal, body: await readJsonText(request) })
}

/** One memory, which is open as long as the server is. Whether this user trusts it is asked at every call. */
function poolOf(memory: OpenMemory): MemoryPool {
  const { root } = memoryFolderOf(memory.engine)
  const underWay = new Set<Promise<unknown>>()
  const settled = async () => {
    await Promise.allSettled(underWay)
  }
  const standing = () => projectAt(root).standing
  return {
    async enter(_folder, work) {
      const now = standing()
      if (now !== 'trusted') throw now === 'none' ? notInitialised(root) : notTrusted(root)
      const working = work(memory)
      underWay.add(working)
      try {
        return await working
      } finally {
        underWay.delete(working)
      }
    },
    standingOf: standing,
    settled,
    close: settled,
  }
}
