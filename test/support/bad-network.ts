import * as net from 'node:net'

export interface BadNetwork {
  readonly port: number
  /** How often each went wrong. */
  readonly did: Readonly<Record<'dropped' | 'cut' | 'delayed' | 'doubled', number>>
  /** From now on nothing goes wrong. */
  calm(): void
  close(): Promise<void>
}

/**
 * A proxy before a server of this machine, in which whole requests are lost, answers are cut off after the server has done what was asked,
 * both are late, and requests arrive twice. What goes wrong when is decided by the seed alone.
 */
export async function badNetwork(target: number, seed: number): Promise<BadNetwork> {
  let state = seed
  let isCalm = false
  const did = { dropped: 0, cut: 0, delayed: 0, doubled: 0 }
  const chance = (share: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return !isCalm && state / 2 ** 32 < share
  }
  const sockets = new Set<net.Socket>()
  const keep = (socket: net.Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  const server = net.createServer(client => {
    keep(client)
    const upstream = keep(net.connect(target, '127.0.0.1'))
    let isCut = false
    let lateMs = 0
    let twin: net.Socket | undefined
    client.on('data', piece => {
      // A connection carries many requests: each has its own fate.
      if (piece.subarray(0, 5).toString('latin1') === 'POST ') {
        if (chance(0.15)) {
          did.dropped++
          client.destroy()
          return
        }
        isCut = chance(0.2)
        lateMs = chance(0.3) ? 20 : 0
        if (lateMs > 0) did.delayed++
        twin = chance(0.2) ? keep(net.connect(target, '127.0.0.1')) : undefined
        if (twin !== undefined) did.doubled++
        // Whatever the second copy of a request is answered, nobody hears it.
        twin?.resume()
      }
      const copy = twin
      setTimeout(() => {
        if (!upstream.destroyed) upstream.write(piece)
        if (copy !== undefined && !copy.destroyed) copy.write(piece)
      }, lateMs)
    })
    upstream.on('data', piece => {
      if (isCut) {
        did.cut++
        client.destroy()
      } else if (!client.destroyed) client.write(piece)
    })
    client.on('close', () => setTimeout(() => upstream.end(), 200))
    upstream.on('close', () => client.end())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as net.AddressInfo).port,
    did,
    calm() {
      isCalm = true
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
