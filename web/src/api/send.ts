import { PATHS } from '../../../src/surfaces/http/paths.generated.ts'
import { apiBase } from './hub-place.ts'
import { token } from './kept-token.ts'

type Input = Readonly<Record<string, unknown>>

interface SendOptions {
  readonly accept: string
  readonly signal?: AbortSignal | undefined
}

interface Early {
  readonly response: Promise<Response>
  readonly ending: AbortController
}

const earlyByTarget = new Map<string, Early>()

export interface Address {
  readonly method: string
  readonly url: string
  readonly body: string | undefined
}

/** Of a route of the memory that this page is of. */
export function addressOf(name: keyof typeof PATHS, input: Input): Address {
  const { url, ...rest } = addressAt(PATHS[name], input)
  return { ...rest, url: `${apiBase}${url}` }
}

/** Method, address and body of a call; the fields that the path names go into it, the others into the query or the body. */
export function addressAt(place: string, input: Input): Address {
  const [method = '', pattern = ''] = place.split(' ')
  const rest: Record<string, unknown> = { ...input }
  const path = pattern.replace(/:(\w+)/g, (_, field: string) => {
    const value = String(rest[field] ?? '')
    delete rest[field]
    return encodeURIComponent(value)
  })
  if (method !== 'GET' && method !== 'DELETE') return { method, url: path, body: JSON.stringify(rest) }
  const query = new URLSearchParams()
  for (const [field, value] of Object.entries(rest)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) query.append(field, String(one))
  }
  const text = query.toString()
  return { method, url: text === '' ? path : `${path}?${text}`, body: undefined }
}

/** Sends a question; one that was sent early, and that nobody has taken since, is not sent twice. */
export function send(
  name: keyof typeof PATHS,
  input: Input,
  { accept, signal }: SendOptions,
): Promise<Response> {
  const address = addressOf(name, input)
  const target = `${address.method} ${address.url}`
  const early = earlyByTarget.get(target)
  if (early !== undefined) {
    earlyByTarget.delete(target)
    if (signal?.aborted) early.ending.abort(signal.reason)
    signal?.addEventListener('abort', () => early.ending.abort(signal.reason), { once: true })
    return early.response
  }
  return sendTo(address, { accept, signal })
}

/** `given`: another token than that of this tab. */
export function sendTo(
  { method, url, body }: Address,
  { accept, signal, token: given = token() }: SendOptions & { readonly token?: string | undefined },
): Promise<Response> {
  return fetch(url, {
    method,
    headers: {
      accept,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(given !== undefined && { authorization: `Bearer ${given}` }),
    },
    ...(body !== undefined && { body }),
    ...(signal !== undefined && { signal }),
  })
}

/** Sends a question that is about to be asked, while the code that asks it is still on its way. */
export function sendEarly(name: keyof typeof PATHS, input: Input, accept: string): void {
  const { method, url } = addressOf(name, input)
  const ending = new AbortController()
  const response = send(name, input, { accept, signal: ending.signal })
  earlyByTarget.set(`${method} ${url}`, { response, ending })
  // Whoever takes it is told of a failure; until then nobody listens, and the browser would report a fault.
  response.catch(() => undefined)
}
