import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SeenRequest {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readonly<Record<string, unknown>>
}

export type Reply =
  | {
      readonly status?: number
      readonly body: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Takes the question and never answers. */
  | 'never'
  /** Begins an answer and breaks the connection off. */
  | 'broken'

export interface LoopbackModel {
  readonly origin: string
  readonly seen: SeenRequest[]
  /** What the nth question gets. */
  answer: (request: SeenRequest, nth: number) => Reply | Promise<Reply>
  close(): Promise<void>
}

/** A server on this machine that speaks the protocol of a model vendor, as far as a test tells it to. */
export async function startLoopbackModel(): Promise<LoopbackModel> {
  const model = {
    origin: '',
    seen: [] as SeenRequest[],
    answer: (() => ({ status: 404, body: '{}' })) as LoopbackModel['answer'],
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  const server = createServer(async (request, response) => {
    const seen = {
      method: request.method,
      path: request.url,
      headers: request.headers,
      body: JSON.parse(await textOf(request)) as Record<string, unknown>,
    }
    model.seen.push(seen)
    send(response, await model.answer(seen, model.seen.length))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  model.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return model
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === 'never') return
  if (reply === 'broken') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"half":', () => response.destroy())
    return
  }
  response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
  response.end(reply.body)
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

/** What the real thing answered, in its own form. */
export function recorded(name: string): string {
  return readFileSync(new URL(`../recorded/distiller/${name}`, import.meta.url), 'utf8')
}
