import type { Context } from 'hono'
import { CairnError } from '../../model/errors.ts'
import { readBody } from './read-body.ts'
import { isForwarded, isLoopback } from './request-rules.ts'
import type { Access } from './route.ts'

export interface AdmissionRules {
  readonly isToken: (given: string) => boolean
  /** Reading needs the token as well: the server listens elsewhere, or was told so. */
  readonly needsTokenToRead: boolean
  /** Whoever is on this machine may change things without a token. */
  readonly trustsLocal: boolean
}

/** Who asks, as the connection tells it. */
export interface Peer {
  readonly address: string | undefined
}

const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

interface Asking {
  readonly rules: AdmissionRules
  readonly peer: Peer
}

/** By where a request comes from and by its header alone. */
function judge({ req }: Context, access: Access, { rules, peer }: Asking) {
  const isHere = isLoopback(peer.address ?? '') && !isForwarded(name => req.header(name))
  if (access === 'local' && !isHere) throw notFromElsewhere()
  const hasToken = isBearer(req.header('authorization'), rules)
  const needsToken =
    access === 'write' || access === 'local' || (access === 'read' && (rules.needsTokenToRead || !isHere))
  return { hasToken, needsToken, isTrusted: hasToken || !needsToken || (rules.trustsLocal && isHere) }
}

/** Lets a request in, and gives the fields of its body; throws what keeps it out. */
export async function admit(
  context: Context,
  access: Access,
  asking: Asking,
): Promise<Readonly<Record<string, unknown>>> {
  const { req } = context
  const { rules } = asking
  const { hasToken, needsToken, isTrusted } = judge(context, access, asking)
  if (BODILESS.has(req.method)) {
    // A page can give a stream that it listens to no header.
    if (!isTrusted && !isGiven(req.query('token'), rules)) throw tokenMissing(access)
    return {}
  }
  const { token, ...fields } = await readBody(req.raw)
  if (!isTrusted && !isGiven(token, rules)) throw tokenMissing(access)
  // What a form of another site can send without asking has another type, and is not let in by where it comes from alone.
  const isByPlaceAlone = needsToken && !hasToken && !isGiven(token, rules)
  if (isByPlaceAlone && !isJson(req.header('content-type'))) throw notJson()
  return fields
}

/** The same where somebody else reads the body. */
export function admitCaller(context: Context, access: Access, asking: Asking): void {
  const { hasToken, needsToken, isTrusted } = judge(context, access, asking)
  if (!isTrusted) throw tokenMissing(access)
  if (needsToken && !hasToken && !isJson(context.req.header('content-type'))) throw notJson()
}

function isBearer(header: string | undefined, rules: AdmissionRules): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
  return isGiven(given, rules)
}

function isGiven(token: unknown, { isToken }: AdmissionRules): boolean {
  return typeof token === 'string' && token !== '' && isToken(token)
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
