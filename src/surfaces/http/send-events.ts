import { failureOf } from './failure.ts'

export interface SentEvent {
  readonly event: string
  readonly data: unknown
}

interface SendOptions {
  /** Aborted when the server ends: the client gets `bye`, and the stream is closed. */
  readonly ending: AbortSignal
  readonly onFault: (error: unknown) => void
  /** The stream ended. Not called if the first step failed, because there was no stream. */
  readonly onOver?: () => void
  readonly timing?: SendTiming
}

interface SendTiming {
  /** After this time without an event a `ping` is sent. */
  readonly pingMs: number
  /** How long a listener may stop reading while data waits for it, before it is disconnected. */
  readonly patienceMs: number
}

const TIMING: SendTiming = { pingMs: 20_000, patienceMs: 30_000 }

/** The maximum number of bytes that wait for a slow listener; beyond it the source is paused. */
const MAX_WAITING = 256 * 1024

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // A buffering proxy would delay every event.
  'x-accel-buffering': 'no',
}

/**
 * Tells what `open` gives as server-sent events. The first event is waited for, so that a failure before it is thrown here and has a
 * status of its own.
 *
 *   open ─▶ events ─▶ at most 256 KiB waiting ─▶ listener
 *     ▲ signal            │ not read for 30 s: dropped
 *     └───────────────────┘ listener gone, or the server ends
 */
export async function sendEvents(
  open: (signal: AbortSignal) => AsyncIterable<SentEvent>,
  { ending, onFault, onOver, timing = TIMING }: SendOptions,
): Promise<Response> {
  const gone = new AbortController()
  const stop = () => gone.abort()
  ending.addEventListener('abort', stop, { once: true })
  const events = open(gone.signal)[Symbol.asyncIterator]()
  const pings = beats(timing.pingMs)
  let next = events.next()
  try {
    await firstOf(next, pings.next(), gone.signal)
  } catch (error) {
    pings.stop()
    ending.removeEventListener('abort', stop)
    throw error
  }
  const listener = waitingListener(timing.patienceMs, () => gone.abort())
  let sent: unknown
  const send = async () => {
    try {
      for (;;) {
        const step = await firstOf(next, pings.next(), gone.signal)
        if (step === 'gone' || (step !== 'ping' && step.done === true)) break
        await listener.send(step === 'ping' ? { event: 'ping', data: {} } : step.value)
        if (gone.signal.aborted) break
        if (step !== 'ping') next = events.next()
      }
      if (ending.aborted) await listener.send({ event: 'bye', data: {} })
    } catch (error) {
      sent = error
      const { body } = failureOf(error)
      if (body.code === 'internal') onFault(error)
      await listener.send({ event: 'error', data: body })
    } finally {
      gone.abort()
      pings.stop()
      ending.removeEventListener('abort', stop)
      listener.close()
      onOver?.()
      // The signal ends an interrupted step; no client gets its exception.
      next.catch(error => {
        if (error !== sent && (error as Error).name !== 'AbortError') onFault(error)
      })
      await events.return?.()
    }
  }
  send().catch(onFault)
  return new Response(listener.body, { headers: HEADERS })
}

async function firstOf<T>(
  next: Promise<IteratorResult<T>>,
  ping: Promise<'ping'>,
  gone: AbortSignal,
): Promise<IteratorResult<T> | 'ping' | 'gone'> {
  if (gone.aborted) return 'gone'
  let leave: (() => void) | undefined
  const left = new Promise<'gone'>(resolve => {
    leave = () => resolve('gone')
    gone.addEventListener('abort', leave, { once: true })
  })
  try {
    return await Promise.race([next, ping, left])
  } finally {
    if (leave !== undefined) gone.removeEventListener('abort', leave)
  }
}

function beats(everyMs: number) {
  let timer: NodeJS.Timeout | undefined
  return {
    /** Restarted with every event. */
    next: () =>
      new Promise<'ping'>(resolve => {
        clearTimeout(timer)
        timer = setTimeout(() => resolve('ping'), everyMs)
        timer.unref()
      }),
    stop: () => clearTimeout(timer),
  }
}

function waitingListener(patienceMs: number, onGone: () => void) {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let isOpen = true
  let onRead: (() => void) | undefined
  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given
      },
      pull() {
        onRead?.()
      },
      cancel() {
        isOpen = false
        onRead?.()
        onGone()
      },
    },
    { highWaterMark: MAX_WAITING, size: chunk => chunk?.byteLength ?? 0 },
  )
  const drop = () => {
    if (!isOpen) return
    isOpen = false
    controller?.error(new Error('the listener did not read'))
    onRead?.()
    onGone()
  }
  return {
    body,
    async send({ event, data }: SentEvent): Promise<void> {
      if (!isOpen) return
      controller?.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      if ((controller?.desiredSize ?? 0) > 0) return
      const timer = setTimeout(drop, patienceMs)
      await new Promise<void>(resolve => {
        onRead = resolve
      })
      clearTimeout(timer)
    },
    close(): void {
      if (isOpen) controller?.close()
      isOpen = false
    },
  }
}

/** A response that is streamed and ends with the signal at the latest. */
export function endedBy(
  response: Response,
  { signal, release }: { readonly signal: AbortSignal; readonly release: () => void },
): Response {
  if (response.body === null) {
    release()
    return response
  }
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const end = () => {
    reader.cancel().finally(release)
  }
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (!done) {
        controller.enqueue(value)
        return
      }
      signal.removeEventListener('abort', end)
      release()
      controller.close()
    },
    cancel() {
      signal.removeEventListener('abort', end)
      end()
    },
  })
  const { status, headers } = response
  return new Response(body, { status, headers })
}
