import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A request with its answer. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Connection {
  readonly address: string
  readonly exchanges: Set<Exchange>
}

export interface OpenConnections {
  /** Closes the connections on which no request was begun. */
  closeIdle(): void
}

/**
 * At most so many connections. When one more comes, a connection on which the server waits for its client is closed: of the address with
 * the most connections, the one that waits longest. So nobody can keep others out by connections that say nothing, send slowly or do not
 * read; only where the server owes an answer on all of them, the new one is turned away.
 *
 * Node's own idea of an idle connection leaves out one that has sent nothing yet, and browsers open such ones in advance.
 */
export function limitConnections(server: Server, most: number): OpenConnections {
  // In the order of their last change: the one that waits longest comes first.
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
  /** undefined: an answer is owed on every one. */
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

/** For the client: to send its request, or the rest of it, or to read the answer. */
function isWaiting(exchanges: ReadonlySet<Exchange>): boolean {
  for (const { request, response } of exchanges) if (request.complete && !response.writableEnded) return false
  return true
}
