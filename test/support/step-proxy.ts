import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

/** A request on its way to the hub: `before` it is handed on, `during` while the hub works on it, `after` with the answer held back. */
export interface Step {
  readonly moment: 'before' | 'during' | 'after'
  /** `hello`, `pull`, `push` … */
  readonly name: string
  /** Which one since the proxy was told to begin anew. */
  readonly number: number
}

export interface StepProxy {
  readonly url: string
  /** What happens at each moment of each request from now on. */
  watch(onStep: (step: Step) => void): void
}

/** Stands before a hub and tells of every request at each moment of it, so that a test can end one side just there. */
export async function stepProxy(target: () => string): Promise<StepProxy> {
  let onStep: (step: Step) => void = () => undefined
  let number = 0
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    request.on('error', () => response.destroy())
    for await (const piece of request) pieces.push(piece as Buffer)
    const own = ++number
    const tell = (moment: Step['moment']) =>
      onStep({ moment, name: (request.url ?? '').split('/').at(-1) ?? '', number: own })
    tell('before')
    try {
      const asked = fetch(`${target()}${request.url}`, {
        method: 'POST',
        headers: {
          authorization: request.headers.authorization ?? '',
          'content-type': 'application/json',
        },
        body: Buffer.concat(pieces),
      })
      tell('during')
      const answer = await asked
      const body = Buffer.from(await answer.arrayBuffer())
      tell('after')
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body)
    } catch (error) {
      // The hub is gone, and whoever asked hears it as that.
      if (!(error instanceof TypeError)) throw error
      response.destroy()
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    watch(given) {
      onStep = given
      number = 0
    },
  }
}
