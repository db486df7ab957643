import type { Context } from 'hono'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Access } from '../../verbs/operation.ts'
import { readBody } from './read-body.ts'
import { isForwarded, isLoopback } from './request-rules.ts'

export interface AdmissionRules {
  readonly isToken: (given: string) => boolean
  /** Reading requires the token too: the server listens to other machines, or `--require-token` is set. */
  readonly needsTokenToRead: boolean
  /** Clients on this machine may change things without a token. */
  readonly trustsLocal: boolean
}

/** The client according to the connection. */
export interface Peer {
  readonly address: string | undefined
}

const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

interface Asking {
  readonly rules: AdmissionRules
  readonly peer: Peer
}

interface LetIn {
  readonly body: Readonly<Record<string, unknown>>
  /** Absent: the request had none, or one that is not valid. */
  readonly token: string | undefined
}

/** Judged by the origin of the request and its headers only. */
function judge({ req }: Context, access: Access, { rules, peer }: Asking) {
  const isHere = isLoopback(peer.address ?? '') && !isForwarded(name => req.header(name))
  if (access === 'local' && !isHere) throw notFromElsewhere()
  const token = given(bearer(req.header('authorization')), rules)
  const needsToken =
    access === 'write' || access === 'local' || (access === 'read' && (rules.needsTokenToRead || !isHere))
  return {
    token,
    needsToken,
    isTrusted: token !== undefined || !needsToken || (rules.trustsLocal && isHere),
  }
}

/** Admits a request and returns the fields of its body; throws why it is refused. */
export async function admit(
  context: Context,
  { access, isStream }: { readonly access: Access; readonly isStream: boolean },
  asking: Asking,
): Promise<LetIn> {
  const { req } = context
  const { rules } = asking
  const { token: fromHeader, needsToken, isTrusted } = judge(context, access, asking)
  if (BODILESS.has(req.method)) {
    // An EventSource cannot send a header. No other request may pass a token in its address, because addresses are logged and shared.
    const token = fromHeader ?? (isStream ? given(req.query('token'), rules) : undefined)
    if (!isTrusted && token === undefined) throw tokenMissing(access)
    return { body: {}, token }
  }
  const { token: inBody, ...body } = await readBody(req.raw)
  const token = fromHeader ?? given(inBody, rules)
  if (!isTrusted && token === undefined) throw tokenMissing(access)
  // A form of another site can send other content types without a preflight request, so these are not admitted by address alone.
  if (needsToken && token === undefined && !isJson(req.header('content-type'))) throw notJson()
  return { body, token }
}

/** The same for a handler that reads the body itself. Returns the token. */
export function admitCaller(context: Context, access: Access, asking: Asking): string | undefined {
  const { token, needsToken, isTrusted } = judge(context, access, asking)
  if (!isTrusted) throw tokenMissing(access)
  if (needsToken && token === undefined && !isJson(context.req.header('content-type'))) throw notJson()
  return token
}

/** Whether a request has the token in its header. */
export function hasToken(header: string | undefined, rules: AdmissionRules): boolean {
  return given(bearer(header), rules) !== undefined
}

function bearer(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
}

function given(token: unknown, { isToken }: AdmissionRules): string | undefined {
  return typeof token === 'string' && token !== '' && isToken(token) ? token : undefined
}

function isJson(type: string | undefined): boolean {
  return type === undefined || /^application\/json\s*(?:;|$)/i.test(type.trim())
}

function tokenMissing(access: Access): CairnError {
  return new CairnError({
    code: 'token_missing',
    message:
      access === 'read'
        ? 'This is answered only with the token of this server, and the request has none, or a wrong one.'
        : 'This changes something, and the request has no token, or a wrong one.',
    hint: 'Send `Authorization: Bearer <token>`; `cairn token` prints it. Or open the page by `cairn up`.',
  })
}

function notFromElsewhere(): CairnError {
  return new CairnError({
    code: 'request_refused',
    message: 'This is only answered to requests of this machine, and this one came from elsewhere.',
    hint: 'Ask on the machine itself, without a proxy in between.',
  })
}

function notJson(): CairnError {
  return new CairnError({
    code: 'request_refused',
    message: 'Without a token, only a body of the type application/json is taken.',
    hint: 'Send `Content-Type: application/json`, or the token.',
  })
}
