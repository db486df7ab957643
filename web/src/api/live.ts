import { useSyncExternalStore } from 'react'
import { openStream } from './client.ts'

/** The changed parts of the memory, as named by `GET /api/live`. */
export type Part =
  | 'entries'
  | 'review'
  | 'conflicts'
  | 'sessions'
  | 'state'
  | 'project-text'
  | 'config'
  | 'upkeep'
  | 'obsidian'
  | 'work'
/** `all`: after a lost connection it is unknown what changed. */
export type Changed = ReadonlySet<Part> | 'all'
type Listener = (changed: Changed) => void

type Connection = 'connecting' | 'connected' | 'lost'

/** Changes within this time are reported together. */
const BATCH_MS = 150
/** The server sends an event every 20 s. After more than two missed events the connection counts as lost. */
const SILENCE_TIMEOUT_MS = 45_000
const MIN_RETRY_MS = 500
const MAX_RETRY_MS = 8_000
/** A browser allows six connections per server, so a hidden tab closes its own. */
const HIDDEN_DISCONNECT_MS = 10_000

const listeners = new Set<Listener>()
const connectionListeners = new Set<() => void>()
let connection: Connection = 'connecting'
let waiting: Set<Part> | 'all' | undefined
let isQueued = false

/** Calls `listener` on every change of the memory, whatever its source. Returns the unsubscribe function. */
export function onMemoryChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Notifies all views of this page immediately, for changes that the page itself made. */
export function notifyChange(changed: Changed = 'all'): void {
  for (const listener of listeners) listener(changed)
}

/** Whether the change affects one of these parts. */
export function affects(changed: Changed, parts: readonly Part[] | undefined): boolean {
  return changed === 'all' || parts === undefined || parts.some(part => changed.has(part))
}

/** Whether the server is reachable. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    listener => {
      connectionListeners.add(listener)
      return () => connectionListeners.delete(listener)
    },
    () => connection,
  )
}

function setConnection(next: Connection): void {
  if (next === connection) return
  connection = next
  for (const listener of connectionListeners) listener()
}

function queueChange(parts: readonly Part[] | 'all'): void {
  if (parts === 'all' || waiting === 'all') waiting = 'all'
  else waiting = new Set([...(waiting ?? []), ...parts])
  if (isQueued) return
  isQueued = true
  setTimeout(flushChanges, BATCH_MS)
}

/** A hidden tab queues changes until it is visible again. */
function flushChanges(): void {
  isQueued = false
  if (document.hidden || waiting === undefined) return
  const changed = waiting
  waiting = undefined
  notifyChange(changed)
}

/** Listens to the server while the page is open. Call once. Not an EventSource, because that cannot send the token header. */
export function startLive(): void {
  let line: AbortController | undefined
  let failures = 0
  let wasConnected = false
  let retry: number | undefined
  let silence: number | undefined
  let leaving: number | undefined

  const heard = () => {
    clearTimeout(silence)
    silence = window.setTimeout(lost, SILENCE_TIMEOUT_MS)
  }
  const stop = () => {
    line?.abort()
    line = undefined
    clearTimeout(silence)
    clearTimeout(retry)
    retry = undefined
  }
  const lost = () => {
    stop()
    setConnection('lost')
    const wait = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** failures++)
    // Random delay, so that not all tabs reconnect at the same time.
    retry = window.setTimeout(listen, wait * (0.75 + Math.random() / 2))
  }
  const opened = () => {
    failures = 0
    heard()
    setConnection('connected')
    if (wasConnected) queueChange('all')
    wasConnected = true
  }
  const follow = async (signal: AbortSignal) => {
    const events = await openStream('live', {}, { signal })
    opened()
    for await (const { event, data } of events) {
      // The server is shutting down.
      if (event === 'bye') return
      heard()
      if (event === 'change') queueChange((JSON.parse(data) as { parts: Part[] }).parts)
    }
  }
  const listen = () => {
    stop()
    const own = new AbortController()
    line = own
    const over = () => {
      if (line === own) lost()
    }
    follow(own.signal).then(over, over)
  }

  listen()
  addEventListener('online', listen)
  document.addEventListener('visibilitychange', () => {
    clearTimeout(leaving)
    if (document.hidden) {
      leaving = window.setTimeout(stop, HIDDEN_DISCONNECT_MS)
      return
    }
    if (line === undefined) listen()
    flushChanges()
  })
}
