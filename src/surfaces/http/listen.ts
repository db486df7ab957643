import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import * as http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { CairnError } from '../../kernel/model/errors.ts'
import { errnoOf } from '../../kernel/system/disk.ts'
import { failureOf } from './failure.ts'
import { type RateLimit, rateLimit } from './rate-limit.ts'
import { type Reach, whyRefused } from './request-rules.ts'
import { noteOf } from './watching/request-note.ts'

export interface Limits {
  /** Requests per second of one client, for reads and for writes. */
  readonly readsPerSecond: number
  readonly writesPerSecond: number
  readonly mostConnections: number
  /** Time limits for receiving the headers of a request, and its body. */
  readonly headersMs: number
  readonly requestMs: number
  /** How long running requests may take after the server starts to end. */
  readonly endMs: number
}

export const LIMITS: Limits = {
  readsPerSecond: 200,
  writesPerSecond: 50,
  mostConnections: 256,
  headersMs: 10_000,
  requestMs: 30_000,
  endMs: 10_000,
}

const MAX_HEADER_BYTES = 16 * 1024
const MAX_HEADERS = 100
/** How long a connection stays open after it sent something that is not a request. */
const LINGER_MS = 1_000
/** Requests in a burst, after a pause. */
const BURST_SECONDS = 2
/** Probes come from the address of the balancer, like all other requests; they cost nothing. */
const NEVER_LIMITED: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

export interface Listening {
  readonly port: number
  /** Every answer asks its client to use another connection from now on. */
  drain(): void
  /** Accepts no more connections, finishes running requests, and closes the rest. */
  close(): Promise<void>
}

interface ListenOptions {
  readonly app: Hono
  readonly port: number
  /** The address or name to listen at. */
  readonly host: string
  /** Other names of this server. */
  readonly names: readonly string[]
  readonly limits: Limits
  /** A hub: its name is not checked (request-rules.ts). */
  readonly isAnyHost?: boolean
  /** Requests with the token have their own rate: on one machine all other clients have the same address. */
  readonly hasToken?: (authorization: string | undefined) => boolean
  /** Called for every request. */
  readonly onAsked?: () => void
  /** Follows a request from its headers to the end of its answer. */
  readonly watch?: (request: http.IncomingMessage, response: http.ServerResponse) => void
}

/** Serves the app, behind the rules for every request. */
export async function listen({
  app,
  port,
  host,
  names,
  limits,
  isAnyHost = false,
  hasToken = () => false,
  onAsked,
  watch,
}: ListenOptions): Promise<Listening> {
  const listener = getRequestListener(app.fetch)
  const reads = rateLimit(rateOf(limits.readsPerSecond))
  const writes = rateLimit(rateOf(limits.writesPerSecond))
  let ownPort = port
  let isDraining = false
  const server = http.createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: 15_000,
      connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
    },
    (request, response) => {
      onAsked?.()
      watch?.(request, response)
      if (isDraining) response.setHeader('connection', 'close')
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value)
      const refusal = refusalOf(request, {
        reach: { port: ownPort, names: [...names, plainAddress(request.socket.localAddress)], isAnyHost },
        rate: isReading(request) ? reads : writes,
        hasToken,
      })
      if (refusal === undefined) void listener(request, response)
      else refuse(request, response, refusal)
    },
  )
  // One more than the maximum, so that an excess is detected: Node drops further headers silently.
  server.maxHeadersCount = MAX_HEADERS + 1
  server.on('clientError', answerUnreadable)
  const connections = limitConnections(server, limits.mostConnections)
  // A client that connects is about to send a request, so background work pauses.
  if (onAsked !== undefined) server.on('connection', onAsked)
  ownPort = await begin(server, port, host)
  return {
    port: ownPort,
    drain() {
      isDraining = true
    },
    close: () => end(server, connections, limits.endMs),
  }
}

const rateOf = (perSecond: number) => ({ perSecond, burst: perSecond * BURST_SECONDS })

function isReading({ method }: http.IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

interface Refusal {
  readonly error: CairnError
  readonly headers: Readonly<Record<string, string>>
}

function refusalOf(
  request: http.IncomingMessage,
  {
    reach,
    rate,
    hasToken,
  }: {
    readonly reach: Reach
    readonly rate: RateLimit
    readonly hasToken: (authorization: string | undefined) => boolean
  },
): Refusal | undefined {
  const { headers } = request
  const hasTooMany = request.rawHeaders.length > 2 * MAX_HEADERS
  const why = hasTooMany
    ? `A request has at most ${MAX_HEADERS} headers.`
    : whyRefused(
        {
          method: request.method ?? '',
          target: request.url ?? '',
          hosts: request.rawHeaders.flatMap((word, at, all) =>
            at % 2 === 0 && word.toLowerCase() === 'host' ? [all[at + 1] ?? ''] : [],
          ),
          origin: headers.origin,
          fetchSite: one(headers['sec-fetch-site']),
          fetchMode: one(headers['sec-fetch-mode']),
          fetchDest: one(headers['sec-fetch-dest']),
        },
        reach,
      )
  if (why !== undefined)
    return {
      headers: {},
      error: new CairnError({
        code: 'request_refused',
        message: why,
        hint: 'Open the page by the address that `cairn up` prints; programs ask that address, without an Origin.',
      }),
    }
  if (NEVER_LIMITED.has(request.url ?? '')) return undefined
  const client = `${request.socket.remoteAddress ?? ''}${hasToken(headers.authorization) ? ' with the token' : ''}`
  const waitSeconds = rate.take(client, performance.now())
  if (waitSeconds === 0) return undefined
  return {
    headers: { 'retry-after': String(Math.ceil(waitSeconds)) },
    error: new CairnError({
      code: 'too_many_requests',
      message: 'So many requests a second are not answered.',
      hint: 'Wait as long as Retry-After says. `cairn up --rate <n>` sets how many are.',
    }),
  }
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}

function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d)/, '').toLowerCase()
}

/** The body is not read; the connection ends with the answer. */
function refuse(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { error, headers }: Refusal,
): void {
  const { status, body } = failureOf(error)
  const note = noteOf(request)
  if (note !== undefined) note.refused = error.code
  const hasBody = !isReading(request)
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...headers,
    ...(hasBody && { connection: 'close' }),
  })
  response.end(request.method === 'HEAD' ? undefined : JSON.stringify(body))
}

const UNREADABLE: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
}

/** For input that is not a complete request. None of it is repeated. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [status, message] = UNREADABLE[error.code ?? ''] ?? [
    '400 Bad Request',
    'This is not a valid request.',
  ]
  const body = JSON.stringify({ code: 'invalid_input', message, hint: 'Send a whole request of HTTP/1.1.' })
  const headers = Object.entries({
    ...SECURITY_HEADERS,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  })
  socket.end(
    `HTTP/1.1 ${status}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
  // A client that leaves its side open would keep the connection. Closing it immediately could lose the answer.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

async function begin(server: http.Server, port: number, host: string): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ port, host, exclusive: true }, resolve)
    })
  } catch (error) {
    throw notOpened(error, port, host)
  }
  return (server.address() as AddressInfo).port
}

function notOpened(error: unknown, port: number, host: string): unknown {
  const code = errnoOf(error)
  if (code === 'EADDRINUSE')
    return new CairnError({
      code: 'port_taken',
      message: `Port ${port} is taken by another program.`,
      hint: 'Choose another with --port, or leave it out: the next free one is taken then.',
      cause: error,
    })
  if (code === 'EACCES')
    return new CairnError({
      code: 'port_taken',
      message: `Port ${port} is not open to you.`,
      hint: 'Choose one above 1023 with --port.',
      cause: error,
    })
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EINVAL')
    return new CairnError({
      code: 'invalid_input',
      message: `This machine cannot listen at "${host.slice(0, 100)}".`,
      hint: 'Leave --host out for this machine alone; 0.0.0.0 listens at all its addresses.',
      cause: error,
    })
  return error
}

async function end(server: http.Server, connections: OpenConnections, patienceMs: number): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  connections.closeIdle()
  const timer = setTimeout(() => server.closeAllConnections(), patienceMs)
  // A connection whose last answer has just been sent is idle now and must not be waited for.
  const sweeping = setInterval(connections.closeIdle, 50)
  await closed
  clearTimeout(timer)
  clearInterval(sweeping)
}

/** A request with its answer. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Connection {
  readonly address: string
  readonly exchanges: Set<Exchange>
}

interface OpenConnections {
  /** Closes the connections without a running request. */
  closeIdle(): void
}

/**
 * Limits the number of connections. For one more, a connection on which the server waits for its client is closed: from the address with
 * the most connections, the one that waits longest. So a client cannot exclude others with connections that are silent, send slowly or do
 * not read. Only if the server owes an answer on all of them, the new one is refused. Node's idle connections do not include those that
 * have sent nothing yet, and browsers open such connections in advance.
 */
function limitConnections(server: Server, most: number): OpenConnections {
  // Ordered by their last change, so the one that waits longest comes first.
  const connections = new Map<Socket, Connection>()
  const countByAddress = new Map<string, number>()

  const count = (address: string, by: 1 | -1) => {
    const now = (countByAddress.get(address) ?? 0) + by
    if (now > 0) countByAddress.set(address, now)
    else countByAddress.delete(address)
  }
  const drop = (socket: Socket) => {
    const connection = connections.get(socket)
    if (connection === undefined) return
    connections.delete(socket)
    count(connection.address, -1)
  }
  const moveToEnd = (socket: Socket) => {
    const connection = connections.get(socket)
    if (connection === undefined) return
    connections.delete(socket)
    connections.set(socket, connection)
  }
  /** undefined: the server owes an answer on every one. */
  const longestWaiting = (newest: Socket): Socket | undefined => {
    const largest = Math.max(...countByAddress.values())
    let other: Socket | undefined
    for (const [socket, { address, exchanges }] of connections) {
      if (socket === newest || !isWaiting(exchanges)) continue
      if (countByAddress.get(address) === largest) return socket
      other ??= socket
    }
    return other
  }

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    connections.set(socket, { address, exchanges: new Set() })
    count(address, 1)
    socket.once('close', () => drop(socket))
    if (connections.size <= most) return
    const closed = longestWaiting(socket) ?? socket
    drop(closed)
    closed.destroy()
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const exchange = { request, response }
    const exchanges = connections.get(socket)?.exchanges
    exchanges?.add(exchange)
    moveToEnd(socket)
    response.once('close', () => {
      exchanges?.delete(exchange)
      moveToEnd(socket)
    })
  })
  return {
    closeIdle() {
      for (const [socket, { exchanges }] of connections) if (exchanges.size === 0) socket.destroy()
    },
  }
}

/** Waits for the client to send its request, the rest of it, or to read the answer. */
function isWaiting(exchanges: ReadonlySet<Exchange>): boolean {
  for (const { request, response } of exchanges) if (request.complete && !response.writableEnded) return false
  return true
}

/** On every answer. There are no CORS headers, so no other origin can read anything. */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'accelerometer=(), camera=(), clipboard-read=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
}
