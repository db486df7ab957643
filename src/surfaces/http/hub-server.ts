import * as path from 'node:path'
import type { Hub } from '../../compose/compose-hub.ts'
import { type Log, openLog } from '../../kernel/system/log.ts'
import { packageFolder } from '../../kernel/system/package-facts.ts'
import { httpApp, methodUnknown, PROJECT_PARAMETER } from './app.ts'
import { enterProject, enterRoute, serveHubRoutes } from './hub-app.ts'
import { serveHubMcp } from './hub-mcp.ts'
import { LIMITS, type Limits, type Listening, listen } from './listen.ts'
import { openApiDocument } from './openapi.ts'
import { servePage } from './page-files.ts'
import { readHub } from './watching/hub-metrics.ts'
import { type NotReady, serveWatching } from './watching/serve-watching.ts'
import { serverMetrics } from './watching/server-metrics.ts'
import { watchRequests } from './watching/watch-requests.ts'

interface HubServerOptions {
  readonly hub: Hub
  readonly port: number
  readonly host: string
  readonly limits?: Partial<Limits>
  readonly version: string
  readonly onFault: (error: unknown) => void
  /** Silent, unless there is one. */
  readonly log?: Log
  /** Whoever reaches the server may read its figures. */
  readonly hasOpenMetrics?: boolean
}

export interface HubServer {
  readonly port: number
  /** Says that it will end: `/readyz` answers 503 from now on, and everything else as before. */
  drain(): void
  /** Streams get `bye` and are closed, running requests are finished. The hub itself stays open. */
  close(): Promise<void>
}

const PROJECT = `/p/:${PROJECT_PARAMETER}`

/**
 * By address. Everybody may come by one proxy, so that this only keeps a flood out; how often one may ask is a matter of its token.
 */
const HUB_LIMITS: Limits = {
  ...LIMITS,
  readsPerSecond: 5_000,
  writesPerSecond: 5_000,
  mostConnections: 4_096,
}

/**
 * Many memories behind one port.
 *
 *   /p/{project}/api/…   the routes of a memory       /api/hub/…   who one is; projects, tokens and the audit
 *   /p/{project}/mcp     its tools for agents         /            the page: it asks for a token
 *   /p/{project}/        its page                     /healthz /readyz /metrics
 */
export async function startHubServer({
  hub,
  port,
  host,
  limits,
  version,
  onFault: tellFault,
  log = openLog({ format: 'off', level: 'error' }),
  hasOpenMetrics = false,
}: HubServerOptions): Promise<HubServer> {
  const metrics = serverMetrics({ version })
  readHub(metrics.registry, hub)
  hub.giveWayTo(() => metrics.underWay() > 0)
  const onFault = (error: unknown) => {
    metrics.countFault()
    tellFault(error)
  }
  const ending = new AbortController()
  const app = httpApp({ base: PROJECT, enter: enterRoute(hub), onFault, ending: ending.signal, metrics })
  serveHubRoutes(app, hub)
  const mcp = serveHubMcp(app, { hub, version, onFault, metrics })
  let document: Promise<string> | undefined
  app.get(`${PROJECT}/api/openapi.json`, async context => {
    await enterProject(hub, context, 'read', 'openapi')
    document ??= openApiDocument(version).then(made => JSON.stringify(made))
    return context.body(await document, 200, {
      'content-type': 'application/json',
      'cache-control': 'no-cache',
    })
  })
  app.all(`${PROJECT}/api/openapi.json`, context => {
    throw methodUnknown(context, ['GET'])
  })
  let state: 'starting' | 'ready' | 'ending' = 'starting'
  serveWatching(app, {
    metrics,
    whyNotReady: async () => (state === 'ready' ? whyNotReady(hub) : state),
    admitReader: async ({ req }) => {
      if (hasOpenMetrics) return
      const authorization = req.header('authorization')
      await hub.gate.enter({ authorization, project: undefined, scope: 'admin', action: 'metrics' })
    },
  })
  servePage(app, path.join(packageFolder(), 'dist', 'web'), { projectPath: PROJECT })
  let listening: Listening | undefined
  const close = async () => {
    state = 'ending'
    ending.abort()
    await mcp.close()
    await listening?.close()
  }
  try {
    listening = await listen({
      app,
      port,
      host,
      names: [],
      isAnyHost: true,
      limits: { ...HUB_LIMITS, ...limits },
      watch: watchRequests({ metrics, log }),
    })
    state = 'ready'
    const { port: ownPort, drain } = listening
    return {
      port: ownPort,
      drain() {
        state = 'ending'
        drain()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function whyNotReady(hub: Hub): Promise<NotReady | undefined> {
  const { kind } = await hub.database()
  return kind === 'ready' ? undefined : `database_${kind}`
}
