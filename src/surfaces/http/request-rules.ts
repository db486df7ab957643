/**
 * Which requests are allowed. Every page that is open in a browser can reach a server on this machine: by its address (cross-site
 * requests) or by a name that an attacker points to it (DNS rebinding). So a request must name us as the host, and must not have another
 * page as its origin.
 */
interface RequestFacts {
  readonly method: string
  /** As in the request line. */
  readonly target: string
  /** Every Host header of the request. */
  readonly hosts: readonly string[]
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
  readonly fetchMode: string | undefined
  readonly fetchDest: string | undefined
}

/** The names of this server. */
export interface Reach {
  readonly port: number
  /** Besides those of the loopback: the configured name or address, and that of the socket. */
  readonly names: readonly string[]
  /**
   * A hub may have any name, behind any proxy. It answers nothing without a token in a header, which no page of another origin knows and
   * no browser sends automatically, so DNS rebinding gains nothing.
   */
  readonly isAnyHost?: boolean
}

/** Where a link from another site may lead: the page itself, opened as a page. */
const OPENED_AS_PAGE: ReadonlySet<string> = new Set(['/', '/index.html'])
const PAGE_OF_PROJECT = /^\/p\/[^/?]+\/?(?:\?|$)/

/** undefined: allowed. */
export function whyRefused(facts: RequestFacts, reach: Reach): string | undefined {
  const [host, second] = facts.hosts
  if (host === undefined || second !== undefined) return 'A request has one Host header.'
  if (!facts.target.startsWith('/')) return 'A request names a path, and no other server.'
  if (reach.isAnyHost !== true && !isOurs(host, reach))
    return 'This server does not go by the host that the request names.'
  if (facts.origin !== undefined && !isOwnOrigin(facts.origin, host, reach))
    return 'The request comes from a page of another origin.'
  const isFromElsewhere =
    facts.fetchSite !== undefined && facts.fetchSite !== 'same-origin' && facts.fetchSite !== 'none'
  if (isFromElsewhere && !isOpening(facts)) return 'The request comes from a page of another site.'
  return undefined
}

/** A proxy in front of a hub may provide TLS. */
function isOwnOrigin(origin: string, host: string, { isAnyHost }: Reach): boolean {
  const schemes = isAnyHost === true ? ['http', 'https'] : ['http']
  return schemes.some(scheme => origin.toLowerCase() === `${scheme}://${host.toLowerCase()}`)
}

function isOurs(host: string, { port, names }: Reach): boolean {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]@/\\?#\s]+)(?::(\d{1,5}))?$/i.exec(host)
  if (match === null) return false
  const name = (match[1] ?? '').replace(/^\[|\]$/g, '').toLowerCase()
  if (Number(match[2] ?? 80) !== port) return false
  return isLoopback(name) || names.includes(name)
}

function isOpening({ method, target, fetchMode, fetchDest }: RequestFacts): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    (OPENED_AS_PAGE.has(target.split('?')[0] ?? '') || PAGE_OF_PROJECT.test(target)) &&
    fetchMode === 'navigate' &&
    fetchDest === 'document'
  )
}

/** A name or an address that always means this machine, whatever a name server says. */
export function isLoopback(name: string): boolean {
  const plain = name
    .replace(/^\[|\]$/g, '')
    .toLowerCase()
    .replace(/^::ffff:(?=\d)/, '')
  return plain === 'localhost' || plain === '::1' || /^127(?:\.\d{1,3}){3}$/.test(plain)
}

/** Headers with which a proxy names the origin of a request. */
const FORWARDING_HEADERS = [
  'x-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'x-forwarded-host',
  'cf-connecting-ip',
  'true-client-ip',
  'forwarded',
  'via',
] as const

/** Whether a request was forwarded from another machine. */
export function isForwarded(header: (name: string) => string | undefined): boolean {
  return FORWARDING_HEADERS.some(name => {
    const value = header(name)
    if (value === undefined) return false
    const addresses = addressesIn(name, value)
    // Forwarded without naming the client.
    return addresses.length === 0 || !addresses.every(isLoopback)
  })
}

/** Something that is not an address does not count as local. */
function addressesIn(header: string, value: string): string[] {
  const parts = value.split(',').map(part => part.trim())
  if (header === 'forwarded')
    return parts.flatMap(part =>
      part.split(';').flatMap(pair => {
        const [name = '', given = ''] = pair.split('=', 2).map(word => word.trim())
        return /^(?:for|by|host)$/i.test(name) ? [withoutPort(given.replace(/^"|"$/g, ''))] : []
      }),
    )
  if (header === 'via') return parts.map(part => withoutPort(part.split(/\s+/)[1] ?? ''))
  return parts.map(withoutPort)
}

function withoutPort(address: string): string {
  return /^(?:\[[^\]]*\]|[^:]*)(?=:\d+$)/.exec(address)?.[0] ?? address
}
