import { CairnError } from '../../kernel/model/errors.ts'
import { environmentVariable } from '../../kernel/system/environment.ts'

const LONGEST_REASON = 300

/** Without a cause: the error of a library may contain headers of the request. */
export function modelFailed(
  model: string,
  why: string,
  spent: 'nothing' | 'unknown',
  secret?: string,
): CairnError {
  const safe = (secret === undefined ? why : why.replaceAll(secret, '[key]')).slice(0, LONGEST_REASON)
  return new CairnError({
    code: 'model_failed',
    message: `The model ${model} failed: ${safe.replace(/[.\s]+$/, '')}.`,
    hint: 'What the rules found stands. `cairn model try` shows whether it answers.',
    details: { spent },
  })
}

export function modelUnavailable(message: string, hint: string): CairnError {
  return new CairnError({ code: 'model_unavailable', message, hint, details: { spent: 'nothing' } })
}

export interface Post {
  /** The name of the model, for messages. */
  readonly model: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Redacted wherever it appears. */
  readonly secret: string | undefined
  readonly deadlineMs: number
  readonly firstPauseMs: number
}

interface PostAnswer {
  readonly status: number
  /** undefined: not JSON. */
  readonly json: unknown
}

/** Longer than any expected answer. */
const MOST_BYTES = 4_000_000
const MOST_ATTEMPTS = 3
/** The request was not processed: rate limit, fault, gateway, overload. */
const WORTH_ANOTHER = new Set([429, 500, 502, 503, 529])

/** One request over HTTP, retried if the server is busy, all within one deadline. */
export async function postJson(post: Post): Promise<PostAnswer> {
  for (let attempt = 1; ; attempt++) {
    const leftMs = post.deadlineMs - performance.now()
    const response = await send(post, leftMs)
    const waitMs = retryAfterMs(response.headers) ?? post.firstPauseMs * 2 ** (attempt - 1)
    const isLast = attempt >= MOST_ATTEMPTS || performance.now() + waitMs >= post.deadlineMs
    if (!WORTH_ANOTHER.has(response.status) || isLast) return read(post, response)
    await response.body?.cancel()
    await new Promise(resolve => setTimeout(resolve, waitMs))
  }
}

async function send(post: Post, leftMs: number): Promise<Response> {
  try {
    const response = await fetch(post.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...post.headers },
      body: JSON.stringify(post.body),
      // The text and the key go only to the allowed address: redirects are not followed.
      redirect: 'manual',
      signal: AbortSignal.timeout(Math.max(1, Math.ceil(leftMs))),
    })
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      throw modelFailed(post.model, 'it sends elsewhere (a redirect), and that is not followed', 'nothing')
    }
    return response
  } catch (error) {
    throw explained(post, error)
  }
}

async function read(post: Post, response: Response): Promise<PostAnswer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    // The type of the stream lacks its iterator; Node has one.
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length
      if (bytes > MOST_BYTES) throw modelFailed(post.model, 'its answer is far too long', 'unknown')
      chunks.push(chunk)
    }
  } catch (error) {
    throw explained(post, error)
  }
  return { status: response.status, json: parsed(Buffer.concat(chunks).toString('utf8')) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Seconds, or a date. */
function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null || value.trim() === '') return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}

const NOT_REACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function explained(post: Post, error: unknown): unknown {
  if (!(error instanceof Error) || error.name === 'CairnError') return error
  if (error.name === 'TimeoutError')
    return modelFailed(post.model, `no answer from ${post.url.host} in time`, 'unknown')
  const inner = error.cause instanceof Error ? error.cause : error
  const code = 'code' in inner ? String(inner.code) : ''
  const why = NOT_REACHED.has(code)
    ? `${post.url.host} cannot be reached (${code})`
    : `the connection to ${post.url.host} broke (${inner.message})`
  return modelFailed(post.model, why, NOT_REACHED.has(code) ? 'nothing' : 'unknown', post.secret)
}

/** `{ error: "…" }`, `{ error: { message: "…" } }`, `{ message: "…" }` */
export function reasonIn(json: unknown): string {
  const error = field(json, 'error') ?? json
  const message = typeof error === 'string' ? error : field(error, 'message')
  return typeof message === 'string' ? message : ''
}

export function failedStatus(post: Post, { status, json }: PostAnswer): Error {
  const reason = reasonIn(json)
  const meaning =
    status === 401 || status === 403
      ? 'it does not take the key'
      : status === 429
        ? 'too many questions at the moment'
        : `status ${status}`
  return modelFailed(post.model, reason === '' ? meaning : `${meaning}: ${reason}`, 'nothing', post.secret)
}

export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** undefined: the server reports no number. */
export function countIn(value: unknown, name: string): number | undefined {
  const count = field(value, name)
  return typeof count === 'number' && Number.isFinite(count) && count >= 0 ? Math.round(count) : undefined
}

export interface HttpModelOptions {
  readonly url: string
  readonly name: string
  /** The NAME of the environment variable with the key. The key itself is never stored. */
  readonly keyVariable: string
  readonly timeoutMs: number
  /** Delay before the first retry; it doubles. Default 500. */
  readonly firstPauseMs?: number
}

export const FIRST_PAUSE_MS = 500
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** The address, with the path appended unless it is already there. */
export function endpoint(url: string, ends: readonly string[]): URL {
  const address = new URL(url)
  const known = address.pathname.replace(/\/+$/, '')
  const missing = ends.findIndex((_, at) => known.endsWith(ends.slice(0, ends.length - at).join('')))
  address.pathname = known + (missing < 0 ? ends : ends.slice(ends.length - missing)).join('')
  return address
}

export function checkName({ name }: HttpModelOptions): void {
  if (name !== '') return
  throw modelUnavailable('No model is named.', 'For instance `cairn config set model.name qwen3:8b`.')
}

/** Read when needed, and passed to one request. */
export function keyFor(url: URL, { keyVariable }: HttpModelOptions): string | undefined {
  const key = environmentVariable(keyVariable)?.trim()
  if (key === undefined || key === '') return undefined
  if (!/^[\x21-\x7e]+$/.test(key))
    throw modelUnavailable(
      `The variable ${keyVariable} holds something that cannot be a key.`,
      'Set it to the key alone.',
    )
  if (url.protocol !== 'https:' && !LOOPBACK.test(url.hostname))
    throw modelUnavailable(
      `The key would go to ${url.host} without encryption.`,
      `Use an https address, or leave ${keyVariable} unset for a server that needs no key.`,
    )
  return key
}
