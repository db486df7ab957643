import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Hono } from 'hono'
import { CairnError } from '../../kernel/model/errors.ts'
import type { TokenFile } from '../../kernel/system/token-file.ts'
import { projectHash } from '../../kernel/system/up-marks.ts'
import { methodUnknown } from './app.ts'
import { noteRequest } from './watching/request-note.ts'

export const PROOF_PATH = '/api/server/proof'
const CHALLENGE = /^[0-9a-f]{32,128}$/

interface Proven {
  readonly root: string
  readonly port: number
  /** Chosen by the client, so that an earlier proof is not valid. */
  readonly challenge: string
}

/**
 * That whoever listens at this port has the token of this user and serves this project, without telling the token:
 *
 *   HMAC-SHA256(token, "cairn up" port project challenge)
 *
 * The port is in it so that nobody can pass on the proof of a server that listens at another.
 */
function proofOf(token: string, { root, port, challenge }: Proven): Buffer {
  return createHmac('sha256', token)
    .update(['cairn up', port, projectHash(root), challenge].join('\n'))
    .digest()
}

export function isProof(given: string, token: string, proven: Proven): boolean {
  const bytes = Buffer.from(given, 'hex')
  const right = proofOf(token, proven)
  return bytes.length === right.length && timingSafeEqual(bytes, right)
}

/** Requires no token; the proof does not reveal it. */
export function serveProof(
  app: Hono,
  {
    root,
    token,
    port,
  }: { readonly root: string; readonly token: TokenFile; readonly port: () => number | undefined },
): void {
  app.get(PROOF_PATH, context => {
    noteRequest(context, { route: 'proof' })
    const challenge = context.req.query('challenge') ?? ''
    const own = port()
    if (!CHALLENGE.test(challenge) || own === undefined) throw noChallenge()
    const proof = proofOf(token.read(), { root, port: own, challenge }).toString('hex')
    return context.json({ app: 'cairn', proof }, 200, { 'cache-control': 'no-store' })
  })
  app.all(PROOF_PATH, context => {
    throw methodUnknown(context, ['GET'])
  })
}

function noChallenge(): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: '`challenge` is 32 to 128 digits of a number in base 16.',
    hint: 'Choose another one for every question.',
  })
}
