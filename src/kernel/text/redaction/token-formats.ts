import { TOKEN_PREFIXES } from './token-prefixes.ts'

/**
 * Tokens of services, by the prefix that the vendor publishes so that scanners can recognise them. One line per format: the prefix, then
 * the characters of the body and its minimum length (below the published length, because a log line may have cut it).
 *
 * h  hex      u  upper case and digits      a  letters and digits
 * w  letters, digits, `_` and `-`   d  the same with `.` and `=`          b  base64 and base64url
 *
 * `token-prefixes.ts` has the unambiguous ones, `SHARED_TOKEN_PREFIXES` those that names also begin with.
 */
interface ServiceFormat {
  readonly prefix: string
  /** A letter of `BODIES`. */
  readonly body: string
  /** The minimum length of the body. */
  readonly length: number
  /** Names also begin with the prefix. */
  readonly isShared: boolean
}

/** The character classes of the bodies. */
const BODIES: Readonly<Record<string, string>> = {
  h: '[0-9A-Fa-f]',
  u: '[A-Z0-9]',
  a: '[A-Za-z0-9]',
  w: String.raw`[\w-]`,
  d: String.raw`[\w.=-]`,
  b: '[A-Za-z0-9+/=_-]',
}

export function serviceFormats(): ServiceFormat[] {
  return [...formatsOf(TOKEN_PREFIXES, false), ...formatsOf(SHARED_TOKEN_PREFIXES, true)]
}

function formatsOf(lines: string, isShared: boolean): ServiceFormat[] {
  return lines
    .trim()
    .split('\n')
    .map(line => {
      const [prefix = '', body = ''] = line.split(' ')
      return { prefix, body: body.charAt(0), length: Number.parseInt(body.slice(1), 10), isShared }
    })
}

/** The formats as one pattern without capturing groups, either the shared ones or the others; prefixes with the same body share it. */
export function serviceTokenPattern({ shared }: { shared: boolean }): RegExp {
  const prefixesByBody = new Map<string, string[]>()
  for (const { prefix, body, length } of serviceFormats().filter(({ isShared }) => isShared === shared)) {
    const pattern = `${BODIES[body]}{${length},}`
    const prefixes = prefixesByBody.get(pattern) ?? []
    prefixes.push(prefix.replace(/[.+]/g, '\\$&'))
    prefixesByBody.set(pattern, prefixes)
  }
  return new RegExp(
    Array.from(prefixesByBody, ([body, prefixes]) => `(?:${prefixes.join('|')})${body}`).join('|'),
  )
}

/** Prefixes that names also begin with (`pk_`, `account-`): the body must look random. */
const SHARED_TOKEN_PREFIXES = `
account- a20
act_ a22
ak- a20
ak_ a20
API_KEY u32
apk_ b80
argos_ a36
as- a20
BQ w140
BSA w24
ck- a36
client- a40
cog_ a48
console- a40
csa_ a32
dub_ a22
dyn_ a50
EAAA w22
EXO a24
flp_ a40
fw_ a22
hbp_ a30
ion_ a36
key- a32
lip_ w16
lk_ a20
master- a20
md- w22
mobile_ a32
nk- w40
pat_ a40
pk_ a20
pkey_ a16
prf_ w20
private_ a16
ptr_ b20
retool_ a20
rnd_ a26
SCW u17
secret- a40
secret_ a16
server_ a32
sk_ a20
skey_ a16
STS. a16
tly- a30
unkey_ a20
web_ a32
YC w38
`
