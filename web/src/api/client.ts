import type { Answerable, Answered, Asked } from '../../../src/surfaces/http/contract.ts'
import type { PATHS } from '../../../src/surfaces/http/paths.generated.ts'
import { tokenRefused } from './kept-token.ts'
import { type Address, addressOf, send, sendTo } from './send.ts'

export type { Answered, Asked } from '../../../src/surfaces/http/contract.ts'
export { addressOf } from './send.ts'

/** A failure as the server told it, or that there was no answer at all (`unreachable`). */
export class ApiError extends Error {
  readonly code: string
  readonly hint: string
  readonly details: Readonly<Record<string, unknown>>

  constructor(body: { code: string; message: string; hint: string; details?: Record<string, unknown> }) {
    super(body.message)
    this.code = body.code
    this.hint = body.hint
    this.details = body.details ?? {}
  }
}

export interface Progress {
  readonly done: number
  readonly total?: number
  readonly what: string
}

interface CallOptions {
  readonly signal?: AbortSignal
}

/** Asks one route of the contract. */
export async function call<Name extends Answerable>(
  name: Name,
  input: Asked<Name>,
  { signal }: CallOptions = {},
): Promise<Answered<Name>> {
  const response = await request(name, input as Record<string, unknown>, {
    accept: 'application/json',
    signal,
  })
  return (await response.json()) as Answered<Name>
}

/** The same, for work that takes long: tells how far it is. */
export async function callTelling<Name extends Answerable>(
  name: Name,
  input: Asked<Name>,
  onProgress: (progress: Progress) => void,
  { signal }: CallOptions = {},
): Promise<Answered<Name>> {
  const response = await request(name, input as Record<string, unknown>, {
    accept: 'text/event-stream',
    signal,
  })
  for await (const { event, data } of serverSentEvents(response)) {
    if (event === 'progress') onProgress(JSON.parse(data))
    if (event === 'answer') return JSON.parse(data) as Answered<Name>
    if (event === 'error') throw new ApiError(JSON.parse(data))
  }
  throw unreachable('The answer ended before it was complete.')
}

/**
 * Listens to a route that tells events, until it ends. A failure it tells is thrown; what keeps the line open (`ping`) is left out, and a
 * stream that ends without a last word is one that broke off.
 */
export async function* listenTo<Told extends { readonly event: string; readonly data: unknown }>(
  name: keyof typeof PATHS,
  input: Readonly<Record<string, unknown>>,
  { signal, last }: { readonly signal?: AbortSignal; readonly last: Told['event'] },
): AsyncGenerator<Told> {
  const response = await request(name, input, { accept: 'text/event-stream', signal })
  for await (const { event, data } of serverSentEvents(response)) {
    if (event === 'error') throw new ApiError(JSON.parse(data))
    if (event === 'ping' || event === 'bye') continue
    yield { event, data: JSON.parse(data) } as Told
    if (event === last) return
  }
  throw unreachable('The answer broke off.')
}

/** Every event of a route that tells them, as it stands; it is open when this returns. */
export async function openStream(
  name: keyof typeof PATHS,
  input: Readonly<Record<string, unknown>>,
  { signal }: CallOptions,
): Promise<AsyncGenerator<{ event: string; data: string }>> {
  return serverSentEvents(await request(name, input, { accept: 'text/event-stream', signal }))
}

async function request(
  name: keyof typeof PATHS,
  input: Readonly<Record<string, unknown>>,
  { accept, signal }: { accept: string; signal: AbortSignal | undefined },
): Promise<Response> {
  return answeredWell(() => send(name, input, { accept, signal }))
}

/** Of a hub: a route that is of no memory. With a token of its own, that is only tried. */
export async function requestAt(
  address: Address,
  given: {
    readonly accept: string
    readonly signal: AbortSignal | undefined
    readonly token: string | undefined
  },
): Promise<Response> {
  return answeredWell(() => sendTo(address, given), given.token !== undefined)
}

async function answeredWell(ask: () => Promise<Response>, isTrial = false): Promise<Response> {
  let response: Response
  try {
    response = await ask()
  } catch (error) {
    if (error instanceof TypeError) throw unreachable('The server of this page does not answer.')
    throw error
  }
  if (response.ok) return response
  const failure = await failureOf(response)
  if (!isTrial && (failure.code === 'token_missing' || failure.code === 'token_refused')) tokenRefused()
  throw failure
}

/** Whether the server takes this token: asked with it before this tab holds it. Changes nothing. */
export async function isTokenKnown(candidate: string): Promise<boolean> {
  const { method, url } = addressOf('compact', {})
  let response: Response
  try {
    response = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${candidate}` },
      body: JSON.stringify({ last: true }),
    })
  } catch (error) {
    if (error instanceof TypeError) throw unreachable('The server of this page does not answer.')
    throw error
  }
  if (response.ok) return true
  const failure = await failureOf(response)
  if (failure.code === 'token_missing') return false
  throw failure
}

/** Something between the page and the server may answer in other words than ours. */
async function failureOf(response: Response): Promise<ApiError> {
  const text = await response.text()
  try {
    return new ApiError(JSON.parse(text))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return new ApiError({
      code: 'internal',
      message: `The server answered ${response.status} without saying why.`,
      hint: 'Reload the page; the terminal of `cairn up` may tell more.',
    })
  }
}

function unreachable(message: string): ApiError {
  return new ApiError({
    code: 'unreachable',
    message,
    hint: 'Is `cairn up` still running? Start it again; this page goes on by itself.',
  })
}

/** The browser says no more than that there was an error when a connection breaks. */
function asUnreachable(error: unknown): never {
  if (error instanceof TypeError) throw unreachable('The connection to the server broke off.')
  throw error
}

export async function* serverSentEvents(response: Response): AsyncGenerator<{ event: string; data: string }> {
  const reader = (response.body as unknown as ReadableStream<BufferSource>)
    .pipeThrough(new TextDecoderStream())
    .getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read().catch(asUnreachable)
    if (done) return
    rest += value
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split('\n')
      const field = (name: string) =>
        lines
          .filter(line => line.startsWith(`${name}:`))
          .map(line => line.slice(name.length + 1).replace(/^ /, ''))
      const data = field('data')
      if (data.length > 0) yield { event: field('event')[0] ?? 'message', data: data.join('\n') }
    }
  }
}
