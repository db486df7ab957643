import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Log, LogLevel } from '../../../kernel/system/log.ts'
import { beginNote } from './request-note.ts'
import type { ServerMetrics } from './server-metrics.ts'

/** A client's or proxy's id for a request, if it can be logged unchanged. */
const SANE_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/
const REQUEST_ID = 'x-request-id'

/** Machines request these every few seconds. */
const QUIET: ReadonlySet<string> = new Set(['healthz', 'readyz', 'metrics'])
const CLIENT_GONE = 499

/** Follows every request from its headers to the end of its answer. */
export function watchRequests({ metrics, log }: { readonly metrics: ServerMetrics; readonly log: Log }) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const startMs = performance.now()
    const given = request.headers[REQUEST_ID]
    const id = typeof given === 'string' && SANE_ID.test(given) ? given : randomBytes(8).toString('hex')
    const note = beginNote(request, id)
    response.setHeader(REQUEST_ID, id)
    const over = metrics.begin()
    response.once('close', () => {
      const ms = performance.now() - startMs
      const status = response.writableFinished || note.isStream === true ? response.statusCode : CLIENT_GONE
      over({ note, status, ms })
      const { route = 'none', principal, token, project, refused } = note
      log.write(levelOf(route, status), 'request', {
        route,
        method: request.method ?? '',
        status,
        ms: Math.round(ms * 10) / 10,
        ...(refused !== undefined && { code: refused }),
        ...(principal !== undefined && { principal }),
        ...(token !== undefined && { token }),
        ...(project !== undefined && { project }),
        request: id,
      })
    })
  }
}

function levelOf(route: string, status: number): LogLevel {
  if (QUIET.has(route)) return 'debug'
  if (status >= 500) return 'error'
  return status === 401 || status === 403 || status === 429 ? 'warn' : 'info'
}
