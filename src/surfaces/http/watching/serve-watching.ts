import type { Context, Hono } from 'hono'
import { methodUnknown } from '../app.ts'
import { METRICS_TYPE } from './metric-registry.ts'
import { noteRequest } from './request-note.ts'
import type { ServerMetrics } from './server-metrics.ts'

/** Why a running server should get no requests now. */
export type NotReady =
  | 'starting'
  | 'ending'
  | 'memory_unreadable'
  | 'database_unreachable'
  | 'database_behind'
  | 'database_newer'

interface WatchingParts {
  readonly metrics: ServerMetrics
  /** undefined: it is ready. */
  readonly whyNotReady: () => Promise<NotReady | undefined>
  /** Admits clients that may read metrics, and throws for others. */
  readonly admitReader: (context: Context) => void | Promise<void>
}

const PLAIN = { 'cache-control': 'no-store' }

/**
 * Probes for machines. `/healthz` and `/readyz` need no token and reveal nothing about a memory; these requests are never rate-limited
 * (`listen.ts`).
 */
export function serveWatching(app: Hono, { metrics, whyNotReady, admitReader }: WatchingParts): void {
  app.get('/healthz', context => {
    noteRequest(context, { route: 'healthz' })
    return context.json({ status: 'ok' }, 200, PLAIN)
  })
  app.get('/readyz', async context => {
    noteRequest(context, { route: 'readyz' })
    const why = await whyNotReady()
    return why === undefined
      ? context.json({ status: 'ready' }, 200, PLAIN)
      : context.json({ status: 'not_ready', why }, 503, PLAIN)
  })
  app.get('/metrics', async context => {
    noteRequest(context, { route: 'metrics' })
    await admitReader(context)
    return context.body(await metrics.registry.render(), 200, { ...PLAIN, 'content-type': METRICS_TYPE })
  })
  for (const path of WATCHING_PATHS)
    app.all(path, context => {
      throw methodUnknown(context, ['GET'])
    })
}

const WATCHING_PATHS = ['/healthz', '/readyz', '/metrics']
