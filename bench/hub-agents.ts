import { Agent, request } from 'node:http'
import { ENTRIES_A_PROJECT, projectName } from './hub-data.ts'
import { median, percentile, roundTo } from './statistics.ts'
import { entryAt, questionAbout, type Random, seededRandom } from './synthetic-corpus.ts'

/** Nobody waits longer; a request that is not answered by then counts as failed. */
const PATIENCE_MS = 10_000
/** Positions of the corpus that no database of a bench holds. */
const UNWRITTEN = 10_000_000

export interface Latency {
  readonly requests: number
  readonly failed: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
}

export interface Together {
  readonly search: Latency
  readonly write: Latency
  /** How long after the last arrival the last answer came. */
  readonly tailMs: number
}

export interface Requests {
  search(at: number): Promise<boolean>
  write(at: number): Promise<boolean>
}

/** Each is about another project, by chance: what one request has warmed serves no other. */
export function requestsOf(
  { address, token }: { readonly address: string; readonly token: string },
  projects: number,
): Requests {
  const agent = new Agent({ keepAlive: true, maxSockets: 512 })
  const random = seededRandom(Date.now())
  const authorization = `Bearer ${token}`
  const send = (method: string, path: string, body?: string): Promise<boolean> =>
    new Promise(resolve => {
      const headers = {
        authorization,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      }
      const sent = request(`${address}${path}`, { method, agent, headers, timeout: PATIENCE_MS }, answer => {
        answer.resume()
        answer.once('close', () => resolve(answer.complete && (answer.statusCode ?? 500) < 300))
      })
      sent.once('timeout', () => sent.destroy())
      sent.once('error', () => resolve(false))
      sent.end(body)
    })
  const below = (bound: number) => Math.floor(random() * bound)
  return {
    search() {
      const project = below(projects)
      const { text } = questionAbout(project * ENTRIES_A_PROJECT + below(ENTRIES_A_PROJECT))
      return send('GET', `/p/${projectName(project)}/api/search?limit=15&query=${encodeURIComponent(text)}`)
    },
    write() {
      const { text, metadata } = entryAt(UNWRITTEN + below(UNWRITTEN))
      const { kind, tags, files } = metadata
      const body = JSON.stringify({ content: text, kind, tags, files })
      return send('POST', `/p/${projectName(below(projects))}/api/entries`, body)
    },
  }
}

/** One after the other, by one who asks alone. */
export async function oneByOne(ask: (at: number) => Promise<boolean>, requests: number): Promise<Latency> {
  const millis: number[] = []
  let failed = 0
  for (let at = 0; at < requests; at++) {
    const start = performance.now()
    if (!(await ask(at))) failed++
    millis.push(performance.now() - start)
  }
  return latencyOf(millis, failed)
}

interface Arrival {
  readonly dueMs: number
  readonly what: 'search' | 'write'
}

/**
 * Every agent searches once a second and writes once in ten, each from a moment of its own. A request is sent when it is due, whether the
 * one before was answered or not, and its time counts from then: who waits in a queue is not left out.
 */
export async function manyAtOnce(
  requests: Requests,
  { agents, seconds }: { readonly agents: number; readonly seconds: number },
): Promise<Together> {
  const arrivals = arrivalsOf(agents, seconds, seededRandom(agents * 7 + seconds))
  const millis = { search: [] as number[], write: [] as number[] }
  const failed = { search: 0, write: 0 }
  const begin = performance.now()
  const asked: Promise<void>[] = []
  for (const [at, { dueMs, what }] of arrivals.entries()) {
    const due = begin + dueMs
    const wait = due - performance.now()
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
    asked.push(
      requests[what](at).then(isAnswered => {
        if (!isAnswered) failed[what]++
        millis[what].push(performance.now() - due)
      }),
    )
  }
  const last = performance.now()
  await Promise.all(asked)
  return {
    search: latencyOf(millis.search, failed.search),
    write: latencyOf(millis.write, failed.write),
    tailMs: roundTo(0, performance.now() - last),
  }
}

const SEARCH_EVERY_MS = 1_000
const WRITE_EVERY_MS = 10_000

function arrivalsOf(agents: number, seconds: number, random: Random): Arrival[] {
  const arrivals: Arrival[] = []
  for (let agent = 0; agent < agents; agent++) {
    for (const [what, everyMs] of [
      ['search', SEARCH_EVERY_MS],
      ['write', WRITE_EVERY_MS],
    ] as const)
      for (let dueMs = random() * everyMs; dueMs < seconds * 1_000; dueMs += everyMs)
        arrivals.push({ dueMs, what })
  }
  return arrivals.sort((a, b) => a.dueMs - b.dueMs)
}

function latencyOf(millis: readonly number[], failed: number): Latency {
  if (millis.length === 0) return { requests: 0, failed, p50Ms: 0, p95Ms: 0, p99Ms: 0 }
  return {
    requests: millis.length,
    failed,
    p50Ms: roundTo(1, median(millis)),
    p95Ms: roundTo(1, percentile(millis, 0.95)),
    p99Ms: roundTo(1, percentile(millis, 0.99)),
  }
}
