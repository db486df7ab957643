import type { ServerResponse } from 'node:http'

export type Body = Readonly<Record<string, unknown>>

export interface ListedTool {
  /** In full, as the host tells the model. */
  readonly name: string
  /** Where the host groups tools, the group and the name within it. */
  readonly group?: string
  readonly short?: string
  /** Takes text instead of an object: what the script gives as `input`. */
  readonly takesText?: boolean
}

export interface WireAnswer {
  readonly turn:
    | { readonly kind: 'say'; readonly text: string }
    | {
        readonly kind: 'call'
        readonly tool: ListedTool
        readonly arguments: Readonly<Record<string, unknown>>
      }
  readonly body: Body
  readonly path: string
  readonly id: string
}

/** One vendor's way to ask a model and to be answered in a stream. */
export interface Wire {
  asksFor(path: string): boolean
  tools(body: Body): readonly ListedTool[]
  send(response: ServerResponse, answer: WireAnswer): void
}

export function sendEvents(
  response: ServerResponse,
  events: readonly Readonly<Record<string, unknown>>[],
  end = '',
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const event of events) {
    if (typeof event.type === 'string') response.write(`event: ${event.type}\n`)
    response.write(`data: ${JSON.stringify(event)}\n\n`)
  }
  response.end(end)
}

export function sendJson(response: ServerResponse, answer: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answer))
}
