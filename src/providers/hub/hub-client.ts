import type { HubClient } from '../../addons/link/decide/ports.ts'
import { readAnswer, type SyncRoute } from '../../addons/link/decide/read-answer.ts'
import { CairnError, ERROR_CODES, type ErrorCode } from '../../kernel/model/errors.ts'

/** Timeout of one request. Only a sync waits for it. */
const REQUEST_MS = 30_000
const MAX_TRIES = 4
const PAUSE_MS = 300
/** Longer than any page of a feed. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
/** Error codes that a retry cannot change. */
const FINAL: ReadonlySet<string> = new Set([
  'token_refused',
  'token_missing',
  'scope_missing',
  'project_not_found',
  'route_not_found',
  'not_on_hub',
  'hub_refused',
  'invalid_input',
  'body_too_large',
])

interface HubClientOptions {
  /** Without a trailing slash. */
  readonly url: string
  readonly project: string
  readonly token: string
  readonly sleep: (ms: number) => Promise<void>
  readonly requestMs?: number
  readonly mostTries?: number
  /** Aborts the running request. */
  readonly signal?: AbortSignal
}

/** A hub over HTTP. Every request may be repeated: reads change nothing, and a push is applied once. */
export function httpHubClient(options: HubClientOptions): HubClient {
  const ask = async <Route extends SyncRoute>(route: Route, body: object) => {
    const answer = readAnswer(route, await request(options, route, body))
    if (answer === undefined) throw noAnswer(options.url)
    return answer
  }
  return {
    hello: () => ask('hello', {}),
    pull: question =>
      ask('pull', {
        ...(question.cursor !== null && { cursor: question.cursor }),
        limit: question.limit,
        documents: question.documents,
      }),
    async versions(questions) {
      const known: boolean[] = []
      for (let start = 0; start < questions.length; start += MAX_QUESTIONS)
        known.push(
          ...(
            await ask('versions', {
              questions: questions.slice(start, start + MAX_QUESTIONS),
            })
          ).known,
        )
      return known
    },
    push: push => ask('push', push),
    giveUp: async id => (await ask('give-up', { push: id })).answer ?? undefined,
  }
}

const MAX_QUESTIONS = 1_000

async function request(options: HubClientOptions, path: SyncRoute, body: object): Promise<object> {
  const { mostTries = MAX_TRIES } = options
  for (let tries = 1; ; tries++) {
    try {
      return await once(options, path, body)
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      if (error.code !== 'hub_unreachable' || tries >= mostTries || options.signal?.aborted === true)
        throw error
      await options.sleep(PAUSE_MS * 2 ** (tries - 1))
    }
  }
}

async function once(
  { url, project, token, requestMs = REQUEST_MS, signal }: HubClientOptions,
  path: SyncRoute,
  body: object,
): Promise<object> {
  let response: Response
  let text: string
  try {
    response = await fetch(`${url}/p/${encodeURIComponent(project)}/api/sync/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      // A token goes only to the named hub: redirects are not followed.
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(requestMs), ...(signal === undefined ? [] : [signal])]),
    })
    text = await bounded(response)
  } catch (error) {
    throw unreachable(url, error)
  }
  const answer = parsed(text)
  if (response.ok && answer !== undefined) return answer
  throw failureOf(url, response.status, answer)
}

async function bounded(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response.body ?? []) {
    length += piece.byteLength
    if (length > MAX_ANSWER_BYTES) throw new Error('the answer is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function noAnswer(url: string): CairnError {
  return new CairnError({
    code: 'hub_refused',
    message: `What the hub at ${url} answered is no answer to what it was asked.`,
    hint: 'It is no hub of Cairn, or of another version. Nothing of that answer was taken.',
  })
}

function unreachable(url: string, cause: unknown): CairnError {
  const { name, message, cause: inner } = cause as Error & { cause?: { code?: string } }
  const why = name === 'TimeoutError' ? 'no answer in time' : (inner?.code ?? message)
  return new CairnError({
    code: 'hub_unreachable',
    message: `The hub at ${url} cannot be reached (${String(why).slice(0, 100)}).`,
    hint: 'Nothing is lost: the memory here answers as before, and what waits is sent at the next sync.',
    cause,
  })
}

/** The error of the hub, in its own words if the code is known. */
function failureOf(url: string, status: number, answer: Record<string, unknown> | undefined): CairnError {
  const { code, message, hint } = answer ?? {}
  if (typeof code === 'string' && FINAL.has(code) && Object.hasOwn(ERROR_CODES, code))
    return new CairnError({
      code:
        code === 'token_missing'
          ? 'token_refused'
          : code === 'route_not_found'
            ? 'hub_refused'
            : (code as ErrorCode),
      message: `The hub at ${url} says: ${short(message)}`,
      hint: code === 'route_not_found' ? 'It is no hub of Cairn, or an older one.' : short(hint),
    })
  if (status === 401 || status === 403)
    return new CairnError({
      code: 'token_refused',
      message: `The hub at ${url} does not take the token of this link.`,
      hint: 'Ask for another, and give it with `cairn link <hub-url> --token-file <file>`.',
    })
  if (status >= 500 || status === 429 || answer === undefined)
    return new CairnError({
      code: 'hub_unreachable',
      message: `The hub at ${url} answered ${status}${typeof message === 'string' ? `: ${short(message)}` : ', and nothing that is an answer'}.`,
      hint: 'What waits is sent at the next sync. `cairn link` shows how the last one went.',
    })
  return new CairnError({
    code: 'hub_refused',
    message: `The hub at ${url} answered ${status}: ${short(message)}`,
    hint: short(hint),
  })
}

function short(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 300) : 'nothing that is known here'
}
