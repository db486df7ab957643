/**
 * A bucket of tokens for each client: it fills by `perSecond`, holds `burst`, and a request takes one.
 *
 *   tokens(now) = min(burst, tokens(last) + (now - last) / 1000 × perSecond)
 */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

export interface RateLimit {
  /** `rate`: replaces the default rate for this client. 0: allowed; otherwise the seconds until the next request is allowed. */
  take(client: string, nowMs: number, rate?: Rate): number
}

/** The number of clients to remember; the least recent one is forgotten. */
const MAX_CLIENTS = 1_000

export function rateLimit(usual: Rate): RateLimit {
  const bucketByClient = new Map<string, { tokens: number; atMs: number }>()
  return {
    take(client, nowMs, { perSecond, burst } = usual) {
      const last = bucketByClient.get(client) ?? { tokens: burst, atMs: nowMs }
      const tokens = Math.min(burst, last.tokens + (Math.max(0, nowMs - last.atMs) / 1000) * perSecond)
      const isAllowed = tokens >= 1
      bucketByClient.delete(client)
      bucketByClient.set(client, { tokens: isAllowed ? tokens - 1 : tokens, atMs: nowMs })
      const [oldest] = bucketByClient.keys()
      if (bucketByClient.size > MAX_CLIENTS && oldest !== undefined) bucketByClient.delete(oldest)
      return isAllowed ? 0 : (1 - tokens) / perSecond
    },
  }
}
