import { Agent, request } from 'node:http'
import { ENTRIES_A_PROJECT, firstOf, projectName } from './hub-data.ts'
import { median, percentile, roundTo } from './statistics.ts'
import { entryAt, questionAbout, type Random, seededRandom } from './synthetic-corpus.ts'

/** Nobody waits longer; a request that is not answered by then counts as failed. */
const PATIENCE_MS = 10_000
/** Positions of the corpus that no database of a bench holds. */
const UNWRITTEN = 10_000_000
const BUSY = '"embedder_busy"'

/** `poorer`: by words alone, since too many questions waited for the embedder. The answer says so. */
export type Outcome = 'whole' | 'poorer' | 'failed'

export interface Latency {
  readonly requests: number
  readonly failed: number
  readonly poorer: number
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
  search(): Promise<Outcome>
  write(): Promise<Outcome>
}

/** Each is about another project, by chance: what one request has warmed serves no other. */
export function requestsOf(
  { address, token }: { readonly address: string; readonly token: string },
  projects: number,
): Requests {
  const agent = new Agent({ keepAlive: true, maxSockets: 512 })
  const random = seededRandom(Date.now())
  const authorization = `Bearer ${token}`
  const send = (method: string, path: string, body?: string): Promise<Outcome> =>
    new Promise(resolve => {
      const headers = {
        authorization,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      }
      const sent = request(`${address}${path}`, { method, agent, headers, timeout: PATIENCE_MS }, answer => {
        const chunks: Buffer[] = []
        answer.on('data', chunk => chunks.push(chunk))
        answer.once('close', () => {
          const isWell = answer.complete && (answer.statusCode ?? 500) < 300
          resolve(!isWell ? 'failed' : Buffer.concat(chunks).includes(BUSY) ? 'poorer' : 'whole')
        })
      })
      sent.once('timeout', () => sent.destroy())
      sent.once('error', () => resolve('failed'))
      sent.end(body)
    })
  const below = (bound: number) => Math.floor(random() * bound)
  return {
    search() {
      const project = below(projects)
      const { text } = questionAbout(firstOf(project) + below(ENTRIES_A_PROJECT))
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
export async function oneByOne(ask: () => Promise<Outcome>, requests: number): Promise<Latency> {
  const answers: Answer[] = []
  for (let at = 0; at < requests; at++) {
    const start = performance.now()
    const outcome = await ask()
    answers.push({ outcome, ms: performance.now() - start })
  }
  return latencyOf(answers)
}

interface Answer {
  readonly outcome: Outcome
  readonly ms: number
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
  const answers = { search: [] as Answer[], write: [] as Answer[] }
  const begin = performance.now()
  const asked: Promise<void>[] = []
  for (const { dueMs, what } of arrivals) {
    const due = begin + dueMs
    const wait = due - performance.now()
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
    asked.push(
      requests[what]().then(outcome => {
        answers[what].push({ outcome, ms: performance.now() - due })
      }),
    )
  }
  const last = performance.now()
  await Promise.all(asked)
  return {
    search: latencyOf(answers.search),
    write: latencyOf(answers.write),
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

function latencyOf(answers: readonly Answer[]): Latency {
  const millis = answers.map(({ ms }) => ms)
  const count = (wanted: Outcome) => answers.filter(({ outcome }) => outcome === wanted).length
  const figures = { requests: answers.length, failed: count('failed'), poorer: count('poorer') }
  if (answers.length === 0) return { ...figures, p50Ms: 0, p95Ms: 0, p99Ms: 0 }
  return {
    ...figures,
    p50Ms: roundTo(1, median(millis)),
    p95Ms: roundTo(1, percentile(millis, 0.95)),
    p99Ms: roundTo(1, percentile(millis, 0.99)),
  }
}
